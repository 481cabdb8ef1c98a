# shellcheck shell=bash
# shellcheck disable=SC2154 # deps
# Installs what the benchmark peers need, as far as this machine can get it.
# scripts/setup --peers sources this file. The file uses functions of
# scripts/setup.
# No peer is required: this script names the peers that it cannot get, and the
# report lists them as absent.

newer_headers_of_peers() {
  newer_files eigen libeigen3-dev include/eigen3 forky ||
    say "no newer Eigen found; the installed Eigen will be measured"
  newer_files libdivide libdivide-dev include forky ||
    say "no newer libdivide found; the installed libdivide will be measured"
  onnxruntime_headers ||
    say "no headers of ONNX Runtime found; ONNX Runtime will be measured through Python"
}

peer_packages() {
  local name wanted=() unknown=()
  missing=()
  for name in libeigen3-dev libsleef-dev libdnnl-dev libdivide-dev \
    libxnnpack-dev libpthreadpool-dev python3-venv; do
    package "$name"
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  # If apt's lists lack a package, the lists may be empty or old.
  if ! have_candidates && find_rights; then
    update_lists || say "apt's package lists could not be updated"
  fi
  for name in "${missing[@]}"; do
    if [ -n "$(candidate "$name")" ]; then
      wanted+=("$name")
    else
      unknown+=("$name")
    fi
  done
  [ ${#unknown[@]} = 0 ] || say "apt does not know: ${unknown[*]}"
  missing=("${wanted[@]}")
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! find_rights; then
    say "to measure more peers: apt-get install ${missing[*]}"
    return 0
  fi
  install_missing || say "not installed: ${missing[*]}"
}

# Installs with pip, as pip is configured on this machine. MKL exists for x86
# only, and is large. nxrt-ep-cpu has no release yet.
python_peers() {
  local names=(numpy onnxruntime onnx nxrt-ep-cpu==0.1.0.dev6 numexpr numba jax) name
  [ "$(uname -m)" != x86_64 ] || names+=(mkl)
  [ "$(cat "$deps/peers-venv/peers" 2>/dev/null)" != "${names[*]}" ] || return 0
  python3 -m venv "$deps/peers-venv" >/dev/null 2>&1 || {
    say "no Python environment could be made: no NumPy, no ONNX Runtime, no MKL"
    return 0
  }
  for name in "${names[@]}"; do
    say "installing the Python package $name in build/_deps/peers-venv"
    timeout 600 "$deps/peers-venv/bin/python3" -m pip install --quiet \
      --disable-pip-version-check --only-binary :all: "$name" ||
      say "$name could not be installed"
  done
  echo "${names[*]}" >"$deps/peers-venv/peers"
}

# Unpacks the packages whose models are timed. Nothing of them is installed, so it
# does not matter for which Python they are.
model_packages() {
  local list=$top/benchmarks/models/packages.txt folder=$deps/models file
  ! cmp -s "$list" "$folder/ready" || return 0
  say "getting the packages of benchmarks/models/packages.txt"
  rm -rf "$folder"
  mkdir -p "$folder/wheels"
  timeout 600 "$deps/peers-venv/bin/python3" -m pip download --quiet --disable-pip-version-check \
    --no-deps --only-binary :all: --ignore-requires-python \
    --dest "$folder/wheels" --requirement "$list" || {
    say "not all models could be had"
    return 0
  }
  for file in "$folder"/wheels/*.whl; do
    python3 -m zipfile -e "$file" "$folder"
  done
  rm -r "$folder/wheels"
  cp "$list" "$folder/ready"
}

peer_packages
newer_headers_of_peers
python_peers
model_packages

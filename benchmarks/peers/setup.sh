# shellcheck shell=bash
# shellcheck disable=SC2154 # deps
# Installs what the benchmark peers need, as far as this machine can get it.
# scripts/setup --peers sources this file. The file uses functions of
# scripts/setup.
# No peer is required: this script names the peers that it cannot get, and the
# report lists them as absent.

# Takes headers from a newer release of the distribution than the machine's own:
# those of header-only peers, and of libraries that are loaded at run time.
newer_headers() {
  local name=$1 package=$2 include=$3
  [ ! -d "$deps/$name" ] || return 0
  rm -rf "$deps/apt/packages" "$deps/$name.unpacked"
  mkdir -p "$deps/apt/packages"
  (cd "$deps/apt/packages" && own_apt download "$package") >/dev/null 2>&1 ||
    return 1
  dpkg-deb -x "$deps"/apt/packages/"$package"_*.deb "$deps/$name.unpacked" &&
    mv "$deps/$name.unpacked/usr/include$include" "$deps/$name" || return 1
  say "$(basename "$deps"/apt/packages/"$package"_*.deb) in build/_deps/$name"
  rm -rf "$deps/$name.unpacked" "$deps/apt/packages"
}

newer_headers_from_debian() {
  [ ! -d "$deps/eigen" ] || [ ! -d "$deps/libdivide" ] ||
    [ ! -d "$deps/onnxruntime" ] || return 0
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg mirror codename
  [ -r "$keyring" ] && grep -q '^ID=debian' /etc/os-release || return 0
  codename=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  mkdir -p "$deps/apt/lists/partial" "$deps/apt/cache/archives/partial"
  : >"$deps/apt/status"
  for mirror in $(release_mirrors "$codename"); do
    echo "deb [signed-by=$keyring] $mirror forky main" >"$deps/apt/sources.list"
    own_apt update >/dev/null 2>&1 || continue
    newer_headers eigen libeigen3-dev /eigen3 ||
      say "no newer Eigen found; the installed Eigen will be measured"
    newer_headers libdivide libdivide-dev "" ||
      say "no newer libdivide found; the installed libdivide will be measured"
    newer_headers onnxruntime libonnxruntime-dev /onnxruntime ||
      say "no headers of ONNX Runtime found; ONNX Runtime will be measured through Python"
    break
  done
  rm -rf "$deps/apt"
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
# only, and is large.
python_peers() {
  [ ! -f "$deps/peers-venv/peers" ] || return 0
  python3 -m venv "$deps/peers-venv" >/dev/null 2>&1 || {
    say "no Python environment could be made: no NumPy, no ONNX Runtime, no MKL"
    return 0
  }
  local name
  for name in numpy onnxruntime mkl; do
    [ "$name" != mkl ] || [ "$(uname -m)" = x86_64 ] || continue
    say "installing the Python package $name in build/_deps/peers-venv"
    timeout 600 "$deps/peers-venv/bin/python3" -m pip install --quiet \
      --disable-pip-version-check --only-binary :all: "$name" ||
      say "$name could not be installed"
  done
  touch "$deps/peers-venv/peers"
}

peer_packages
newer_headers_from_debian
python_peers

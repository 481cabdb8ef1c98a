# shellcheck shell=bash
# shellcheck disable=SC2154 # deps
# What the benchmark's peers need, as far as this machine can have it. Sourced
# by scripts/setup --peers, whose functions it uses. Nothing here is required:
# what cannot be had is named, and the report says that it was absent.

# Header-only peers, and headers of what is loaded at run time, are taken from a newer suite than the machine's own.
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
      say "no newer Eigen; the installed one is measured"
    newer_headers libdivide libdivide-dev "" ||
      say "no newer libdivide; the installed one is measured"
    newer_headers onnxruntime libonnxruntime-dev /onnxruntime ||
      say "no headers of ONNX Runtime; it is measured through Python"
    break
  done
  rm -rf "$deps/apt"
}

peer_packages() {
  local name wanted=()
  for name in libeigen3-dev libsleef-dev libdnnl-dev libdivide-dev \
    libxnnpack-dev libpthreadpool-dev python3-venv; do
    missing=()
    package "$name"
    [ ${#missing[@]} = 0 ] || ! have_candidates || wanted+=("$name")
  done
  missing=("${wanted[@]}")
  [ ${#missing[@]} -gt 0 ] || return 0
  if ! find_rights; then
    say "peers that could be measured too: apt-get install ${missing[*]}"
    return 0
  fi
  install_missing || say "not installed: ${missing[*]}"
}

# pip as it is set up on this machine. MKL is large, and for x86 only.
python_peers() {
  [ ! -f "$deps/peers-venv/peers" ] || return 0
  python3 -m venv "$deps/peers-venv" >/dev/null 2>&1 || {
    say "no Python environment, so no NumPy and no ONNX Runtime"
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

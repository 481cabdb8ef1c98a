# Python for 64-bit Arm in qemu, in the folder $folder/root: Python comes from Debian's
# packages for Arm. To be sourced.
# shellcheck shell=bash disable=SC2154 # $folder is the caller's
qemu=$(command -v qemu-aarch64-static || command -v qemu-aarch64)

# apt with the machine's sources and a state of its own, as if on Arm.
arm_apt() {
  apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures::=arm64 \
    -o Dir::State="$folder/apt" -o Dir::State::status="$folder/apt/status" \
    -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User="$(id -un)" "$@"
}

# qemu needs no more of a system than Python's packages and their dependencies.
get_python() {
  mkdir -p "$folder"/apt/{lists,cache/archives}/partial
  : >"$folder/apt/status"
  arm_apt update
  arm_apt install --download-only --no-install-recommends python3 libstdc++6
  local package
  for package in "$folder"/apt/cache/archives/*.deb; do
    dpkg-deb -x "$package" "$folder/root"
  done
}

arm_python() { "$qemu" -L "$folder/root" "$folder/root/usr/bin/python3" "$@"; }

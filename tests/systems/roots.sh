# shellcheck shell=bash
# Fresh systems, and commands in them. tests/systems/run and tests/systems/compilers
# source this file, with `top` set.

work=${top:?}/build/systems

# The words before a command that make it root's.
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)

# Prints the mirrors from which this machine gets the named distribution.
mirror_of() {
  # shellcheck disable=SC2016 # apt's own variables
  apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' 'Created-By: Packages' |
    awk -v origin="$1" '$1 == origin && !/security/ && !found++ { print $2 }'
}

# Makes the file system of a release; a part of one never has the final name.
#   make_system ROOT ORIGIN CODENAME COMPONENTS SCRIPT
make_system() {
  local root=$1 mirror options=()
  local keyring=$top/build/_deps/ubuntu-keyring/ubuntu-archive-keyring.gpg
  # scripts/setup gets the key where this machine's release has none.
  [ "$2" != Ubuntu ] || [ ! -r "$keyring" ] || options=(--keyring="$keyring")
  mirror=$(mirror_of "$2")
  "${as_root[@]}" rm -rf --one-file-system "$root" "$root.part"
  mkdir -p "$work/debs"
  "${as_root[@]}" debootstrap --variant=minbase --force-check-gpg "${options[@]}" \
    --components="$4" --cache-dir="$work/debs" "$3" "$root.part" "$mirror" \
    "/usr/share/debootstrap/scripts/$5" &&
    "${as_root[@]}" mv "$root.part" "$root"
}

# Gives a system this machine's way into the network.
connect() {
  local root=$1 file
  for file in /etc/resolv.conf /etc/hosts /etc/pip.conf /etc/apt/auth.conf \
    /etc/ssl/certs/ca-certificates.crt /usr/local/share/ca-certificates; do
    [ ! -e "$file" ] || "${as_root[@]}" cp -rL --parents "$file" "$root"
  done
  apt-config dump | grep '^Acquire::' |
    "${as_root[@]}" tee "$root/etc/apt/apt.conf.d/99acquire" >/dev/null
}

# Runs a command in a system.
#   in_system ROOT COMMAND...
in_system() {
  local root=$1 settings=()
  shift
  # But for folders of this machine.
  mapfile -t settings < <(env | grep -v '^PIP_FIND_LINKS=/' |
    grep -E '^(PIP_|SSL_CERT_|CI=|JOBS=|[a-zA-Z]+_(proxy|PROXY)=)')
  # The mounts end with this command.
  # shellcheck disable=SC2016 # expanded by the inner shell
  "${as_root[@]}" unshare --mount --propagation private bash -euc '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    exec chroot "$root" env -i "$@"' - "$root" \
    HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    "${settings[@]}" "$@"
}

# shellcheck shell=bash
# shellcheck disable=SC2154 # deps
# Gets what the Python package's tests need: two environments, with the oldest and the
# newest NumPy that it supports. scripts/setup sources this file. The file uses functions
# of scripts/setup.
# Nothing here is required: what cannot be had is named.

# Whether Python.h is there.
python_has_headers() {
  [ -f "$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')/Python.h" ]
}

# A Python environment with these packages, from the index that pip is configured with.
python_environment() {
  local venv=$deps/$1
  shift
  [ "$(cat "$venv/ready" 2>/dev/null)" != "$*" ] || return 0
  say "installing Python packages in build/_deps/$(basename "$venv")"
  rm -rf "$venv"
  python3 -m venv "$venv" >/dev/null 2>&1 &&
    timeout 900 "$venv/bin/python" -m pip install --quiet \
      --disable-pip-version-check --only-binary :all: "$@" &&
    echo "$*" >"$venv/ready"
}

python_for_package() {
  python_environment python-floor 'numpy==1.26.*' ml_dtypes pytest hypothesis numexpr ||
    say "NumPy 1.26 could not be installed"
  python_environment python-newest numpy ml_dtypes pytest hypothesis numexpr pyarrow \
    pandas 'dask[array]' jax mypy ||
    say "the newest NumPy, and packages that the Python package works with, could not" \
      "be installed"
}

# shellcheck shell=bash
# shellcheck disable=SC2154 # deps
# Gets what the execution provider needs: ONNX Runtime's headers to build it, and
# three versions of ONNX Runtime to test it. scripts/setup sources this file. The file
# uses functions of scripts/setup.
# Nothing here is required: what cannot be had is named.

onnxruntime_floor=1.24
onnxruntime_too_old=1.23

# Whether the headers in a folder are new enough.
onnxruntime_headers_fit() {
  local version
  version=$(sed -n 's/^#define ORT_API_VERSION \([0-9]*\).*/\1/p' \
    "$1/onnxruntime_c_api.h" 2>/dev/null)
  [ -n "$version" ] && [ "$version" -ge "${onnxruntime_floor#1.}" ]
}

onnxruntime_has_headers() {
  local folder
  for folder in "$deps/onnxruntime" /usr/{local/,}include/onnxruntime; do
    ! onnxruntime_headers_fit "$folder" || return 0
  done
  return 1
}

# The headers are the same for all machines, and nothing links the library. So the
# package may come from a newer release of Debian.
onnxruntime_headers() {
  ! onnxruntime_has_headers || return 0
  rm -rf "$deps/onnxruntime"
  local suite
  for suite in forky sid experimental; do
    newer_files onnxruntime libonnxruntime-dev include/onnxruntime "$suite" || continue
    ! onnxruntime_headers_fit "$deps/onnxruntime" || return 0
    rm -rf "$deps/onnxruntime"
  done
  return 1
}

# A Python environment with one version of ONNX Runtime, from the index that pip is
# configured with. Its package also holds the library for C++ programs.
onnxruntime_environment() {
  local venv=$deps/$1 wanted=$2
  [ "$(cat "$venv/ready" 2>/dev/null)" != "$wanted" ] || return 0
  say "installing the Python package $wanted in build/_deps/$1"
  rm -rf "$venv"
  python3 -m venv "$venv" >/dev/null 2>&1 &&
    timeout 600 "$venv/bin/python" -m pip install --quiet \
      --disable-pip-version-check --only-binary :all: "$wanted" onnx numpy &&
    echo "$wanted" >"$venv/ready"
}

onnxruntime_for_provider() {
  onnxruntime_headers ||
    say "no headers of ONNX Runtime $onnxruntime_floor or newer found"
  onnxruntime_environment ort-floor "onnxruntime==$onnxruntime_floor.*" ||
    say "ONNX Runtime $onnxruntime_floor could not be installed"
  onnxruntime_environment ort-newest onnxruntime ||
    say "ONNX Runtime could not be installed"
  # The newest one that the provider refuses.
  onnxruntime_environment ort-too-old "onnxruntime==$onnxruntime_too_old.*" ||
    say "ONNX Runtime $onnxruntime_too_old could not be installed"
}

# SPDX-License-Identifier: Apache-2.0
"""The provider's library: where it is, and its registration with ONNX Runtime."""

from __future__ import annotations

import os
import pathlib
import re
import sys
import threading
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnxruntime

EP_NAME = "LanewiseExecutionProvider"
LIBRARY_VARIABLE = "LANEWISE_ORT_LIBRARY"
OLDEST_ONNXRUNTIME = (1, 24)

_FILE = (
    "onnxruntime_ep_lanewise.dll"
    if sys.platform == "win32"
    else "libonnxruntime_ep_lanewise.so"
)
_lock = threading.Lock()


class UnsupportedOnnxRuntimeError(RuntimeError):
    """The installed onnxruntime is too old for what was asked."""


def get_ep_name() -> str:
    """The provider's name in ONNX Runtime."""
    return EP_NAME


def get_ep_names() -> list[str]:
    """The names of all providers in the library."""
    return [EP_NAME]


def get_library_path() -> str:
    """The absolute path of the provider's library. The environment variable
    LANEWISE_ORT_LIBRARY overrides the library of this package."""
    override = os.environ.get(LIBRARY_VARIABLE)
    path = pathlib.Path(override) if override else pathlib.Path(__file__).parent / _FILE
    if not path.is_file():
        source = f"{LIBRARY_VARIABLE} names" if override else "this package lacks"
        raise FileNotFoundError(f"no provider library: {source} {path}")
    return str(path.resolve())


def register() -> str:
    """Registers the library with ONNX Runtime and returns its path. Further calls do
    nothing."""
    ort = import_onnxruntime()
    path = get_library_path()
    with _lock:
        if not devices(ort):
            ort.register_execution_provider_library(EP_NAME, path)
    return path


def unregister() -> None:
    """Takes the registration back, if there is one. Sessions go on working."""
    ort = import_onnxruntime()
    with _lock:
        if devices(ort):
            ort.unregister_execution_provider_library(EP_NAME)


def import_onnxruntime(oldest: tuple[int, int] = OLDEST_ONNXRUNTIME) -> ModuleType:
    """The module onnxruntime, at least as new as `oldest`."""
    import onnxruntime

    found = tuple(int(n) for n in re.findall(r"\d+", onnxruntime.__version__)[:2])
    if found < oldest:
        raise UnsupportedOnnxRuntimeError(
            f"this needs onnxruntime {oldest[0]}.{oldest[1]} or newer;"
            f" {onnxruntime.__version__} is installed"
        )
    return onnxruntime


def devices(ort: ModuleType) -> list[onnxruntime.OrtEpDevice]:
    """The devices that the registered provider offers."""
    return [device for device in ort.get_ep_devices() if device.ep_name == EP_NAME]

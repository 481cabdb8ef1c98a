# SPDX-License-Identifier: Apache-2.0
"""Other packages' arrays, and unusual ones of NumPy's, as plain arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _dlpack, _types

_ON_CPU = {1, 3, 11}  # DLPack's kDLCPU, kDLCUDAHost, kDLROCMHost


def is_static(x: Any) -> bool:
    """Whether an argument is no data, but chooses what is computed."""
    return x is None or isinstance(x, (str, bytes, type, np.dtype, dict, frozenset)) or (
        callable(x) and not hasattr(x, "__array__") and not hasattr(x, "__dlpack__")
    )  # fmt: skip


def _check_device(x: Any) -> None:
    if hasattr(x, "__cuda_array_interface__"):
        raise TypeError(f"{_name(x)} is on a GPU; lanewise computes on the CPU: "
                        "copy the array there first")  # fmt: skip
    if hasattr(x, "__dlpack_device__"):
        kind, number = x.__dlpack_device__()
        if kind not in _ON_CPU:
            raise TypeError(f"{_name(x)} is on a GPU (DLPack's device {int(kind)}:"
                            f"{number}); lanewise computes on the CPU: "
                            "copy the array there first")  # fmt: skip


def _name(x: Any) -> str:
    return f"an array of {type(x).__module__}.{type(x).__name__}"


def _from_other(x: Any) -> np.ndarray:
    """Without a copy where a protocol allows that."""
    if isinstance(x, (int, float, complex, bool, list, tuple)):
        return np.asarray(x)
    _check_device(x)
    if hasattr(x, "__array_interface__") or not hasattr(x, "__dlpack__"):
        return np.asarray(x)
    try:
        return np.from_dlpack(x)
    except (RuntimeError, BufferError, TypeError, AttributeError, ValueError):
        array = _dlpack.array_of(x)
        return np.asarray(x) if array is None else array


def plain(x: Any) -> np.ndarray:
    """x as an array that the extension module reads in place."""
    array = x if isinstance(x, (np.ndarray, np.generic)) else _from_other(x)
    if isinstance(array, np.ma.MaskedArray):
        raise TypeError("a masked array: lanewise knows no masks; take x.filled(...)")
    array = np.asarray(array)
    if type(array) is not np.ndarray:
        array = array.view(np.ndarray)
    dtype = array.dtype
    if not _types.code_of(dtype.newbyteorder("=")):
        raise TypeError(f"lanewise has no elements of the type {dtype}")
    in_steps = all(stride % max(dtype.itemsize, 1) == 0 for stride in array.strides)
    if not dtype.isnative or not array.flags.aligned or not in_steps:
        array = np.array(array, dtype=dtype.newbyteorder("="), order="C")
    return array


def plain_out(x: Any) -> Any:
    """An array to write, as one of NumPy's: the same memory."""
    if x is None:
        return x
    array = x if isinstance(x, np.ndarray) else _from_other(x)
    if array is not x and not _is_memory(x):
        raise TypeError("return arrays must be of ArrayType")
    if not array.flags.writeable:
        raise ValueError("the output array is read-only")
    return array


def _is_memory(x: Any) -> bool:
    """Whether an array of x is x's own memory, and no copy."""
    if isinstance(x, np.generic):
        return False
    if hasattr(x, "__array_interface__") or hasattr(x, "__dlpack__"):
        return True
    try:
        return memoryview(x) is not None
    except TypeError:
        return False

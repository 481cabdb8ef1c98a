# SPDX-License-Identifier: Apache-2.0
"""DLPack tensors of types that NumPy's own from_dlpack lacks: bfloat16 and float8."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from . import _types

# DLPack's (code, bits) as lw_type
_CODES = {(4, 16): 16, (10, 8): 17, (11, 8): 18, (12, 8): 19, (13, 8): 20, (14, 8): 24}


class _Tensor(ctypes.Structure):
    """DLTensor, with which a capsule named dltensor begins."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class _Versioned(ctypes.Structure):
    """DLManagedTensorVersioned, which a capsule named dltensor_versioned has."""

    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("manager", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", _Tensor),
    ]


_READ_ONLY = 1  # a bit of the flags


class _Owner:
    """Keeps a tensor's memory: nobody takes the capsule over, so that the capsule's
    end frees the tensor."""

    def __init__(self, capsule: Any, interface: dict[str, Any]) -> None:
        self.capsule, self.__array_interface__ = capsule, interface


def _read(capsule: Any) -> tuple[_Tensor, bool]:
    """The capsule's tensor, and whether nobody may write to the tensor. A capsule
    without a version cannot tell, so that nobody may, as in NumPy."""
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    is_valid = ctypes.pythonapi.PyCapsule_IsValid
    is_valid.argtypes = get.argtypes
    if not is_valid(capsule, b"dltensor_versioned"):
        return _Tensor.from_address(get(capsule, b"dltensor")), True
    managed = _Versioned.from_address(get(capsule, b"dltensor_versioned"))
    if managed.major != 1:
        raise BufferError(f"DLPack {managed.major}.{managed.minor} is newer than 1")
    return managed.tensor, bool(managed.flags & _READ_ONLY)


def array_of(x: Any) -> np.ndarray | None:
    """The tensor's memory as an array; None if the type is none of these."""
    try:
        capsule = x.__dlpack__(max_version=(1, 0))
    except TypeError:  # written before DLPack had versions
        capsule = x.__dlpack__()
    tensor, is_read_only = _read(capsule)
    code = _CODES.get((tensor.code, tensor.bits))
    if code is None or tensor.lanes != 1:
        return None
    dtype = _types.dtype_of(code)
    strides = None
    if tensor.strides:
        strides = tuple(s * dtype.itemsize for s in tensor.strides[: tensor.ndim])
    interface = {
        "version": 3,
        "shape": tuple(tensor.shape[: tensor.ndim]),
        "typestr": np.dtype(f"u{dtype.itemsize}").str,
        "data": ((tensor.data or 0) + tensor.byte_offset, is_read_only),
        "strides": strides,
    }
    return np.asarray(_Owner(capsule, interface)).view(dtype)

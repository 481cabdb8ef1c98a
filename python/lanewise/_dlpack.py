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


class _Owner:
    """Keeps a tensor's memory: nobody takes the capsule over, so that the capsule's
    end frees the tensor."""

    def __init__(self, capsule: Any, interface: dict[str, Any]) -> None:
        self.capsule, self.__array_interface__ = capsule, interface


def array_of(x: Any) -> np.ndarray | None:
    """The tensor's memory as an array; None if the type is none of these."""
    capsule = x.__dlpack__()
    get = ctypes.pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    tensor = _Tensor.from_address(get(capsule, b"dltensor"))
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
        "typestr": f"<u{dtype.itemsize}",
        "data": ((tensor.data or 0) + tensor.byte_offset, False),
        "strides": strides,
    }
    return np.asarray(_Owner(capsule, interface)).view(dtype)

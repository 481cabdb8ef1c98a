# SPDX-License-Identifier: Apache-2.0
"""Element types: NumPy's and those that other packages add to NumPy, as lw_type."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _core

# lw_type numbers, which are ONNX's.
OWN = {
    1: "float32", 2: "uint8", 3: "int8", 4: "uint16", 5: "int16", 6: "int32",
    7: "int64", 9: "bool", 10: "float16", 11: "float64", 12: "uint32", 13: "uint64",
    14: "complex64", 15: "complex128",
}  # fmt: skip
# Types of ml_dtypes, which a caller's array brings along. Their 4- and 2-bit types
# fill a byte for each element, so that ONNX's packed types are others.
ADDED = {
    16: "bfloat16", 17: "float8_e4m3fn", 18: "float8_e4m3fnuz", 19: "float8_e5m2",
    20: "float8_e5m2fnuz", 24: "float8_e8m0fnu",
}  # fmt: skip
FLOAT32, UINT8, INT32, INT64, BOOL, FLOAT64, BFLOAT16 = 1, 2, 6, 7, 9, 11, 16
FLOATS = {1, 10, 11, 16, 17, 18, 19, 20, 24}
SIGNED = {3, 5, 6, 7}
UNSIGNED = {2, 4, 12, 13}
WHOLE = SIGNED | UNSIGNED

_codes: dict[Any, int] = {np.dtype(name): code for code, name in OWN.items()}
_dtypes: dict[int, np.dtype] = {code: dtype for dtype, code in _codes.items()}
_added_codes = {name: code for code, name in ADDED.items()}
# The extension module reads this dictionary: numpy.dtype -> lw_type.
added: dict[Any, int] = {}


def code_of(dtype: Any) -> int:
    """The lw_type of a numpy.dtype; 0 if lanewise has none."""
    found = _codes.get(dtype, 0)
    if not found and dtype.kind in "Vf" and dtype.name in _added_codes:
        found = _added_codes[dtype.name]
        added[dtype] = found
        _codes[dtype] = found
        _dtypes[found] = dtype
    # long long beside long, and other byte orders, compare equal to none of these
    if not found and dtype.isbuiltin == 1:
        found = _codes.get(np.dtype(dtype.str), 0)
    return found


def dtype_of(code: int) -> np.dtype:
    """The numpy.dtype of an lw_type."""
    if code not in _dtypes:
        if code not in ADDED:
            raise TypeError(f"NumPy has no type for {_core.type_name(code)}")
        import ml_dtypes  # only who asks for such a type needs the package

        code_of(np.dtype(getattr(ml_dtypes, ADDED[code])))
    return _dtypes[code]


def dtype_from(name: Any) -> np.dtype:
    """What a caller wrote for a type: a dtype, a scalar type, or a name."""
    if isinstance(name, str):
        if name in _added_codes:
            return dtype_of(_added_codes[name])
        # ONNX's names of the float8 types
        for code in ADDED:
            if _core.type_name(code) == name:
                return dtype_of(code)
    dtype = np.dtype(name)
    if not code_of(dtype):
        raise TypeError(f"lanewise has no elements of the type {dtype}")
    return dtype


def is_added(dtype: np.dtype) -> bool:
    return code_of(dtype) in ADDED

# SPDX-License-Identifier: Apache-2.0
"""Cast by definition, for the oracle."""

from __future__ import annotations

import math
from collections.abc import Mapping

import ml_dtypes
import numpy as np
import onnx
from onnx import numpy_helper

from lanewise_ctypes import Attribute

# What holds all values of a narrow type.
NARROW = {
    **{
        np.dtype(narrow): np.float32
        for narrow in (
            ml_dtypes.float4_e2m1fn,
            ml_dtypes.float8_e4m3fn,
            ml_dtypes.float8_e4m3fnuz,
            ml_dtypes.float8_e5m2,
            ml_dtypes.float8_e5m2fnuz,
            ml_dtypes.float8_e8m0fnu,
        )
    },
    np.dtype(ml_dtypes.int2): np.int8,
    np.dtype(ml_dtypes.int4): np.int8,
    np.dtype(ml_dtypes.uint2): np.uint8,
    np.dtype(ml_dtypes.uint4): np.uint8,
}


def wrapped(integers: list[int], kind: np.dtype) -> np.ndarray:
    """The low bits of integers."""
    size = kind.itemsize
    low = np.array(integers, dtype=object) & ((1 << 8 * size) - 1)
    return low.astype(f"u{size}").view(kind)


def cast(
    x: np.ndarray, to_type: int, attributes: Mapping[str, Attribute]
) -> np.ndarray:
    """Rounded once; integers saturate, and NaN gives 0."""
    to = onnx.helper.tensor_dtype_to_np_dtype(to_type)
    if x.dtype == to and to in NARROW:  # a copy
        return x
    if x.dtype in NARROW:
        x = x.astype(NARROW[x.dtype])
    if to in NARROW:
        return _to_narrow(x, to, attributes)
    if to == bool:
        return x.astype(np.float64) != 0 if x.dtype.itemsize == 2 else x != 0
    to_one = to_integers if np.issubdtype(to, np.integer) else _to_floats
    return to_one(x.ravel(), to).reshape(x.shape)


def _to_narrow(
    x: np.ndarray, to: np.dtype, attributes: Mapping[str, Attribute]
) -> np.ndarray:
    """ml_dtypes, with ONNX's own rules for what is out of range."""
    saturates = "saturate" not in attributes or attributes["saturate"].values[0] != 0
    if NARROW[to] != np.float32:  # an integer of 4 or 2 bits
        info = ml_dtypes.iinfo(to)
        byte = NARROW[to]
        if np.issubdtype(x.dtype, np.integer) or x.dtype == bool:
            return x.astype(byte).astype(to)
        bounded = np.clip(np.nan_to_num(x, nan=0), int(info.min), int(info.max))
        return bounded.astype(byte).astype(to)
    wide = floats_to_odd(_doubles(x))
    if to == ml_dtypes.float8_e8m0fnu:
        mode = attributes["round_mode"].values[0] if "round_mode" in attributes else "up"
        mode = mode.decode() if isinstance(mode, bytes) else mode
        return numpy_helper.to_float8e8m0(wide, saturates, mode)
    most = ml_dtypes.finfo(to).max.astype(np.float32)
    if to == ml_dtypes.float4_e2m1fn:
        wide = np.where(np.isnan(wide), most, wide)
    if saturates:
        wide = np.clip(wide, -most, most)
    return wide.astype(to)


def to_integers(x: np.ndarray, to: np.dtype) -> np.ndarray:
    if x.dtype == bool or np.issubdtype(x.dtype, np.integer):
        return wrapped([int(v) for v in x], to)
    info = np.iinfo(to)
    wide = x.astype(np.float64)
    results = []
    for v in wide.tolist():
        if math.isnan(v):
            results.append(0)
        elif math.isinf(v):
            results.append(info.max if v > 0 else info.min)
        else:
            results.append(min(max(int(v), info.min), info.max))
    return np.array(results, dtype=object).astype(to)


def _to_floats(x: np.ndarray, to: np.dtype) -> np.ndarray:
    wide = _doubles(x) if to.itemsize < 8 else x
    return (floats_to_odd(wide) if to.itemsize == 2 else wide).astype(to)


def _doubles(x: np.ndarray) -> np.ndarray:
    """As float64; integers that are no float64 with an odd last bit."""
    if x.dtype != bool and not np.issubdtype(x.dtype, np.integer):
        return x.astype(np.float64)
    values = [float(_to_odd(int(v))) for v in x.ravel()]
    return np.array(values, np.float64).reshape(x.shape)


def _to_odd(value: int) -> int:
    if abs(value) < 1 << 53:
        return value
    return (value & ~0x7FF) | (0x800 if value & 0x7FF else 0)


def floats_to_odd(x: np.ndarray) -> np.ndarray:
    """float64 as float32 with an odd last bit if it is not exact: another rounding to
    fewer bits then gives what one rounding would."""
    near = x.astype(np.float32)
    bits = near.view(np.uint32) - (np.abs(near) > np.abs(x)).astype(np.uint32)
    inexact = (near != x) & ~np.isnan(x)
    return np.where(inexact, bits | 1, bits).view(np.float32)

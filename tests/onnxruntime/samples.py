# SPDX-License-Identifier: Apache-2.0
"""Inputs for tests: special values of each type, and random values."""

from __future__ import annotations

import itertools

import ml_dtypes
import numpy as np
import onnx

import host
from lanewise_ctypes import BITS, Tensor

FLOATS = (1, 10, 11, 16)
INTEGERS = (2, 3, 4, 5, 6, 7, 12, 13)
STRING, BOOL = onnx.TensorProto.STRING, onnx.TensorProto.BOOL


def specials(code: int) -> np.ndarray:
    kind = host.dtype(code)
    if code not in (*FLOATS, *INTEGERS):  # float8: every value
        return np.arange(256, dtype=np.uint8).view(kind)
    if code in FLOATS:
        info = ml_dtypes.finfo(kind)
        tiny, most = float(info.tiny), float(info.max)
        values = [0.0, 1.0, 3.0, 0.1, tiny, tiny / 4, most, np.inf, 88.5, 11.09]
        both = [sign * v for v in values for sign in (1, -1)]
        with np.errstate(all="ignore"):
            return np.array([*both, np.nan]).astype(kind)
    info = np.iinfo(kind)
    values = {info.min, info.min + 1, -1, 0, 1, 2, 3, 7, 100, info.max - 1, info.max}
    return np.array(sorted(v for v in values if info.min <= v <= info.max), kind)


def random(code: int, count: int, rng: np.random.Generator) -> np.ndarray:
    """Random bits for integers, numbers of common size and random bits for floats."""
    kind = host.dtype(code)
    if code == BOOL:
        return rng.integers(0, 2, count).astype(bool)
    bits = rng.integers(0, 256, count * kind.itemsize, dtype=np.uint8).view(kind)
    if code not in (*FLOATS, *INTEGERS):
        return bits
    if code in FLOATS:
        common = rng.normal(0, 4, count).astype(kind)
        return np.where(rng.integers(0, 2, count) == 0, bits, common)
    # Small numbers as well: most quotients of random bits are 0.
    shift = rng.integers(0, 8 * kind.itemsize, count).astype(kind)
    return np.where(rng.integers(0, 2, count) == 0, bits, bits >> shift)


def operands(
    code: int, how_many: int, rng: np.random.Generator, *, divisor: bool = False
) -> list[np.ndarray]:
    """Arrays of one length: each special value against each, then random values. The
    last array has no zeros if it is a divisor of integers."""
    if code == BOOL:
        return [random(code, 101, rng) for _ in range(how_many)]
    special = specials(code)
    grid = list(itertools.product(special, repeat=min(how_many, 2)))
    arrays = []
    for i in range(how_many):
        column = np.array([row[i % 2] for row in grid], special.dtype)
        arrays.append(np.concatenate([column, random(code, 131, rng)]))
    if divisor and code in INTEGERS:
        arrays[-1][arrays[-1] == 0] = 5
    return arrays


def opaque(code: int, count: int, rng: np.random.Generator) -> Tensor:
    """Random bytes as a tensor of a type that is only moved. Bits behind the last
    element are 0."""
    raw = bytearray(rng.bytes((count * BITS[code] + 7) // 8))
    if code == BOOL:
        raw = bytearray(b & 1 for b in raw)
    if used := count * BITS[code] % 8:
        raw[-1] &= (1 << used) - 1
    return Tensor(code, (count,), bytes(raw))


def strings(count: int, rng: np.random.Generator) -> np.ndarray:
    words = ["", "a", "b", "lanewise", "ä" * 40, "x" * 200]
    return np.array([words[i] for i in rng.integers(0, len(words), count)], object)

# SPDX-License-Identifier: Apache-2.0
"""Inputs, and comparison with NumPy's results."""

from __future__ import annotations

from typing import Any

import numpy as np

# NumPy 1 has NEP 50's rules, which lanewise has with any NumPy, on request.
if hasattr(np, "_set_promotion_state"):
    np._set_promotion_state("weak")

OWN_TYPES = ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8"]
FLOATS = ["f2", "f4", "f8"]
_SPECIAL = [0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 0.5, 2, 1e-5, 6e4]


def sample(dtype: Any, count: int, rng: np.random.Generator) -> np.ndarray:
    """Elements of all sizes, and special ones."""
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        wide = rng.integers(limits.min, limits.max, count, dtype=dtype, endpoint=True)
        small = rng.integers(-5 if dtype.kind == "i" else 0, 6, count).astype(dtype)
        return np.where(rng.random(count) < 0.5, wide, small).astype(dtype)
    sizes = np.exp(2 * rng.standard_normal(count))
    values = (rng.standard_normal(count) * sizes).astype(dtype)
    is_special = rng.random(count) < 0.1
    return np.where(is_special, rng.choice(_SPECIAL, count).astype(dtype), values)


def ulps(got: Any, want: Any) -> np.ndarray:
    """How many of the wanted number's steps lie between both. Two NaNs agree."""
    with np.errstate(all="ignore"):
        spacing = np.spacing(np.abs(want)).astype("f8")
        error = np.abs(np.asarray(got, "f8") - np.asarray(want, "f8")) / spacing
    agree = (got == want) | (np.isnan(got) & np.isnan(want))
    return np.where(agree, 0, np.where(np.isnan(error), np.inf, error))


def check(got: Any, want: Any, most_ulps: float, what: Any = "") -> None:
    """The same type and shape; the same elements, floats within an error."""
    got, want = np.asarray(got), np.asarray(want)
    assert got.dtype == want.dtype, (what, got.dtype, want.dtype)
    assert got.shape == want.shape, (what, got.shape, want.shape)
    if got.size == 0:
        return
    if got.dtype.kind != "f":
        np.testing.assert_array_equal(got, want, err_msg=str(what))
        return
    errors = ulps(got, want)
    worst = np.unravel_index(np.argmax(errors), errors.shape)
    assert errors[worst] <= most_ulps, (what, errors[worst], got[worst], want[worst])

# SPDX-License-Identifier: Apache-2.0
"""What each operator must give, by numpy, Python's integers and the bytes.

Every function takes the library's output of one node and says what is wrong
with it, or None.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import onnx
from onnx import numpy_helper

from lanewise_ctypes import Tensor

FLOATS = {1: 23, 10: 10, 11: 52, 16: 7}  # bits of the mantissa, by type
EXP_ULP = 1


def array(tensor: Tensor) -> np.ndarray:
    proto = onnx.TensorProto(
        data_type=tensor.type, dims=tensor.dims, raw_data=tensor.raw
    )
    return numpy_helper.to_array(proto)


def ulp_distance(x: np.ndarray, y: np.ndarray) -> int:
    """The most numbers that lie between two elements of one float type. Two
    NaNs are equal; a NaN and a number are as far apart as can be."""
    if x.size == 0:
        return 0
    if not np.array_equal(np.isnan(x), np.isnan(y)):
        return 1 << 64
    kind = f"i{x.itemsize}"
    least = int(np.iinfo(kind).min)

    def ordered(v: np.ndarray) -> list[int]:
        bits = np.where(np.isnan(v), v.dtype.type(0), v).view(kind).ravel().tolist()
        return [b if b >= 0 else least - b for b in bits]

    return max(abs(a - b) for a, b in zip(ordered(x), ordered(y)))


def check_node(
    op: str, attributes: Mapping[str, Sequence[int]], inputs: list[Tensor], out: Tensor
) -> str | None:
    """Holds a node's output against the operator's definition."""
    if op == "Reshape":
        return _check_reshape(inputs[0], out)
    values = [array(tensor) for tensor in inputs]
    if op == "Div":
        values[1] = _legacy_shape(values[0], values[1], attributes)
    if out.type != inputs[0].type:
        return f"the output has type {out.type}, the input {inputs[0].type}"
    shape = np.broadcast_shapes(*(v.shape for v in values))
    if out.dims != shape:
        return f"the output's shape is {out.dims}, not {shape}"
    if op == "Exp":
        return _check_exp(values[0], array(out))
    return _same_bits(array(out), _exact(op, values))


def check_expected(op: str, out: Tensor, expected: Tensor, ulp: int) -> str | None:
    """Holds a graph's output against the test's own, which is right to some
    `ulp` where it is made of floats that had to be rounded."""
    if (out.type, out.dims) != (expected.type, expected.dims):
        return f"type and shape are {out.type} {out.dims}, not those of the file"
    if op == "Reshape" or out.type not in FLOATS:
        return None if out.raw == expected.raw else "other bits than the file"
    distance = ulp_distance(array(out), array(expected))
    return None if distance <= ulp else f"{distance} ULP from the file"


def _check_reshape(data: Tensor, out: Tensor) -> str | None:
    if math.prod(out.dims) != math.prod(data.dims):
        return f"{data.dims} became {out.dims}"
    same = (out.type, out.raw) == (data.type, data.raw)
    return None if same else "other bits than the input"


def _legacy_shape(
    a: np.ndarray, b: np.ndarray, attributes: Mapping[str, Sequence[int]]
) -> np.ndarray:
    """B of Div-1 and Div-6 in a shape that numpy broadcasts as they mean it."""
    (axis,) = attributes.get("axis", [-1])
    behind = a.ndim - b.ndim - axis if axis >= 0 else 0
    return b.reshape(b.shape + (1,) * behind)


def _exact(op: str, values: list[np.ndarray]) -> np.ndarray:
    """Div, Reciprocal and Relu have one right answer: the exact result rounded
    once, or the quotient without its fraction."""
    x = values[0]
    with np.errstate(all="ignore"):
        if op == "Relu":
            return np.where(x < 0, x.dtype.type(0), x)
        a, b = (
            (np.ones_like(x), x) if op == "Reciprocal" else np.broadcast_arrays(*values)
        )
        if np.issubdtype(x.dtype, np.integer):
            quotients = [_truncated(*pair) for pair in zip(a.flat, b.flat)]
            wrapped = np.array(quotients, dtype=object) & ((1 << 8 * x.itemsize) - 1)
            return wrapped.astype(f"u{x.itemsize}").view(x.dtype).reshape(a.shape)
        # 16-bit quotients: rounding twice, by way of float32, is harmless.
        wide = x.dtype if x.itemsize >= 4 else np.dtype(np.float32)
        return (a.astype(wide) / b.astype(wide)).astype(x.dtype)


def _truncated(a: np.integer, b: np.integer) -> int:
    if b == 0:
        return 0
    quotient = abs(int(a)) // abs(int(b))
    return -quotient if (a < 0) != (b < 0) else quotient


def _check_exp(x: np.ndarray, out: np.ndarray) -> str | None:
    with np.errstate(all="ignore"):
        exact = np.exp(x.astype(np.longdouble))
        # By way of float64 where the type has no conversion from longdouble.
        wide = exact if x.itemsize >= 4 else exact.astype(np.float64)
        rounded = wide.astype(x.dtype)
    allowed = 0 if x.itemsize == 2 else EXP_ULP
    distance = ulp_distance(out, rounded)
    return None if distance <= allowed else f"{distance} ULP from the true exp"


def _same_bits(out: np.ndarray, expected: np.ndarray) -> str | None:
    both = (out, expected)
    if np.issubdtype(out.dtype, np.integer):
        return None if np.array_equal(*both) else "not the exact quotient"
    nan = [np.isnan(v) for v in both]
    bits = [np.where(n, v.dtype.type(0), v).tobytes() for n, v in zip(nan, both)]
    same = np.array_equal(*nan) and bits[0] == bits[1]
    return None if same else "not the result rounded once"

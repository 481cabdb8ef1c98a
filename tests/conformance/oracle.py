# SPDX-License-Identifier: Apache-2.0
"""Checks results with numpy, Python's integers and comparisons of bytes.

Each check takes the library's output of one node. It returns a text that says what
is wrong, or None.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping

import numpy as np
import onnx
from onnx import numpy_helper

from lanewise_ctypes import ABSENT, Attribute, Tensor

FLOATS = {1: 23, 10: 10, 11: 52, 16: 7}  # bits of the mantissa, by type
EXP_ULP = 1
EXPONENTIAL = ("Exp", "Sigmoid", "Tanh", "Elu", "Selu", "Celu", "Swish", "SwiGLU")
BOOL = onnx.TensorProto.BOOL
COMPARISONS = {"Greater": np.greater, "Equal": np.equal}
ARITHMETIC = {
    "Add": np.add,
    "Sub": np.subtract,
    "Mul": np.multiply,
    "Div": np.divide,
}


def array(tensor: Tensor) -> np.ndarray:
    proto = onnx.TensorProto(
        data_type=tensor.type, dims=tensor.dims, raw_data=tensor.raw
    )
    return numpy_helper.to_array(proto)


def ulp_distance(x: np.ndarray, y: np.ndarray) -> int:
    """The largest distance between elements of x and y, both of one float type:
    the number of steps from one float to the next. Two NaNs are equal. A NaN and a
    number have a distance larger than any two numbers."""
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
    op: str, attributes: Mapping[str, Attribute], inputs: list[Tensor], out: Tensor
) -> str | None:
    """Compares a node's output with the operator's definition."""
    if op == "Reshape":
        return _check_reshape(inputs[0], out)
    values = [None if tensor is ABSENT else array(tensor) for tensor in inputs]
    if "axis" in attributes:
        values[1] = _legacy_shape(values[0], values[1], attributes)
    if out.type != (wanted := _type_of_output(op, attributes, inputs)):
        return f"the output has type {out.type}, not {wanted}"
    stretching = values[:1] if op == "Clip" else values
    if op == "PRelu" and values[1].ndim == 1 and values[1].size > 1:
        values[1] = _by_channel(values)
    shape = np.broadcast_shapes(*(v.shape for v in stretching))
    if out.dims != shape:
        return f"the output's shape is {out.dims}, not {shape}"
    if op in EXPONENTIAL:
        return _check_exponential(op, attributes, values, array(out))
    return same_bits(array(out), _exact(op, values, attributes, out.type))


def _type_of_output(
    op: str, attributes: Mapping[str, Attribute], inputs: list[Tensor]
) -> int:
    if op in COMPARISONS:
        return BOOL
    if op == "Cast":
        (to,) = attributes["to"].values
        return onnx.TensorProto.DataType.Value(to.decode()) if isinstance(to, bytes) else to
    return inputs[0 if op == "Clip" else -1].type


def _by_channel(values: list[np.ndarray]) -> np.ndarray:
    """The slope of versions before 7 has one element for each index of dim 1. From
    then on, numpy's rule aligns it at the right."""
    x, slope = values
    if x.ndim > 1 and x.shape[-1] != slope.size == x.shape[1]:
        return slope.reshape((-1,) + (1,) * (x.ndim - 2))
    return slope


def check_expected(op: str, out: Tensor, expected: Tensor, ulp: int) -> str | None:
    """Compares a graph's output with the output in the test's file. Floats in the
    file may have an error of `ulp`."""
    if (out.type, out.dims) != (expected.type, expected.dims):
        return f"type and shape are {out.type} {out.dims}, not those of the file"
    if op == "Reshape" or out.type not in FLOATS:
        return None if out.raw == expected.raw else "the bits differ from the file"
    distance = ulp_distance(array(out), array(expected))
    return None if distance <= ulp else f"{distance} ULP from the file"


def _check_reshape(data: Tensor, out: Tensor) -> str | None:
    if math.prod(out.dims) != math.prod(data.dims):
        return f"{data.dims} became {out.dims}"
    same = (out.type, out.raw) == (data.type, data.raw)
    return None if same else "the bits differ from the input"


def _legacy_shape(
    a: np.ndarray, b: np.ndarray, attributes: Mapping[str, Attribute]
) -> np.ndarray:
    """B of versions before 7, reshaped so that numpy broadcasts B as these versions
    do."""
    (axis,) = attributes["axis"].values
    behind = a.ndim - b.ndim - axis if axis >= 0 else 0
    return b.reshape(b.shape + (1,) * behind)


def _exact(
    op: str,
    values: list[np.ndarray | None],
    attributes: Mapping[str, Attribute],
    to_type: int,
) -> np.ndarray:
    """The right answer of every operator but EXPONENTIAL: the exact result rounded once,
    or the integer quotient without its fraction."""
    x = values[0]
    with np.errstate(all="ignore"):
        if op == "Relu":
            return np.where(x < 0, x.dtype.type(0), x)
        if op == "Reciprocal":
            return _arithmetic(np.divide, np.ones_like(x), x)
        if op == "LeakyRelu":
            given = attributes["alpha"].values[0] if "alpha" in attributes else 0.01
            alpha = np.float32(given).astype(x.dtype)
            return np.where(x < 0, _arithmetic(np.multiply, alpha, x), x)
        if op == "Clip":
            return _clipped(x, values[1:], attributes)
        if op == "Where":
            return np.where(*values)
        if op in COMPARISONS:
            return COMPARISONS[op](*values)
        if op in ("Max", "Min"):
            return functools.reduce(_larger if op == "Max" else _smaller, values)
        if op == "PRelu":
            return np.where(x < 0, _arithmetic(np.multiply, values[1], x), x)
        if op == "BitShift":
            left = attributes["direction"].values == [b"LEFT"]
            return _shifted(*np.broadcast_arrays(*values), left)
        if op == "Cast":
            return _cast(x, onnx.helper.tensor_dtype_to_np_dtype(to_type))
        if op == "Div" and np.issubdtype(x.dtype, np.integer):
            return _integer_quotients(*np.broadcast_arrays(*values))
        return _arithmetic(ARITHMETIC[op], *values)


def _arithmetic(function: np.ufunc, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    # For 16-bit floats, rounding first to float32 does not change the result.
    is_narrow = a.dtype.itemsize == 2 and not np.issubdtype(a.dtype, np.integer)
    wide = np.dtype(np.float32) if is_narrow else a.dtype
    return function(a.astype(wide), b.astype(wide)).astype(a.dtype)


def _larger(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where((a > b) | (a != a), a, b)


def _smaller(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where((a < b) | (a != a), a, b)


def _shifted(x: np.ndarray, amount: np.ndarray, left: bool) -> np.ndarray:
    bits = 8 * x.dtype.itemsize
    results = []
    for value, by in zip(x.ravel().tolist(), amount.ravel().tolist()):
        by = by if 0 <= by < bits else bits
        results.append(value << by if left else value >> by)
    return _wrapped(results, x.dtype).reshape(x.shape)


def _wrapped(integers: list[int], kind: np.dtype) -> np.ndarray:
    """The low bits of integers."""
    size = kind.itemsize
    low = np.array(integers, dtype=object) & ((1 << 8 * size) - 1)
    return low.astype(f"u{size}").view(kind)


def _cast(x: np.ndarray, to: np.dtype) -> np.ndarray:
    """One element after the other, with Python's integers and fractions."""
    cast = _cast_to_integer if np.issubdtype(to, np.integer) else _cast_to_float
    if to == bool:
        return x.astype(np.float64) != 0 if x.dtype.itemsize == 2 else x != 0
    return cast(x.ravel(), to).reshape(x.shape)


def _cast_to_integer(x: np.ndarray, to: np.dtype) -> np.ndarray:
    if x.dtype == bool or np.issubdtype(x.dtype, np.integer):
        return _wrapped([int(v) for v in x], to)
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


def _cast_to_float(x: np.ndarray, to: np.dtype) -> np.ndarray:
    if x.dtype == bool or np.issubdtype(x.dtype, np.integer):
        # Rounded to odd, so that a second rounding does no harm.
        values = [int(v) for v in x]
        if to.itemsize < 8:
            values = [_to_odd(v) for v in values]
        x = np.array([float(v) for v in values])
    if x.dtype == np.float64 and to.itemsize == 2:
        nearest = x.astype(np.float32)
        back = nearest.astype(np.float64)
        bits = nearest.view(np.uint32).copy()
        bits[np.abs(back) > np.abs(x)] -= 1
        bits[(back != x) & (x == x)] |= 1
        x = bits.view(np.float32)
    return x.astype(to)


def _to_odd(value: int) -> int:
    if abs(value) < 1 << 53:
        return value
    return (value & ~0x7FF) | (0x800 if value & 0x7FF else 0)


def _clipped(
    x: np.ndarray,
    bounds: list[np.ndarray | None],
    attributes: Mapping[str, Attribute],
) -> np.ndarray:
    """Clips by comparing and choosing, as ONNX's function body does."""
    for i, name in enumerate(("min", "max")):
        bound = bounds[i] if i < len(bounds) else None
        if name in attributes:
            bound = np.float32(attributes[name].values[0]).astype(x.dtype)
        if bound is not None:
            x = np.where(x < bound if name == "min" else bound < x, bound, x)
    return x


def _integer_quotients(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    quotients = [_truncated(*pair) for pair in zip(a.flat, b.flat)]
    return _wrapped(quotients, a.dtype).reshape(a.shape)


def _truncated(a: np.integer, b: np.integer) -> int:
    if b == 0:
        return 0
    quotient = abs(int(a)) // abs(int(b))
    return -quotient if (a < 0) != (b < 0) else quotient


def _check_exponential(
    op: str,
    attributes: Mapping[str, Attribute],
    values: list[np.ndarray],
    out: np.ndarray,
) -> str | None:
    kind = values[0].dtype

    def attribute(name: str, fallback: float) -> np.longdouble:
        given = attributes[name].values[0] if name in attributes else fallback
        return np.longdouble(float(np.float32(given).astype(kind)))

    def wide(x: np.ndarray) -> np.ndarray:
        narrow = x.astype(np.float64) if x.itemsize == 2 else x
        return narrow.astype(np.longdouble)

    x = wide(values[0])
    selu = op == "Selu"
    with np.errstate(all="ignore"):
        if op == "Exp":
            exact = np.exp(x)
        elif op == "Tanh":
            exact = np.tanh(x)
        elif op == "Sigmoid":
            exact = _sigmoid(x)
        elif op in ("Swish", "SwiGLU"):
            exact = x * _sigmoid(attribute("alpha", 1) * x)
            if op == "SwiGLU":
                exact = exact * wide(values[1])
        else:
            alpha = attribute("alpha", 1.67326319217681884765625 if selu else 1)
            gamma = attribute("gamma", 1.05070102214813232421875 if selu else 1)
            z = x / alpha if op == "Celu" else x
            exact = gamma * np.where(x < 0, alpha * np.expm1(z), x)
        # Types without a conversion from longdouble are converted from float64.
        rounded = exact if kind.itemsize >= 4 else exact.astype(np.float64)
        rounded = rounded.astype(kind)
    allowed = 0 if kind.itemsize == 2 else EXP_ULP
    distance = ulp_distance(out, rounded)
    return None if distance <= allowed else f"{distance} ULP from the true {op}"


def _sigmoid(x: np.ndarray) -> np.ndarray:
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def same_bits(out: np.ndarray, expected: np.ndarray) -> str | None:
    both = (out, expected)
    if out.dtype == bool or np.issubdtype(out.dtype, np.integer):
        return None if np.array_equal(*both) else "not the exact result"
    with np.errstate(invalid="ignore"):  # isnan of bfloat16 may raise the flag
        nan = [np.isnan(v) for v in both]
    bits = [np.where(n, v.dtype.type(0), v).tobytes() for n, v in zip(nan, both)]
    same = np.array_equal(*nan) and bits[0] == bits[1]
    return None if same else "not the result rounded once"

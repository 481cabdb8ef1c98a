# SPDX-License-Identifier: Apache-2.0
"""Checks results with numpy, Python's integers and comparisons of bytes.

Each check takes the library's output of one node. It returns a text that says what
is wrong, or None.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from fractions import Fraction

import numpy as np
import onnx
from onnx import numpy_helper

import aligned
import composed
import reductions
from casts import NARROW, cast, floats_to_odd, to_integers, wrapped
from functions import FUNCTIONS
from lanewise_ctypes import ABSENT, Attribute, Tensor

FLOATS = {1: 23, 10: 10, 11: 52, 16: 7}  # bits of the mantissa, by type
FUNCTION_ULP = 1  # of float32 and float64
BOOL = onnx.TensorProto.BOOL
LOGIC = {
    "And": np.logical_and,
    "Or": np.logical_or,
    "Xor": np.logical_xor,
    "Not": np.logical_not,
    "BitwiseAnd": np.bitwise_and,
    "BitwiseOr": np.bitwise_or,
    "BitwiseXor": np.bitwise_xor,
    "BitwiseNot": np.invert,
}
SIGNS = {
    "Neg": np.negative,
    "Abs": np.abs,
    "Sign": lambda x: np.where(x != x, x, (x > 0).astype(x.dtype) - (x < 0).astype(x.dtype)),
}
UNARY = {"Floor": np.floor, "Ceil": np.ceil, "Round": np.rint, "Sqrt": np.sqrt}
COMPARISONS = {
    "Equal": np.equal,
    "Greater": np.greater,
    "GreaterOrEqual": np.greater_equal,
    "Less": np.less,
    "LessOrEqual": np.less_equal,
}
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


def check_outputs(
    op: str,
    version: int,
    attributes: Mapping[str, Attribute],
    inputs: list[Tensor],
    outs: list[Tensor],
) -> str | None:
    """Compares all outputs of a node with the operator's definition."""
    if op not in composed.COMPOSED:
        return check_node(op, attributes, inputs, outs[0])
    values = [None if tensor is ABSENT else array(tensor) for tensor in inputs]
    given = [(out.type, array(out)) for out in outs if out is not ABSENT]
    return composed.fault_of(op, version, attributes, values, given)


def check_node(
    op: str, attributes: Mapping[str, Attribute], inputs: list[Tensor], out: Tensor
) -> str | None:
    """Compares a node's output with the operator's definition."""
    if op == "Reshape":
        return _check_reshape(inputs[0], out)
    if op in aligned.ALIGNED:
        return _check_aligned(op, attributes, inputs, out)
    values = [None if tensor is ABSENT else array(tensor) for tensor in inputs]
    if op in reductions.REDUCTIONS:
        return _check_reduction(op, attributes, values, out)
    if "axis" in attributes:
        values[1] = _legacy_shape(values[0], values[1], attributes)
    if out.type != (wanted := _type_of_output(op, attributes, inputs)):
        return f"the output has type {out.type}, not {wanted}"
    stretching = values[:1] if op in ("CastLike", "Clip") else values
    if op == "PRelu" and values[1].ndim == 1 and values[1].size > 1:
        values[1] = _by_channel(values)
    shape = np.broadcast_shapes(*(v.shape for v in stretching))
    if out.dims != shape:
        return f"the output's shape is {out.dims}, not {shape}"
    of_integers = op == "Pow" and np.issubdtype(values[0].dtype, np.integer)
    if op in FUNCTIONS and not of_integers:
        return _check_function(op, attributes, values, array(out))
    return same_bits(array(out), _exact(op, values, attributes, out.type))


def _check_aligned(
    op: str, attributes: Mapping[str, Attribute], inputs: list[Tensor], out: Tensor
) -> str | None:
    wanted = aligned.type_of_output(op, attributes, inputs)
    if (out.type, out.dims) != (wanted, inputs[0].dims):
        return f"the output has type {out.type} and shape {out.dims}"
    given = [tensor for tensor in inputs if tensor is not ABSENT]
    values = [array(tensor) for tensor in given]
    for k in range(1, len(values)):
        values[k] = aligned.spread(values[k], values[0].shape, attributes)
    to = onnx.helper.tensor_dtype_to_np_dtype(wanted)
    if op == "DequantizeLinear":
        exact = aligned.dequantized(values)
    else:
        precision = attributes["precision"].values[0] if "precision" in attributes else 0
        to_float = to in NARROW and NARROW[to] == np.float32
        exact = aligned.quantized(values, [t.type for t in given], precision, to_float)
    return same_bits(array(out), cast(exact, wanted, attributes))


def _check_reduction(
    op: str,
    attributes: Mapping[str, Attribute],
    values: list[np.ndarray | None],
    out: Tensor,
) -> str | None:
    exact = reductions.expected(op, attributes, values)
    result = array(out)
    if (result.dtype, result.shape) != (exact.dtype, exact.shape):
        return f"{result.dtype} {result.shape}, not {exact.dtype} {exact.shape}"
    if op not in reductions.ALLOWED_ULP:
        return same_bits(result, exact)
    distance = ulp_distance(result, exact)
    is_near = distance <= reductions.ALLOWED_ULP[op]
    return None if is_near else f"{distance} ULP from the true {op}"


def _type_of_output(
    op: str, attributes: Mapping[str, Attribute], inputs: list[Tensor]
) -> int:
    if op in COMPARISONS or op in ("IsInf", "IsNaN"):
        return BOOL
    if op == "Cast":
        (to,) = attributes["to"].values
        return onnx.TensorProto.DataType.Value(to.decode()) if isinstance(to, bytes) else to
    return inputs[0 if op in ("Clip", "Pow") else -1].type


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
    """The right answer of every operator but FUNCTIONS: the exact result rounded once,
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
        if op == "ThresholdedRelu":
            alpha = _attribute(attributes, "alpha", 1, x)
            return np.where(x > alpha, x, x.dtype.type(0))
        if op == "Shrink":
            return _shrunk(x, attributes)
        if op in ("HardSigmoid", "HardSwish", "Softsign"):
            return _rounded_once(op, x, attributes)
        if op == "Clip":
            return _clipped(x, values[1:], attributes)
        if op == "Where":
            return np.where(*values)
        if op in COMPARISONS:
            return COMPARISONS[op](*values)
        if op in LOGIC:
            return LOGIC[op](*values)
        if op in SIGNS:
            return SIGNS[op](x)
        if op == "IsNaN":
            return np.isnan(x)
        if op == "IsInf":
            return np.isinf(x) & np.where(x < 0, *_detected(attributes))
        if op in ("Max", "Min"):
            return functools.reduce(_larger if op == "Max" else _smaller, values)
        if op in ("Sum", "Mean"):
            return _added(values, op == "Mean")
        if op in UNARY:
            return UNARY[op](_wide(x)).astype(x.dtype)
        if op == "PRelu":
            return np.where(x < 0, _arithmetic(np.multiply, values[1], x), x)
        if op == "BitShift":
            left = attributes["direction"].values == [b"LEFT"]
            return _shifted(*np.broadcast_arrays(*values), left)
        if op in ("Cast", "CastLike"):
            return cast(x, to_type, attributes)
        if op == "Pow":
            return _integer_powers(*np.broadcast_arrays(*values))
        if op == "Mod":
            truncates = "fmod" in attributes and attributes["fmod"].values[0] != 0
            return _remainders(*np.broadcast_arrays(*values), truncates)
        if op == "Div" and np.issubdtype(x.dtype, np.integer):
            return _integer_quotients(*np.broadcast_arrays(*values))
        return _arithmetic(ARITHMETIC[op], *values)


def _wide(x: np.ndarray) -> np.ndarray:
    """16-bit floats as float32."""
    is_narrow = x.dtype.itemsize == 2 and not np.issubdtype(x.dtype, np.integer)
    return x.astype(np.float32) if is_narrow else x


def _arithmetic(function: np.ufunc, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    # For 16-bit floats, rounding first to float32 does not change the result.
    return function(_wide(a), _wide(b)).astype(a.dtype)


def _added(values: list[np.ndarray], divides: bool) -> np.ndarray:
    """From the left to the right; 16-bit floats are rounded at the end only."""
    total = functools.reduce(np.add, map(_wide, values))
    if divides:
        total = np.divide(total, total.dtype.type(len(values)))
    return total.astype(values[0].dtype)


def _attribute(
    attributes: Mapping[str, Attribute], name: str, default: float, x: np.ndarray
) -> np.generic:
    """A FLOAT as an element of the type of x."""
    given = attributes[name].values[0] if name in attributes else default
    return np.float32(given).astype(x.dtype)


def _shrunk(x: np.ndarray, attributes: Mapping[str, Attribute]) -> np.ndarray:
    if np.issubdtype(x.dtype, np.integer):
        return _shrunk_integers(x, attributes)
    bias = _attribute(attributes, "bias", 0, x)
    lambd = _attribute(attributes, "lambd", 0.5, x)
    above = np.where(x > lambd, _arithmetic(np.subtract, x, bias), x.dtype.type(0))
    return np.where(x < -lambd, _arithmetic(np.add, x, bias), above)


def _shrunk_integers(x: np.ndarray, attributes: Mapping[str, Attribute]) -> np.ndarray:
    """Compared and added exactly, truncated, saturated."""
    bias, lambd = (
        Fraction(float(_attribute(attributes, name, value, np.float32(0))))
        for name, value in (("bias", 0), ("lambd", 0.5))
    )
    info = np.iinfo(x.dtype)

    def of(value: int) -> int:
        moved = value + bias if value < -lambd else value - bias if value > lambd else 0
        return min(max(math.trunc(moved), info.min), info.max)

    return np.array([of(v) for v in x.ravel().tolist()], x.dtype).reshape(x.shape)


def _rounded_once(
    op: str, x: np.ndarray, attributes: Mapping[str, Attribute]
) -> np.ndarray:
    """By fractions. Only float64 results may differ in the last bit, and no case
    of ONNX has such a result."""
    alpha = Fraction(float(_attribute(attributes, "alpha", 0.2, x)))
    beta = Fraction(float(_attribute(attributes, "beta", 0.5, x)))

    def of(value: float) -> float | Fraction:
        if math.isnan(value):
            return value
        if math.isinf(value):
            limits = {"HardSigmoid": (0.0, 1.0), "HardSwish": (-0.0, value)}
            return limits.get(op, (-1.0, 1.0))[value > 0]
        exact = Fraction(value)
        if op == "HardSigmoid":
            return max(Fraction(0), min(Fraction(1), alpha * exact + beta))
        if op == "Softsign":
            y = exact / (1 + abs(exact))
        else:
            y = exact * max(Fraction(0), min(Fraction(1), exact / 6 + Fraction(1, 2)))
        return y or math.copysign(0.0, value)

    results = [_nearest(of(float(value)), x.dtype) for value in x.ravel()]
    return np.array(results, x.dtype).reshape(x.shape)


def _nearest(value: float | Fraction, dtype: np.dtype) -> np.generic:
    """The element of the type that is nearest to a number; of two, the even one."""
    near = np.array(float(value)).astype(dtype)
    if isinstance(value, float):
        return near[()]
    bits = near.view(f"i{dtype.itemsize}")
    around = [(bits + bits.dtype.type(step)).view(dtype) for step in (-1, 0, 1)]
    finite = [y for y in around if np.isfinite(y)]
    return min(
        finite, key=lambda y: (abs(Fraction(float(y)) - value), int(y.view(bits.dtype)) % 2)
    )[()]


def _larger(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where((a > b) | (a != a), a, b)


def _smaller(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.where((a < b) | (a != a), a, b)


def _detected(attributes: Mapping[str, Attribute]) -> tuple[bool, bool]:
    """Whether negative and positive infinities count."""
    names = ("detect_negative", "detect_positive")
    values = [attributes[n].values[0] if n in attributes else 1 for n in names]
    return values[0] != 0, values[1] != 0


def _shifted(x: np.ndarray, amount: np.ndarray, left: bool) -> np.ndarray:
    bits = 8 * x.dtype.itemsize
    results = []
    for value, by in zip(x.ravel().tolist(), amount.ravel().tolist()):
        by = by if 0 <= by < bits else bits
        results.append(value << by if left else value >> by)
    return wrapped(results, x.dtype).reshape(x.shape)


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
    return wrapped(quotients, a.dtype).reshape(a.shape)


def _integer_powers(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """By Python's integers; to the power of floats in float64, truncated."""
    if not np.issubdtype(y.dtype, np.integer):
        wide = (v.astype(np.float64).astype(np.longdouble) for v in (x, y))
        powers = np.power(*wide).astype(np.float64)
        return to_integers(powers.ravel(), x.dtype).reshape(x.shape)

    def of(base: int, exponent: int) -> int:
        if exponent >= 0:
            return pow(base, exponent, 1 << 64)
        return base ** (exponent % 2) if abs(base) == 1 else 0

    pairs = zip(x.ravel().tolist(), y.ravel().tolist())
    return wrapped([of(*pair) for pair in pairs], x.dtype).reshape(x.shape)


def _remainders(a: np.ndarray, b: np.ndarray, truncates: bool) -> np.ndarray:
    """One element after the other, with Python's integers and fractions."""
    if np.issubdtype(a.dtype, np.integer):
        pairs = zip(a.ravel().tolist(), b.ravel().tolist())
        rests = [_rest(x, y, truncates) if y != 0 else 0 for x, y in pairs]
        return wrapped(rests, a.dtype).reshape(a.shape)
    wide = (v.astype(np.float64).ravel().tolist() for v in (a, b))
    results = [_float_rest(x, y, truncates) for x, y in zip(*wide)]
    return np.array(results).astype(a.dtype).reshape(a.shape)


def _rest(x: int, y: int, truncates: bool) -> int:
    return int(math.copysign(1, x)) * (abs(x) % abs(y)) if truncates else x % y


def _float_rest(x: float, y: float, truncates: bool) -> float:
    """Rounded to float64, which changes no sum that fits into 53 bits."""
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return math.nan
    sign = x if truncates else y
    if math.isinf(y):
        agrees = truncates or x == 0 or (x < 0) == (y < 0)
        return math.copysign(x, sign) if agrees else y
    rest = _rest(Fraction(x), Fraction(y), truncates)
    return math.copysign(float(rest), sign)


def _truncated(a: np.integer, b: np.integer) -> int:
    if b == 0:
        return 0
    quotient = abs(int(a)) // abs(int(b))
    return -quotient if (a < 0) != (b < 0) else quotient


def _check_function(
    op: str,
    attributes: Mapping[str, Attribute],
    values: list[np.ndarray],
    out: np.ndarray,
) -> str | None:
    kind = values[0].dtype
    if "approximate" in attributes and attributes["approximate"].values[0] == b"tanh":
        op += " tanh"

    def attribute(name: str, fallback: float) -> np.longdouble:
        given = attributes[name].values[0] if name in attributes else fallback
        return np.longdouble(float(np.float32(given).astype(kind)))

    # Types without a conversion to and from longdouble go through float64.
    wide = [_wide(v).astype(np.longdouble) for v in values]
    with np.errstate(all="ignore"):
        exact = FUNCTIONS[op](*wide, attribute)
        if np.issubdtype(kind, np.integer):  # of Erf
            return same_bits(out, exact.astype(np.float32).astype(kind))
        rounded = exact if kind.itemsize >= 4 else floats_to_odd(exact.astype(np.float64))
        rounded = rounded.astype(kind)
    allowed = 0 if kind.itemsize == 2 else FUNCTION_ULP
    # The oracle of the error function is of float64 itself, and Gelu's result loses
    # what its argument's square loses.
    if kind.itemsize == 8 and op.split()[0] in ("Erf", "Gelu"):
        allowed = 4 if op == "Erf" else 1024
    distance = ulp_distance(out, rounded)
    return None if distance <= allowed else f"{distance} ULP from the true {op}"


def same_bits(out: np.ndarray, expected: np.ndarray) -> str | None:
    both = (out, expected)
    if out.dtype == bool or np.issubdtype(out.dtype, np.integer):
        return None if np.array_equal(*both) else "not the exact result"
    with np.errstate(invalid="ignore"):  # isnan of bfloat16 may raise the flag
        nan = [np.isnan(v) for v in both]
    bits = [np.where(n, v.dtype.type(0), v).tobytes() for n, v in zip(nan, both)]
    same = np.array_equal(*nan) and bits[0] == bits[1]
    return None if same else "not the result rounded once"

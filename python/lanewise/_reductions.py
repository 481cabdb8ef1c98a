# SPDX-License-Identifier: Apache-2.0
"""Functions that make one element of many: NumPy's, over given axes or all of them."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _types
from ._registry import OPERATORS
from ._steps import BOOL, FLOAT64, all_outputs, constant, graph_of, operand, step
from ._trace import TraceError, Value, is_reshaped_result


def _axes(x: Value, axis: Any) -> tuple[int, ...]:
    if axis is None:
        return tuple(range(x.ndim))
    if isinstance(axis, Value):
        raise TraceError("the axis of a reduction must be a number")
    given = axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(int(a) + (x.ndim if a < 0 else 0) for a in given)
    for wanted, a in zip(given, axes):
        if not 0 <= a < x.ndim:
            raise ValueError(
                f"axis {wanted} is out of bounds for array of dimension {x.ndim}"
            )
    if len(set(axes)) != len(axes):
        raise ValueError("duplicate value in 'axis'")
    return tuple(sorted(axes))


def reduce(name: str, x: Value, axis: Any, keepdims: bool) -> Value:
    """An operator Reduce... as a step."""
    if name not in OPERATORS:
        raise TraceError(
            f"this build of lanewise lacks the operator {name}",
            "the reduction outside of the fused function",
        )
    axes = _axes(x, axis)
    if not axes:
        return x
    numbers = np.array(axes, np.int64)
    result = step(
        name,
        x,
        Value(x.graph, x.graph.constant(numbers, numbers.dtype)),
        keepdims=int(keepdims),
    )
    result.node.ndim = x.ndim if keepdims else x.ndim - len(axes)
    return result


def value_of(x: Any, dtype: Any = None) -> Value:
    """A Value of this type; a number becomes strong."""
    value = operand(graph_of((x,)), x)
    if value.weak is not None:
        value = value.to(np.dtype(value.weak))
    return value if dtype is None else value.to(_types.dtype_from(dtype))


def _wide_whole(x: Value) -> Value:
    """Whole numbers as NumPy adds them: at least in its default type, which has 32 bits
    in NumPy 1 on Windows."""
    code = x.node.code
    if code in _types.UNSIGNED:
        return x.to(np.promote_types(x.dtype, np.uint))
    is_whole = code in _types.SIGNED or x.dtype == BOOL
    return x.to(np.promote_types(x.dtype, np.int_)) if is_whole else x


def _as_floats(x: Value) -> Value:
    """Whole numbers and bools as float64, as in NumPy's mean and SciPy's softmax."""
    return x if x.node.code in _types.FLOATS else x.to(FLOAT64)


def refuse(name: str, others: dict[str, Any]) -> None:
    """An error for arguments of NumPy's that are given, but not served."""
    unknown = [
        key
        for key, value in others.items()
        if value is not None and not isinstance(value, type(np._NoValue))
    ]
    if unknown:
        raise TraceError(f"np.{name} has no {', '.join(unknown)}= here")


def _keeps(keepdims: Any) -> bool:
    return keepdims is True or (isinstance(keepdims, int) and bool(keepdims))


def _adding(name: str, operator: str) -> Callable[..., Value]:
    def function(a: Any, axis: Any = None, dtype: Any = None, out: Any = None,
                 keepdims: Any = False, **others: Any) -> Value:  # fmt: skip
        refuse(name, {"out": out, **others})
        x = value_of(a, dtype)
        x = _wide_whole(x) if dtype is None else x
        return reduce(operator, x, axis, _keeps(keepdims))

    return function


def _choosing(name: str, operator: str) -> Callable[..., Value]:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False,
                 **others: Any) -> Value:  # fmt: skip
        refuse(name, {"out": out, **others})
        return reduce(operator, value_of(a), axis, _keeps(keepdims))

    return function


def _testing(name: str, operator: str) -> Callable[..., Value]:
    def function(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False,
                 **others: Any) -> Value:  # fmt: skip
        refuse(name, {"out": out, **others})
        # Bytes have the same order as bools, in every build.
        x = value_of(a).to(BOOL).to(np.dtype("u1"))
        return reduce(operator, x, axis, _keeps(keepdims)).to(BOOL)

    return function


def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None,
         keepdims: Any = False, **others: Any) -> Value:  # fmt: skip
    refuse("mean", {"out": out, **others})
    x = _as_floats(value_of(a, dtype))
    return reduce("ReduceMean", x, axis, _keeps(keepdims))


def var(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0,
        keepdims: Any = False, **others: Any) -> Value:  # fmt: skip
    """The mean of the squares of differences from the mean."""
    refuse("var", {"out": out, **others})
    if ddof:
        raise TraceError(
            "the number of elements is not known while tracing, and ddof needs it",
            "np.var(x) with ddof=0, times n / (n - ddof)",
        )
    x = _as_floats(value_of(a, dtype))
    narrow, x = x.dtype, x.to(np.dtype("f4")) if x.dtype.itemsize < 4 else x
    apart = step("Sub", x, reduce("ReduceMean", x, axis, True))
    squares = step("Mul", apart, apart)
    return reduce("ReduceMean", squares, axis, _keeps(keepdims)).to(narrow)


def std(a: Any, *args: Any, **kwargs: Any) -> Value:
    return step("Sqrt", var(a, *args, **kwargs))


def in_shape(x: Value, sizes: list[int]) -> Value:
    """x in another shape; one size may be -1."""
    array = np.array(sizes, np.int64)
    dims = Value(x.graph, x.graph.constant(array, array.dtype))
    # ONNX's 0 is the size that was there, but for this attribute.
    zeros = {"allowzero": 1} if 0 in sizes else {}
    result = step("Reshape", x, dims, **zeros)
    result.node.ndim = len(sizes)
    return result


def _as_row(name: str, x: Value, keepdims: bool) -> Value:
    """All elements along the last axis, and no other axis if these are given up."""
    row = in_shape(x, [1] * (x.ndim - 1 if keepdims else 0) + [-1])
    if is_reshaped_result(row.node):
        raise TraceError(f"np.{name} over all axes of what was computed",
                         f"np.{name} outside of the fused function")  # fmt: skip
    return row


def _finding(name: str, operator: str) -> Callable[..., Value]:
    def function(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False,
                 **others: Any) -> Value:  # fmt: skip
        refuse(name, {"out": out, **others})
        x, keeps = value_of(a), _keeps(keepdims)
        if axis is None and x.ndim != 1:
            # An array without dims has no dims to keep.
            keeps = keeps and x.ndim > 0
            x, axis = _as_row(name, x, keeps), -1
        (axis,) = _axes(x, axis)
        if x.dtype == BOOL:
            x = x.to(np.dtype("u1"))
        result = step(operator, x, axis=axis, keepdims=int(keeps))
        result.node.ndim = x.ndim - (not keeps)
        return result

    return function


def softmax(x: Any, axis: Any = -1) -> Value:
    """e^x over its sum."""
    x = _as_floats(value_of(x))
    axes = _axes(x, axis)
    if len(axes) == 1:
        return step("Softmax", x, axis=axes[0])
    power = step("Exp", step("Sub", x, reduce("ReduceMax", x, axis, True)))
    return step("Div", power, reduce("ReduceSum", power, axis, True))


def _along(operator: str) -> Callable[..., Value]:
    def function(x: Any, axis: Any = -1) -> Value:
        x = _as_floats(value_of(x))
        axes = _axes(x, axis)
        if len(axes) != 1:
            raise TraceError(f"{operator} is along one axis", "axis=-1")
        return step(operator, x, axis=axes[0])

    return function


def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
    """The logarithm of the sum of e^x."""
    x = _as_floats(value_of(x))
    most = reduce("ReduceMax", x, axis, keepdims)
    # As in SciPy, the sum is infinite or NaN where the largest number is.
    is_finite = step("Equal", step("Sub", most, most), constant(most, 0))
    total = reduce("ReduceLogSumExp", x, axis, keepdims)
    return step("Where", is_finite, total, most)


def _of_onnx(operator: str, of_one: str) -> Callable[..., Value]:
    """`of_one`: the operator for elements, where no axis is given up."""

    def function(x: Any, axis: Any = None, keepdims: bool = False) -> Value:
        x = value_of(x)
        adds = operator in ("ReduceL1", "ReduceSumSquare")
        x = _wide_whole(x) if adds else _as_floats(x)
        if _axes(x, axis):
            return reduce(operator, x, axis, keepdims)
        return step("Mul", x, x) if of_one == "Mul" else step(of_one, x)

    return function


def dynamic_quantize_linear(x: Any) -> tuple[Value, ...]:
    """x in 8 bits, and the scale and the zero point that belong to x."""
    x = value_of(x)
    if x.node.code != _types.FLOAT32:
        raise TraceError(f"DynamicQuantizeLinear takes float32 and not {x.dtype}",
                         "x.astype('float32')")  # fmt: skip
    return all_outputs(step("DynamicQuantizeLinear", x))


# NumPy's functions by name: the function of values, and the operators that it needs.
REDUCTIONS: dict[str, tuple[Callable[..., Value], str]] = {
    "sum": (_adding("sum", "ReduceSum"), "ReduceSum"),
    "prod": (_adding("prod", "ReduceProd"), "ReduceProd"),
    "mean": (mean, "ReduceMean"),
    "var": (var, "ReduceMean"),
    "std": (std, "ReduceMean"),
    "max": (_choosing("max", "ReduceMax"), "ReduceMax"),
    "min": (_choosing("min", "ReduceMin"), "ReduceMin"),
    "any": (_testing("any", "ReduceMax"), "ReduceMax"),
    "all": (_testing("all", "ReduceMin"), "ReduceMin"),
    "argmax": (_finding("argmax", "ArgMax"), "ArgMax"),
    "argmin": (_finding("argmin", "ArgMin"), "ArgMin"),
}
# These have no function in NumPy.
OTHERS: dict[str, tuple[Callable[..., Value], str]] = {
    "softmax": (softmax, "Softmax"),
    "log_softmax": (_along("LogSoftmax"), "LogSoftmax"),
    "hardmax": (_along("Hardmax"), "Hardmax"),
    "logsumexp": (logsumexp, "ReduceLogSumExp"),
    "reduce_l1": (_of_onnx("ReduceL1", "Abs"), "ReduceL1"),
    "reduce_l2": (_of_onnx("ReduceL2", "Abs"), "ReduceL2"),
    "reduce_log_sum": (_of_onnx("ReduceLogSum", "Log"), "ReduceLogSum"),
    "reduce_sum_square": (_of_onnx("ReduceSumSquare", "Mul"), "ReduceSumSquare"),
}


def functions() -> dict[Any, Callable[..., Value]]:
    """By NumPy's function."""
    found = {getattr(np, name): function for name, (function, _) in REDUCTIONS.items()}
    return {**found, np.amax: found[np.max], np.amin: found[np.min]}


def available() -> dict[str, Callable[..., Value]]:
    """Those whose operators this build has."""
    return {
        name: function
        for name, (function, operator) in {**REDUCTIONS, **OTHERS}.items()
        if operator in OPERATORS
    }


def why_not(name: str) -> str:
    """Why there is no function of this name, if there is a reason."""
    needs = {**REDUCTIONS, **OTHERS}.get(name, (None, ""))[1]
    if not needs or needs in OPERATORS:
        return ""
    return f": it needs the operator {needs}, which this build lacks"


def covers(operator: str) -> bool:
    """Whether a function of this file is ONNX's operator."""
    return operator in {needed for _, needed in {**REDUCTIONS, **OTHERS}.values()}

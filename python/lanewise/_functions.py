# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that are no ufuncs, and ONNX's operators that NumPy lacks."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _reductions, _types
from ._formulas import trunc
from ._registry import Operator
from ._rules import apply_ufunc, promoted
from ._steps import BOOL, Literal, constant, graph_of, operand, step
from ._trace import TraceError, Value


def common(*operands: Any) -> list[Value]:
    """The operands in one type, by NumPy's rules of promotion."""
    strong = tuple(x.dtype for x in operands if x.weak is None)
    dtype = promoted(strong, tuple(x.weak for x in operands if x.weak is not None))
    return [x.to(dtype) for x in operands]


def where(condition: Any, x: Any = None, y: Any = None) -> Value:
    """x where the condition is true, y elsewhere."""
    if x is None or y is None:
        raise TraceError("np.where(condition) has a shape that depends on elements",
                         "np.where(condition, x, y)")  # fmt: skip
    graph = graph_of((condition, x, y))
    choices = common(operand(graph, x), operand(graph, y))
    return step("Where", operand(graph, condition).to(BOOL), *choices)


def clip(x: Any, min: Any = None, max: Any = None, **kwargs: Any) -> Any:  # noqa: A002
    """x, but not below min and not above max."""
    low, high = kwargs.pop("a_min", min), kwargs.pop("a_max", max)
    if low is not None:
        x = apply_ufunc(np.maximum, (x, low), {})
    if high is not None:
        x = apply_ufunc(np.minimum, (x, high), {})
    return x


def round(x: Any, decimals: int = 0, **kwargs: Any) -> Any:  # noqa: A001
    """x rounded to even, to so many decimals."""
    if x.dtype.kind in "iub":
        return x
    if decimals == 0:
        return step("Round", x)
    factor = constant(x, 10.0 ** abs(decimals))
    first, then = ("Mul", "Div") if decimals > 0 else ("Div", "Mul")
    return step(then, step("Round", step(first, x, factor)), factor)


def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None,
               neginf: Any = None) -> Any:  # fmt: skip
    """x with numbers in place of NaN and infinities."""
    if x.node.code not in _types.FLOATS:
        return x
    limits = np.finfo(x.dtype) if not _types.is_added(x.dtype) else None
    if posinf is None or neginf is None:
        if limits is None:
            raise TraceError(f"nan_to_num of {x.dtype} needs posinf= and neginf=")
        posinf = float(limits.max) if posinf is None else posinf
        neginf = float(limits.min) if neginf is None else neginf
    x_or_nan = step("Where", step("IsNaN", x), constant(x, nan), x)
    high = step("Equal", x, constant(x, np.inf))
    low = step("Equal", x, constant(x, -np.inf))
    result = step("Where", high, constant(x, posinf), x_or_nan)
    return step("Where", low, constant(x, neginf), result)


def reshape(x: Any, *args: Any, **kwargs: Any) -> Value:
    """x in another shape: only of an argument, or as a result."""
    shape = kwargs.get("shape", kwargs.get("newshape", args[0] if args else None))
    try:
        shape = np.atleast_1d(np.array(shape, np.int64))
    except (TypeError, ValueError):
        raise TraceError("the shape of np.reshape must be numbers") from None
    dims = Value(x.graph, x.graph.constant(shape, shape.dtype))
    result = step("Reshape", x, dims)
    result.node.ndim = len(shape)
    return result


def _like(number: int | None) -> Callable[..., Value]:
    def function(x: Any, *args: Any, dtype: Any = None, **kwargs: Any) -> Value:
        value = number if number is not None else args[0]
        wanted = x.dtype if dtype is None else _types.dtype_from(dtype)
        return Literal(x.graph, value).to(wanted)

    return function


def astype(x: Any, dtype: Any, **kwargs: Any) -> Value:
    return x.to(_types.dtype_from(dtype))


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.where: where, np.clip: clip, np.round: round, np.around: round,
    np.nan_to_num: nan_to_num, np.reshape: reshape, np.fix: trunc,
    np.zeros_like: _like(0), np.ones_like: _like(1), np.full_like: _like(None),
    np.real: lambda x: x, np.copy: lambda x, **kwargs: x,
    np.ndim: lambda x: x.ndim,
}  # fmt: skip
if hasattr(np, "astype"):
    FUNCTIONS[np.astype] = astype

FUNCTIONS.update(_reductions.functions())


def apply(function: Any, args: tuple, kwargs: dict) -> Any:
    """A function of NumPy on Values."""
    if function not in FUNCTIONS:
        name = getattr(function, "__name__", function)
        raise TraceError(f"np.{name} is no elementwise function that lanewise has")
    return FUNCTIONS[function](*args, **kwargs)


# ---- ONNX's own


def onnx(operator: Operator) -> Callable[..., Value]:
    """An operator as a function of Values, with ONNX's attributes as keywords."""

    def function(*inputs: Any, **attributes: Any) -> Value:
        unknown = set(attributes) - set(operator.attributes)
        if unknown:
            raise TypeError(f"{operator.name} has no attribute {', '.join(unknown)}")
        graph = graph_of(inputs)
        values = [operand(graph, x) for x in inputs]
        by_parameter: dict[str, list[int]] = {}
        for i, _ in enumerate(values):
            slot = operator.inputs[min(i, len(operator.inputs) - 1)]
            by_parameter.setdefault(slot.parameter, []).append(i)
        for positions in by_parameter.values():
            for i, value in zip(
                positions, _fit(operator, [values[i] for i in positions])
            ):
                values[i] = value
        for key, info in operator.attributes.items():
            if info.tells_type and key in attributes:
                if not isinstance(attributes[key], int):
                    attributes[key] = _types.code_of(_types.dtype_from(attributes[key]))
        return step(operator.name, *values, **attributes)

    return function


def _fit(operator: Operator, operands: list[Any]) -> list[Value]:
    """Operands in one type: integers become floats, as in NumPy's functions, where
    the operator has no integers."""
    values = common(*operands)
    code = values[0].node.code
    position = len(operator.inputs) - 1
    if code not in _types.FLOATS and not any(
        code in slot.types for slot in operator.inputs[: position + 1]
    ):
        dtype = np.exp.resolve_dtypes((values[0].dtype, None))[0]
        values = [v.to(dtype) for v in values]
    return values


def cast(
    x: Any, dtype: Any = None, *, saturate: int = 1, round_mode: str = "up"
) -> Value:
    """x in another type."""
    code = _types.code_of(_types.dtype_from(dtype))
    value = operand(graph_of((x,)), x)
    if value.weak is not None:
        value = value.to(np.dtype(value.weak))
    return step("Cast", value, to=code, saturate=int(saturate), round_mode=round_mode)

# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that are no ufuncs, and ONNX's operators that NumPy lacks."""

from __future__ import annotations

import operator as python
from typing import Any, Callable

import numpy as np

from . import _reductions, _types
from ._formulas import trunc
from ._reductions import in_shape, refuse, value_of
from ._registry import Operator
from ._rules import apply_ufunc, promoted
from ._steps import BOOL, FLOAT64, constant, graph_of, operand, step
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


def clip(x: Any, min: Any = None, max: Any = None, out: Any = None, *,
         a_min: Any = None, a_max: Any = None, **others: Any) -> Any:  # fmt: skip # noqa: A002
    """x, but not below min and not above max."""
    refuse("clip", {"out": out, **others})
    low, high = min if a_min is None else a_min, max if a_max is None else a_max
    if low is not None:
        x = apply_ufunc(np.maximum, (x, low), {})
    if high is not None:
        x = apply_ufunc(np.minimum, (x, high), {})
    return x


def round(x: Any, decimals: int = 0, out: Any = None) -> Any:  # noqa: A001
    """x rounded to even, to so many decimals."""
    refuse("round", {"out": out})
    x, decimals = value_of(x), python.index(decimals)
    if x.dtype == BOOL:
        if decimals != 0:
            raise TraceError("np.round of bools has no decimals")
        return x.to(np.dtype("f2"))  # NumPy's type
    if x.dtype.kind in "iu":
        # As NumPy: 15 to -1 decimals is 20, by way of float64.
        return x if decimals >= 0 else round(x.to(FLOAT64), decimals).to(x.dtype)
    if decimals == 0:
        return step("Round", x)
    factor = constant(x, 10.0 ** abs(decimals))
    first, then = ("Mul", "Div") if decimals > 0 else ("Div", "Mul")
    return step(then, step("Round", step(first, x, factor)), factor)


def nan_to_num(x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None,
               neginf: Any = None) -> Any:  # fmt: skip
    """x with numbers in place of NaN and infinities."""
    x = value_of(x)
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


def reshape(x: Any, shape: Any = None, order: str = "C", *, newshape: Any = None,
            copy: Any = None) -> Value:  # fmt: skip
    """x in another shape: only of an argument, or as a result."""
    refuse("reshape", {"copy": copy})
    if order != "C":
        raise TraceError(f"np.reshape has no order={order!r} here",
                         "np.reshape outside of the fused function")  # fmt: skip
    x = value_of(x)
    shape = newshape if shape is None else shape
    try:
        sizes = [python.index(n) for n in np.ravel(shape).tolist()]
    except TypeError:
        raise TraceError("the shape of np.reshape must be whole numbers") from None
    if sizes.count(-1) > 1 or min(sizes, default=0) < -1:
        raise TraceError(f"{tuple(sizes)} is no shape: one size may be -1")
    return in_shape(x, sizes)


def full_like(x: Any, fill_value: Any, dtype: Any = None, order: str = "K",
              subok: bool = True, shape: Any = None, *, device: Any = None) -> Value:  # fmt: skip
    """The number in the shape of x."""
    refuse("full_like", {"shape": shape, "device": device, **_layout(order)})
    x = value_of(x)
    number = operand(x.graph, fill_value)
    if isinstance(number, Value) and number.ndim > 0:
        raise TraceError("np.full_like of an array has no known shape",
                         "np.where(condition, x, y)")  # fmt: skip
    number = number.to(x.dtype if dtype is None else _types.dtype_from(dtype))
    return step("Where", step("Equal", x, x), number, number)


def zeros_like(x: Any, *args: Any, **kwargs: Any) -> Value:
    return full_like(x, 0, *args, **kwargs)


def ones_like(x: Any, *args: Any, **kwargs: Any) -> Value:
    return full_like(x, 1, *args, **kwargs)


def _layout(order: Any) -> dict[str, Any]:
    """What `refuse` gets: results lie in memory as arguments do."""
    return {} if order == "K" else {"order": order}


def astype(x: Any, dtype: Any, order: str = "K", casting: str = "unsafe",
           subok: bool = True, copy: bool = True, *, device: Any = None) -> Value:  # fmt: skip
    """x in another type."""
    refuse("astype", {"device": device, **_layout(order)})
    x, wanted = value_of(x), _types.dtype_from(dtype)
    if not np.can_cast(x.dtype, wanted, casting):  # type: ignore[arg-type]
        raise TraceError(f"Cannot cast array data from {x.dtype} to {wanted} according "
                         f"to the rule '{casting}'")  # fmt: skip
    return x.to(wanted)


def copied(x: Any, order: str = "K", subok: bool = False) -> Value:
    refuse("copy", _layout(order))
    return value_of(x)


FUNCTIONS: dict[Any, Callable[..., Any]] = {
    np.where: where, np.clip: clip, np.round: round, np.around: round,
    np.nan_to_num: nan_to_num, np.reshape: reshape, np.fix: trunc,
    np.zeros_like: zeros_like, np.ones_like: ones_like, np.full_like: full_like,
    np.real: lambda x: x, np.copy: copied,
    np.ndim: lambda x: x.ndim,
}  # fmt: skip
if hasattr(np, "astype"):
    FUNCTIONS[np.astype] = lambda x, dtype, *, copy=True, device=None: astype(
        x, dtype, copy=copy, device=device
    )

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
        values: list[Any] = [operand(graph, x) for x in inputs]
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

# SPDX-License-Identifier: Apache-2.0
"""Every operator as a function of arrays: NumPy's names where NumPy has them, else
ONNX's in snake_case. The operators come from the registry."""

from __future__ import annotations

import inspect
from typing import Any, Callable

import numpy as np

from . import _docs, _functions, _reductions, _rules
from ._function import Traced
from ._registry import OPERATORS, Operator, snake_case
from ._trace import TraceError

_DOCS = _docs.docs()


class Operation(Traced):
    """An operator that is called with arrays."""

    def __init__(self, name: str, function: Callable[..., Any],
                 signature: inspect.Signature) -> None:  # fmt: skip
        super().__init__(function, numbers_are_static=True)
        self.__name__ = self.__qualname__ = name
        self.__module__ = "lanewise"
        self.__signature__ = signature
        self.__doc__ = _DOCS.get(name)

    def _compile(self, engine: Any, args: tuple) -> Any:
        try:
            return super()._compile(engine, args)
        except TraceError as error:  # nobody traces here
            raise TypeError(f"{self.__name__}: {error.what}") from None

    def _like(self, function: Callable[..., Any]) -> Traced:
        return Operation(self.__name__, function, self.__signature__)

    def __reduce__(self) -> str:
        return self.__name__

    def __repr__(self) -> str:
        return f"<lanewise.{self.__name__}{self.__signature__}>"


class Rounding(Operation):
    """round(x, 2): the second argument is a number, but no data."""

    def __call__(self, x: Any, decimals: int = 0, **kwargs: Any) -> Any:
        return super().__call__(x, decimals=decimals, **kwargs)


class Reduction(Operation):
    """sum(x, 0): the axis is no data."""

    def __call__(self, x: Any, *axis: Any, **kwargs: Any) -> Any:
        if axis:
            (kwargs["axis"],) = axis
        return super().__call__(x, **kwargs)


def _signature(inputs: Any, keywords: dict[str, Any]) -> inspect.Signature:
    """`inputs`: names; * before a name takes any number, a default follows =."""
    kinds = inspect.Parameter
    parameters = []
    for name in inputs:
        kind = kinds.VAR_POSITIONAL if name[0] == "*" else kinds.POSITIONAL_ONLY
        default = None if name[-1] == "?" else kinds.empty
        parameters.append(kinds(name.strip("*?"), kind, default=default))
    for name, default in {"out": None, **keywords}.items():
        parameters.append(kinds(name, kinds.KEYWORD_ONLY, default=default))
    return inspect.Signature(parameters)


# What NumPy has no ufunc for, or ONNX another rule.
_NAMED: dict[str, tuple[Callable[..., Any], tuple[str, ...], dict[str, Any]]] = {
    "where": (_functions.where, ("condition", "x", "y"), {}),
    "clip": (_functions.clip, ("x", "min?", "max?"), {}),
    "round": (_functions.round, ("x", "decimals?"), {}),
    "nan_to_num": (_functions.nan_to_num, ("x",),
                   {"nan": 0.0, "posinf": None, "neginf": None}),
    "dynamic_quantize_linear": (_reductions.dynamic_quantize_linear, ("x",), {}),
    "cast": (_functions.cast, ("x", "dtype"), {"saturate": 1, "round_mode": "up"}),
}  # fmt: skip
# NumPy's functions of these names are reductions.
_RENAMED = {"Sum": "sum_of", "Mean": "mean_of"}
# ONNX's operators that have a name of NumPy's above, or in _rules.
_COVERED = {
    "Add", "Sub", "Mul", "Div", "Mod", "Pow", "Neg", "Abs", "Sign", "Sqrt",
    "Reciprocal", "Max", "Min", "Equal", "Less", "LessOrEqual", "Greater",
    "GreaterOrEqual", "IsNaN", "IsInf", "And", "Or", "Xor", "Not", "BitwiseAnd",
    "BitwiseOr", "BitwiseXor", "BitwiseNot", "BitShift", "Floor", "Ceil", "Round", "Exp",
    "Log", "Sin", "Cos", "Tan", "Asin", "Acos", "Atan", "Sinh", "Cosh", "Tanh", "Asinh",
    "Acosh", "Atanh", "Where", "Clip", "Cast",
    "DynamicQuantizeLinear",
}  # fmt: skip


def _of_ufunc(ufunc: np.ufunc) -> Callable[..., Any]:
    def function(*operands: Any, dtype: Any = None) -> Any:
        return _rules.apply_ufunc(ufunc, operands, {"dtype": dtype})

    return function


def _onnx_signature(operator: Operator) -> inspect.Signature:
    names = [
        "*arrays" if slot.variadic else slot.name.lower() + "?" * slot.optional
        for slot in operator.inputs
    ]
    return _signature(names, dict.fromkeys(operator.attributes))


def make() -> dict[str, Operation]:
    """All functions, by their names."""
    made: dict[str, Operation] = {}
    ufuncs = {ufunc.__name__: ufunc for ufunc in _rules.RULES}
    aliases = {name: getattr(np, name) for name in ("divide", "abs", "mod", "conj",
               "true_divide", "absolute", "remainder", "bitwise_not")}  # fmt: skip
    for name, ufunc in {**ufuncs, **aliases}.items():
        named = ["x"] if ufunc.nin == 1 else ["x1", "x2"]
        signature = _signature(named, {"dtype": None})
        made[name] = Operation(name, _of_ufunc(ufunc), signature)
    for name, (function, operands, keywords) in _NAMED.items():
        kind = Rounding if name == "round" else Operation
        made[name] = kind(name, function, _signature(operands, keywords))
    for operator in OPERATORS.values():
        if operator.name in _COVERED or _reductions.covers(operator.name):
            continue
        name = _RENAMED.get(operator.name) or snake_case(operator.name)
        function = _functions.onnx(operator)
        made[name] = Operation(name, function, _onnx_signature(operator))
    for name, function in _reductions.available().items():
        keywords = (
            {"dtype": None} if name in ("sum", "prod", "mean", "var", "std") else {}
        )
        if not name.endswith("max") or name in ("max", "argmax"):
            keywords["keepdims"] = False
        made[name] = Reduction(name, function, _signature(("x", "axis?"), keywords))
    return made

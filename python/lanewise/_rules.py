# SPDX-License-Identifier: Apache-2.0
"""NumPy's ufuncs as operators: which types they compute in, and by which steps."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from . import _types
from ._formulas import (
    Rule,
    arctan2,
    by_type,
    compare,
    copysign,
    expm1,
    floor_divide,
    floor_divide_whole,
    fmod,
    heaviside,
    hypot,
    in_float32,
    is_,
    is_finite,
    log1p,
    logaddexp,
    logarithm,
    negative,
    not_equal,
    number_beside_nan,
    reciprocal_whole,
    same,
    shift,
    signbit,
    times,
    to_bool,
    trunc,
)  # fmt: skip
from ._steps import BOOL, Literal, always, constant, graph_of, operand, step
from ._trace import TraceError, Value

RULES: dict[np.ufunc, Rule] = {
    np.add: by_type(is_("Add"), bools=is_("Or")),
    np.subtract: is_("Sub"),
    np.multiply: by_type(is_("Mul"), bools=is_("And")),
    np.divide: is_("Div"),
    np.floor_divide: by_type(floor_divide, floor_divide_whole),
    np.remainder: is_("Mod"),
    np.fmod: fmod,
    np.divmod: lambda a, b: (RULES[np.floor_divide](a, b), step("Mod", a, b)),
    np.power: is_("Pow"),
    np.float_power: is_("Pow"),
    np.negative: negative,
    np.positive: same,
    np.conjugate: same,
    np.absolute: by_type(is_("Abs"), bools=same),
    np.fabs: is_("Abs"),
    np.sign: is_("Sign"),
    np.sqrt: is_("Sqrt"),
    np.square: lambda x: RULES[np.multiply](x, x),
    np.reciprocal: by_type(is_("Reciprocal"), reciprocal_whole),
    np.maximum: by_type(is_("Max"), bools=is_("Or")),
    np.minimum: by_type(is_("Min"), bools=is_("And")),
    np.fmax: by_type(number_beside_nan("Max"), is_("Max"), is_("Or")),
    np.fmin: by_type(number_beside_nan("Min"), is_("Min"), is_("And")),
    np.equal: compare("Equal"),
    np.not_equal: not_equal,
    np.less: compare("Less"),
    np.less_equal: compare("LessOrEqual"),
    np.greater: compare("Greater"),
    np.greater_equal: compare("GreaterOrEqual"),
    np.isnan: by_type(is_("IsNaN"), lambda x: always(x, False)),
    np.isinf: by_type(is_("IsInf"), lambda x: always(x, False)),
    np.isfinite: by_type(is_finite, lambda x: always(x, True)),
    np.signbit: by_type(signbit, lambda x: step("Less", x, constant(x, 0))),
    np.copysign: copysign,
    np.heaviside: heaviside,
    np.logical_and: to_bool("And"),
    np.logical_or: to_bool("Or"),
    np.logical_xor: to_bool("Xor"),
    np.logical_not: to_bool("Not"),
    np.bitwise_and: by_type(is_("BitwiseAnd"), bools=is_("And")),
    np.bitwise_or: by_type(is_("BitwiseOr"), bools=is_("Or")),
    np.bitwise_xor: by_type(is_("BitwiseXor"), bools=is_("Xor")),
    np.invert: by_type(is_("BitwiseNot"), bools=is_("Not")),
    np.left_shift: shift("LEFT"),
    np.right_shift: shift("RIGHT"),
    np.floor: by_type(is_("Floor"), same),
    np.ceil: by_type(is_("Ceil"), same),
    np.trunc: by_type(trunc, same),
    np.rint: is_("Round"),
    np.exp: is_("Exp"),
    np.exp2: lambda x: step("Pow", constant(x, 2), x),
    np.expm1: in_float32(expm1),
    np.log: is_("Log"),
    np.log2: logarithm(2),
    np.log10: logarithm(10),
    np.log1p: log1p,
    np.logaddexp: logaddexp,
    np.hypot: hypot,
    np.arctan2: arctan2,
    np.deg2rad: times(np.pi / 180),
    np.radians: times(np.pi / 180),
    np.rad2deg: times(180 / np.pi),
    np.degrees: times(180 / np.pi),
}
for _name, _onnx in {
    "sin": "Sin", "cos": "Cos", "tan": "Tan", "arcsin": "Asin", "arccos": "Acos",
    "arctan": "Atan", "sinh": "Sinh", "cosh": "Cosh", "tanh": "Tanh",
    "arcsinh": "Asinh", "arccosh": "Acosh", "arctanh": "Atanh",
}.items():  # fmt: skip
    RULES[getattr(np, _name)] = is_(_onnx)

COMPARISONS: dict[Any, Any] = {
    np.equal: lambda low: False, np.not_equal: lambda low: True,
    np.less: lambda low: not low, np.less_equal: lambda low: not low,
    np.greater: lambda low: low, np.greater_equal: lambda low: low,
}  # fmt: skip
_GIVES_BOOL = {*COMPARISONS, np.isnan, np.isinf, np.isfinite, np.signbit,
               np.logical_and, np.logical_or, np.logical_xor, np.logical_not}  # fmt: skip


# ---- Types


@functools.lru_cache(maxsize=None)
def promoted(strong: tuple[np.dtype, ...], weak: tuple[type, ...]) -> np.dtype:
    """The type of several operands. Python numbers (weak) bend to arrays (NEP 50), also
    to bfloat16 and float8."""
    if not strong:
        return np.dtype(np.float64 if float in weak else np.int64)
    dtype = strong[0]
    for other in strong[1:]:
        dtype = np.promote_types(dtype, other)
    if _types.is_added(dtype):
        return dtype
    for kind in weak:
        dtype = np.add.resolve_dtypes((dtype, kind, None))[2]
    return dtype


@functools.lru_cache(maxsize=None)
def loop_types(
    ufunc: Any, types: tuple[Any, ...], dtype: Any, casting: str = "same_kind"
) -> tuple[np.dtype, ...]:
    """The types in which NumPy computes: of the operands, and of the results."""
    strong = tuple(t for t in types if isinstance(t, np.dtype))
    if any(map(_types.is_added, strong)):
        common = promoted(strong, tuple(t for t in types if t not in strong))
        if _types.is_added(common):
            out = BOOL if ufunc in _GIVES_BOOL else common
            return (common,) * len(types) + (out,) * ufunc.nout
        types = tuple(common if t in strong else t for t in types)
    if not strong:
        types = tuple(np.dtype(np.float64 if t is float else np.int64) for t in types)
    types += (None,) * ufunc.nout
    if dtype is None:
        return ufunc.resolve_dtypes(types, casting=casting)
    signature = (None,) * ufunc.nin + (dtype,) * ufunc.nout
    return ufunc.resolve_dtypes(types, signature=signature, casting=casting)


def _type_of(x: Value | Literal) -> Any:
    return x.dtype if x.weak is None else x.weak


def _fixed_comparison(ufunc: Any, operands: list[Any]) -> Value | None:
    """Integers beside a number beyond their type: NumPy 2 knows the answer."""
    for i, x in enumerate(operands):
        other = operands[1 - i]
        if not isinstance(x, Literal) or x.weak is not int or other.weak is not None:
            continue
        if other.dtype.kind not in "iu":
            continue
        limits = np.iinfo(other.dtype)
        if not limits.min <= x.value <= limits.max:
            is_low = (x.value < limits.min) == (i == 1)
            return always(other, COMPARISONS[ufunc](is_low))
    return None


def _power_of_number(operands: list[Any]) -> Any:
    """As NumPy's `x ** 2`: the ufunc that is meant, and its operands."""
    base, exponent = operands
    if not isinstance(exponent, Literal) or not isinstance(base, Value):
        return None
    whole = base.weak is int or (base.weak is None and base.dtype.kind in "iub")
    if whole and exponent.weak is int and exponent.value < 0:
        raise ValueError("Integers to negative integer powers are not allowed.")
    short: dict[float, np.ufunc] = {2: np.square, 1: np.positive}
    if not whole:
        short |= {0.5: np.sqrt, -1: np.reciprocal}
    if whole and exponent.weak is float:
        return None
    return short.get(exponent.value)


def apply_ufunc(
    ufunc: Any, inputs: tuple, kwargs: dict, is_symbol: bool = False
) -> Any:
    """A ufunc on operands of which one at least is a Value. `is_symbol`: by Python's
    operator, whose result on numbers alone is such a number again."""
    rule = RULES.get(ufunc)
    if rule is None:
        raise TraceError(f"np.{ufunc.__name__} is no operator of lanewise")
    dtype = kwargs.pop("dtype", None)
    out = kwargs.pop("out", None)
    if out is not None and any(x is not None for x in out):
        raise TraceError("out= has no meaning while tracing", "x = f(x)")
    if kwargs.pop("where", True) is not True:
        raise TraceError(
            "where= is no operator of a chain", "np.where(condition, x, y)"
        )
    casting = kwargs.pop("casting", "same_kind")
    if kwargs.pop("order", "K") != "K":
        raise TraceError(f"np.{ufunc.__name__} has no order= here")
    kwargs.pop("subok", None)  # nothing here is a subclass
    if kwargs:
        raise TraceError(f"np.{ufunc.__name__} has no {', '.join(kwargs)} here")
    graph = graph_of(inputs)
    operands = [operand(graph, x) for x in inputs]
    if ufunc in COMPARISONS:
        fixed = _fixed_comparison(ufunc, operands)
        if fixed is not None:
            return fixed
    if ufunc is np.power and is_symbol:
        short = _power_of_number(operands)
        if short is not None:
            return apply_ufunc(short, inputs[:1], {}, is_symbol)
    all_weak = all(x.weak is not None for x in operands)
    if dtype is not None:
        dtype = _types.dtype_from(dtype)
    try:
        types = loop_types(ufunc, tuple(map(_type_of, operands)), dtype, casting)
    except TypeError as error:  # NumPy's own message
        raise TraceError(str(error)) from None
    for t in types:
        if not _types.code_of(t) or t.kind == "c":
            raise TraceError(f"np.{ufunc.__name__} has no elements of the type {t}")
    results = rule(*(x.to(t) for x, t in zip(operands, types)))
    if not isinstance(results, tuple):
        results = (results,)
    results = tuple(r.to(t) for r, t in zip(results, types[ufunc.nin :]))
    if all_weak and is_symbol:
        for result in results:
            if result.node.code != _types.BOOL:
                result.weak = float if result.node.code == _types.FLOAT64 else int
    return results[0] if len(results) == 1 else results

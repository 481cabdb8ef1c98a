# SPDX-License-Identifier: Apache-2.0
"""NumPy's ufuncs as operators: which types they compute in, and by which steps."""

from __future__ import annotations

import functools
from typing import Any, Callable

import numpy as np

from . import _types
from ._registry import OPERATORS
from ._trace import Graph, TraceError, Value

BOOL = np.dtype(bool)


class Literal:
    """A number in the traced function's text. It bends to the arrays beside it."""

    def __init__(self, graph: Graph, value: int | float) -> None:
        self.graph, self.value, self.weak = graph, value, type(value)

    def to(self, dtype: np.dtype) -> Value:
        return Value(self.graph, self.graph.constant(self.value, dtype))


def graph_of(operands: Any) -> Graph:
    return next(x.graph for x in operands if isinstance(x, Value))


def operand(graph: Graph, x: Any) -> Value | Literal:
    """What a traced function hands to an operator."""
    if isinstance(x, Value):
        return x
    if type(x) in (int, float):
        return Literal(graph, x)
    if isinstance(x, (bool, np.generic, np.ndarray, list, tuple)):
        array = np.asarray(x)
        if _types.code_of(array.dtype):
            return Value(graph, graph.constant(array, array.dtype))
    raise TraceError(f"{x!r} is no array and no number that lanewise computes with")


# ---- Steps


def result_code(name: str, codes: list[int], attributes: dict[str, Any]) -> int:
    """The type of an operator's result."""
    operator = OPERATORS[name]
    output = operator.outputs[0]
    for key, value in attributes.items():
        if operator.attributes[key].tells_type and value:
            return value
    for i, code in enumerate(codes):
        if operator.inputs[min(i, len(operator.inputs) - 1)].parameter == output.parameter:
            return code
    # QuantizeLinear's default is the only choice among several.
    return min(output.types)


def step(name: str, *values: Value, **attributes: Any) -> Value:
    """An operator as the next step. Types that the operator lacks are computed in a
    wider type and rounded once."""
    if name not in OPERATORS:
        raise TraceError(f"this build of lanewise has no operator {name}")
    operator, graph = OPERATORS[name], values[0].graph
    lacks = {
        value.node.code
        for i, value in enumerate(values)
        if not operator.takes(value.node.code, i)
    }
    if lacks:
        wide = {code: _wider(name, code) for code in lacks}
        # Operands of one type stay such.
        widened = [v.to(_types.dtype_of(wide.get(v.node.code, v.node.code))) for v in values]
        result = step(name, *widened, **attributes)
        back = {wide[code]: code for code in lacks}.get(result.node.code)
        return result if back is None else result.to(_types.dtype_of(back))
    code = result_code(name, [v.node.code for v in values], attributes)
    ndim = max(v.ndim for v in values)
    nodes = tuple(v.node for v in values)
    return Value(graph, graph.step(name, nodes, code, ndim, **attributes))


def _wider(name: str, code: int) -> int:
    operator = OPERATORS[name]
    wider = (_types.INT32, _types.INT64)
    if code in _types.FLOATS:
        wider = (_types.FLOAT32,)
    elif code == _types.BOOL:
        wider = (_types.UINT8, _types.INT32)
    elif _types.dtype_of(code).itemsize >= 4:
        wider = (_types.INT64,)
    for candidate in wider:
        if candidate != code and operator.takes(candidate, len(operator.inputs) - 1):
            return candidate
    raise TraceError(f"{name} has no elements of the type {_types.dtype_of(code)}")


def constant(like: Value, number: float) -> Value:
    return Literal(like.graph, number).to(like.dtype)


def where(condition: Value, x: Value, y: Value) -> Value:
    return step("Where", condition.to(BOOL), x, y)


def is_(name: str) -> Callable[..., Value]:
    return lambda *values: step(name, *values)


def always(x: Value, answer: bool) -> Value:
    """A bool for each element of x, without a look at the elements."""
    same = step("Equal", x.to(BOOL), x.to(BOOL))
    return same if answer else step("Not", same)


# ---- Rules. A rule gets the operands in the types that NumPy computes in.

Rule = Callable[..., Any]


def in_wider(rule: Rule) -> Rule:
    """16-bit floats compute in float32 and float32 in float64: several steps are then
    as exact as one."""

    def wide(*values: Value) -> Value:
        dtype = values[0].dtype
        wider = {1: np.dtype("f8"), 11: dtype}.get(values[0].node.code, np.dtype("f4"))
        return rule(*(v.to(wider) for v in values)).to(dtype)

    return wide


def in_float32(rule: Rule) -> Rule:
    def wide(*values: Value) -> Value:
        if values[0].node.code not in _types.FLOATS - {1, 11}:
            return rule(*values)
        result = rule(*(v.to(np.dtype("f4")) for v in values))
        return result.to(values[0].dtype)

    return wide


def by_type(floats: Rule, whole: Rule | None = None, bools: Rule | None = None) -> Rule:
    def choose(*values: Value) -> Value:
        code = values[0].node.code
        if code == _types.BOOL:
            return (bools or whole or floats)(*values)
        return (floats if code in _types.FLOATS else whole or floats)(*values)

    return choose


def negative(x: Value) -> Value:
    if x.node.code in _types.UNSIGNED:
        return step("Sub", constant(x, 0), x)
    return step("Neg", x)


def to_bool(name: str) -> Rule:
    return lambda *values: step(name, *(v.to(BOOL) for v in values))


def signbit(x: Value) -> Value:
    zero = constant(x, 0)
    is_minus_zero = step(
        "And", step("Equal", x, zero), step("Less", step("Reciprocal", x), zero)
    )
    return step("Or", step("Less", x, zero), is_minus_zero)


def trunc(x: Value) -> Value:
    return where(step("Less", x, constant(x, 0)), step("Ceil", x), step("Floor", x))


def fmod(a: Value, b: Value) -> Value:
    return step("Mod", a, b, fmod=1)


def floor_divide_whole(a: Value, b: Value) -> Value:
    quotient = step("Div", a, b)
    if a.node.code in _types.UNSIGNED:
        return quotient
    zero = constant(a, 0)
    rest = step("Sub", a, step("Mul", quotient, b))
    signs_differ = step("Xor", step("Less", rest, zero), step("Less", b, zero))
    inexact = step("Not", step("Equal", rest, zero))
    lower = step("And", step("And", inexact, signs_differ),
                 step("Not", step("Equal", b, zero)))  # fmt: skip
    return step("Sub", quotient, lower.to(a.dtype))


@in_float32
def floor_divide(a: Value, b: Value) -> Value:
    zero, one = constant(a, 0), constant(a, 1)
    rest = fmod(a, b)
    quotient = step("Div", step("Sub", a, rest), b)
    signs_differ = step("Xor", step("Less", rest, zero), step("Less", b, zero))
    lower = step("And", step("Not", step("Equal", rest, zero)), signs_differ)
    quotient = where(lower, step("Sub", quotient, one), quotient)
    floor = step("Floor", quotient)
    too_low = step("Greater", step("Sub", quotient, floor), constant(a, 0.5))
    floor = where(too_low, step("Add", floor, one), floor)
    ratio = step("Div", a, b)
    floor = where(step("Equal", quotient, zero), step("Mul", ratio, zero), floor)
    return where(step("Equal", b, zero), ratio, floor)


def reciprocal_whole(x: Value) -> Value:
    return step("Div", constant(x, 1), x)


def number_beside_nan(name: str) -> Rule:
    def rule(a: Value, b: Value) -> Value:
        both = step(name, a, b)
        return where(step("IsNaN", a), b, where(step("IsNaN", b), a, both))

    return rule


def compare(name: str) -> Rule:
    def rule(a: Value, b: Value) -> Value:
        if a.node.code == b.node.code:
            return step(name, a, b)
        # int64 beside uint64: exact, as in NumPy 2
        small, large = (a, b) if a.node.code in _types.SIGNED else (b, a)
        below = step("Less", small, constant(small, 0))
        same = [v.to(large.dtype) for v in (a, b)]
        if name == "Equal":
            return step("And", step(name, *same), step("Not", below))
        is_less = (small is a) == name.startswith("Less")
        if is_less:
            return step("Or", below, step(name, *same))
        return step("And", step("Not", below), step(name, *same))

    return rule


def not_equal(a: Value, b: Value) -> Value:
    if a.node.code == b.node.code == _types.BOOL:
        return step("Xor", a, b)
    return step("Not", compare("Equal")(a, b))


@in_wider
def log1p(x: Value) -> Value:
    """log(1 + x) = 2 atanh(x / (2 + x)), which is exact for small x."""
    one, two = constant(x, 1), constant(x, 2)
    small = step("Mul", two, step("Atanh", step("Div", x, step("Add", two, x))))
    is_small = step("Less", step("Abs", x), constant(x, 0.5))
    return where(is_small, small, step("Log", step("Add", one, x)))


def expm1(x: Value) -> Value:
    """Elu is e^x - 1 below 0; above, e^x - 1 = -e^x (e^-x - 1)."""
    above = step("Mul", step("Exp", x), step("Neg", step("Elu", step("Neg", x))))
    return where(step("Less", x, constant(x, 0)), step("Elu", x), above)


def logarithm(base: float) -> Rule:
    @in_wider
    def rule(x: Value) -> Value:
        result = step("Mul", step("Log", x), constant(x, 1 / np.log(base)))
        if x.node.code != _types.FLOAT64:
            return result
        # Powers of the base have whole logarithms.
        whole = step("Round", result)
        is_power = step("Equal", step("Pow", constant(x, base), whole), x)
        return where(is_power, whole, result)

    return rule


@in_wider
def hypot(a: Value, b: Value) -> Value:
    a, b = step("Abs", a), step("Abs", b)
    large, small = step("Max", a, b), step("Min", a, b)
    ratio = step("Div", small, large)
    one = constant(a, 1)
    root = step("Sqrt", step("Add", one, step("Mul", ratio, ratio)))
    is_plain = step("Equal", step("Sub", large, large), constant(a, 0))
    is_plain = step("And", is_plain, step("Greater", large, constant(a, 0)))
    infinite = step("Or", step("IsInf", a), step("IsInf", b))
    result = where(is_plain, step("Mul", large, root), large)
    return where(infinite, constant(a, np.inf), result)


@in_wider
def arctan2(y: Value, x: Value) -> Value:
    zero, pi = constant(x, 0), constant(x, np.pi)
    a, b = step("Abs", y), step("Abs", x)
    angle = step("Atan", step("Div", a, b))
    angle = where(step("Equal", a, b), constant(x, np.pi / 4), angle)
    angle = where(step("Equal", a, zero), zero, angle)
    angle = where(signbit(x), step("Sub", pi, angle), angle)
    either = step("Or", step("IsNaN", y), step("IsNaN", x))
    angle = where(either, step("Add", y, x), angle)
    return where(signbit(y), step("Neg", angle), angle)


@in_wider
def logaddexp(a: Value, b: Value) -> Value:
    apart = step("Neg", step("Abs", step("Sub", a, b)))
    result = step("Add", step("Max", a, b), step("Softplus", apart))
    # Equal infinities have no difference.
    same = step("Add", a, constant(a, np.log(2)))
    return where(step("Equal", a, b), same, result)


@in_float32
def copysign(a: Value, b: Value) -> Value:
    size = step("Abs", a)
    return where(signbit(b), step("Neg", size), size)


def heaviside(x: Value, at_zero: Value) -> Value:
    zero, one = constant(x, 0), constant(x, 1)
    side = where(step("Less", x, zero), zero, where(step("IsNaN", x), x, one))
    return where(step("Equal", x, zero), at_zero, side)


def times(number: float) -> Rule:
    return in_float32(lambda x: step("Mul", x, constant(x, number)))


def is_finite(x: Value) -> Value:
    return step("Equal", step("Sub", x, x), constant(x, 0))


def same(x: Value) -> Value:
    return x


def shift(direction: str) -> Rule:
    return lambda a, b: step("BitShift", a, b, direction=direction)


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

COMPARISONS = {
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
def loop_types(ufunc: Any, types: tuple[Any, ...], dtype: Any) -> tuple[np.dtype, ...]:
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
        return ufunc.resolve_dtypes(types)
    signature = (None,) * ufunc.nin + (dtype,) * ufunc.nout
    return ufunc.resolve_dtypes(types, signature=signature)


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
    short = {2: np.square, 1: np.positive}
    if not whole:
        short |= {0.5: np.sqrt, -1: np.reciprocal}
    if whole and exponent.weak is float:
        return None
    return short.get(exponent.value)


def apply_ufunc(ufunc: Any, inputs: tuple, kwargs: dict, is_symbol: bool = False) -> Any:
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
        raise TraceError("where= is no operator of a chain", "np.where(condition, x, y)")
    if set(kwargs) - {"casting", "order", "subok"}:
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
        types = loop_types(ufunc, tuple(map(_type_of, operands)), dtype)
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

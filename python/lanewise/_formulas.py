# SPDX-License-Identifier: Apache-2.0
"""Ufuncs that are made of several steps. Each function gets its operands in the types that
NumPy computes in."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _types
from ._steps import BOOL, constant, step, where
from ._trace import Value

Rule = Callable[..., Any]


def is_(name: str) -> Callable[..., Value]:
    return lambda *values: step(name, *values)


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

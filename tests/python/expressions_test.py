# SPDX-License-Identifier: Apache-2.0
"""Random expressions, fused and as NumPy. Below the outermost function are steps that
both round once, so that the results agree to the last bit; a function's results within
the errors of both. LANEWISE_EXPRESSIONS=100000 makes more of them."""

from __future__ import annotations

import os
from typing import Any

import lanewise
import numpy as np
import pytest
from close import OWN_TYPES, check, sample

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
COUNT = int(os.environ.get("LANEWISE_EXPRESSIONS", "1500"))
SHAPES = [(6, 5), (5,), (6, 1), (1, 5), ()]
UNARY = [np.negative, np.absolute, np.sqrt, np.square, np.floor, np.ceil, np.rint,
         np.sign, np.trunc, np.logical_not, np.isnan, np.isfinite, np.positive]  # fmt: skip
BINARY = [np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum, np.less,
          np.greater_equal, np.equal, np.not_equal, np.logical_and, np.fmin,
          np.floor_divide, np.remainder, np.bitwise_xor]  # fmt: skip
OUTER = [np.exp, np.log, np.sin, np.cos, np.tanh, np.arctan, np.log1p, np.expm1, np.sinh,
         np.arcsinh, np.exp2]  # fmt: skip
NUMBERS = [0, 1, 2, 3, 0.5, -1.5, 7.25]


def one_zero(ufunc: np.ufunc) -> Any:
    """Of -0.0 and 0.0 as equals, each library chooses its own; plus 0.0 both are 0.0."""

    def function(a: Any, b: Any) -> Any:
        return ufunc(a, b) + np.False_

    function.__name__ = ufunc.__name__
    return function


class Maker:
    """Makes an expression: a function of arrays, and text that tells of it."""

    def __init__(self, rng: np.random.Generator, types: list[str]) -> None:
        self.rng, self.types = rng, types

    def pick(self, choices: list) -> Any:
        return choices[self.rng.integers(len(choices))]

    def make(self, depth: int) -> tuple[Any, str]:
        if depth == 0 or self.rng.random() < 0.1:
            i = int(self.rng.integers(len(self.types)))
            return (lambda xs: xs[i]), f"x{i}"
        kind = self.rng.random()
        if kind < 0.25:
            ufunc = self.pick(UNARY)
            inner, text = self.make(depth - 1)
            return (lambda xs: ufunc(inner(xs))), f"{ufunc.__name__}({text})"
        if kind < 0.35:
            condition, c = self.make(depth - 1)
            x, a = self.make(depth - 1)
            y, b = self.make(depth - 1)
            return (
                lambda xs: np.where(condition(xs), x(xs), y(xs))
            ), f"where({c}, {a}, {b})"
        ufunc = self.pick(BINARY)
        if ufunc in (np.maximum, np.minimum, np.fmin):
            ufunc = one_zero(ufunc)
        x, a = self.make(depth - 1)
        if kind < 0.5:
            number = self.pick(NUMBERS)
            return (lambda xs: ufunc(x(xs), number)), f"{ufunc.__name__}({a}, {number})"
        y, b = self.make(depth - 1)
        return (lambda xs: ufunc(x(xs), y(xs))), f"{ufunc.__name__}({a}, {b})"


def run(function: Any, arrays: list) -> Any:
    try:
        return function(arrays)
    except (TypeError, OverflowError, ValueError) as error:
        return error


def test_expressions() -> None:
    rng = np.random.default_rng(int(os.environ.get("LANEWISE_SEED", "7")))
    refused = 0
    for _ in range(COUNT):
        types = [OWN_TYPES[i] for i in rng.integers(0, len(OWN_TYPES), 3)]
        if rng.random() < 0.5:
            types = [OWN_TYPES[rng.integers(9, 12)]] * 3
        shapes = [SHAPES[i] for i in rng.integers(0, len(SHAPES), 3)]
        arrays = [
            np.asarray(sample(t, int(np.prod(s)), rng).reshape(s))
            for t, s in zip(types, shapes)
        ]
        inner, text = Maker(rng, types).make(int(rng.integers(1, 5)))
        outer = OUTER[rng.integers(len(OUTER))] if rng.random() < 0.4 else None
        function = (lambda xs: outer(inner(xs))) if outer else inner
        what = f"{outer.__name__ if outer else ''} {text} {types} {shapes}"
        fused = lanewise.fuse(lambda *xs: function(xs))
        want = run(function, arrays)
        got = run(lambda xs: fused(*xs), arrays)
        if isinstance(want, Exception) or isinstance(got, Exception):
            both = isinstance(want, Exception) and isinstance(got, Exception)
            # More steps than a chain has, and 0-d arrays that NumPy 1 makes weak.
            assert both or "at most 64" in str(got), (what, want, got)
            refused += 1
            continue
        check(got, want, 4 if outer else 0, what)
    assert refused < COUNT / 3

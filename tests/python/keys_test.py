# SPDX-License-Identifier: Apache-2.0
"""Values that Python calls equal make different programs: 2, 2.0 and True; 0.0 and
-0.0."""

from __future__ import annotations

from typing import Any

import lanewise
import numpy as np
from close import check
from lanewise._keys import typed

WHOLE = np.int32([-3, 0, 5])
X = np.float32([-3, 2])


def test_keys() -> None:
    different = [2, 2.0, True, np.float32(2), np.int64(2), (2,), (2.0,), frozenset([2]),
                 frozenset([2.0]), 2 + 0j]  # fmt: skip
    assert len({typed(x) for x in different}) == len(different)
    assert typed(0.0) != typed(-0.0) and typed((0.0,)) != typed((-0.0,))
    assert typed(0j) != typed(-0j) and typed(np.float64(0)) != typed(np.float64(-0.0))
    assert typed(float("nan")) == typed(float("nan"))
    assert typed(("a", 1)) == typed(("a", 1))


def test_static_arguments() -> None:
    @lanewise.fuse(static="n")
    def times(x: Any, n: Any) -> Any:
        return x * n

    for n in (2, 2.0, True, 2, 1, 1.0):
        check(times(WHOLE, n), WHOLE * n, 0, n)
    for n in (0.0, -0.0):
        assert (np.signbit(times(X, n)) == np.signbit(X * np.float32(n))).all()

    @lanewise.fuse(static="powers")
    def powers_of(x: Any, powers: Any) -> Any:
        return tuple(x * p for p in powers)

    for powers in ((1, 2), (1.0, 2), (True, 2)):
        for got, power in zip(powers_of(WHOLE, powers), powers):
            check(got, WHOLE * power, 0, powers)


def test_attributes() -> None:
    for alpha in (0.0, -0.0):
        got = lanewise.leaky_relu(X, alpha=alpha)
        assert np.signbit(got).tolist() == [not np.signbit(alpha), False]
    check(lanewise.leaky_relu(X, alpha=1), X, 0)
    check(lanewise.leaky_relu(X, alpha=np.float64(2)), np.float32([-6, 2]), 0)


def test_steps_of_a_trace() -> None:
    @lanewise.fuse
    def both(x: Any) -> Any:
        return lanewise.leaky_relu(x, alpha=0.0), lanewise.leaky_relu(x, alpha=-0.0)

    minus, plus = both(X)
    assert np.signbit(minus).tolist() == [True, False]
    assert np.signbit(plus).tolist() == [False, False]

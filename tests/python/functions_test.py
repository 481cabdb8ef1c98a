# SPDX-License-Identifier: Apache-2.0
"""NumPy's functions that are no ufuncs: each argument is served as NumPy does, or
refused by its name."""

from __future__ import annotations

from typing import Any

import lanewise
import numpy as np
import pytest
from close import check

X = np.linspace(-3, 3, 12).astype("f4").reshape(3, 4)

REFUSED = {
    "reshape's order": (lambda x: np.reshape(x, (4, 3), order="F"), "order='F'"),
    "order of the method": (lambda x: x.reshape(4, 3, order="F"), "order='F'"),
    "reshape's copy": (lambda x: np.reshape(x, -1, copy=True), "copy="),
    "ones_like's shape": (lambda x: np.ones_like(x, shape=(2, 2)) + x, "shape="),
    "full_like's shape": (lambda x: np.full_like(x, 3, shape=()) + x, "shape="),
    "full_like of an array": (lambda x: np.full_like(x, np.arange(4)), "full_like"),
    "zeros_like's order": (lambda x: np.zeros_like(x, order="F"), "order="),
    "clip's out": (lambda x: np.clip(x, 0, 1, out=np.empty((3, 4), "f4")), "out="),
    "clip's where": (lambda x: np.clip(x, 0, 1, where=X > 0), "where="),
    "round's out": (lambda x: np.round(x, 1, out=np.empty((3, 4), "f4")), "out="),
    "astype's casting": (lambda x: x.astype("i4", casting="safe"), "Cannot cast"),
    "astype's order": (lambda x: x.astype("f8", order="F"), "order="),
    "a ufunc's casting": (lambda x: np.add(x, 1, dtype="f2", casting="no"), "cast"),
    "a ufunc's order": (lambda x: np.add(x, 1, order="F"), "order="),
    "copy's order": (lambda x: np.copy(x, order="F"), "order="),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    function, text = REFUSED[name]
    if "copy=" in text and np.__version__ < "2.1":
        pytest.skip("NumPy has no such argument")
    with pytest.raises(lanewise.TraceError) as error:
        lanewise.fuse(function)(X)
    assert text in str(error.value) and "functions_test.py" in str(error.value)


SERVED = {
    "reshape": lambda x: np.reshape(x + 1, (4, -1), order="C"),
    "ones_like": lambda x: np.ones_like(x),
    "zeros_like": lambda x: np.zeros_like(x, dtype="i2", order="K", subok=False),
    "full_like": lambda x: np.full_like(x, 2.5) * x,
    "clip": lambda x: np.clip(x, a_min=-1, a_max=None),
    "round": lambda x: np.round(x, decimals=-1),
    "astype": lambda x: x.astype("f8", "K", "safe", copy=False),
    "ufunc": lambda x: np.add(x, 1, dtype="f8", casting="safe", subok=False),
    "copy": lambda x: np.copy(x, order="K") + x.copy(),
}


@pytest.mark.parametrize("name", SERVED)
def test_served(name: str) -> None:
    check(lanewise.fuse(SERVED[name])(X), SERVED[name](X), 0)


def test_what_is_like_another_has_its_shape() -> None:
    def f(x: Any, y: Any) -> Any:
        return np.zeros_like(x) + y, np.full_like(x, y)

    for got, want in zip(lanewise.fuse(f)(X, np.float32(2)), f(X, np.float32(2))):
        check(got, want, 0)


@pytest.mark.parametrize("dtype", ["i1", "u2", "i4", "i8", "f4", "f8"])
@pytest.mark.parametrize("decimals", [-3, -1, 0, 2])
def test_round(dtype: str, decimals: int) -> None:
    x = np.array([0, 5, 15, 25, 104, 119, -45, -125] if dtype[0] != "u" else
                 [0, 5, 15, 25, 104, 119, 65000], dtype)  # fmt: skip
    check(lanewise.round(x, decimals), np.round(x, decimals), 0)
    check(lanewise.fuse(lambda x: np.round(x, decimals))(x), np.round(x, decimals), 0)


def test_round_of_other_things() -> None:
    assert lanewise.round(2.567, 2) == 2.57
    bools = np.array([True, False])
    check(lanewise.round(bools), np.round(bools), 0)
    with pytest.raises(TypeError, match="bools"):
        lanewise.round(bools, 1)
    with pytest.raises(TypeError):
        lanewise.round(X, 1.5)


def test_reshape_of_nothing() -> None:
    empty = np.empty((0, 4), "f4")
    check(lanewise.fuse(lambda x: np.reshape(x, (2, 0)))(empty), empty.reshape(2, 0), 0)
    with pytest.raises(ValueError):
        lanewise.fuse(lambda x: np.reshape(x, (0, 4)))(X)


WRONG_SHAPES = {
    "computed with": lambda x: (x + 1).reshape(4, 3) * 2,
    "reshaped again": lambda x: (x + 1).reshape(4, 3).reshape(12),
    "reduced": lambda x: np.sum((x + 1).reshape(4, 3), axis=0),
    "two unknown": lambda x: x.reshape(-1, -1),
    "negative": lambda x: x.reshape(-2, 6),
    "no number": lambda x: x.reshape("a"),
    "a fraction": lambda x: x.reshape(2.5),
    "an array": lambda x: x.reshape(x),
}


@pytest.mark.parametrize("name", WRONG_SHAPES)
def test_wrong_shapes(name: str) -> None:
    """The error names the line."""
    function = WRONG_SHAPES[name]
    with pytest.raises(lanewise.TraceError) as error:
        lanewise.fuse(function)(X)
    line = f"functions_test.py:{function.__code__.co_firstlineno}, in <lambda>"
    assert line in str(error.value)


def test_reshaped_arguments() -> None:
    twice = lanewise.fuse(lambda x: x.reshape(12).reshape(4, 3) * 2)
    check(twice(X), X.reshape(4, 3) * 2, 0)
    check(twice(X.T), X.T.reshape(4, 3) * 2, 0)
    check(twice(np.ones((3, 8), "f4")[:, ::2]), np.full((4, 3), 2, "f4"), 0)
    moved = lanewise.fuse(lambda x: (x.reshape(4, 3), (x * 2).reshape(4, 3)))
    same = lanewise.fuse(lambda x: [y := x * 2, *[y.reshape(12)] * 2])
    for x in (X, X.T, X[:, ::-1], X[::-1].T):
        for got, want in zip(moved(x), (x.reshape(4, 3), (x * 2).reshape(4, 3))):
            check(got, want, 0)
        for got in same(x):
            check(got.reshape(12), (x * 2).reshape(12), 0)
        out = np.zeros((4, 6), "f4")[:, ::2], np.zeros((3, 4), "f4").T
        for got, want in zip(moved(x, out=out), moved(x)):
            check(got, want, 0)
    after = lanewise.fuse(lambda x: (x * 2).reshape(4, 3))
    check(after(X.T), (X.T * 2).reshape(4, 3), 0)
    with pytest.raises(ValueError, match="reshape"):
        twice(np.ones(5, "f4"))


@pytest.mark.parametrize("dtype", ["i1", "i4", "i8", "u1", "u8", "?"])
def test_sums_of_powers_of_whole_numbers(dtype: str) -> None:
    x = np.array([[0, 1, 1], [1, 0, 1]], dtype)
    power = np.exp(x.astype("f8"))
    want = power / power.sum(-1, keepdims=True)
    for axis in (None, 0, 1):
        total = np.log(power.sum(axis))
        check(lanewise.logsumexp(x, axis), total, 8)
    check(lanewise.softmax(x), want, 8)

# SPDX-License-Identifier: Apache-2.0
"""Functions over axes: NumPy's types, shapes and numbers, fused with what comes before
and after."""

from __future__ import annotations

import os
from typing import Any

import lanewise
import numpy as np
import pytest
from lanewise import _reductions

X = np.random.default_rng(0).standard_normal((5, 7, 4)).astype("f4") * 3
AXES = [None, 0, 1, -1, (0, 2), (-1, 0, 1)]
ADDING = ["sum", "prod", "mean", "var", "std"]
CHOOSING = ["max", "min", "any", "all"]

# CI builds all operators: there, the tests fail without reductions.
pytestmark = [
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
    pytest.mark.skipif(
        not _reductions.available() and os.environ.get("CI") != "true",
        reason="a build without reductions",
    ),
]


def check(got: Any, want: Any, what: Any) -> None:
    assert got.dtype == want.dtype, what
    assert got.shape == want.shape, what
    if got.dtype.kind != "f":
        np.testing.assert_array_equal(got, want, err_msg=str(what))
        return
    precision = {2: 5e-3, 4: 2e-5, 8: 1e-12}[got.dtype.itemsize]
    np.testing.assert_allclose(
        got.astype("f8"), want.astype("f8"), precision, precision
    )


@pytest.mark.parametrize("name", ADDING + CHOOSING)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i1", "i4", "u2", "u8", "i8", "?"])
def test_as_numpy(name: str, dtype: str) -> None:
    function = getattr(np, name)
    # NumPy adds float16 in float16, across rows.
    x = (X / 8 if dtype == "f2" else X).astype(dtype)
    for axis in AXES:
        for keepdims in (False, True):
            want = function(x, axis=axis, keepdims=keepdims)
            if dtype == "f2" and name in ADDING:
                want = np.asarray(
                    function(x.astype("f4"), axis=axis, keepdims=keepdims)
                )
                want = want.astype("f2")
            what = (name, dtype, axis, keepdims)
            fused = lanewise.fuse(lambda x: function(x, axis=axis, keepdims=keepdims))
            check(fused(x), want, what)
            check(getattr(lanewise, name)(x, axis, keepdims=keepdims), want, what)
            check(
                lanewise.fuse(lambda x: getattr(x, name)(axis))(x),
                function(x, axis),
                what,
            )


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_places(name: str) -> None:
    for axis in (0, 1, -1):
        want = getattr(np, name)(X, axis=axis)
        check(getattr(lanewise, name)(X, axis), want, axis)
    check(getattr(lanewise, name)(X.ravel()), getattr(np, name)(X.ravel()), None)


@pytest.mark.parametrize("name", ["argmax", "argmin"])
def test_places_among_all_elements(name: str) -> None:
    function, ours = getattr(np, name), getattr(lanewise, name)
    unordered = X.copy()
    unordered[2, 3, 1] = unordered[3] = np.nan
    for x in (X, X.T, X[::2, ::-1, 1::2], np.asfortranarray(X), X > 0, X.astype("i4"),
              X.astype("f2"), np.float32(3), np.zeros((1, 1)), unordered):  # fmt: skip
        for keepdims in (False, True):
            want = np.asarray(function(x, keepdims=keepdims))
            fused = lanewise.fuse(lambda x: function(x, keepdims=keepdims))
            check(ours(x, keepdims=keepdims), want, keepdims)
            check(fused(np.asarray(x)), want, keepdims)
    out = np.empty((), "i8")
    assert ours(X, out=out) is out and out == function(X)
    assert ours(3) == 0 and ours([[1, 2], [3, 0]]) == function([[1, 2], [3, 0]])
    with pytest.raises(ValueError, match="without elements"):
        ours(np.zeros((0, 3)))
    with pytest.raises(TypeError, match="over all axes of what was computed"):
        lanewise.fuse(lambda x: function(x + 1))(X)


def test_in_chains() -> None:
    @lanewise.fuse
    def normalize(x: Any, scale: Any, shift: Any) -> Any:
        apart = x - np.mean(x, axis=-1, keepdims=True)
        return (
            apart / np.sqrt((apart * apart).mean(axis=-1, keepdims=True) + 1e-5) * scale
            + shift
        )

    apart = X - X.mean(-1, keepdims=True)
    want = (
        apart / np.sqrt((apart * apart).mean(-1, keepdims=True) + np.float32(1e-5)) * 2
        + 1
    )
    np.testing.assert_allclose(normalize(X, 2, 1), want, 1e-5, 1e-5)
    both = lanewise.fuse(lambda x: (x.sum(axis=0), x + 1, np.exp(x).max()))
    sums, more, most = both(X)
    np.testing.assert_allclose(sums, X.sum(0), 1e-5, 1e-5)
    np.testing.assert_array_equal(more, X + 1)
    np.testing.assert_allclose(most, np.exp(X).max(), 1e-6)


def test_softmax() -> None:
    power = np.exp(X - X.max(-1, keepdims=True))
    np.testing.assert_allclose(
        lanewise.softmax(X), power / power.sum(-1, keepdims=True), 1e-5
    )
    power = np.exp(X - X.max(1, keepdims=True))
    np.testing.assert_allclose(
        lanewise.softmax(X, 1), power / power.sum(1, keepdims=True), 1e-5
    )
    np.testing.assert_allclose(
        lanewise.logsumexp(X, 0), np.log(np.exp(X).sum(0)), 1e-5, 1e-5
    )
    infinite = np.float32([[-np.inf, -np.inf], [np.inf, 0]])
    np.testing.assert_array_equal(lanewise.logsumexp(infinite, 1), [-np.inf, np.inf])


def test_strides_and_out() -> None:
    view = np.ones((8, 6, 10), "f4")[::2, ::-1, ::3]
    check(lanewise.sum(view, 1), view.sum(1), "view")
    check(lanewise.sum(X.T, (0, 1)), X.T.sum((0, 1)), "transposed")
    out = np.empty((5, 4), "f8")
    assert lanewise.sum(X, 1, out=out) is out
    np.testing.assert_allclose(out, X.sum(1), 1e-5, 1e-5)
    assert type(lanewise.sum(X)) is np.float32
    assert lanewise.sum(3) == 3 and lanewise.sum([1, 2]) == 3


def test_wrong_axes() -> None:
    for axis in (3, -4, (0, 5)):
        with pytest.raises(ValueError, match="out of bounds"):
            lanewise.sum(X, axis)
    with pytest.raises(ValueError, match="duplicate"):
        lanewise.sum(X, (0, -3))
    for function in (
        lambda x: np.sum(x, where=x > 0),
        lambda x: np.sum(x, initial=3),
        lambda x: np.var(x, ddof=1),
        lambda x: np.sum(x, axis=x),
    ):
        with pytest.raises(TypeError):
            lanewise.fuse(function)(X)


def test_explained(capsys: Any) -> None:
    lanewise.fuse(lambda x: (x * 2).sum(axis=1))(X)
    lanewise.fuse(lambda x: (x * 2).sum(axis=1)).explain(X)
    assert "ReduceSum(%1, 1, keepdims=0)" in capsys.readouterr().out


def test_reasons() -> None:
    assert _reductions.why_not("sum") == "" and _reductions.why_not("nothing") == ""

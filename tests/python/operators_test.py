# SPDX-License-Identifier: Apache-2.0
"""Every operator as a function: NumPy's in each combination of types, ONNX's against
formulas of their own, 16-bit and 8-bit floats against float64."""

from __future__ import annotations

import math
import operator
from typing import Any

import lanewise
import ml_dtypes
import numpy as np
import pytest
from close import FLOATS, OWN_TYPES, check, sample
from lanewise import _reductions, _rules
from rows_test import ORACLES as ROWS
from rows_test import OTHERS as OTHER_ROWS

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
COUNT = 300
# What lanewise computes by several steps, and numbers of which NumPy's own result is
# no better: log(e^a + e^b) beside 0. In ULP of the result; others 3.
MOST_ULPS = {"logaddexp": 1e6, "hypot": 4, "log10": 4, "log2": 4, "expm1": 4}
# NumPy's own error counts, too: its float32 functions err by up to 4 ULP.
NUMPYS = 4


def outcome(function: Any, args: tuple) -> Any:
    try:
        return function(*args)
    except (TypeError, ValueError) as error:
        return error


def compare(ufunc: np.ufunc, args: tuple, what: Any) -> None:
    want, got = outcome(ufunc, args), outcome(getattr(lanewise, ufunc.__name__), args)
    if isinstance(want, Exception) or isinstance(got, Exception):
        assert isinstance(want, Exception) and isinstance(got, Exception), (
            what,
            want,
            got,
        )
        return
    if not isinstance(want, tuple):
        want, got = (want,), (got,)
    for w, g in zip(want, got):
        check(g, w, MOST_ULPS.get(ufunc.__name__, NUMPYS), what)


def is_undefined(ufunc: np.ufunc, args: tuple) -> np.ndarray:
    """Where C leaves open what NumPy answers: 1 / 0 of integers."""
    if ufunc is np.reciprocal and args[0].dtype.kind in "biu":
        return args[0] == 0
    return np.zeros(len(args[0]), bool)


@pytest.mark.parametrize("ufunc", _rules.RULES, ids=lambda u: u.__name__)
def test_ufunc(ufunc: np.ufunc) -> None:
    rng = np.random.default_rng(1)
    for first in OWN_TYPES:
        if ufunc.nin == 1:
            x = sample(first, COUNT, rng)
            args: tuple = (x[~is_undefined(ufunc, (x,))],)
            compare(ufunc, args, (ufunc, first))
            continue
        for second in OWN_TYPES:
            a, b = sample(first, COUNT, rng), sample(second, COUNT, rng)
            if ufunc is np.power and np.dtype(second).kind in "iu":
                b = (np.abs(b.astype("i8")) % 7).astype(second)
            compare(ufunc, (a, b), (ufunc, first, second))


@pytest.mark.parametrize("ufunc", [np.add, np.divide, np.maximum, np.less, np.power,
                                   np.floor_divide], ids=lambda u: u.__name__)  # fmt: skip
@pytest.mark.parametrize("dtype", OWN_TYPES)
def test_numbers_are_weak(ufunc: np.ufunc, dtype: str) -> None:
    x = sample(dtype, COUNT, np.random.default_rng(2))
    for number in (2, 2.5, True):
        args = tuple(
            t if isinstance(t, np.dtype) else t
            for t in (x.dtype, type(number) if number is not True else np.dtype(bool))
        )
        try:
            want = ufunc.resolve_dtypes((*args, None))[-1]
        except TypeError:
            with pytest.raises(TypeError):
                getattr(lanewise, ufunc.__name__)(x, number)
            continue
        assert getattr(lanewise, ufunc.__name__)(x, number).dtype == want
        assert lanewise.fuse(lambda x, n: ufunc(x, n))(x, number).dtype == want
        assert lanewise.fuse(lambda x: ufunc(x, number))(x).dtype == want


def test_integers_beyond_the_type() -> None:
    x = np.uint8([1, 200])
    with pytest.raises(
        OverflowError, match="Python integer 300 out of bounds for uint8"
    ):
        lanewise.add(x, 300)
    with pytest.raises(OverflowError, match="-1 out of bounds"):
        lanewise.fuse(lambda x: x + -1)(x)
    with pytest.raises(OverflowError, match="300 out of bounds for uint8"):
        lanewise.fuse(lambda x, n: (x < n, x + n))(x, 300)
    above = lanewise.fuse(lambda x: (x < 300, x > 300, x == -1, x != -1, -1 < x))(x)
    assert [a.tolist() for a in above] == [[True] * 2, [False] * 2, [False] * 2,
                                           [True] * 2, [True] * 2]  # fmt: skip


@pytest.mark.parametrize(("ufunc", "compare"), [
    (np.less, operator.lt), (np.less_equal, operator.le), (np.greater, operator.gt),
    (np.greater_equal, operator.ge), (np.equal, operator.eq), (np.not_equal, operator.ne),
])  # fmt: skip
@pytest.mark.parametrize("dtype", ["u1", "i1", "u4", "i4", "i8", "u8"])
def test_comparisons_with_integers_beyond_the_type(
    ufunc: np.ufunc, compare: Any, dtype: str
) -> None:
    limits = np.iinfo(dtype)
    x = np.array([limits.min, 1, limits.max], dtype)
    ours = getattr(lanewise, ufunc.__name__)
    for number in (limits.min - 1, limits.max + 1, -300, 300, 2**64, -(2**80)):
        want = [compare(element, number) for element in x.tolist()]
        back = [compare(number, element) for element in x.tolist()]
        out = np.empty(3, bool)
        for _ in range(2):
            assert ours(x, number).tolist() == want
            assert ours(number, x, out=out) is out and out.tolist() == back
            assert lanewise.fuse(ufunc)(x, number).tolist() == want
        # The number beside arguments that are no plain arrays
        assert ours(x.tolist(), number).tolist() == want or dtype in ("i8", "u8")
    with pytest.raises(OverflowError):
        lanewise.add(x, 2**80)


erf = np.vectorize(math.erf, otypes=["f8"])
ORACLES: dict[str, Any] = {
    "gelu": lambda x: x * 0.5 * (1 + erf(x / np.sqrt(2))),
    "relu": lambda x: np.where(x < 0, 0, x),
    "sigmoid": lambda x: 1 / (1 + np.exp(-x)),
    "softplus": lambda x: np.logaddexp(0, x),
    "softsign": lambda x: x / (1 + np.abs(x)),
    "mish": lambda x: x * np.tanh(np.logaddexp(0, x)),
    "swish": lambda x: x / (1 + np.exp(-x)),
    "hard_swish": lambda x: x * np.clip(x / 6 + 0.5, 0, 1),
    "hard_sigmoid": lambda x: np.clip(np.float32(0.2) * x + 0.5, 0, 1),
    "elu": lambda x: np.where(x < 0, np.expm1(x), x),
    "celu": lambda x: np.where(x < 0, np.expm1(x), x),
    "selu": lambda x: (
        1.05070102214813232421875
        * np.where(x < 0, 1.67326319217681884765625 * np.expm1(x), x)
    ),
    "leaky_relu": lambda x: np.where(x < 0, np.float32(0.01) * x, x),
    "thresholded_relu": lambda x: np.where(x > 1, x, 0),
    "erf": erf,
    "shrink": lambda x: np.where(np.abs(x) > 0.5, x, 0),
}
TWO: dict[str, Any] = {
    "prelu": lambda x, y: np.where(x < 0, x * y, x),
    "swiglu": lambda x, y: x / (1 + np.exp(-x)) * y,
    "sum_of": lambda x, y: x + y,
    "mean_of": lambda x, y: (x + y) / 2,
}
OTHERS = {"cast_like", "quantize_linear", "dequantize_linear", "reshape"}


def test_each_operator_has_an_oracle() -> None:
    from lanewise import _operators

    ufuncs = {u.__name__ for u in _rules.RULES}
    named = set(_operators._NAMED) | {"divide", "abs", "mod", "conj", "bitwise_not",
                                      "true_divide", "absolute", "remainder"}  # fmt: skip
    made = set(_operators.make()) - ufuncs - (named - OTHER_ROWS) - set(
        _reductions.REDUCTIONS
    ) - {"logsumexp"}  # fmt: skip
    assert made == {*ORACLES, *TWO, *OTHERS, *ROWS, *OTHER_ROWS}


@pytest.mark.parametrize("dtype", [*FLOATS, "bfloat16"])
@pytest.mark.parametrize("name", [*ORACLES, *TWO])
def test_onnx(name: str, dtype: str) -> None:
    rng = np.random.default_rng(3)
    dtype = np.dtype(ml_dtypes.bfloat16) if dtype == "bfloat16" else np.dtype(dtype)
    args = [rng.uniform(-6, 6, 200).astype(dtype) for _ in range(1 + (name in TWO))]
    got = getattr(lanewise, name)(*args)
    want = (ORACLES.get(name) or TWO[name])(*(a.astype("f8") for a in args))
    assert got.dtype == dtype
    precision = {2: 2.0**-10, 4: 2.0**-21, 8: 2.0**-47}[dtype.itemsize]
    precision = 2.0**-7 if dtype.kind == "V" else precision
    np.testing.assert_allclose(got.astype("f8"), want, rtol=precision, atol=precision)


def test_attributes() -> None:
    x = np.linspace(-3, 3, 50).astype("f4")
    np.testing.assert_allclose(
        lanewise.leaky_relu(x, alpha=0.5), np.where(x < 0, x / 2, x)
    )
    near = lanewise.gelu(x, approximate="tanh")
    assert 0 < np.abs(near - lanewise.gelu(x)).max() < 1e-3
    with pytest.raises(TypeError, match="no attribute beta"):
        lanewise.gelu(x, beta=1)
    with pytest.raises(ValueError, match="approximate"):
        lanewise.gelu(x, approximate="wrong")


def test_conversions() -> None:
    x = np.float32([-1.5, 0, 300])
    assert lanewise.cast(x, "uint8").tolist() == [0, 0, 255]
    assert lanewise.cast(x, ml_dtypes.bfloat16).dtype == ml_dtypes.bfloat16
    assert lanewise.cast(x, "float8e5m2").dtype == ml_dtypes.float8_e5m2
    assert lanewise.cast_like(x, np.int8([1])).dtype == np.int8
    q = lanewise.quantize_linear(x, np.float32(0.5), np.int8(1))
    assert q.tolist() == [-2, 1, 127]
    assert lanewise.dequantize_linear(q, np.float32(0.5), np.int8(1)).tolist() == [
        -1.5,
        0,
        63,
    ]
    assert lanewise.quantize_linear(x, np.float32(0.5)).dtype == np.uint8
    assert lanewise.reshape(x, np.int64([3, -1])).shape == (3, 1)
    with pytest.raises(TypeError, match="complex"):
        lanewise.exp(np.complex64([1]))


@pytest.mark.parametrize("name", ["bfloat16", "float8_e4m3fn", "float8_e5m2",
                                  "float8_e4m3fnuz", "float8_e5m2fnuz"])  # fmt: skip
def test_narrow_floats(name: str) -> None:
    """Each result is that of float32, rounded once."""
    dtype = np.dtype(getattr(ml_dtypes, name))
    x = np.linspace(-4, 4, 100).astype(dtype)
    wide = x.astype("f4")
    for function in (np.exp, np.tanh, np.square, lambda v: v * v + v):
        got = lanewise.fuse(function)(x)
        assert got.dtype == dtype
        if function in (np.exp, np.tanh, np.square):
            want = function(wide).astype(dtype)
            np.testing.assert_array_equal(
                got.view(f"u{x.itemsize}"), want.view(got.view(f"u{x.itemsize}").dtype)
            )
    assert lanewise.add(x, 2.0).dtype == dtype  # NumPy: float32; JAX as here
    assert lanewise.less(x, x).dtype == bool
    assert lanewise.isnan(x).dtype == bool
    assert lanewise.add(x, wide).dtype == np.float32

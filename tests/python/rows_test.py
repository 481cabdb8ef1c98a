# SPDX-License-Identifier: Apache-2.0
"""ONNX's operators about rows against formulas in float64, and that every operator of
the registry is some function's."""

from __future__ import annotations

import doctest
from typing import Any

import lanewise
import ml_dtypes
import numpy as np
import pytest
from lanewise import _operators
from lanewise._registry import OPERATORS
from lanewise._trace import Graph

X = np.random.default_rng(4).normal(1, 2, (3, 4, 5, 2))
CHANNELS = [np.linspace(0.5, 2, 4), np.linspace(-1, 1, 4)]
ROW = np.linspace(0.5, 2, 2)


def of_channels(x: Any) -> Any:
    return np.asarray(x)[:, None, None]


def normal(x: Any, axes: Any) -> Any:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + 1e-5)


def groups(x: Any, scale: Any, bias: Any, num_groups: int) -> Any:
    by_group = normal(x.reshape(3, num_groups, -1), 2).reshape(x.shape)
    return by_group * of_channels(scale) + of_channels(bias)


def power(x: Any, axis: int) -> Any:
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


# name: a formula in float64, the other arrays, keywords
ORACLES: dict[str, tuple[Any, list[Any], dict[str, Any]]] = {
    "softmax": (power, [], {"axis": 1}),
    "log_softmax": (lambda x, axis: np.log(power(x, axis)), [], {"axis": -1}),
    "hardmax": (lambda x, axis: 1.0 * (x == x.max(axis, keepdims=True)), [], {"axis": 2}),
    "batch_normalization": (
        lambda x, s, b, m, v: (x - of_channels(m)) / np.sqrt(of_channels(v) + 1e-5)
        * of_channels(s) + of_channels(b),
        [*CHANNELS, CHANNELS[1], CHANNELS[0]], {}),
    "global_average_pool": (lambda x: x.mean((2, 3), keepdims=True), [], {}),
    "global_max_pool": (lambda x: x.max((2, 3), keepdims=True), [], {}),
    "global_lp_pool": (lambda x, p: (np.abs(x) ** p).sum((2, 3), keepdims=True) ** (1 / p),
                       [], {"p": 2}),
    "group_normalization": (groups, CHANNELS, {"num_groups": 2}),
    "instance_normalization": (
        lambda x, s, b: normal(x, (2, 3)) * of_channels(s) + of_channels(b), CHANNELS, {}),
    "layer_normalization": (lambda x, s, b: normal(x, 3) * s + b, [ROW, -ROW], {}),
    "rms_normalization": (
        lambda x, s: x / np.sqrt((x * x).mean(3, keepdims=True) + 1e-5) * s, [ROW], {}),
    "lp_normalization": (lambda x, axis, p: x / np.abs(x).sum(axis, keepdims=True), [],
                         {"axis": 1, "p": 1}),
    "mean_variance_normalization": (lambda x, axes: normal(x, axes), [],
                                    {"axes": (0, 2, 3)}),
    "reduce_l1": (lambda x, axis: np.abs(x).sum(axis), [], {"axis": 1}),
    "reduce_l2": (lambda x, axis: np.sqrt((x * x).sum(axis)), [], {"axis": (0, 2)}),
    "reduce_log_sum": (lambda x, axis: np.log(x.sum(axis)), [], {"axis": (0, 2)}),
    "reduce_sum_square": (lambda x, axis: (x * x).sum(axis), [], {"axis": -1}),
}  # fmt: skip
OTHERS = {"dynamic_quantize_linear"}


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "bfloat16"])
@pytest.mark.parametrize("name", ORACLES)
def test_oracles(name: str, dtype: str) -> None:
    formula, others, keywords = ORACLES[name]
    kind = np.dtype(ml_dtypes.bfloat16) if dtype == "bfloat16" else np.dtype(dtype)
    x, *rest = (np.asarray(a).astype(kind) for a in (X, *others))
    want = formula(x.astype("f8"), *(r.astype("f8") for r in rest), **keywords)
    got = getattr(lanewise, name)(x, *rest, **keywords)
    assert got.dtype == kind and got.shape == want.shape
    precision = {"f4": 2e-5, "f8": 1e-6, "f2": 2e-2, "bfloat16": 0.1}[dtype]
    np.testing.assert_allclose(got.astype("f8"), want, precision, precision)
    # As a step of a fused function
    if dtype != "f4":
        return
    fused = lanewise.fuse(lambda *a: getattr(lanewise, name)(a[0] + 0, *a[1:], **keywords))
    np.testing.assert_allclose(fused(x, *rest), want, precision, precision)


def test_whole_numbers() -> None:
    x = np.int8([[100, -100], [127, 127]])
    assert lanewise.reduce_l1(x, 1).tolist() == [200, 254]
    assert lanewise.reduce_sum_square(x, 1).tolist() == [20000, 32258]
    assert lanewise.reduce_l2(x, 1).dtype == np.float64
    assert lanewise.log_softmax(x).dtype == np.float64


def test_no_axes() -> None:
    number = np.float32(-3)
    assert lanewise.reduce_l1(number) == lanewise.reduce_l2(number) == 3
    assert lanewise.reduce_sum_square(number) == 9
    assert lanewise.reduce_log_sum(np.float32(1)) == 0
    with pytest.raises(TypeError, match="along one axis"):
        lanewise.hardmax(X, (0, 1))
    whole = lanewise.softmax(X, (1, 2, 3))
    np.testing.assert_allclose(whole.sum((1, 2, 3)), 1)


def test_dynamic_quantize_linear() -> None:
    x = X.astype("f4")
    y, scale, zero = lanewise.dynamic_quantize_linear(x)
    assert (y.dtype, type(scale), type(zero)) == (np.uint8, np.float32, np.uint8)
    np.testing.assert_allclose((y - float(zero)) * scale, x, atol=scale)
    outs = np.empty(x.shape, "u1"), np.empty((), "f4"), np.empty((), "u1")
    assert lanewise.dynamic_quantize_linear(x, out=outs) is outs
    np.testing.assert_array_equal(outs[0], y)
    assert (outs[1], outs[2]) == (scale, zero)
    with pytest.raises(TypeError, match="takes float32"):
        lanewise.dynamic_quantize_linear(X)
    for function in (lambda x: lanewise.dynamic_quantize_linear(x)[1],
                     lambda x: lanewise.dynamic_quantize_linear(x)[0],
                     lambda x: lanewise.dynamic_quantize_linear(x * 2)):  # fmt: skip
        with pytest.raises(lanewise.TraceError, match="several results"):
            lanewise.fuse(function)(x)


def test_explained(capsys: Any) -> None:
    """Shapes that are no broadcast ones."""
    f = lanewise.fuse(
        lambda x, s: (lanewise.instance_normalization(x, s, s),
                      lanewise.global_max_pool(x * 2), lanewise.softmax(x))
    )  # fmt: skip
    x, scale = X.astype("f4"), np.ones(4, "f4")
    f.explain(x, scale)
    results = sum(r.nbytes for r in f(x, scale))
    assert f"{x.nbytes + scale.nbytes + results:,} bytes" in capsys.readouterr().out


def test_every_operator_is_reached(monkeypatch: Any) -> None:
    """By the examples of the functions' docstrings."""
    reached = set()
    step = Graph.step

    def recorded(self: Graph, name: str, *args: Any, **kwargs: Any) -> Any:
        reached.add(name)
        return step(self, name, *args, **kwargs)

    monkeypatch.setattr(Graph, "step", recorded)
    functions = _operators.make()  # have traced nothing yet
    for name, function in functions.items():
        test = doctest.DocTestParser().get_doctest(function.__doc__, {}, name, None, 0)
        space = {"lanewise": type("Fresh", (), functions), "np": np}
        eval(test.examples[0].source, space)
    reached.add("Clip")  # clip is Max and Min
    assert reached == set(OPERATORS), set(OPERATORS) - reached

# SPDX-License-Identifier: Apache-2.0
"""Fused functions: what is traced and how often, what is refused and how, pickling."""

from __future__ import annotations

import inspect
import math
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading
from typing import Any

import lanewise
import numpy as np
import pytest
from close import check
from needs import need

X = np.linspace(-3, 3, 12).astype("f4").reshape(3, 4)


@lanewise.fuse
def silu(x: Any) -> Any:
    """x times its sigmoid."""
    return x / (1 + np.exp(-x))


def numpy_silu(x: Any) -> Any:
    return x / (1 + np.exp(-x))


def test_it_is_the_function() -> None:
    check(silu(X), numpy_silu(X), 4)
    assert silu.__name__ == "silu" and silu.__doc__ == "x times its sigmoid."
    assert list(inspect.signature(silu).parameters) == ["x"]
    assert "silu" in repr(silu)


def test_traced_once_for_types_and_ranks() -> None:
    traces = []

    @lanewise.fuse
    def counted(x: Any, y: Any) -> Any:
        traces.append((x.dtype, x.ndim))
        return x + y

    for _ in range(3):
        counted(X, X)
        counted(X[:2], X[:2])
        counted(X, 2.0)
        counted(X, -1e3)
        counted(X[0], X)
        counted(X.astype("f8"), X)
    assert len(traces) == 4
    with lanewise.engine(accuracy="fast"):
        counted(X, X)
    assert len(traces) == 5


def test_arguments() -> None:
    @lanewise.fuse
    def f(x: Any, alpha: Any, beta: Any = 2, *, gamma: Any = 0.5) -> Any:
        return np.where(x > gamma, x * alpha, x + beta * alpha)

    def g(x: Any, alpha: Any, beta: Any = 2, *, gamma: Any = 0.5) -> Any:
        return np.where(x > gamma, x * alpha, x + beta * alpha)

    for args, kwargs in [((X, 3), {}), ((X, 3.5, X), {}), ((X, 1), {"beta": X[:1]}),
                         ((X,), {"alpha": 2, "gamma": X}), ((X, np.float64(2)), {}),
                         ((X[0, 0], 3), {"gamma": -5})]:  # fmt: skip
        check(f(*args, **kwargs), g(*args, **kwargs), 0, (args, kwargs))
    with pytest.raises(TypeError, match="alpha"):
        f(X)
    with pytest.raises(TypeError, match="delta"):
        f(X, 1, delta=3)
    many = lanewise.fuse(lambda *xs: sum(xs[1:], xs[0]))
    assert many(*[X] * 16)[0, 0] == 16 * X[0, 0]


def test_static_arguments() -> None:
    @lanewise.fuse(static=("n", "name"))
    def polynomial(x: Any, n: int, name: str = "plus") -> Any:
        result = x
        for _ in range(n):
            result = result * x + 1 if name == "plus" else result * x - 1
        return result

    check(polynomial(X, 2), (X * X + 1) * X + 1, 0)
    check(polynomial(X, n=1, name="minus"), X * X - 1, 0)
    for n in range(600):  # what is kept for old values is forgotten
        lanewise.leaky_relu(X, alpha=n / 600)
    assert len(lanewise.leaky_relu._specials) <= 256
    # Texts and None are never data.
    other = lanewise.fuse(lambda x, mode=None: -x if mode == "neg" else x + 1)
    check(other(X, "neg"), -X, 0)
    check(other(X, mode=None), X + 1, 0)


def test_numbers_bend_as_in_numpy() -> None:
    @lanewise.fuse
    def f(x: Any, a: Any) -> Any:
        return x * (a * 2 + 1), a / 3 + x, (a > 1) & (x > 0)

    def g(x: Any, a: Any) -> Any:
        return x * (a * 2 + 1), a / 3 + x, (a > 1) & (x > 0)

    for x in (X, X.astype("f2"), X.astype("i2"), X.astype("u8")):
        for a in (3, 2.5, 70.0):
            for got, want in zip(f(x, a), g(x, a)):
                check(got, want, 1, (x.dtype, a))


def test_several_results_and_none() -> None:
    two = lanewise.fuse(lambda x: (x + 1, x, x, x > 0))
    results = two(X)
    assert isinstance(results, tuple)
    for got, want in zip(results, (X + 1, X, X, X > 0)):
        check(got, want, 0)
    assert results[1] is not X and not np.shares_memory(results[1], results[2])
    (one,) = lanewise.fuse(lambda x: (x + 1,))(X)
    check(one, X + 1, 0)
    same = lanewise.fuse(lambda x: x)
    assert same(X) is not X
    shapes = lanewise.fuse(lambda x, y: (x + 1, y * 2, x + y))(X, X[0])
    assert [s.shape for s in shapes] == [(3, 4), (4,), (3, 4)]


def test_nested() -> None:
    @lanewise.fuse
    def outer(x: Any) -> Any:
        return silu(x) * 2 + lanewise.gelu(x, approximate="tanh")

    check(outer(X), silu(X) * 2 + lanewise.gelu(X, approximate="tanh"), 0)


def test_numpys_functions() -> None:
    def f(x: Any) -> Any:
        y = np.clip(x, -1, 1.5) + x.clip(0, None)
        z = np.where(np.isnan(x), np.zeros_like(x), np.full_like(x, 3))
        w = np.round(x, 2) + x.round() + np.nan_to_num(x / 0) + abs(x)
        return y, z * x, w, x.astype("f8") ** 2, x**-1 + x**0.5, x % 2, x // 2, x.real

    with np.errstate(all="ignore"):
        for got, want in zip(lanewise.fuse(f)(X), f(X)):
            check(got, want, 2)
    reshaped = lanewise.fuse(lambda x: (x + 1).reshape(2, 6))
    check(reshaped(X), (X + 1).reshape(2, 6), 0)
    closed_over = np.arange(4, dtype="f4")
    check(
        lanewise.fuse(lambda x: x * closed_over + [1, 2, 3, 4])(X),
        X * closed_over + [1, 2, 3, 4],
        0,
    )


def one_line(error: Any) -> str:
    return str(error.value).splitlines()[0]


def refused_if(x: Any) -> Any:
    if x > 0:  # the line that the error names
        return x
    return -x


def test_errors_name_the_line_and_what_to_write() -> None:
    with pytest.raises(lanewise.TraceError) as error:
        lanewise.fuse(refused_if)(X)
    line = refused_if.__code__.co_firstlineno + 1
    assert f"fuse_test.py:{line}, in refused_if" in one_line(error)
    assert "np.where(condition, x, y)" in str(error.value)
    assert "fallback=True" in str(error.value)


REFUSED = {
    "index": (lambda x: x[0], "index"),
    "assignment": (lambda x: x.__setitem__(0, 1), "assignment"),
    "shape": (lambda x: x.shape, "x.shape is not known"),
    "len": (lambda x: len(x), "the shape of an array"),
    "loop": (lambda x: [y for y in x], "rows"),
    "float": (lambda x: float(x), "float()"),
    "math": (lambda x: math.exp(x), "float()"),
    "and": (lambda x: (x > 0) and (x < 1), "`and`"),
    "transpose": (lambda x: x.T, "x.T"),
    "reduction": (lambda x: np.median(x), "np.median"),
    "method": (lambda x: x.cumsum(), "x.cumsum"),
    "reduce": (lambda x: np.add.reduce(x), "np.add.reduce"),
    "ufunc": (lambda x: np.nextafter(x, 1), "np.nextafter"),
    "function": (lambda x: np.sort(x), "np.sort"),
    "linear algebra": (lambda x: x @ x, "matmul"),
    "out": (lambda x: np.exp(x, out=np.empty(3)), "out="),
    "where": (lambda x: np.exp(x, where=X > 0), "where="),
    "complex": (lambda x: x + 1j, "1j"),
    "object": (lambda x: x + object(), "no array"),
    "text": (lambda x: x + "a", "no array"),
    "constant": (lambda x: 1.0, "no array"),
    "nothing": (lambda x: None, "no array"),
    "dtype": (lambda x: x.astype("U3"), "type"),
    "many results": (lambda x: [x + i for i in range(9)], "at most 8"),
    "many steps": (lambda x: [x := x * i + 1 for i in range(40)][-1], "at most 64"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    function, text = REFUSED[name]
    with pytest.raises(TypeError) as error:
        lanewise.fuse(function)(X)
    assert text in str(error.value)


def test_fallback() -> None:
    whole = lanewise.fuse(lambda x: x[::-1] + np.sum(x), fallback=True)
    check(whole(X), X[::-1] + np.sum(X), 0)
    out = np.empty_like(X)
    assert whole(X, out=out) is out
    check(out, X[::-1] + np.sum(X), 0)
    with pytest.raises(ZeroDivisionError):
        lanewise.fuse(lambda x: 1 // 0, fallback=True)(X)


def test_explain(capsys: Any) -> None:
    silu.explain(X)
    text = capsys.readouterr().out
    assert "4 steps, 1 pass, 1 result" in text
    assert "96 bytes moved" in text and lanewise.current_engine().isa in text


def test_powers_of_numbers(capsys: Any) -> None:
    """As in NumPy, x**2 is a product."""
    lanewise.fuse(lambda x: x**2).explain(X)
    assert "Mul(%0, %0)" in capsys.readouterr().out
    with pytest.raises(ValueError, match="negative integer powers"):
        lanewise.fuse(lambda x: x**-1)(np.arange(3))
    check(lanewise.fuse(lambda x: x**2.0)(np.arange(3)), np.arange(3) ** 2.0, 0)


def test_pickling() -> None:
    assert pickle.loads(pickle.dumps(silu)) is silu
    assert pickle.loads(pickle.dumps(lanewise.gelu)) is lanewise.gelu
    cloudpickle = need("cloudpickle")
    local = lanewise.fuse(lambda x: x * 2 + 1, fallback=True)
    again = pickle.loads(cloudpickle.dumps(local))
    check(again(X), X * 2 + 1, 0)


def test_other_processes() -> None:
    # In the child of a fork, the threads of the package are gone.
    large = np.ones(1 << 20, "f4")
    want = silu(large)
    for method in ("fork", "spawn"):
        if method not in multiprocessing.get_all_start_methods():
            continue
        with multiprocessing.get_context(method).Pool(2) as pool:
            for got in pool.map(silu, [large, large]):
                check(got, want, 0)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_forks_during_calls() -> None:
    large = np.ones(1 << 20, "f4")
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            silu(large)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for _ in range(10):
            child = os.fork()
            if child == 0:
                os._exit(0 if silu(large)[0] == silu(np.float32(1)) else 1)
            assert os.waitpid(child, 0)[1] == 0
    finally:
        stop.set()
        thread.join()


FIRST_CALLS = """
import os, threading
import numpy, lanewise

large = numpy.ones(1 << 20, "f4")
with lanewise.engine(threads=3):
    threads = [threading.Thread(target=lanewise.exp, args=(large,)) for _ in range(2)]
    for thread in threads:
        thread.start()
    child = os.fork()
    result = float(lanewise.exp(large)[-1])
    if child == 0:
        # Of the child's child, too.
        grandchild = os.fork()
        result = float(lanewise.sum(lanewise.exp(large)))
        if grandchild == 0:
            os._exit(0 if result > 2 * large.size else 1)
        os._exit(os.waitpid(grandchild, 0)[1] != 0 or result < 2 * large.size)
    assert os.waitpid(child, 0)[1] == 0
    for thread in threads:
        thread.join()
print(result)
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks")
def test_forks_during_the_first_calls() -> None:
    """While one thread makes the threads of the package, another one forks."""
    for _ in range(5):
        done = subprocess.run([sys.executable, "-W", "ignore", "-c", FIRST_CALLS],
                              capture_output=True, text=True, timeout=100)  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.startswith("2.718")


def test_dask() -> None:
    array = need("dask.array")
    x = array.from_array(np.linspace(-3, 3, 10000, dtype="f4"), chunks=1000)
    check(array.map_blocks(silu, x).compute(), silu(np.asarray(x)), 0)
    check(
        array.map_blocks(silu, x).compute(scheduler="processes"), silu(np.asarray(x)), 0
    )


def test_threads() -> None:
    fresh = lanewise.fuse(numpy_silu)
    inputs = [np.full((50, i + 1), i, f"f{4 + 4 * (i % 2)}") for i in range(8)]
    failures: list[Any] = []

    def work() -> None:
        for i in range(200):
            x = inputs[i % len(inputs)]
            if not np.allclose(fresh(x), numpy_silu(x)):
                failures.append(x)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures

# SPDX-License-Identifier: Apache-2.0
"""Several threads that call at once, from the first call of a process on. They run
one by one where Python has a global lock, and at once where Python has none."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import threading
from typing import Any, Callable

import lanewise
import numpy as np
import pytest
from needs import need

THREADS = 8
TYPES = ("f4", "f8", "f2", "i4", "u1")


@pytest.fixture(autouse=True)
def _switch_often() -> Any:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """What `work` returns in each thread."""
    barrier = threading.Barrier(THREADS)
    results: list[Any] = [None] * THREADS

    def run(i: int) -> None:
        barrier.wait()
        try:
            results[i] = work(i)
        except BaseException as error:
            results[i] = error

    threads = [threading.Thread(target=run, args=(i,)) for i in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def test_first_calls() -> None:
    """The first calls of a function trace it, in all threads for the same types."""
    for turn in range(10):
        function = lanewise.fuse(lambda x, y: (x * 3 - y, x + turn))
        arrays = [np.arange(20).astype(t) for t in TYPES]
        arrays += [x.reshape(4, 5).T for x in arrays]

        def work(i: int) -> list[Any]:
            return [function(x, x[..., ::-1]) for x in arrays[i % 3 :] + arrays[: i % 3]]

        for i, results in enumerate(at_once(work)):
            for x, (a, b) in zip(arrays[i % 3 :] + arrays[: i % 3], results):
                np.testing.assert_array_equal(a, x * 3 - x[..., ::-1])
                np.testing.assert_array_equal(b, x + turn)


def test_first_calls_of_a_process() -> None:
    """There is one default engine, and one import."""
    code = """
import sys, threading
sys.setswitchinterval(1e-6)
barrier, engines, errors = threading.Barrier(8), [], []
def run():
    barrier.wait()
    import lanewise, numpy
    lanewise.exp(numpy.ones(100000))
    engines.append(lanewise.current_engine())
threading.excepthook = lambda args: errors.append(args.exc_value)
threads = [threading.Thread(target=run) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(engines), len(set(map(id, engines))), errors)"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "8 1 []\n", done.stderr


def test_values_of_attributes() -> None:
    """What is kept for values of attributes is forgotten while others use it."""
    x = np.linspace(-3, 3, 50, dtype="f4")

    def work(i: int) -> None:
        for n in range(300):
            got = lanewise.leaky_relu(x, alpha=n + i)
            np.testing.assert_array_equal(got, np.where(x < 0, x * np.float32(n + i), x))
            with lanewise.engine(accuracy="fast", threads=1 + n % 2):
                assert lanewise.current_engine().accuracy == "fast"

    at_once(work)


def test_added_types() -> None:
    """Types of other packages become known by the first array."""
    need("ml_dtypes")
    code = """
import sys, threading, numpy, ml_dtypes, lanewise
sys.setswitchinterval(1e-6)
barrier, found = threading.Barrier(8), []
def run():
    x = numpy.ones(100, ml_dtypes.bfloat16)
    barrier.wait()
    y = lanewise.add(x, x)
    found.append((str(y.dtype), float(y[0])))
threads = [threading.Thread(target=run) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(found), set(found))"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "8 {('bfloat16', 2.0)}\n", done.stderr


def test_pool() -> None:
    """Long calls of several threads share the pool's threads."""
    x = np.linspace(-5, 5, 1 << 18, dtype="f4")
    want = lanewise.exp(x)
    with_threads = lanewise.engine(threads=3)

    def work(i: int) -> None:
        with with_threads:
            for _ in range(10):
                np.testing.assert_array_equal(lanewise.exp(x), want)

    at_once(work)


def test_formulas() -> None:
    a = np.arange(10.0)

    def work(i: int) -> None:
        for n in range(30):
            got = lanewise.evaluate(f"a * {n} + {i}", {"a": a})
            np.testing.assert_array_equal(got, a * n + i)
            again = lanewise.re_evaluate({"a": a + 1})
            np.testing.assert_array_equal(again, (a + 1) * n + i)

    at_once(work)


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="this Python has a lock"
)
def test_the_lock_stays_away() -> None:
    """The import turns no global lock on, as that of an old module would."""
    code = "import lanewise, sys; print(sys._is_gil_enabled())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHON_GIL": ""})  # fmt: skip
    assert done.stdout == "False\n", done.stderr

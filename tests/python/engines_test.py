# SPDX-License-Identifier: Apache-2.0
"""Engines: accuracy, threads, instruction sets, where they hold, and the variables."""

from __future__ import annotations

import contextvars
import os
import subprocess
import sys
import threading
import time
from typing import Any

import lanewise
import numpy as np
import pytest

X = np.linspace(-5, 5, 1000, dtype="f4")


def test_options() -> None:
    with lanewise.engine(accuracy="exact", threads=1) as engine:
        assert (engine.accuracy, engine.threads) == ("exact", 1)
        assert lanewise.current_engine().accuracy == "exact"
        wide = np.abs(X.astype("f8"))
        for function in (lanewise.tanh, lanewise.gelu, lanewise.log):
            with pytest.raises(ValueError, match="the engine is exact"):
                function(wide)
        assert lanewise.exp(wide).dtype == "f8"  # which is proven to be exact
        with lanewise.engine(accuracy="fast"):
            assert lanewise.current_engine().accuracy == "fast"
            lanewise.tanh(X)
        assert lanewise.current_engine().accuracy == "exact"
    assert lanewise.current_engine().accuracy == "tight"
    assert "tight" in repr(lanewise.engine())


def test_instruction_sets() -> None:
    results = []
    for isa in lanewise.isas():
        with lanewise.engine(accuracy="exact", isa=isa) as engine:
            assert engine.isa == isa
            results.append(lanewise.exp(X))
    for result in results:
        np.testing.assert_array_equal(result, results[0])


@pytest.mark.parametrize("options", [{"accuracy": "good"}, {"threads": -1},
                                     {"isa": "MMX"}, {"tuning": "/nowhere"}])  # fmt: skip
def test_wrong_options(options: dict) -> None:
    with pytest.raises(ValueError):
        lanewise.engine(**options)


def test_an_engine_is_of_its_context() -> None:
    seen = []
    with lanewise.engine(accuracy="fast"):
        thread = threading.Thread(
            target=lambda: seen.append(lanewise.current_engine().accuracy)
        )
        thread.start()
        thread.join()
        context = contextvars.copy_context()
    context.run(lambda: seen.append(lanewise.current_engine().accuracy))
    # Free-threaded Pythons' threads begin in their parent's context.
    inherits = getattr(sys.flags, "thread_inherit_context", False)
    assert seen == ["fast" if inherits else "tight", "fast"]


def test_threads_share_an_engine() -> None:
    shared = lanewise.engine(accuracy="fast")
    entered, left = threading.Event(), threading.Event()
    seen = []

    def other() -> None:
        with shared:
            entered.set()
            left.wait()
            seen.append(lanewise.current_engine().accuracy)
        seen.append(lanewise.current_engine().accuracy)

    thread = threading.Thread(target=other)
    thread.start()
    entered.wait()
    with lanewise.engine(accuracy="exact"), shared, shared:
        left.set()
        thread.join()
        seen.append(lanewise.current_engine().accuracy)
    seen.append(lanewise.current_engine().accuracy)
    assert seen == ["fast", "tight", "fast", "tight"]


@lanewise.engine(accuracy="fast")
def decorated() -> str:
    return lanewise.current_engine().accuracy


def test_as_decorator() -> None:
    assert decorated() == "fast"


def run(code: str, **variables: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **variables},
                          capture_output=True, text=True, check=True)  # fmt: skip
    assert done.stderr == ""
    return done.stdout.strip()


def test_environment() -> None:
    show = (
        "import lanewise; e = lanewise.current_engine(); print(e.accuracy, e.threads)"
    )
    assert run(show, LANEWISE_ACCURACY="fast", LANEWISE_NUM_THREADS="3") == "fast 3"
    assert run(show, LANEWISE_NUM_THREADS="1") == "tight 1"
    wrong = """
import lanewise, numpy
try:
    lanewise.exp(numpy.ones(3))
except ValueError as error:
    print(error)"""
    assert 'LANEWISE_ACCURACY="good"' in run(wrong, LANEWISE_ACCURACY="good")
    assert "LANEWISE_NUM_THREADS" in run(wrong, LANEWISE_NUM_THREADS="x")


def test_many_threads() -> None:
    """The bits do not depend on the number of threads."""
    x = np.linspace(-5, 5, 1 << 20, dtype="f4")
    with lanewise.engine(threads=1):
        want = lanewise.exp(x)
    for threads in (2, 5):
        with lanewise.engine(threads=threads):
            for _ in range(20):
                np.testing.assert_array_equal(lanewise.exp(x), want)


def test_there_is_one_default_engine() -> None:
    traces = []

    @lanewise.fuse
    def counted(x: np.ndarray) -> np.ndarray:
        traces.append(x)
        return x + 1

    counted(X)
    with lanewise.engine() as engine:
        counted(X)
    assert len(traces) == 1
    assert engine._engine is lanewise.current_engine()


@pytest.mark.parametrize("function", [lanewise.exp, lanewise.sum, lanewise.argmax,
                                      lanewise.fuse(lambda x: np.exp(x).max())])  # fmt: skip
def test_other_threads_run_during_a_call(function: Any) -> None:
    x = np.ones(1 << 22)
    counted = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal counted
        while not stop.is_set():
            counted += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # nobody takes the lock: calls give it away
    try:
        before = counted
        for _ in range(1000):  # a busy machine may give the other thread no processor
            function(x)
            if counted != before:
                break
        during = counted - before
    finally:
        sys.setswitchinterval(interval)
        stop.set()
        thread.join()
    assert during > 0

# SPDX-License-Identifier: Apache-2.0
"""benchmarks/python: what is timed agrees with NumPy in all results, and a library that
is missing or wrong ends nothing."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest
from needs import need

BENCHMARKS = pathlib.Path(__file__).resolve().parents[2] / "benchmarks"
FOLDERS = [str(BENCHMARKS / name) for name in ("python", "report")]


def run(code: str) -> str:
    # A process of its own: time_package.py takes one processor only.
    path = os.pathsep.join([*FOLDERS, os.environ["PYTHONPATH"]])
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                          env={**os.environ, "PYTHONPATH": path})  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="Linux only")
def test_table() -> None:
    need("ml_dtypes")
    table = run("""
import sys, time_package
sys.argv = ["", "--count=64", "--turns=1"]
time_package.main()""")
    assert table.count("| HardSwish |") == 4
    assert "wrong" not in table, table


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="Linux only")
def test_wrong_and_missing_libraries() -> None:
    text = run("""
import numpy as np, time_package as t
dtype, want = np.dtype("f4"), [np.zeros(3), np.ones(3)]
print(t.agrees((want[0], want[1]), want, dtype), t.agrees(want[0], want, dtype),
      t.agrees((want[0], want[0]), want, dtype), t.agrees((want[0],), want[:1], dtype),
      t.agrees(0.0, want[:1], dtype))
def missing(work, arrays):
    raise ImportError
t.LIBRARIES["numba"] = missing
t.LIBRARIES["lanewise (python)"] = lambda work, arrays: lambda: arrays[0] + 100
row = t.measure(t.CHAINS[0], 64, dtype, 1)
print(*(t.cell(row, n).split(".")[0].isdigit() or t.cell(row, n)
        for n in ("numpy", "lanewise (python)", "numba")))""")
    assert text.splitlines() == ["True False False True False", "True wrong -"]

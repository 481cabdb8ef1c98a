#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the Python package beside NumPy, numexpr, Numba and JAX, on one processor.

    time_package.py [--count N] [--turns N] [--types float32,...] [--json FILE]

Prints the least time of a call, in turns of all libraries, and the time of the first
call, which traces (lanewise) or compiles (Numba, JAX). A library whose results are not
NumPy's is left out with a mark. numexpr and Numba compute the first result only: of
Black-Scholes the call option alone.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from typing import Any, Callable

# One processor, for libraries that have no other limit.
os.sched_setaffinity(0, {sorted(os.sched_getaffinity(0))[-1]})
for _variable in ("OMP_NUM_THREADS", "NUMEXPR_NUM_THREADS", "LANEWISE_NUM_THREADS"):
    os.environ[_variable] = "1"
os.environ["JAX_ENABLE_X64"] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"

import lanewise  # noqa: E402
import numpy as np  # noqa: E402
from workloads import CHAINS, WORKLOADS, Workload  # noqa: E402

NAMES = "abcd"


class Strong:
    """A bfloat16 array whose numbers are of its type. Beside Python's numbers, NumPy
    would compute in float32 and return that: less than what the others do."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def beside(self, other: Any) -> Any:
        if isinstance(other, Strong):
            return other.x
        return self.x.dtype.type(other) if isinstance(other, (int, float)) else other


def _symbol(name: str) -> Any:
    def method(self: Strong, *others: Any) -> Strong:
        return Strong(getattr(self.x, name)(*map(self.beside, others)))

    return method


for _name in "add radd sub rsub mul rmul truediv rtruediv pow neg gt lt".split():
    setattr(Strong, f"__{_name}__", _symbol(f"__{_name}__"))


class StrongNumPy:
    """NumPy's functions for such arrays."""

    def __getattr__(self, name: str) -> Any:
        function = getattr(np, name)

        def call(*args: Any) -> Strong:
            first = next(a for a in reversed(args) if isinstance(a, Strong))
            return Strong(function(*map(first.beside, args)))

        return call


def of_numpy(work: Workload, arrays: tuple) -> Callable[[], Any]:
    if arrays[0].dtype.kind != "V":
        return lambda: work.formula(np, *arrays)
    strong = [Strong(x) for x in arrays]
    return lambda: work.formula(StrongNumPy(), *strong)


def of_lanewise(work: Workload, arrays: tuple) -> Callable[[], Any]:
    fused = lanewise.fuse(lambda *xs: work.formula(np, *xs))
    return lambda: fused(*arrays)


def of_fast_lanewise(work: Workload, arrays: tuple) -> Callable[[], Any]:
    fused = lanewise.fuse(lambda *xs: work.formula(np, *xs))

    def call() -> Any:
        with FAST:
            return fused(*arrays)

    return call


FAST = lanewise.engine(accuracy="fast", threads=1)


def of_numexpr(work: Workload, arrays: tuple) -> Callable[[], Any] | None:
    import numexpr

    if not work.text or arrays[0].dtype.name not in ("float32", "float64"):
        return None
    numexpr.set_num_threads(1)
    names = ["x"] if "x" in work.text and len(arrays) == 1 else NAMES
    # Python's numbers make float64 there: numbers of the arrays' type do not.
    text, constants = _with_constants(work.text, arrays[0].dtype)
    values = {**dict(zip(names, arrays)), **constants}
    return lambda: numexpr.evaluate(text, values)


def _with_constants(text: str, dtype: np.dtype) -> tuple[str, dict[str, Any]]:
    import re

    constants: dict[str, Any] = {}

    def name(match: Any) -> str:
        key = f"k{len(constants)}"
        known = {v: k for k, v in constants.items()}
        value = dtype.type(match[0])
        key = known.get(value, key)
        constants[key] = value
        return key

    number = r"(?<![\w.])\d+\.?\d*(?:e-?\d+)?"
    return re.sub(number, name, text), constants


def of_numba(work: Workload, arrays: tuple) -> Callable[[], Any] | None:
    import numba

    if work.one is None or arrays[0].dtype.name not in ("float32", "float64"):
        return None
    loop = numba.vectorize(work.one(arrays[0].dtype.type))
    return lambda: loop(*arrays)


def of_jax(work: Workload, arrays: tuple) -> Callable[[], Any] | None:
    import jax

    compiled = jax.jit(lambda *xs: work.formula(jax.numpy, *xs))
    inputs = [jax.numpy.asarray(x) for x in arrays]
    return lambda: jax.block_until_ready(compiled(*inputs))


LIBRARIES: dict[str, Callable[[Workload, tuple], Callable[[], Any] | None]] = {
    "numpy": of_numpy,
    "lanewise (python)": of_lanewise,
    "lanewise (fast)": of_fast_lanewise,
    "numexpr": of_numexpr,
    "numba": of_numba,
    "jax": of_jax,
}


FIRST_RESULT_ONLY = {"numexpr", "numba"}


def all_of(result: Any) -> list[np.ndarray]:
    """A formula's results as float64."""
    results = result if isinstance(result, (tuple, list)) else (result,)
    plain = (r.x if isinstance(r, Strong) else r for r in results)
    return [np.asarray(r).astype("f8") for r in plain]


def agrees(result: Any, want: list[np.ndarray], dtype: np.dtype) -> bool:
    """Whether all results are there, and are near enough."""
    most = {2: 0.04, 4: 2e-5, 8: 1e-9}[dtype.itemsize]
    got = all_of(result)
    return len(got) == len(want) and all(
        g.shape == w.shape
        and np.allclose(g, w, rtol=most, atol=most * max(20, np.abs(w).max()))
        for g, w in zip(got, want)
    )


def seconds(call: Callable[[], Any], number: int) -> float:
    start = time.perf_counter()
    for _ in range(number):
        call()
    return (time.perf_counter() - start) / number


def measure(work: Workload, count: int, dtype: np.dtype, turns: int) -> dict[str, Any]:
    arrays = work.arrays(count, dtype)
    want = all_of(work.formula(np, *(a.astype("f8") for a in arrays)))
    calls: dict[str, Callable[[], Any]] = {}
    row: dict[str, Any] = {}
    for name, make in LIBRARIES.items():
        try:
            call = make(work, arrays)
        except ImportError:
            continue
        if call is None:
            continue
        start = time.perf_counter()
        result = call()
        first = time.perf_counter() - start
        wanted = want[:1] if name in FIRST_RESULT_ONLY else want
        if not agrees(result, wanted, dtype):
            row[name] = {"wrong": True}
            continue
        calls[name] = call
        row[name] = {"first": first, "least": float("inf")}
    numbers = {
        name: max(1, int(2e-3 / seconds(call, 3))) for name, call in calls.items()
    }
    for _ in range(turns):
        for name, call in calls.items():
            least = seconds(call, numbers[name])
            row[name]["least"] = min(row[name]["least"], least)
    return row


def cell(row: dict[str, Any], name: str) -> str:
    if name not in row:
        return "-"
    if row[name].get("wrong"):
        return "wrong"
    text = f"{row[name]['least'] * 1e6:.1f}"
    ours = row.get("lanewise (python)", {}).get("least")
    return text if ours is None else f"{text} ({row[name]['least'] / ours:.2f}x)"


def cpu() -> str:
    try:
        with open("/proc/cpuinfo") as lines:
            pairs = (line.partition(":")[::2] for line in lines)
            found = {key.strip(): value.strip() for key, value in pairs}
        return f"{found['model name']}, family {found['cpu family']}, model {found['model']}"
    except (OSError, KeyError):
        return platform.processor()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=65536)
    parser.add_argument("--turns", type=int, default=31)
    parser.add_argument("--types", default="float32,float64,float16,bfloat16")
    parser.add_argument("--json", help="a file that gets the times")
    options = parser.parse_args()
    import ml_dtypes

    print(f"{cpu()}, {lanewise.current_engine().isa}, one processor")
    print(f"{options.count} elements: microseconds of a call, and over lanewise's\n")
    print(f"| workload | type | {' | '.join(LIBRARIES)} | first calls, ms |")
    print("|---" * (len(LIBRARIES) + 3) + "|")
    rows = []
    for name in options.types.split(","):
        dtype = np.dtype(getattr(ml_dtypes, name, None) or name)
        for work in CHAINS + WORKLOADS:
            row = measure(work, options.count, dtype, options.turns)
            rows.append({"workload": work.name, "type": name, "times": row})
            first = ", ".join(
                f"{n.replace(' (python)', '')} {t['first'] * 1e3:.1f}"
                for n, t in row.items()
                if "first" in t and n not in ("numpy", "lanewise (fast)")
            )
            cells = " | ".join(cell(row, n) for n in LIBRARIES)
            print(f"| {work.name} | {name} | {cells} | {first} |", flush=True)
    small = lanewise.fuse(lambda x: x * (1 / (1 + np.exp(-x))))
    x = np.linspace(-3, 3, 1000, dtype="f4")
    calls = {"silu": lambda: small(x), "add": lambda: lanewise.add(x, x)}
    for name, call in calls.items():
        least = min(seconds(call, 2000) for _ in range(options.turns))
        print(f"\n{name} of 1,000 float32: {least * 1e6:.2f} us", end="")
    print()
    if options.json:
        with open(options.json, "w") as file:
            json.dump({"cpu": cpu(), "count": options.count, "rows": rows}, file)


if __name__ == "__main__":
    sys.exit(main())

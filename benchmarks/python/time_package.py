#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times the Python package beside NumPy, numexpr, Numba and JAX, on one processor.

    time_package.py [--count N] [--turns N] [--types float32,...] [--json FILE]

Prints the least time of a call, in turns of all libraries, and the time of the first
call, which traces (lanewise) or compiles (Numba, JAX). A library whose results are not
NumPy's is left out with a mark. numexpr computes each result by a call of its own.
"""

from __future__ import annotations

import argparse
import importlib.metadata
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
from cpus import own_model, own_name, own_numbers  # noqa: E402
from workloads import CHAINS, WORKLOADS, Workload  # noqa: E402

NAMES = "abcd"
PACKAGES = ("numpy", "ml_dtypes", "numexpr", "numba", "jax")


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

    if arrays[0].dtype.name not in ("float32", "float64"):
        return None
    numexpr.set_num_threads(1)
    calls = []
    for text in work.texts:
        names = ["x"] if "x" in text and len(arrays) == 1 else NAMES
        # Python's numbers make float64 there: numbers of the arrays' type do not.
        text, constants = _with_constants(text, arrays[0].dtype)
        calls.append((text, {**dict(zip(names, arrays)), **constants}))
    return lambda: [numexpr.evaluate(*call) for call in calls]


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

    if arrays[0].dtype.name not in ("float32", "float64"):
        return None
    one = work.one(arrays[0].dtype.type)
    if len(work.texts) == 1:
        loop = numba.vectorize(one)
        return lambda: loop(*arrays)
    # vectorize serves one result. Numba compiles no loop over a tuple of arrays of
    # any length, so the loop is written out.
    inputs = NAMES[: len(arrays)]
    outputs = [f"r{i}" for i in range(len(work.texts))]
    names: dict[str, Any] = {"one": numba.njit(one), "empty_like": np.empty_like}
    lines = [f"def loop({', '.join(inputs)}):"]
    lines += [f"    {name} = empty_like(a)" for name in outputs]
    lines += [
        "    for i in range(a.size):",
        f"        {', '.join(f'{name}[i]' for name in outputs)} = "
        f"one({', '.join(f'{name}[i]' for name in inputs)})",
        f"    return {', '.join(outputs)}",
    ]
    exec("\n".join(lines), names)
    compiled = numba.njit(names["loop"])
    return lambda: compiled(*arrays)


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
        if not agrees(result, want, dtype):
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


def context() -> dict[str, str]:
    """What is known of the machine and of the libraries, by the names that
    report/rows.py knows."""
    versions = [f"Python {platform.python_version()}"]
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            pass
    return {
        "date": time.strftime("%Y-%m-%dT%H:%M:%S"),
        "lanewise_cpu": own_model(),
        "lanewise_cpu_numbers": own_numbers(),
        "lanewise_isa": lanewise.current_engine().isa,
        "lanewise_version": lanewise.__version__,
        "lanewise_peers": ", ".join(versions),
    }


def in_microseconds(row: dict[str, Any]) -> dict[str, Any]:
    """With four digits, for the file."""
    return {
        library: {
            name: value if value is True else float(f"{value * 1e6:.4g}")
            for name, value in times.items()
        }
        for library, times in row.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=65536)
    parser.add_argument("--turns", type=int, default=31)
    parser.add_argument("--types", default="float32,float64,float16,bfloat16")
    parser.add_argument("--json", help="a file that gets the times")
    options = parser.parse_args()
    import ml_dtypes

    print(f"{own_name()}, {lanewise.current_engine().isa}, one processor")
    print(f"{options.count} elements: microseconds of a call, and over lanewise's\n")
    print(f"| workload | type | {' | '.join(LIBRARIES)} | first calls, ms |")
    print("|---" * (len(LIBRARIES) + 3) + "|")
    rows = []
    for name in options.types.split(","):
        dtype = np.dtype(getattr(ml_dtypes, name, None) or name)
        for work in CHAINS + WORKLOADS:
            row = measure(work, options.count, dtype, options.turns)
            rows.append({"workload": work.name, "type": name, "count": options.count,
                         "times": in_microseconds(row)})  # fmt: skip
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
    least = {name: min(seconds(call, 2000) for _ in range(options.turns)) * 1e6
             for name, call in calls.items()}  # fmt: skip
    print()
    for name, value in least.items():
        print(f"{name} of 1,000 float32: {value:.2f} us")
    if options.json:
        small = {name: round(value, 2) for name, value in least.items()}
        with open(options.json, "w") as file:
            json.dump({"context": context(), "small": small, "python": rows}, file)


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""python -m lanewise: what is there, and how fast this machine is beside NumPy."""

from __future__ import annotations

import argparse
import timeit
from typing import Any, Callable

import numpy as np

import lanewise

from . import _core, _operators, _types


def silu(x: Any) -> Any:
    return x / (1 + np.exp(-x))


def normal(x: Any) -> Any:
    return np.exp(-0.5 * x * x) * 0.3989422804014327


def blend(x: Any) -> Any:
    return np.where(x > 0, x * 0.25 + 1, np.maximum(x, -2) * 0.5)


def polynomial(x: Any) -> Any:
    return ((0.25 * x + 0.75) * x - 1.5) * x - 2


FORMULAS: list[Callable[[Any], Any]] = [silu, normal, blend, polynomial]
TYPES = ["float32", "float64", "float16", "bfloat16"]


def microseconds(function: Callable[[], Any], seconds: float = 0.05) -> float:
    """The least of several runs."""
    timer = timeit.Timer(function)
    number = max(1, int(seconds / 5 / max(timer.timeit(1), 1e-7)))
    return min(timer.repeat(5, number)) / number * 1e6


def table(count: int) -> str:
    rows = [f"{'':12}{'type':10}{'NumPy':>12}{'lanewise':>12}{'ratio':>9}"]
    for formula in FORMULAS:
        fused = lanewise.fuse(formula)
        for name in TYPES:
            try:
                dtype = _types.dtype_from(name)
            except ImportError:  # bfloat16 needs ml_dtypes
                continue
            x = np.linspace(-4, 4, count).astype(dtype)
            ours, numpys = (microseconds(lambda: f(x)) for f in (fused, formula))
            rows.append(
                f"{formula.__name__:12}{name:10}{numpys:9.1f} us{ours:9.1f} us"
                f"{numpys / ours:8.1f}x"
            )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m lanewise", description=__doc__)
    parser.add_argument("--count", type=int, default=65536, help="elements of an array")
    parser.add_argument("--threads", type=int, default=1, help="threads of lanewise")
    parser.add_argument("--no-bench", action="store_true", help="measure nothing")
    options = parser.parse_args()
    engine = lanewise.current_engine()
    print(f"lanewise {lanewise.__version__}, NumPy {np.__version__}")
    print(f"engine: {engine.accuracy}, {engine.threads} threads, {engine.isa}")
    print(f"instruction sets: {', '.join(lanewise.isas())}")
    names = sorted(_operators.make())
    print(
        f"{len({row[0] for row in _core.signatures()})} operators, {len(names)} functions:"
    )
    line = " "
    for name in names:
        if len(line) + len(name) > 88:
            print(line)
            line = " "
        line += " " + name
    print(line)
    if not options.no_bench:
        print(f"\n{options.count:,} elements, lanewise on {options.threads} thread(s):")
        with lanewise.engine(threads=options.threads):
            print(table(options.count))


if __name__ == "__main__":
    main()

# SPDX-License-Identifier: Apache-2.0
"""The errors of float32 functions in ONNX Runtime's CPU provider and in this one, as a
Markdown table. Not a test: it takes minutes, and nothing fails.

    tests/onnxruntime/prepare ort-newest tests/onnxruntime/function_errors.py \\
        build/release/runtime/onnxruntime/libonnxruntime_ep_lanewise.so [--every N]

Every N-th of the 2^32 inputs is computed; without --every, 20 million inputs. An error
is the distance from the function in float64, in steps (ULP) of float32 at the right
result. `of 1` counts in steps of float32 at 1 where the result is smaller than 1: what
an error means to a sum of such results. float64 is exact enough, as its own errors are
below a millionth of such a step.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable
from typing import NamedTuple

import host
import numpy as np
import onnxruntime as ort

Function = Callable[[np.ndarray], np.ndarray]
CHUNK = 1 << 20
ERF, ERFC = (np.frompyfunc(f, 1, 1) for f in (math.erf, math.erfc))
ROOT = math.sqrt(2 / math.pi)


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def softplus(x: np.ndarray) -> np.ndarray:
    return np.maximum(x, 0) + np.log1p(np.exp(-abs(x)))


def gelu(x: np.ndarray) -> np.ndarray:
    # Where x ** 2 overflows, erfc is 0 or 2.
    return 0.5 * x * ERFC(-x / math.sqrt(2)).astype("float64")


def tanh_gelu(x: np.ndarray) -> np.ndarray:
    return x * sigmoid(2 * ROOT * (x + 0.044715 * x**3))


class Row(NamedTuple):
    name: str
    node: str  # in onnx's text format
    right: Function


ROWS = (
    Row("Sigmoid", "Sigmoid(x)", sigmoid),
    Row("Tanh", "Tanh(x)", np.tanh),
    Row("Erf", "Erf(x)", lambda x: ERF(x).astype("float64")),
    Row("Gelu", "Gelu(x)", gelu),
    Row("Gelu by Tanh", 'Gelu<approximate = "tanh">(x)', tanh_gelu),
    Row("Softplus", "Softplus(x)", softplus),
    Row("Exp", "Exp(x)", np.exp),
    Row("Log", "Log(x)", np.log),
)


class Worst:
    """The largest error until now, and where it is."""

    def __init__(self) -> None:
        self.error, self.x = 0.0, 0.0

    def see(self, x: np.ndarray, errors: np.ndarray) -> None:
        at = int(errors.argmax())
        if errors[at] > self.error:
            self.error, self.x = float(errors[at]), float(x[at])


def step(right: np.ndarray) -> np.ndarray:
    """The distance of two float32 numbers at the result."""
    exponent = np.frexp(np.maximum(abs(right), 2.0**-126))[1]
    return np.ldexp(1.0, exponent - 24)


class Errors:
    """Of one function in one session."""

    def __init__(self, session: ort.InferenceSession) -> None:
        self.session = session
        self.in_ulp, self.of_one = Worst(), Worst()

    def see(self, x: np.ndarray, right: np.ndarray) -> None:
        (y,) = self.session.run(None, {"x": x})
        # Beyond the largest float32, the right answer is infinity, which counts as
        # the next number.
        apart = abs(np.clip(y.astype("float64"), -(2.0**128), 2.0**128) - right)
        apart[np.isnan(apart)] = np.inf
        steps = step(right)
        self.in_ulp.see(x, apart / steps)
        self.of_one.see(x, apart / np.maximum(steps, 2.0**-23))


def measure(row: Row, every: int) -> tuple[Errors, Errors]:
    model = host.parsed(f"(float[N] x) => (float[N] y) {{ y = {row.node} }}", opset=20)
    ours = host.session(model, accuracy="fast")
    found = Errors(host.cpu_session(model)), Errors(ours)
    for start in range(0, 1 << 32, every * CHUNK):
        bits = np.arange(start, min(start + every * CHUNK, 1 << 32), every, np.uint64)
        x = bits.astype(np.uint32).view(np.float32)
        with np.errstate(all="ignore"):
            right = row.right(x.astype("float64"))
            asked = np.isfinite(x) & ~np.isnan(right) & (abs(right) != np.inf)
            right = np.clip(right[asked], -(2.0**128), 2.0**128)
            for errors in found if asked.any() else ():
                errors.see(x[asked], right)
    return found


def shown(worst: Worst) -> str:
    size = f"{worst.error:.2f}" if worst.error < 1000 else f"{worst.error:.0e}"
    return f"{size} at {worst.x:.3g}"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("provider")
    parser.add_argument("--every", type=int, default=211)
    options = parser.parse_args()
    host.Paths.provider = os.path.abspath(options.provider)
    host.register()
    isa = host.devices()[0].ep_metadata["isa"]
    print(f"| every {options.every}th float32, ULP | ONNX Runtime {ort.__version__} |"
          f" of 1 | lanewise, fast, {isa} | of 1 |\n|---|---|---|---|---|")
    for row in ROWS:
        theirs, ours = measure(row, options.every)
        cells = [shown(w) for e in (theirs, ours) for w in (e.in_ulp, e.of_one)]
        print(f"| {row.name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()

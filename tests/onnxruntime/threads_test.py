# SPDX-License-Identifier: Apache-2.0
"""Several threads of an application run one session at the same time."""

from __future__ import annotations

import unittest
from concurrent.futures import ThreadPoolExecutor

import host
import numpy as np
import onnx

# Large enough that each node uses the session's threads.
ELEMENTS = 1 << 19
APPLICATION_THREADS = 4

FLOATS = """(float[N] x, float[N] y) => (float[N] z)
{ a = Exp(x)
  b = Div(a, y)
  c = Add(b, x)
  d = LeakyRelu<alpha = 0.1>(c)
  e = Reciprocal(d)
  z = Mul(e, y) }"""
INTEGERS = """(int64[N] x, int64[M] y, int64[] d, int64[K] shape)
=> (int64[N] z, int64[A, B] r)
{ a = Div(x, y)
  b = Div(x, d)
  c = Sub(a, b)
  m = Greater(c, d)
  z = Where(m, c, x)
  r = Reshape(c, shape) }"""


def inputs(model: onnx.ModelProto, seed: int, count: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    if model.graph.input[0].type.tensor_type.elem_type == 1:
        return {n: rng.uniform(0.5, 3, count).astype(np.float32) for n in "xy"}
    return {
        "x": rng.integers(-(1 << 62), 1 << 62, count),
        "y": rng.integers(1, 1000, count),
        "d": np.array(seed + 2),
        "shape": np.int64([2, -1]),
    }


class Threads(unittest.TestCase):
    def test_concurrent_runs_give_equal_results(self) -> None:
        for text in (FLOATS, INTEGERS):
            model = host.parsed(text)
            # Each application thread has inputs and a length of its own.
            given = [
                inputs(model, seed, ELEMENTS - 2 * seed)
                for seed in range(APPLICATION_THREADS)
            ]
            serial = host.session(model, threading="serial")
            wanted = [serial.run(None, g) for g in given]
            for threads, threading in [(1, "ort"), (2, "ort"), (2, "serial")]:
                session = host.session(model, threads=threads, threading=threading)

                def runs(seed: int) -> bool:
                    return all(
                        out.tobytes() == right.tobytes()
                        for _ in range(6)
                        for out, right in zip(
                            session.run(None, given[seed]), wanted[seed], strict=True
                        )
                    )

                with self.subTest(threads=threads, threading=threading):
                    with ThreadPoolExecutor(APPLICATION_THREADS) as pool:
                        results = list(pool.map(runs, range(APPLICATION_THREADS)))
                    self.assertEqual(results, [True] * APPLICATION_THREADS)

    def test_shapes_that_change_from_run_to_run(self) -> None:
        """Threads meet new and known shapes, in any order."""
        model = host.parsed(INTEGERS)
        given = [inputs(model, seed, 2 * (seed % 12)) for seed in range(36)]
        for values in given[::3]:
            values["shape"] = np.int64([-1, 1])
            values["y"] = values["y"][:1]
        serial = host.session(model, threading="serial")
        wanted = [serial.run(None, values) for values in given]
        for _ in range(5):  # each session meets its first shapes once
            session = host.session(model, threads=2)

            def runs(seed: int) -> bool:
                order = np.random.default_rng(seed).permutation(len(given))
                return all(
                    out.shape == right.shape and out.tobytes() == right.tobytes()
                    for i in [*order, *order]
                    for out, right in zip(
                        session.run(None, given[i]), wanted[i], strict=True
                    )
                )

            with ThreadPoolExecutor(APPLICATION_THREADS) as pool:
                results = list(pool.map(runs, range(APPLICATION_THREADS)))
            self.assertEqual(results, [True] * APPLICATION_THREADS)

    def test_failures_belong_to_their_run(self) -> None:
        """Half of the threads divide by zero. No other run fails, and each message
        has the position of its own run."""
        session = host.session(host.parsed(INTEGERS), threads=2)

        def runs(seed: int) -> bool:
            given = inputs(host.parsed(INTEGERS), seed, ELEMENTS)
            if seed % 2:
                given["y"][1000 * seed] = 0
            right = True
            for _ in range(6):
                try:
                    session.run(None, given)
                    right = right and seed % 2 == 0
                except Exception as error:  # noqa: BLE001
                    right = right and seed % 2 == 1 and str(1000 * seed) in str(error)
            return right

        with ThreadPoolExecutor(APPLICATION_THREADS) as pool:
            results = list(pool.map(runs, range(APPLICATION_THREADS)))
        self.assertEqual(results, [True] * APPLICATION_THREADS)

    def test_sessions_are_made_at_the_same_time(self) -> None:
        model = host.parsed(FLOATS)
        given = inputs(model, 0, 1000)

        def result(_: int) -> bytes:
            return host.session(model, threads=2).run(None, given)[0].tobytes()

        with ThreadPoolExecutor(APPLICATION_THREADS) as pool:
            self.assertEqual(len(set(pool.map(result, range(24)))), 1)


if __name__ == "__main__":
    host.main()

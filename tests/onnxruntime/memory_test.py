# SPDX-License-Identifier: Apache-2.0
"""Chains: Reshape copies nothing, other operators run in place, and no node
overwrites what another node still reads."""

from __future__ import annotations

import resource
import subprocess
import sys
import unittest

import host
import numpy as np
import onnx
from oracle import array, same_bits

ELEMENTS = 1 << 24
# Each node's output but the last is read by one node only.
CHAIN = """(float[N] x, int64[K] shape, int64[1] flat) => (float[N] y)
{ a = Exp(x)
  b = Reshape(a, shape)
  c = Relu(b)
  d = Reshape(c, flat)
  e = Reciprocal(d)
  f = Reshape(e, shape)
  g = Add(f, f)
  y = Reshape(g, flat) }"""
# The same, but all values are outputs: none may share its memory.
OUTPUTS = ("a", "b", "c", "d", "e", "f", "g", "y")


def chain(every_value: bool) -> onnx.ModelProto:
    made = host.parsed(CHAIN)
    if every_value:
        del made.graph.output[:]
        for name in OUTPUTS:
            value = onnx.helper.make_tensor_value_info(name, 1, None)
            made.graph.output.append(value)
    return made


def peak_of_run(every_value: bool) -> float:
    """How far a run of the chain raises the process's memory, in tensors."""
    session = host.session(chain(every_value), chains="nodes")
    assert len(host.ours(session)) == len(OUTPUTS)
    shape, flat = np.int64([ELEMENTS // 64, 64]), np.int64([-1])
    few = {"x": np.zeros(64, np.float32), "shape": np.int64([1, 64]), "flat": flat}
    session.run(None, few)
    given = {"x": np.ones(ELEMENTS, np.float32), "shape": shape, "flat": flat}
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    outputs = session.run(None, given)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    np.testing.assert_allclose(outputs[-1][[0, -1]], 2 / np.e, rtol=1e-6)
    return (after - before) * 1024 / (4 * ELEMENTS)


class Memory(unittest.TestCase):
    def peak(self, what: str) -> float:
        """In a process of its own, as a process's peak never falls."""
        done = subprocess.run(
            [
                sys.executable,
                __file__,
                host.Paths.provider,
                host.Paths.lanewise,
                f"--peak={what}",
            ],
            capture_output=True,
            text=True,
            timeout=300,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return float(done.stdout.split()[-1])

    def test_a_chain_takes_the_memory_of_one_value(self) -> None:
        """One value and the output. ONNX Runtime gives the last node memory of its
        own, as the application gets that memory."""
        shared, separate = self.peak("chain"), self.peak("all-outputs")
        print(
            f"memory of the chain: {shared:.2f} tensors; {separate:.2f} if all values"
        )
        self.assertLess(shared, 2.3)
        self.assertGreater(separate, 7.5)  # else the measurement measures nothing


class RandomGraphs(unittest.TestCase):
    """Operators at random on values at random, whatever may share memory: the same
    bits as operator by operator through the library's own interface."""

    UNARY = ("Relu", "Exp", "LeakyRelu", "Clip", "Reciprocal")
    BINARY = ("Add", "Sub", "Mul", "Div")

    def nodes(self, rng: np.random.Generator) -> list[tuple[str, str, list[str]]]:
        """Output, operator and inputs of each node."""
        matrices, flats = ["x", "y"], ["row"]
        made: list[tuple[str, str, list[str]]] = []
        for i in range(14):
            out = f"v{i}"
            kind = rng.integers(0, 10)
            # Mostly the newest values: these die soon.
            near = matrices[-3:] if kind % 2 else matrices
            a, b = (near[j] for j in rng.integers(0, len(near), 2))
            if kind < 3:
                made.append((out, str(rng.choice(self.UNARY)), [a]))
                matrices.append(out)
            elif kind < 6:
                operand = str(rng.choice([b, "row", a]))
                pair = [a, operand] if rng.integers(0, 2) else [operand, a]
                if pair == ["row", "row"]:
                    pair = [a, a]
                made.append((out, str(rng.choice(self.BINARY)), pair))
                matrices.append(out)
            elif kind == 6:
                made.append((f"c{i}", "Greater", [a, b]))
                made.append((out, "Where", [f"c{i}", b, a]))
                matrices.append(out)
            else:
                made.append((f"f{i}", "Reshape", [a, "flat"]))
                flats.append(f"f{i}")
                made.append((f"u{i}", str(rng.choice(self.UNARY)), [f"f{i}"]))
                made.append((out, "Reshape", [f"u{i}", "dims"]))
                matrices.append(out)
        return made

    def model(
        self, nodes: list[tuple[str, str, list[str]]], kept: list[str], code: int
    ) -> onnx.ModelProto:
        helper = onnx.helper
        given = [helper.make_tensor_value_info(n, code, ["N", "M"]) for n in "xy"]
        given.append(helper.make_tensor_value_info("row", code, ["M"]))
        given += [helper.make_tensor_value_info(n, 7, None) for n in ("dims", "flat")]
        return host.model(
            [helper.make_node(op, ins, [out]) for out, op, ins in nodes],
            given,
            [helper.make_tensor_value_info(n, code, None) for n in kept],
        )

    def test_same_bits_as_the_library(self) -> None:
        for seed in range(60):
            rng = np.random.default_rng(seed)
            code = (1, 10, 16)[seed % 3]
            nodes = self.nodes(rng)
            names = [out for out, _, _ in nodes if out[0] == "v"]
            kept = sorted({names[-1], str(rng.choice(names))})
            threads = 1 + seed % 2
            # Chains of float16 do not round each value.
            alone = {"chains": "nodes"} if code == 10 else {}
            session = host.session(
                self.model(nodes, kept, code), threads=threads, optimized=False, **alone
            )
            for n, m in [(3, 5), (1, 1), (150, 257)]:
                kind = host.dtype(code)
                given = {
                    "x": host.tensor(rng.normal(0, 2, (n, m)).astype(kind)),
                    "y": host.tensor(rng.normal(0, 2, (n, m)).astype(kind)),
                    "row": host.tensor(rng.normal(0, 2, m).astype(kind)),
                    "dims": host.tensor(np.int64([n, m])),
                    "flat": host.tensor(np.int64([-1])),
                }
                outputs = dict(zip(kept, host.run(session, given)))
                values = dict(given)
                for out, op, ins in nodes:
                    (values[out],) = host.library().run(
                        op, 21, {}, [values[i] for i in ins]
                    )
                for name in kept:
                    with self.subTest(seed=seed, dims=(n, m), output=name, nodes=nodes):
                        pair = (array(v[name]) for v in (outputs, values))
                        self.assertIsNone(same_bits(*pair))


if __name__ == "__main__":
    peak = [a.split("=")[1] for a in sys.argv if a.startswith("--peak=")]
    if peak:
        host.read_paths()
        host.register()
        print(peak_of_run(every_value=peak == ["all-outputs"]))
    else:
        host.main()

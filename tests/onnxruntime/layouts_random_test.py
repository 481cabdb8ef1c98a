# SPDX-License-Identifier: Apache-2.0
"""Random nets of convolutions and elementwise nodes: what the provider says about
fusions and reorders, compared with the graphs that ONNX Runtime writes."""

from __future__ import annotations

import unittest

import fusions_test
import host
import layouts_test
import numpy as np

NETS = 400
CHANNELS = (16, 16, 16, 16, 20, 18, 32)
ACTIVATIONS = ("Relu", "Relu", "LeakyRelu", "Sigmoid", "Tanh", "HardSigmoid", "Exp")
OPSETS = (14, 17, 21, 22)


class Net:
    """A model in the making. Values are named by their number."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.channels = {"x": 16}
        self.lines: list[str] = []
        self.constants = {"two": np.array([2], np.float32)}
        for _ in range(int(rng.integers(4, 16))):
            self.grow()

    def add(self, op: str, inputs: list[str], channels: int, attributes: str = "") -> str:
        name = f"v{len(self.channels)}"
        self.channels[name] = channels
        self.lines.append(f"{name} = {op}{attributes}({', '.join(inputs)})")
        return name

    def constant(self, *dims: int) -> str:
        name = f"c{len(self.constants)}"
        self.constants[name] = self.rng.normal(0, 1, dims).astype(np.float32)
        return name

    def conv(self, value: str) -> None:
        channels = int(self.rng.choice(CHANNELS))
        inputs = [value, self.constant(channels, self.channels[value], 3, 3)]
        if self.rng.integers(2):
            inputs.append(self.constant(channels))
        self.add("Conv", inputs, channels, "<pads = [1, 1, 1, 1]>")

    def grow(self) -> None:
        names = list(self.channels)[-int(self.rng.integers(1, 5)) :]
        a = str(self.rng.choice(names))
        channels = self.channels[a]
        b = str(self.rng.choice([n for n in names if self.channels[n] == channels]))
        kind = self.rng.integers(0, 12)
        if kind < 4:
            self.conv(a)
        elif kind < 6:
            self.add(str(self.rng.choice(ACTIVATIONS)), [a], channels)
        elif kind < 9:
            self.add(str(self.rng.choice(("Add", "Mul", "Mul", "Sub"))), [a, b], channels)
        elif kind < 10:
            gate = self.add("Sigmoid", [a], channels)
            self.add("Mul", [a, gate], channels)
        elif kind < 11:
            other = str(self.rng.choice(["two", self.constant(channels, 1, 1)]))
            self.add(str(self.rng.choice(("Add", "Mul", "Div"))), [a, other], channels)
        else:
            self.add("Concat", [a, b], 2 * channels, "<axis = 1>")

    def model(self) -> bytes:
        body = " ".join(self.lines)
        dims = self.rng.choice(["[1, 16, 8, 8]", "[N, 16, H, W]"])
        ends = [n for n in self.channels if f"({n}" not in body and f" {n})" not in body]
        ends = [n for n in ends if f" {n}," not in body]
        outputs = ", ".join(f"float[A{n}, B{n}, C{n}, D{n}] {n}" for n in ends)
        text = f"(float{dims} x) => ({outputs}) {{ {body} }}"
        return host.named(text, self.constants, opset=int(self.rng.choice(OPSETS)))


class RandomNets(unittest.TestCase):
    def test_fusions(self) -> None:
        fused = 0
        for seed in range(NETS):
            given = Net(np.random.default_rng(seed)).model()
            left = {(n.op_type, n.name) for n in host.optimized(given).graph.node}
            for node, line in fusions_test.explained(given).items():
                said = line["reason"].startswith(fusions_test.REASON)
                with self.subTest(seed, node=node, op=line["op"]):
                    self.assertEqual(said, (line["op"], node) not in left)
                fused += said
        print(f"{fused} fused nodes in {NETS} nets")
        self.assertGreater(fused, NETS // 8)

    def test_reorders(self) -> None:
        added = []
        for seed in range(NETS):
            given = Net(np.random.default_rng(seed)).model()
            before, _ = layouts_test.reorders(given, None)
            after, lines = layouts_test.reorders(given, "all")
            taken = {line["node"] for line in lines if "node" in line and line["taken"]}
            chains = host.taken_chains(lines)
            # Only where one chain is all that is taken, the number is the chain's.
            if len(chains) != 1 or set(chains[0]["chain"]) != taken:
                continue
            with self.subTest(seed, chain=chains[0]["chain"]):
                self.assertEqual(after - before, chains[0]["added_reorders"])
            added.append(after - before)
        print(f"{len(added)} chains, reorders added: {sorted(added)}")
        self.assertTrue(any(added))


if __name__ == "__main__":
    host.main()

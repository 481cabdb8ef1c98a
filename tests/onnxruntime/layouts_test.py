# SPDX-License-Identifier: Apache-2.0
"""How many nodes that reorder between layouts a claim adds: what the provider says of a
chain, compared with the graphs that ONNX Runtime writes with the claim and without. Each
case has the name of a rule."""

from __future__ import annotations

import unittest
from collections.abc import Iterator

import host
import numpy as np

FLOAT = np.float32
REORDERS = ("ReorderInput", "ReorderOutput")
CONV = "Conv<pads = [1, 1, 1, 1]>"

# Between two convolutions: c is the output of the first, e the input of the second. The
# nodes named p and q are a chain that the provider claims.
BODIES = {
    "scalar Mul, Add": "p = Mul(c, k1x2) e = Add(p, k1x2)",
    "Mul and Add by channel": "p = Mul(c, twice) q = Add(p, row) e = Identity(q)",
    "hard swish in primitives": (
        "o = Mul(c, k1x2) p = Add(o, k1x2) q = Add(p, k3) l = Clip(q, k0, k6)"
        "g = Mul(p, l) d = Div(g, k6) e = Mul(d, k1x2)"
    ),
    "Relu and x * Relu(x)": "r = Relu(c) p = Relu(r) e = Mul(c, p)",
    "sum and product of two convolutions": (
        f"o = {CONV}(x, v) p = Mul(c, o) e = Add(p, o)"
    ),
    "x * x * x": "p = Mul(c, c) e = Mul(p, c)",
    "x * x * x behind Relu": "r = Relu(c) p = Mul(r, r) e = Mul(p, r)",
    "Relu between sums": f"o = {CONV}(x, v) p = Add(c, o) q = Relu(p) e = Add(q, c)",
    "sum, then Softmax": (
        f"o = {CONV}(x, v) p = Add(c, o) q = Mul(p, o) s = Softmax(q) e = Add(s, c)"
    ),
    "Clip, Mul": "r = Relu(c) p = Clip(r, k0, k6) e = Mul(r, p)",
    "LeakyRelu, Mul": "r = Relu(c) p = LeakyRelu(r) e = Mul(r, p)",
    "x * Sigmoid(x), then sum": (
        f"s = Sigmoid(c) p = Mul(c, s) o = {CONV}(x, v) e = Add(p, o)"
    ),
    "x * HardSigmoid(x), then sum": "s = HardSigmoid(c) p = Mul(c, s) e = Add(p, c)",
    "x * Tanh(x), then sum": "s = Tanh(c) p = Mul(c, s) e = Add(p, c)",
    "gate of channels": (
        "g = GlobalAveragePool(c) h = Conv(g, w1) s = Sigmoid(h) p = Mul(c, s) e = Add(p, c)"
    ),
    "sum of channels": (
        "g = GlobalAveragePool(c) h = Conv(g, w1) s = Sigmoid(h) p = Add(c, s) e = Mul(p, c)"
    ),
    "pool behind": "p = Mul(c, c) q = Add(p, c) e = MaxPool<kernel_shape = [2, 2]>(q)",
    "pool before": "r = MaxPool<kernel_shape = [2, 2]>(c) p = Mul(r, r) e = Add(p, r)",
    "average pool before": (
        "r = AveragePool<kernel_shape = [2, 2]>(c) p = Mul(r, r) e = Add(p, r)"
    ),
    "Concat behind": (
        f"p = Mul(c, c) q = Add(p, c) o = Concat<axis = 1>(q, c) e = {CONV}(o, v2)"
    ),
    "Concat of another axis": "p = Mul(c, c) q = Add(p, c) e = Concat<axis = 2>(q, c)",
    "BatchNormalization behind": (
        "p = Mul(c, c) q = Add(p, c) e = BatchNormalization(q, n, n, n, n)"
    ),
    "Resize behind": (
        "p = Mul(c, c) q = Add(p, c) e = Resize<mode = \"nearest\","
        'coordinate_transformation_mode = "asymmetric", nearest_mode = "floor">(q, , up2)'
    ),
    "Resize of another kind": (
        'p = Mul(c, c) q = Add(p, c) e = Resize<mode = "nearest">(q, , up2)'
    ),
    "linear Resize": (
        'p = Mul(c, c) q = Add(p, c) e = Resize<mode = "linear">(q, , up2)'
    ),
    "Transpose behind": (
        "p = Mul(c, c) q = Add(p, c) e = Transpose<perm = [0, 1, 3, 2]>(q)"
    ),
    "Transpose to channels last": (
        "p = Mul(c, c) q = Add(p, c) t = Transpose<perm = [0, 2, 3, 1]>(q)"
        "s = Softmax(t) e = Transpose<perm = [0, 3, 1, 2]>(s)"
    ),
    "plain neighbour": "s = Softmax(c) p = Add(s, k3) e = Mul(p, p)",
    "read by plain nodes too": "p = Mul(c, c) q = Add(p, c) s = Softmax(q) e = Add(s, q)",
}
# Heads: the shapes of the input.
SHAPES = {
    "known": "(float[1, 16, 8, 8] x)",
    "named": "(float[N, 16, H, W] x)",
}
# Models of their own.
MODELS = {
    "odd channels": (
        "(float[1, 17, 8, 8] x) => (float[A, B, C, D] y) {"
        f"c = {CONV}(x, w17) p = Mul(c, c) e = Add(p, c) y = {CONV}(e, v) }}"
    ),
    "few channels in": (
        "(float[1, 3, 8, 8] x) => (float[A, B, C, D] y) {"
        f"p = Mul(x, x) q = Add(p, x) c = {CONV}(q, w3) y = {CONV}(c, v) }}"
    ),
    "more channels in": (
        "(float[1, 20, 8, 8] x) => (float[A, B, C, D] y) {"
        f"p = Mul(x, x) q = Add(p, x) c = {CONV}(q, w20) y = {CONV}(c, v) }}"
    ),
    "channels out": (
        "(float[1, 16, 8, 8] x) => (float[A, B, C, D] y) {"
        f"c = {CONV}(x, w12) p = Mul(c, c) q = Add(p, c) y = {CONV}(q, v12) }}"
    ),
    "20 channels between": (
        "(float[1, 16, 8, 8] x) => (float[A, B, C, D] y) {"
        f"c = {CONV}(x, to20) p = Mul(c, c) q = Add(p, c) y = {CONV}(q, w20) }}"
    ),
    "18 channels between": (
        "(float[1, 16, 8, 8] x) => (float[A, B, C, D] y) {"
        f"c = {CONV}(x, to18) p = Mul(c, c) q = Add(p, c) y = {CONV}(q, w18) }}"
    ),
    "depthwise": (
        "(float[1, 16, 8, 8] x) => (float[A, B, C, D] y) {"
        "c = Conv<group = 16>(x, deep) p = Mul(c, c) q = Add(p, c)"
        "y = Conv<group = 16>(q, deep) }"
    ),
    "groups": (
        "(float[1, 32, 8, 8] x) => (float[A, B, C, D] y) {"
        "c = Conv<group = 2>(x, halves) p = Mul(c, c) q = Add(p, c)"
        "y = Conv<group = 2>(q, halves) }"
    ),
    "narrow groups": (
        "(float[1, 16, 8, 8] x) => (float[A, B, C, D] y) {"
        "c = Conv<group = 2>(x, quarters) p = Mul(c, c) q = Add(p, c)"
        f"y = {CONV}(q, v) }}"
    ),
    "weights from outside": (
        "(float[1, 16, 8, 8] x, float[16, 16, 3, 3] w) => (float[A, B, C, D] y) {"
        f"c = {CONV}(x, w) p = Mul(c, c) q = Add(p, c) y = {CONV}(q, v) }}"
    ),
    "bias from outside": (
        "(float[1, 16, 8, 8] x, float[16] b) => (float[A, B, C, D] y) {"
        f"c = {CONV}(x, v, b) p = Mul(c, c) q = Add(p, c) y = {CONV}(q, v) }}"
    ),
    "pools alone": (
        "(float[1, 16, 8, 8] x) => (float[A, B, C, D] y) {"
        "c = MaxPool<kernel_shape = [2, 2]>(x) p = Mul(c, c) q = Add(p, c)"
        "y = MaxPool<kernel_shape = [2, 2]>(q) }"
    ),
    "pools of few channels": (
        "(float[1, 12, 8, 8] x) => (float[A, B, C, D] y) {"
        "c = MaxPool<kernel_shape = [2, 2]>(x) p = Mul(c, c) q = Add(p, c)"
        "y = MaxPool<kernel_shape = [2, 2]>(q) }"
    ),
    "strides of two": (
        "(float[N, 16, H, W] x) => (float[A, B, C, D] y) {"
        "i = Conv<pads = [1, 1, 1, 1]>(x, v)"
        "c = Conv<pads = [1, 1, 1, 1], strides = [2, 2]>(i, w)"
        "d = Conv<pads = [1, 1, 1, 1], strides = [2, 2]>(i, v) p = Mul(c, d)"
        f"q = Mul(p, c) y = {CONV}(q, v) }}"
    ),
    "other windows": (
        "(float[N, 16, H, W] x) => (float[A, B, C, D] y) {"
        "i = Conv<pads = [1, 1, 1, 1]>(x, v) c = Conv(i, w) d = Conv(i, v)"
        f"p = Mul(c, d) q = Mul(p, c) y = {CONV}(q, v) }}"
    ),
    "chain at the end": (
        "(float[1, 16, 8, 8] x) => (float[A, B, C, D] y) {"
        f"c = {CONV}(x, v) r = Relu(c) p = Mul(r, r) y = Add(p, r) }}"
    ),
    "chain with an output inside": (
        "(float[1, 16, 8, 8] x) => (float[A, B, C, D] y, float[1, 16, 8, 8] p) {"
        f"c = {CONV}(x, v) r = Relu(c) p = Mul(r, r) q = Add(p, r) y = {CONV}(q, v) }}"
    ),
}


def constants() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(1)
    dims = {
        "w": (16, 16, 3, 3), "v": (16, 16, 3, 3), "v2": (16, 32, 3, 3),
        "w1": (16, 16, 1, 1), "w3": (16, 3, 3, 3), "w17": (16, 17, 3, 3),
        "w20": (16, 20, 3, 3), "w12": (12, 16, 3, 3), "v12": (16, 12, 3, 3),
        "to20": (20, 16, 3, 3), "to18": (18, 16, 3, 3), "w18": (16, 18, 3, 3),
        "deep": (16, 1, 1, 1), "halves": (32, 16, 1, 1), "quarters": (16, 8, 1, 1),
        "row": (16, 1, 1), "twice": (1, 16, 8, 8),
    }  # fmt: skip
    return {
        **{name: rng.normal(0, 1, shape).astype(FLOAT) for name, shape in dims.items()},
        **{f"k{number}": FLOAT(number) for number in (0, 3, 6)},
        "k1x2": np.array([2], FLOAT),
        "n": np.ones(16, FLOAT),
        "up2": np.array([1, 1, 2, 2], FLOAT),
    }


def model(text: str, opset: int) -> bytes:
    return host.named(text, constants(), opset=opset)


def texts() -> Iterator[tuple[str, str]]:
    """Names of rules, and models."""
    for name, body in BODIES.items():
        for shape, head in SHAPES.items():
            yield (
                f"{name}, {shape} shape",
                f"{head} => (float[A, B, C, D] y)"
                f"{{ c = {CONV}(x, w) {body} y = {CONV}(e, v) }}",
            )
    yield from MODELS.items()


def reorders(given: bytes, claim: str | None) -> tuple[int, list[dict]]:
    """Of the graph that ONNX Runtime writes; and the provider's decisions."""
    _, graph, decisions = host.optimized(given, claim)
    return sum(node.op_type in REORDERS for node in graph.node), decisions


class Layouts(unittest.TestCase):
    def check(self, name: str, text: str, opset: int) -> None:
        given = model(text, opset)
        before, _ = reorders(given, None)
        after, lines = reorders(given, "all")
        chains = {tuple(line["chain"]): line for line in lines if "chain" in line}
        with self.subTest(name, opset=opset, before=before, after=after, chains=chains):
            self.assertEqual(len(chains), 1)
            (chain,) = chains.values()
            taken = {line["node"] for line in lines if "node" in line and line["taken"]}
            if taken == set(chain["chain"]):  # no pool, which adds reorders of its own
                self.assertEqual(chain["added_reorders"], after - before)

    def test_profitable_adds_what_it_says(self) -> None:
        for name, text in texts():
            given = model(text, 17)
            before, _ = reorders(given, None)
            after, lines = reorders(given, "profitable")
            said = sum(line["added_reorders"] for line in host.taken_chains(lines))
            with self.subTest(name, before=before, after=after):
                self.assertEqual(after, before + said)

    def test_rules(self) -> None:
        for name, text in texts():
            for opset in (17, 22):
                self.check(name, text, opset)


if __name__ == "__main__":
    host.main()

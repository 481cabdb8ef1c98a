# SPDX-License-Identifier: Apache-2.0
"""Reductions and composed operators: alone, with all outputs, with axes that are known
only in the run, and in chains."""

from __future__ import annotations

import unittest

import host
import numpy as np
import onnx
import onnxruntime as ort
from chains_test import KINDS, given, run, session_and_chains
from onnx import helper

GRAPHS = 100
DIMS = (3, 5, 14)
VECTORS = ("scale", "shift")
UNARY = ("Neg", "Abs", "Tanh", "Sigmoid", "Softmax", "LogSoftmax")
BINARY = ("Add", "Sub", "Mul", "Max")
REDUCTIONS = ("ReduceMean", "ReduceMax", "ReduceSumSquare", "ReduceL1")


def parsed(text: str, opset: int = 18, **stored: np.ndarray) -> onnx.ModelProto:
    model = host.parsed(text, opset=opset)
    tensors = [onnx.numpy_helper.from_array(v, k) for k, v in stored.items()]
    model.graph.initializer.extend(tensors)
    return model


def normalized(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    mean = x.mean(axis=-1, keepdims=True)
    inverse = 1 / np.sqrt(x.var(axis=-1, keepdims=True) + 1e-5)
    return (x - mean) * inverse, mean, inverse


class Alone(unittest.TestCase):
    def test_axes_that_differ_from_run_to_run(self) -> None:
        """The shapes do not, so that a kept call would be the wrong one."""
        text = "(float[2, 3, 4] x, int64[K] axes) => (float[A, B, C] y) {"
        models = [text + "y = ReduceSum(x, axes) }"]
        models += [text + "a = Mul(x, x) r = ReduceSum(a, axes) y = Neg(r) }"]
        x = given(1, 2, 3, 4)
        for made, claim in zip(models, (lambda v: v, lambda v: -v * v)):
            session = host.session(host.parsed(made))
            for axes in ([0], [2], [1], [0, 1], [-1, 0], [0], []):
                number = np.array(axes, np.int64)
                (y,) = session.run(None, {"x": x, "axes": number})
                wanted = claim(x).sum(axis=tuple(axes) or None, keepdims=True)
                with self.subTest(made, axes=axes):
                    np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-4)

    def test_all_outputs_and_some(self) -> None:
        x = given(1, 5, 8)
        names = ("y", "mean", "inverse")
        for wanted in (names, ("y", "", "inverse"), ("y", "mean"), ("y",)):
            there = [name for name in wanted if name]
            model = host.model(
                [helper.make_node("LayerNormalization", ["x", "scale"], list(wanted))],
                [helper.make_tensor_value_info("x", 1, ["N", "M"])],
                [helper.make_tensor_value_info(n, 1, ["A", "B"]) for n in there],
                constants={"scale": np.ones(8, np.float32)},
            )
            session = host.session(model)
            right = dict(zip(names, normalized(x)))
            for _ in range(2):  # a call that is made, and the call that is kept
                for name, out in zip(there, session.run(None, {"x": x}), strict=True):
                    with self.subTest(name, of=wanted):
                        np.testing.assert_allclose(out, right[name], rtol=1e-4, atol=1e-5)

    def test_attributes_that_lanewise_refuses(self) -> None:
        """ONNX Runtime takes these, so the nodes are left."""
        x = given(1, 2, 3, 4)
        for call in (
            "LayerNormalization<stash_type = 11>(x, scale)",
            "ReduceSum<keepdims = 5>(x)",
            "ReduceSum(x, twice)",
        ):
            text = f"(float[2, 3, 4] x) => (float[A, B, C] y) {{ y = {call} }}"
            stored = {"scale": np.ones(4, np.float32), "twice": np.int64([1, -2])}
            model = parsed(text, **stored)
            session = host.session(model, strict=False)
            (y,), (wanted,) = (
                of.run(None, {"x": x}) for of in (session, host.cpu_session(model))
            )
            with self.subTest(call):
                self.assertEqual(host.ours(session), [])
                self.assertEqual(y.tobytes(), wanted.tobytes())

    def test_half_needs_no_casts(self) -> None:
        model = host.parsed("(float16[N, M] x) => (float16[N, M] y) { y = Softmax(x) }")
        for claim, casts in {None: 2, "missing": 0, "profitable": 0}.items():
            graph = host.optimized(model.SerializeToString(), claim).graph
            found = sum(node.op_type == "Cast" for node in graph.node)
            self.assertEqual(found, casts, claim)


class InChains(unittest.TestCase):
    def test_the_sum_before_a_layer_normalization(self) -> None:
        """A chain in place of SkipLayerNormalization."""
        text = """(float[B, S, 768] x, float[B, S, 768] z) => (float[B, S, 768] y)
          { a = Add(x, z)  n = LayerNormalization(a, scale, shift)  y = Identity(n) }"""
        vectors = {name: given(1, 768) for name in VECTORS}
        model = parsed(text, **vectors)
        session, chains = session_and_chains(model, claim="profitable", accuracy="fast")
        self.assertEqual(chains, [["Add", "LayerNormalization"]])
        x, z = given(1, 2, 9, 768), given(1, 2, 9, 768)[:, ::-1].copy()
        (y,) = session.run(None, {"x": x, "z": z})
        wanted = normalized(x + z)[0] * vectors["scale"] + vectors["shift"]
        np.testing.assert_allclose(y, wanted, rtol=1e-4, atol=1e-4)

    def test_threads(self) -> None:
        """Slices on the session's own threads."""
        text = """(float[N, 1000] x) => (float[N, 1000] y)
          { a = Mul(x, x)  m = ReduceMax(a, axes)  d = Sub(a, m)  y = Softmax(d) }"""
        model = parsed(text, axes=np.int64([-1]))
        x = given(1, 700, 1000)
        results = []
        for threads in (1, 2):
            session, chains = session_and_chains(model)
            self.assertEqual([len(chain) for chain in chains], [4])
            session = host.session(model, strict=False, threads=threads)
            results.append(session.run(None, {"x": x})[0].tobytes())
        self.assertEqual(results[0], results[1])


def random_graph(rng: np.random.Generator, kind: int) -> onnx.ModelProto:
    """Steps before, between and behind reductions and composed operators."""
    nodes, known = [], ["x", "z"]
    for i in range(int(rng.integers(3, 12))):
        a, b = (known[-4:][j] for j in rng.integers(0, min(4, len(known)), 2))
        out, what = f"v{i}", rng.integers(0, 8)
        more: dict[str, object] = {}
        if what < 2:
            op, read = str(rng.choice(UNARY)), [a]
            if op.endswith("Softmax"):
                more["axis"] = int(rng.integers(-2, 0))
        elif what < 5:
            op, read = str(rng.choice(BINARY)), [a, str(rng.choice([b, "shift"]))]
        elif what < 6:
            op, read = "LayerNormalization", ["x", *VECTORS]
        else:
            op, read = str(rng.choice(REDUCTIONS)), [a, f"axes{rng.integers(0, 4)}"]
        nodes.append(helper.make_node(op, read, [out], **more))
        known.append(out)
    read = {name for node in nodes for name in node.input}
    ends = [n for n in known[2:] if n not in read or rng.integers(0, 6) == 0]
    number = host.dtype(kind)
    stored = {n: rng.uniform(0.5, 1, DIMS[-1:]).astype(number) for n in VECTORS}
    for k, axes in enumerate(([-1], [1], [0, 2], [0, 1, 2])):
        stored[f"axes{k}"] = np.int64(axes)
    inputs = [n for n in ("x", "z") if n in read]
    return host.model(
        nodes,
        [helper.make_tensor_value_info(n, kind, ["A", "B", DIMS[-1]]) for n in inputs],
        [helper.make_tensor_value_info(n, kind, None) for n in ends],
        constants=stored,
        opset=18,
    )


class RandomGraphs(unittest.TestCase):
    def test_chains_have_the_bits_of_their_nodes(self) -> None:
        steps = rows = 0
        for kind in KINDS:
            for seed in range(GRAPHS // len(KINDS)):
                rng = np.random.default_rng(seed)
                model = random_graph(rng, kind)
                names = [value.name for value in model.graph.input]
                nodes = host.session(model, strict=False, chains="nodes")
                session, chains = session_and_chains(model)
                steps += sum(map(len, chains))
                rows += sum(op in REDUCTIONS for ops in chains for op in ops)
                for dims in (DIMS, (1, 40, DIMS[-1])):
                    inputs = {n: given(kind, *dims) for n in names}
                    self.compare(session, nodes, inputs, seed=seed, kind=kind)
        print(f"{steps} nodes in chains, {rows} of them reductions")
        self.assertGreater(steps, 3 * GRAPHS)
        self.assertGreater(rows, GRAPHS // 2)

    def compare(
        self,
        session: ort.InferenceSession,
        nodes: ort.InferenceSession,
        inputs: dict[str, np.ndarray],
        **what: int,
    ) -> None:
        pairs = zip(run(session, **inputs), run(nodes, **inputs), strict=True)
        for got, right in pairs:
            with self.subTest(**what):
                self.assertEqual(got.tobytes(), right.tobytes())


if __name__ == "__main__":
    host.main()

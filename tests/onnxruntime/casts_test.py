# SPDX-License-Identifier: Apache-2.0
"""Float16 graphs at random: the default claims never leave more Cast nodes than there
are without the provider, and give right answers."""

from __future__ import annotations

import pathlib
import tempfile
import unittest

import host
import numpy as np
import onnx
import onnx.printer
import onnxruntime as ort
from onnx import helper

GRAPHS = 100
FLOAT16 = onnx.TensorProto.FLOAT16
# Ours; the CPU provider's with casts; the CPU provider's without casts.
UNARY = ("Relu", "Exp", "LeakyRelu", "Reciprocal", "Sqrt", "Tanh", "Abs", "Transpose")
BINARY = ("Add", "Sub", "Mul", "Div", "Max", "MatMul")
SIDE = 40


def graph(rng: np.random.Generator) -> onnx.ModelProto:
    values, nodes = ["x", "y"], []
    for i in range(int(rng.integers(2, 12))):
        a, b = (values[-3:][j] for j in rng.integers(0, len(values[-3:]), 2))
        out = f"v{i}"
        kind = rng.integers(0, 8)
        if kind < 4:
            nodes.append(helper.make_node(str(rng.choice(UNARY)), [a], [out]))
        elif kind < 7:
            b = "weight" if rng.integers(0, 4) == 0 else b
            nodes.append(helper.make_node(str(rng.choice(BINARY)), [a, b], [out]))
        else:
            nodes.append(helper.make_node("Greater", [a, b], [f"c{i}"]))
            nodes.append(helper.make_node("Where", [f"c{i}", a, b], [out]))
        values.append(out)
    read = {name for node in nodes for name in node.input}
    ends = [name for name in values[2:] if name not in read]
    inputs = [n for n in ("x", "y") if n in read]
    return host.model(
        nodes,
        [helper.make_tensor_value_info(n, FLOAT16, [SIDE, SIDE]) for n in inputs],
        [helper.make_tensor_value_info(n, FLOAT16, None) for n in ends],
        constants={"weight": rng.uniform(0.5, 1, (SIDE, SIDE)).astype(np.float16)},
    )


def casts(model: onnx.ModelProto, claim: str | None) -> tuple[int, list[str]]:
    """Cast nodes in ONNX Runtime's graph, and the operators that the provider got."""
    options = host.options()
    providers = {"providers": [host.CPU]}
    if claim is not None:
        options.add_provider_for_devices(host.devices(), {"claim": claim})
        providers = {}
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "graph.onnx")
        options.optimized_model_filepath = str(file)
        session = ort.InferenceSession(
            model.SerializeToString(), options, enable_fallback=0, **providers
        )
        nodes = onnx.load(file).graph.node
    return sum(n.op_type == "Cast" for n in nodes), host.ours(session)


class Casts(unittest.TestCase):
    def test_claims_add_none(self) -> None:
        saved = dict.fromkeys(("missing", "profitable"), 0)
        for seed in range(GRAPHS):
            model = graph(np.random.default_rng(seed))
            before, _ = casts(model, None)
            for claim in saved:
                after, taken = casts(model, claim)
                text = " ".join(map(onnx.printer.to_text, model.graph.node))
                with self.subTest(seed, claim=claim, taken=taken, graph=text):
                    self.assertLessEqual(after, before)
                saved[claim] += before - after
        print(f"casts saved in {GRAPHS} graphs: {saved}")
        self.assertGreater(min(saved.values()), 0)


if __name__ == "__main__":
    host.main()

# SPDX-License-Identifier: Apache-2.0
"""bfloat16 graphs at random, after make_loadable: the same bits as the graph in float32
on the CPU provider with each result rounded to bfloat16."""

from __future__ import annotations

import unittest
from collections.abc import Sequence

import host
import numpy as np
import onnx
import onnxruntime as ort
from loadable import Files, narrow, wide
from onnx import TensorProto, helper

GRAPHS = 60
SIDE = 8
# Some have kernels for bfloat16 and some have not. The former are exact, and the latter
# are the CPU provider's kernels in both sessions.
UNARY = ("Relu", "Clip", "Sqrt", "Abs", "Transpose", "Softmax", "LogSoftmax", "Neg")
BINARY = ("Add", "Sub", "Mul", "Max", "MatMul", "Gemm", "Pow")


class Maker:
    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def model(self) -> onnx.ModelProto:
        nodes, made = self._nodes(["x", "y", "w"], "v", self.rng.integers(2, 14), 2)
        read = {name for node in nodes for name in node.input}
        ends = [name for name in made if name not in read]
        given = [helper.make_tensor_value_info("c", TensorProto.BOOL, [])]
        given += [_info(name) for name in "xy"]
        w = narrow(self.rng.uniform(-0.5, 0.5, (SIDE, SIDE)))
        return host.model(nodes, given, [*map(_info, ends)], constants={"w": w})

    def _nodes(
        self, outer: Sequence[str], prefix: str, count: int, depth: int
    ) -> tuple[list[onnx.NodeProto], list[str]]:
        """Nodes that read these values, and what they make. If in `depth` levels."""
        nodes, values = [], [*outer]
        for i in range(count):
            a, b, c = (values[-4:][j] for j in self.rng.integers(0, 3, 3))
            out, kind = f"{prefix}{i}", self.rng.integers(0, 9)
            if kind < 4:
                op = str(self.rng.choice(UNARY))
                nodes.append(helper.make_node(op, [a], [out]))
            elif kind < 7:
                op = str(self.rng.choice(BINARY))
                nodes.append(helper.make_node(op, [a, b], [out]))
            elif kind == 7 or depth == 0:
                nodes.append(helper.make_node("LessOrEqual", [a, c], [f"{out}c"]))
                nodes.append(helper.make_node("Where", [f"{out}c", b, a], [out]))
            else:
                nodes.append(self._if(values, out, depth))
            values.append(out)
        return nodes, values[len(outer) :]

    def _if(self, values: Sequence[str], out: str, depth: int) -> onnx.NodeProto:
        bodies = {}
        for branch in ("then_branch", "else_branch"):
            count = self.rng.integers(1, 4)
            nodes, made = self._nodes(values, out + branch[0], count, depth - 1)
            bodies[branch] = helper.make_graph(nodes, branch, [], [_info(made[-1])])
        return helper.make_node("If", ["c"], [out], **bodies)


def _info(name: str) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, TensorProto.BFLOAT16, [SIDE, SIDE])


def in_float32(graph: onnx.GraphProto) -> None:
    """Each result goes through bfloat16."""
    nodes = []
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.type == onnx.AttributeProto.GRAPH:
                in_float32(attribute.g)
        copy = onnx.NodeProto()
        copy.CopyFrom(node)
        nodes.append(copy)
        if node.op_type != "LessOrEqual":
            (name,) = node.output
            exact, narrowed = f"{name}_exact", f"{name}_narrow"
            copy.output[0] = exact
            to = TensorProto.BFLOAT16
            nodes.append(helper.make_node("Cast", [exact], [narrowed], to=to))
            to = TensorProto.FLOAT
            nodes.append(helper.make_node("Cast", [narrowed], [name], to=to))
    del graph.node[:]
    graph.node.extend(nodes)
    for info in [*graph.input, *graph.output]:
        if info.type.tensor_type.elem_type == TensorProto.BFLOAT16:
            info.type.tensor_type.elem_type = TensorProto.FLOAT
    for tensor in graph.initializer:
        array = wide(onnx.numpy_helper.to_array(tensor))
        tensor.CopyFrom(onnx.numpy_helper.from_array(array, tensor.name))


class Graphs(Files):
    def test_same_bits_as_float32_with_rounding(self) -> None:
        cast = 0
        for seed in range(GRAPHS):
            maker = Maker(seed)
            model = maker.model()
            onnx.save(model, self.old)
            with self.subTest(seed):
                cast += len(self.convert().nodes)
                onnx.checker.check_model(self.new, full_check=True)
                self._compare(model, maker.rng)
        print(f"{cast} nodes with casts in {GRAPHS} graphs")
        self.assertGreater(cast, GRAPHS)

    def _compare(self, model: onnx.ModelProto, rng: np.random.Generator) -> None:
        in_float32(model.graph)
        reference = ort.InferenceSession(
            model.SerializeToString(), host.options(optimized=False), [host.CPU]
        )
        read = {info.name for info in reference.get_inputs()}
        for condition in (True, False):
            x, y = (narrow(rng.normal(size=(SIDE, SIDE))) for _ in "xy")
            given = {"x": x, "y": y, "c": np.array(condition)}
            wanted = reference.run(None, {name: wide(given[name]) for name in read})
            for got, want in zip(self.run_new(**given), wanted):
                np.testing.assert_array_equal(wide(got), want)


if __name__ == "__main__":
    host.main()

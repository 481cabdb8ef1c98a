# SPDX-License-Identifier: Apache-2.0
"""Small models. As a program: writes one to the path that the argument names."""

from __future__ import annotations

import sys

import onnx
from onnx import TensorProto, helper

# The newest IR version and opset that ONNX Runtime 1.24 reads without a warning.
IR_VERSION = 10
OPSET = 21


def chain() -> onnx.ModelProto:
    """Relu(x) / Exp(y), with an operator in between that is not ours."""
    return _model(
        [
            helper.make_node("Relu", ["x"], ["positive"], name="relu"),
            helper.make_node("Exp", ["y"], ["power"], name="exp"),
            helper.make_node("Softmax", ["power"], ["root"], name="softmax"),
            helper.make_node("Div", ["positive", "root"], ["z"], name="div"),
        ],
        TensorProto.FLOAT,
        ["x", "y"],
    )


def ours(kind: int = TensorProto.BFLOAT16) -> onnx.ModelProto:
    """1 / (Relu(x) / Exp(y)). ONNX Runtime alone refuses this in bfloat16, and needs
    casts in float16, on Arm too."""
    return _model(
        [
            helper.make_node("Relu", ["x"], ["positive"], name="relu"),
            helper.make_node("Exp", ["y"], ["power"], name="exp"),
            helper.make_node("Div", ["positive", "power"], ["quotient"], name="div"),
            helper.make_node("Reciprocal", ["quotient"], ["z"], name="reciprocal"),
        ],
        kind,
        ["x", "y"],
    )


def mixed() -> onnx.ModelProto:
    """float32 in and out, bfloat16 in between: 1 / Exp(Relu(x))."""
    return _model(
        [
            helper.make_node("Cast", ["x"], ["narrow"], to=TensorProto.BFLOAT16),
            helper.make_node("Relu", ["narrow"], ["positive"], name="relu"),
            helper.make_node("Exp", ["positive"], ["power"], name="exp"),
            helper.make_node("Reciprocal", ["power"], ["small"], name="reciprocal"),
            helper.make_node("Cast", ["small"], ["z"], to=TensorProto.FLOAT),
        ],
        TensorProto.FLOAT,
        ["x"],
    )


def foreign() -> onnx.ModelProto:
    """A model without any of our operators."""
    return _model(
        [helper.make_node("Softmax", ["x"], ["z"], name="softmax")],
        TensorProto.FLOAT,
        ["x"],
    )


def _model(
    nodes: list[onnx.NodeProto], kind: int, inputs: list[str]
) -> onnx.ModelProto:
    def info(name: str) -> onnx.ValueInfoProto:
        return helper.make_tensor_value_info(name, kind, ["rows", 8])

    graph = helper.make_graph(nodes, "test", [*map(info, inputs)], [info("z")])
    opset = helper.make_opsetid("", OPSET)
    return helper.make_model(graph, opset_imports=[opset], ir_version=IR_VERSION)


if __name__ == "__main__":
    onnx.save(mixed(), sys.argv[1])

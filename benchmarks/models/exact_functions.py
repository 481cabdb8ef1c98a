# SPDX-License-Identifier: Apache-2.0
"""The float32 model whose answers are the right ones: functions that ONNX Runtime's CPU
provider computes worst (runtime/onnxruntime/README.md) are computed in float64."""
from __future__ import annotations

import onnx
from onnx import TensorProto, helper

# Their results near 0 are off by a step of 1 in float32, but by 2 ** -53 in float64.
FUNCTIONS = {'Sigmoid', 'Tanh'}


def with_exact_functions(model: onnx.ModelProto) -> onnx.ModelProto:
    made = onnx.ModelProto()
    made.CopyFrom(model)
    _widen(made.graph)
    return made


def _widen(graph: onnx.GraphProto) -> None:
    """Puts casts around the functions of a graph and of its bodies."""
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField('g'):
                _widen(attribute.g)
        nodes += _wide(node) if node.op_type in FUNCTIONS else [node]
    del graph.node[:]
    graph.node.extend(nodes)


def _wide(node: onnx.NodeProto) -> list[onnx.NodeProto]:
    (x,), (y,) = node.input, node.output
    wide_x, wide_y = f'{y}_wide_x', f'{y}_wide_y'
    return [helper.make_node('Cast', [x], [wide_x], to=TensorProto.DOUBLE),
            helper.make_node(node.op_type, [wide_x], [wide_y]),
            helper.make_node('Cast', [wide_y], [y], to=TensorProto.FLOAT)]

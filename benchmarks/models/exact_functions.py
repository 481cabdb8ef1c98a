# SPDX-License-Identifier: Apache-2.0
"""The float32 model whose answers are the right ones: functions that ONNX Runtime's CPU
provider computes worst (runtime/onnxruntime/README.md) are computed in float64, and so
are means over images: adding one element after the other errs by tens of steps."""
from __future__ import annotations

import onnx
from onnx import TensorProto, helper

# Their results near 0 are off by a step of 1 in float32, but by 2 ** -53 in float64.
FUNCTIONS = {'Sigmoid', 'Tanh'}
POOL = 'GlobalAveragePool'  # of two dims; there is none of float64


def with_exact_functions(model: onnx.ModelProto) -> onnx.ModelProto:
    made = onnx.ModelProto()
    made.CopyFrom(model)
    (opset,) = [o.version for o in model.opset_import if o.domain in ('', 'ai.onnx')]
    _widen(made.graph, opset)
    return made


def _widen(graph: onnx.GraphProto, opset: int) -> None:
    """Puts casts around the functions of a graph and of its bodies."""
    nodes: list[onnx.NodeProto] = []
    for node in graph.node:
        for attribute in node.attribute:
            if attribute.HasField('g'):
                _widen(attribute.g, opset)
        wide = node.op_type in {*FUNCTIONS, POOL}
        nodes += _wide(node, opset) if wide else [node]
    del graph.node[:]
    graph.node.extend(nodes)


def _wide(node: onnx.NodeProto, opset: int) -> list[onnx.NodeProto]:
    (x,), (y,) = node.input, node.output
    wide_x, wide_y = f'{y}_wide_x', f'{y}_wide_y'
    inner = [helper.make_node(node.op_type, [wide_x], [wide_y])]
    if node.op_type == POOL and opset < 18:
        inner = [helper.make_node('ReduceMean', [wide_x], [wide_y], axes=[2, 3])]
    elif node.op_type == POOL:
        axes = f'{y}_axes'
        inner = [helper.make_node('Constant', [], [axes], value_ints=[2, 3]),
                 helper.make_node('ReduceMean', [wide_x, axes], [wide_y])]
    return [helper.make_node('Cast', [x], [wide_x], to=TensorProto.DOUBLE), *inner,
            helper.make_node('Cast', [wide_y], [y], to=TensorProto.FLOAT)]

# SPDX-License-Identifier: Apache-2.0
"""A quantized model as a float32 model: weights are dequantized once, and values are
not quantized. The model's outputs must not be outputs of the dropped nodes."""
from __future__ import annotations

import numpy as np
import onnx
from onnx import numpy_helper


def unquantized(model: onnx.ModelProto) -> onnx.ModelProto:
    made = onnx.ModelProto()
    made.CopyFrom(model)
    graph = made.graph
    weights = {tensor.name: tensor for tensor in graph.initializer}
    names: dict[str, str] = {}  # of what stands for the outputs of dropped nodes
    nodes = []
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        if node.op_type == 'DequantizeLinear' and node.input[0] in weights:
            graph.initializer.append(_dequantized(node, weights))
        elif node.op_type in {'QuantizeLinear', 'DequantizeLinear'}:
            names[node.output[0]] = node.input[0]
        else:
            nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)
    read = {name for node in nodes for name in node.input}
    kept = [tensor for tensor in graph.initializer if tensor.name in read]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    return made


def _dequantized(node: onnx.NodeProto,
                 weights: dict[str, onnx.TensorProto]) -> onnx.TensorProto:
    quantized, scale, *zero = (numpy_helper.to_array(weights[name])
                               for name in node.input)
    axis = next((a.i for a in node.attribute if a.name == 'axis'), 1)
    steps = quantized.astype(scale.dtype)
    for zero_point in zero:
        steps -= _along(axis, zero_point.astype(scale.dtype), steps.ndim)
    return numpy_helper.from_array(steps * _along(axis, scale, steps.ndim),
                                   node.output[0])


def _along(axis: int, values: np.ndarray, rank: int) -> np.ndarray:
    """One value for each place of the axis, or one for all."""
    if values.size == 1:
        return values.reshape(())
    dims = [1] * rank
    dims[axis] = values.size
    return values.reshape(dims)

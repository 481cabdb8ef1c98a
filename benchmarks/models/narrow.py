# SPDX-License-Identifier: Apache-2.0
"""A float32 model as a float16 or bfloat16 model: weights, constants and casts
change their type; the inputs and outputs of the model keep theirs."""
from __future__ import annotations

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# Inputs from this one on have a type of their own.
OWN_TYPES = {'Resize': 1}


def narrowed(model: onnx.ModelProto, code: int) -> onnx.ModelProto:
    """`code` is the ONNX number of the narrow type."""
    made = onnx.ModelProto()
    made.CopyFrom(model)
    graph = made.graph
    before = _edge_casts(graph.input, code)
    after = _edge_casts(graph.output, TensorProto.FLOAT)
    # Nodes and bodies read and write the narrow values by new names.
    names = {cast.input[0]: cast.output[0] for cast in before}
    names |= {cast.output[0]: cast.input[0] for cast in after}
    _scale_by_deviations(graph)
    _narrow(graph, code, names)
    nodes = [*before, *graph.node, *after]
    del graph.node[:]
    graph.node.extend(nodes)
    return made


def _scale_by_deviations(graph: onnx.GraphProto) -> None:
    """BatchNormalization with variances of 1: those of trained models may exceed the
    largest float16."""
    constants = {node.output[0]: node.attribute[0].t for node in graph.node
                 if node.op_type == 'Constant' and node.attribute[0].HasField('t')}
    constants |= {tensor.name: tensor for tensor in graph.initializer}
    for node in graph.node:
        if node.op_type != 'BatchNormalization':
            continue
        scale, variance = constants[node.input[1]], constants[node.input[4]]
        epsilon = next((a.f for a in node.attribute if a.name == 'epsilon'), 1e-5)
        deviation = np.sqrt((numpy_helper.to_array(variance) + epsilon)
                            / (1 + epsilon))
        for tensor, value in ((scale, numpy_helper.to_array(scale) / deviation),
                              (variance, np.ones_like(deviation))):
            tensor.CopyFrom(numpy_helper.from_array(value.astype('float32'),
                                                    tensor.name))


def _edge_casts(values, to: int) -> list[onnx.NodeProto]:
    """Casts between the float32 values at the model's edge and narrow values."""
    casts = []
    for value in values:
        if value.type.tensor_type.elem_type != TensorProto.FLOAT:
            continue
        ends = [value.name, f'{value.name}_narrow']
        if to == TensorProto.FLOAT:
            ends.reverse()
        casts.append(helper.make_node('Cast', ends[:1], ends[1:],
                                      f'edge_{value.name}', to=to))
    return casts


def _narrow(graph: onnx.GraphProto, code: int, names: dict[str, str]) -> None:
    kept = {name for node in graph.node if node.op_type in OWN_TYPES
            for name in node.input[OWN_TYPES[node.op_type]:]}
    del graph.value_info[:]
    for tensor in graph.initializer:
        if tensor.name not in kept:
            _narrow_tensor(tensor, code)
    for node in graph.node:
        node.input[:] = [names.get(name, name) for name in node.input]
        node.output[:] = [names.get(name, name) for name in node.output]
        if not kept.intersection(node.output):
            _narrow_attributes(node, code, names)


def _narrow_attributes(node: onnx.NodeProto, code: int,
                       names: dict[str, str]) -> None:
    for attribute in node.attribute:
        if attribute.name == 'to' and attribute.i == TensorProto.FLOAT:
            attribute.i = code
        elif attribute.HasField('t'):
            _narrow_tensor(attribute.t, code)
        elif attribute.HasField('g'):
            _narrow(attribute.g, code, names)
            for value in attribute.g.output:
                if value.type.tensor_type.elem_type == TensorProto.FLOAT:
                    value.type.tensor_type.elem_type = code


def _narrow_tensor(tensor: onnx.TensorProto, code: int) -> None:
    if tensor.data_type != TensorProto.FLOAT:
        return
    dtype = helper.tensor_dtype_to_np_dtype(code)
    value = numpy_helper.to_array(tensor)
    if code == TensorProto.FLOAT16:  # bounds of Clip may be the largest float32
        limit = np.finfo(np.float16).max
        value = np.where(np.isinf(value), value, value.clip(-limit, limit))
    tensor.CopyFrom(numpy_helper.from_array(value.astype(dtype), tensor.name))

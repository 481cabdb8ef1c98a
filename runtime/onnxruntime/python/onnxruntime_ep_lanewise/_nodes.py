# SPDX-License-Identifier: Apache-2.0
"""Finds a model's nodes without a kernel and puts casts around them. Imports onnx."""

from __future__ import annotations

import math
from collections import ChainMap
from collections.abc import Iterator, Mapping
from typing import Optional, TypeVar

import onnx
import onnx.shape_inference
from onnx import TensorProto

from ._cast_node import CastNode
from ._casts import BFLOAT16, Casts, Names, bodies
from ._kinds import Kernels, Value
from ._session import Option

# Larger constants are no part of a node's kind.
SMALL = 64

UNKNOWN = Value()

Message = TypeVar("Message", onnx.NodeProto, onnx.TensorProto)


def cast_nodes(
    model: onnx.ModelProto, options: Optional[Mapping[str, Option]]
) -> tuple[onnx.ModelProto, list[CastNode], int]:
    """The model with casts, the nodes between them, and the number of casts. Without
    options, the model is for ONNX Runtime without the provider."""
    if model.functions:
        # What types a function's values have depends on the node that calls it.
        import onnx.inliner  # the oldest onnx that knows bfloat16 does not have this

        model = onnx.inliner.inline_local_functions(model)
    work = _Work(model, options)
    work.graph(model.graph, _inferred(model).graph, ChainMap(), "main")
    return model, work.nodes, work.casts


class _Work:
    def __init__(
        self, model: onnx.ModelProto, options: Optional[Mapping[str, Option]]
    ) -> None:
        self.nodes: list[CastNode] = []
        self.casts = 0
        self._kernels = Kernels(model, options)
        self._names = Names(model)

    def graph(
        self,
        graph: onnx.GraphProto,
        inferred: onnx.GraphProto,
        outer: ChainMap[str, Value],
        place: str,
    ) -> None:
        """Changes `graph`; `inferred` is the same graph with more types."""
        values = outer.new_child(_values(graph, inferred))
        casts = Casts(self._names)
        done: list[onnx.NodeProto] = []
        for node, other in zip(graph.node, inferred.node):
            label = node.name or next(filter(None, node.output), "")
            inner = zip(bodies(node), bodies(other))
            for (name, body), (_, inferred_body) in inner:
                self.graph(body, inferred_body, values, f"{label}.{name}")
            if not self._needs_casts(node, values):
                done.append(node)
                continue
            types = {n: values[n].type for n in [*node.input, *node.output] if n}
            made = casts.around(node, types)
            done += made
            self.casts += len(made) - 1
            self.nodes.append(CastNode(place, label, node.op_type, node.domain))
        if len(done) != len(graph.node):
            done = [_copy(node) for node in done]
            del graph.node[:]
            graph.node.extend(done)

    def _needs_casts(self, node: onnx.NodeProto, values: ChainMap[str, Value]) -> bool:
        """Adds to the values what ONNX Runtime knows of the node's outputs."""
        inputs = [values.get(name, UNKNOWN) for name in node.input]
        outputs = [values.get(name, UNKNOWN) for name in node.output]
        for name, value in zip([*node.input, *node.output], [*inputs, *outputs]):
            values.setdefault(name, value)
        if node.op_type == "Constant" and not node.domain or any(bodies(node)):
            return False
        if any(name and value.type is None for name, value in zip(node.input, inputs)):
            return False
        types = {value.type for value in [*inputs, *outputs]}
        named = {v.type for name, v in zip(node.output, outputs) if name}
        if BFLOAT16 not in types and None not in named:
            return False
        answer = self._kernels.ask(node, inputs, outputs)
        for name, value in zip(node.output, answer.outputs):
            if name:
                values[name] = value
        return answer.needs_casts


def _inferred(model: onnx.ModelProto) -> onnx.ModelProto:
    try:
        return onnx.shape_inference.infer_shapes(model)
    except onnx.shape_inference.InferenceError:
        return model


def _values(graph: onnx.GraphProto, inferred: onnx.GraphProto) -> dict[str, Value]:
    values = {}
    for info in [*inferred.value_info, *inferred.input, *inferred.output]:
        tensor = info.type.tensor_type
        if info.type.HasField("tensor_type") and tensor.elem_type:
            values[info.name] = Value(tensor.elem_type, _dims(tensor))
    for tensor in graph.initializer:
        values.setdefault(tensor.name, Value(tensor.data_type, tuple(tensor.dims)))
    for tensor in graph.sparse_initializer:
        values[tensor.values.name] = Value(tensor.values.data_type, tuple(tensor.dims))
    changeable = {info.name for info in graph.input}
    for name, tensor in _constants(graph):
        external = tensor.data_location == TensorProto.EXTERNAL
        if name not in changeable and not external and math.prod(tensor.dims) <= SMALL:
            copy = _copy(tensor)
            copy.name = ""
            values[name] = Value(
                tensor.data_type,
                tuple(tensor.dims),
                copy.SerializeToString(deterministic=True),
            )
    return values


def _constants(graph: onnx.GraphProto) -> Iterator[tuple[str, onnx.TensorProto]]:
    for tensor in graph.initializer:
        yield tensor.name, tensor
    for node in graph.node:
        if node.op_type == "Constant" and not node.domain:
            for attribute in node.attribute:
                if attribute.name == "value":
                    yield node.output[0], attribute.t


def _dims(tensor: onnx.TypeProto.Tensor) -> Optional[tuple[Optional[int], ...]]:
    if not tensor.HasField("shape"):
        return None
    return tuple(
        dim.dim_value if dim.HasField("dim_value") else None for dim in tensor.shape.dim
    )


def _copy(message: Message) -> Message:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy

# SPDX-License-Identifier: Apache-2.0
"""Casts around one node, so that the node computes in float32. Imports onnx."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping

import numpy as np
import onnx
from onnx import AttributeProto, TensorProto, helper

BFLOAT16, FLOAT = TensorProto.BFLOAT16, TensorProto.FLOAT

# Attributes that hold the number of a type.
TYPE_ATTRIBUTES = {"dtype", "to", "output_dtype", "stash_type"}


class Names:
    """Names that no value and no node of the model has."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self._used = {name for graph in graphs(model.graph) for name in _names(graph)}

    def new(self, wanted: str) -> str:
        numbered = (f"{wanted}_{n}" for n in itertools.count(2))
        name = next(n for n in itertools.chain([wanted], numbered) if self.add(n))
        return name

    def add(self, name: str) -> bool:
        """False if the name is taken."""
        free = name not in self._used
        self._used.add(name)
        return free


class Casts:
    """The casts of one graph. Each value of the graph is cast to float32 once."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._wide: dict[str, str] = {}

    def around(
        self, node: onnx.NodeProto, types: Mapping[str, int | None]
    ) -> list[onnx.NodeProto]:
        """The node in float32, with the casts that are needed before and after.
        Values of other types stay as they are."""
        before, after = [], []
        wide = onnx.NodeProto()
        wide.CopyFrom(node)
        for i, name in enumerate(node.input):
            if types.get(name) != BFLOAT16:
                continue
            if name not in self._wide:
                self._wide[name] = self._names.new(f"{name}_float32")
                before.append(self._cast(name, self._wide[name], FLOAT))
            wide.input[i] = self._wide[name]
        for i, name in enumerate(node.output):
            # An output's float32 values are not those of the bfloat16 output, so
            # later nodes cast the latter again.
            if name and types.get(name) == BFLOAT16:
                wide.output[i] = self._names.new(f"{name}_unrounded")
                after.append(self._cast(wide.output[i], name, BFLOAT16))
        for attribute in wide.attribute:
            _widen(attribute)
        return [*before, wide, *after]

    def _cast(self, source: str, target: str, to: int) -> onnx.NodeProto:
        name = self._names.new(f"{target}_cast")
        return helper.make_node("Cast", [source], [target], name=name, to=to)


def graphs(graph: onnx.GraphProto) -> Iterator[onnx.GraphProto]:
    """The graph and all graphs inside."""
    yield graph
    for node in graph.node:
        for _, inner in bodies(node):
            yield from graphs(inner)


def bodies(node: onnx.NodeProto) -> Iterator[tuple[str, onnx.GraphProto]]:
    """The graphs of If, Loop and Scan, with the names of their attributes."""
    for attribute in node.attribute:
        if attribute.type == AttributeProto.GRAPH:
            yield attribute.name, attribute.g
        for graph in attribute.graphs:
            yield attribute.name, graph


def _names(graph: onnx.GraphProto) -> Iterator[str]:
    for value in [*graph.input, *graph.output, *graph.value_info, *graph.initializer]:
        yield value.name
    for tensor in graph.sparse_initializer:
        yield tensor.values.name
    for node in graph.node:
        yield from [node.name, *node.input, *node.output]


def _widen(attribute: onnx.AttributeProto) -> None:
    if attribute.type == AttributeProto.TENSOR and attribute.t.data_type == BFLOAT16:
        attribute.t.CopyFrom(_float32(attribute.t))
    elif attribute.name in TYPE_ATTRIBUTES and attribute.i == BFLOAT16:
        attribute.i = FLOAT


def _float32(tensor: onnx.TensorProto) -> onnx.TensorProto:
    """A bfloat16 number is the upper half of a float32 number."""
    half = (
        np.frombuffer(tensor.raw_data, "<u2")
        if tensor.HasField("raw_data")
        else np.array(tensor.int32_data, "<u2")
    )
    raw = (half.astype("<u4") << 16).tobytes()
    return helper.make_tensor(tensor.name, FLOAT, tensor.dims, raw, raw=True)

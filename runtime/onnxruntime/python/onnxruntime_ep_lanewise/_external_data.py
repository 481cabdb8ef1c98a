# SPDX-License-Identifier: Apache-2.0
"""The files beside a model that hold its weights. Imports onnx."""

from __future__ import annotations

import filecmp
import pathlib
import shutil
from collections.abc import Iterator

import onnx
from onnx import TensorProto

from ._casts import graphs


def copy_external(
    model: onnx.ModelProto, source: pathlib.Path, target: pathlib.Path
) -> None:
    """Copies the files from the model's folder to the new model's folder."""
    if source.resolve() == target.resolve():
        return
    for name in _files(model):
        old, new = source / name, target / name
        if source.resolve() not in old.resolve().parents:
            raise OSError(f"{old} is outside the model's folder")
        if not new.exists():
            new.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(old, new)
        elif not filecmp.cmp(old, new, shallow=False):
            raise FileExistsError(f"{new} exists and is not a copy of {old}")


def _files(model: onnx.ModelProto) -> set[str]:
    return {
        entry.value
        for graph in graphs(model.graph)
        for tensor in _tensors(graph)
        if tensor.data_location == TensorProto.EXTERNAL
        for entry in tensor.external_data
        if entry.key == "location"
    }


def _tensors(graph: onnx.GraphProto) -> Iterator[onnx.TensorProto]:
    yield from graph.initializer
    for sparse in graph.sparse_initializer:
        yield from (sparse.values, sparse.indices)
    for node in graph.node:
        for attribute in node.attribute:
            yield from (attribute.t, *attribute.tensors)

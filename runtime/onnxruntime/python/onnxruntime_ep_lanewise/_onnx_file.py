# SPDX-License-Identifier: Apache-2.0
"""Reads which operators an ONNX file contains. Nothing else of the format is read,
so that the package does not depend on onnx."""

from __future__ import annotations

import collections
import mmap
import os
from collections.abc import Iterator

# Numbers of the fields that lead to a node, in ONNX's protobuf messages.
MODEL_GRAPH = 7
GRAPH_NODE = 1
NODE_OP_TYPE = 4
NODE_ATTRIBUTE = 5
ATTRIBUTE_GRAPHS = (6, 11)

VARINT, FIXED64, BYTES, FIXED32 = 0, 1, 2, 5


def count_operators(path: str | os.PathLike[str]) -> collections.Counter[str]:
    """How often each operator occurs, nested graphs included."""
    counts: collections.Counter[str] = collections.Counter()
    with open(path, "rb") as file:
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            for number, start, end in _fields(data, 0, len(data)):
                if number == MODEL_GRAPH:
                    _count_graph(data, start, end, counts)
    return counts


def _count_graph(
    data: mmap.mmap, start: int, end: int, counts: collections.Counter[str]
) -> None:
    for number, *node in _fields(data, start, end):
        if number != GRAPH_NODE:
            continue
        for number, *field in _fields(data, *node):
            if number == NODE_OP_TYPE:
                counts[data[slice(*field)].decode()] += 1
            elif number == NODE_ATTRIBUTE:
                for number, *graph in _fields(data, *field):
                    if number in ATTRIBUTE_GRAPHS:
                        _count_graph(data, *graph, counts)


def _fields(data: mmap.mmap, start: int, end: int) -> Iterator[tuple[int, int, int]]:
    """The fields of bytes in a message: number, start and end."""
    while start < end:
        key, start = _varint(data, start)
        number, kind = key >> 3, key & 7
        if kind == VARINT:
            _, start = _varint(data, start)
        elif kind == FIXED64:
            start += 8
        elif kind == FIXED32:
            start += 4
        elif kind == BYTES:
            size, start = _varint(data, start)
            yield number, start, start + size
            start += size
        else:
            raise ValueError("not an ONNX file")


def _varint(data: mmap.mmap, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
        shift += 7

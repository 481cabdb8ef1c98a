# SPDX-License-Identifier: Apache-2.0
"""What a fused function computes, as text."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _types


def _shape(
    node: Any, shapes: dict[int, tuple[int, ...]], data: tuple
) -> tuple[int, ...]:
    if id(node) not in shapes:
        if node.kind == "input":
            shapes[id(node)] = np.shape(data[node.data])
        elif node.kind == "constant":
            shapes[id(node)] = node.data.shape
        elif node.kind == "output":
            shapes[id(node)] = ()
        elif node.data[0].endswith(("Normalization", "max")):
            shapes[id(node)] = _shape(node.operands[0], shapes, data)
        elif node.data[0].startswith("Global"):
            x = _shape(node.operands[0], shapes, data)
            shapes[id(node)] = x[:2] + (1,) * (len(x) - 2)
        elif node.data[0] == "Reshape":
            x = _shape(node.operands[0], shapes, data)
            wanted = tuple(node.operands[1].data)
            shapes[id(node)] = np.empty(x, np.bool_).reshape(wanted).shape
        elif node.data[0].startswith(("Reduce", "Arg")):
            attributes = {key: value for key, _, value in node.data[1]}
            axis = attributes.get("axis", None)
            axes = node.operands[1].data.tolist() if axis is None else [axis]
            x = _shape(node.operands[0], shapes, data)
            reduced = [axis % max(len(x), 1) for axis in axes]
            shapes[id(node)] = tuple(
                1 if k in reduced else n
                for k, n in enumerate(x)
                if attributes["keepdims"] or k not in reduced
            )
        else:
            shapes[id(node)] = np.broadcast_shapes(
                *(_shape(o, shapes, data) for o in node.operands if o is not None)
            )
    return shapes[id(node)]


def _text(node: Any, names: dict[int, str]) -> str:
    if node.kind != "constant":
        return names[id(node)]
    if node.data.size != 1:
        return f"array{list(node.data.shape)}"
    return f"{node.data.item():g}" if node.data.dtype.kind in "fiu" else str(node.data)


def _count(number: int, noun: str) -> str:
    plural = noun + ("es" if noun.endswith("s") else "s")
    return f"{number:,} {noun if number == 1 else plural}"


def describe(graph: Any, results: list[Any], data: tuple, engine: Any) -> str:
    nodes = graph.needed(results)
    shapes: dict[int, tuple[int, ...]] = {}

    def bytes_of(node: Any) -> int:
        size = _types.dtype_of(node.code).itemsize
        return size * int(np.prod(_shape(node, shapes, data)))

    inputs = [n for n in nodes if n.kind == "input"]
    steps = [n for n in nodes if n.kind == "step"]
    names: dict[int, str] = {}
    lines = []
    for node in inputs + steps:
        names[id(node)] = name = f"%{len(names)}"
        dtype = _types.dtype_of(node.code)
        if node.kind == "input":
            lines.append(f"  {name} = argument {node.data}: {dtype}, rank {node.ndim}")
            continue
        operator, attributes = node.data
        operands = ["-" if o is None else _text(o, names) for o in node.operands]
        operands += [f"{key}={value!r}" for key, _, value in attributes]
        lines.append(f"  {name} = {operator}({', '.join(operands)}): {dtype}")
    passes = len({_shape(node, shapes, data) for node in results})
    moved = sum(map(bytes_of, inputs)) + sum(map(bytes_of, results))
    numpys = sum(
        bytes_of(o) for n in steps for o in (n, *n.operands) if o.kind != "constant"
    )
    head = f"{_count(len(steps), 'step')}, {_count(passes, 'pass')}, " + _count(
        len(results), "result"
    )
    tail = f"{moved:,} bytes moved; NumPy: {numpys:,} in {_count(len(steps), 'pass')}"
    machine = (
        f"engine: {engine.accuracy}, {_count(engine.threads, 'thread')}, {engine.isa}"
    )
    return "\n".join([head, *lines, tail, machine])

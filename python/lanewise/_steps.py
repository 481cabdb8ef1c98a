# SPDX-License-Identifier: Apache-2.0
"""Operators as steps of a trace, on values and numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _types
from ._registry import OPERATORS
from ._trace import Graph, TraceError, Value

BOOL = np.dtype(bool)
FLOAT64 = np.dtype("f8")


class Literal:
    """A number in the traced function's text. It bends to the arrays beside it."""

    def __init__(self, graph: Graph, value: int | float) -> None:
        self.graph, self.value, self.weak = graph, value, type(value)

    def to(self, dtype: np.dtype) -> Value:
        return Value(self.graph, self.graph.constant(self.value, dtype))


def graph_of(operands: Any) -> Graph:
    return next(x.graph for x in operands if isinstance(x, Value))


def operand(graph: Graph, x: Any) -> Value | Literal:
    """What a traced function hands to an operator."""
    if isinstance(x, Value):
        return x
    if type(x) in (int, float):
        return Literal(graph, x)
    if isinstance(x, (bool, np.generic, np.ndarray, list, tuple)):
        array = np.asarray(x)
        if _types.code_of(array.dtype):
            return Value(graph, graph.constant(array, array.dtype))
    raise TraceError(f"{x!r} is no array and no number that lanewise computes with")


def result_code(name: str, codes: list[int], attributes: dict[str, Any]) -> int:
    """The type of an operator's result."""
    operator = OPERATORS[name]
    output = operator.outputs[0]
    for i, code in enumerate(codes):
        if (
            operator.inputs[min(i, len(operator.inputs) - 1)].parameter
            == output.parameter
        ):
            return code
    for key, value in attributes.items():
        if operator.attributes[key].tells_type and value:
            return int(value)
    # QuantizeLinear's default is the only choice among several.
    return min(output.types)


def step(name: str, *values: Value, **attributes: Any) -> Value:
    """An operator as the next step. Types that the operator lacks are computed in a
    wider type and rounded once."""
    if name not in OPERATORS:
        raise TraceError(f"this build of lanewise has no operator {name}")
    operator, graph = OPERATORS[name], values[0].graph
    lacks = {
        value.node.code
        for i, value in enumerate(values)
        if not operator.takes(value.node.code, i)
    }
    if lacks:
        wide = {code: _wider(name, code) for code in lacks}
        # Operands of one type stay such.
        widened = [
            v.to(_types.dtype_of(wide.get(v.node.code, v.node.code))) for v in values
        ]
        result = step(name, *widened, **attributes)
        back = {wide[code]: code for code in lacks}.get(result.node.code)
        return result if back is None else result.to(_types.dtype_of(back))
    code = result_code(name, [v.node.code for v in values], attributes)
    ndim = max(v.ndim for v in values)
    nodes = tuple(v.node for v in values)
    return Value(graph, graph.step(name, nodes, code, ndim, **attributes))


def all_outputs(first: Value) -> tuple[Value, ...]:
    """A step's result, and the numbers that are its operator's other outputs."""
    graph, outputs = first.graph, OPERATORS[first.node.data[0]].outputs
    others = (
        graph.output(first.node, i, min(output.types))
        for i, output in enumerate(outputs[1:], 1)
    )
    return first, *(Value(graph, node) for node in others)


def _wider(name: str, code: int) -> int:
    operator = OPERATORS[name]
    wider: tuple[int, ...] = (_types.INT32, _types.INT64)
    if code in _types.FLOATS:
        wider = (_types.FLOAT32,)
    elif code == _types.BOOL:
        wider = (_types.UINT8, _types.INT32)
    elif _types.dtype_of(code).itemsize >= 4:
        wider = (_types.INT64,)
    for candidate in wider:
        if candidate != code and operator.takes(candidate, len(operator.inputs) - 1):
            return candidate
    raise TraceError(f"{name} has no elements of the type {_types.dtype_of(code)}")


def constant(like: Value, number: float) -> Value:
    return Literal(like.graph, number).to(like.dtype)


def where(condition: Value, x: Value, y: Value) -> Value:
    return step("Where", condition.to(BOOL), x, y)


def always(x: Value, answer: bool) -> Value:
    """A bool for each element of x, without a look at the elements."""
    same = step("Equal", x.to(BOOL), x.to(BOOL))
    return same if answer else step("Not", same)

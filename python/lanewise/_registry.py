# SPDX-License-Identifier: Apache-2.0
"""The operators of this build, as the library's support table lists them."""

from __future__ import annotations

import re
from typing import NamedTuple

from . import _core


class Operand(NamedTuple):
    name: str
    types: frozenset[int]
    parameter: str  # operands with the same one have one type in each call
    optional: bool
    variadic: bool


class Attribute(NamedTuple):
    name: str
    kind: int
    required: bool
    tells_type: bool


class Operator(NamedTuple):
    """The newest version of an operator."""

    name: str
    version: int
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    attributes: dict[str, Attribute]

    def takes(self, code: int, position: int = 0) -> bool:
        return code in self.inputs[min(position, len(self.inputs) - 1)].types


def _operand(row: tuple) -> Operand:
    name, types, parameter, optional, variadic = row
    return Operand(name, frozenset(types), parameter, bool(optional), bool(variadic))


def _read() -> tuple[dict[str, Operator], int]:
    operators, opset = {}, 1
    for name, since, last, inputs, outputs, attributes in _core.signatures():
        opset = max(opset, last)
        operators[name] = Operator(
            name,
            since,
            tuple(map(_operand, inputs)),
            tuple(map(_operand, outputs)),
            {a[0]: Attribute(a[0], a[1], bool(a[2]), bool(a[3])) for a in attributes},
        )
    return operators, opset


OPERATORS, OPSET = _read()


def snake_case(name: str) -> str:
    """ONNX's name as Python spells it: HardSwish is hard_swish."""
    fixed = {"PRelu": "prelu", "SwiGLU": "swiglu", "IsNaN": "isnan", "IsInf": "isinf",
             "RMSNormalization": "rms_normalization"}  # fmt: skip
    return fixed.get(name) or re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()

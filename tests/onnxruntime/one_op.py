# SPDX-License-Identifier: Apache-2.0
"""Models of one node, made from the library's support table."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import onnx
from onnx import helper

import host
import oracle
import samples
from composed import COMPOSED
from lanewise_ctypes import ABSENT, BITS, Attribute, Operand, Signature, Tensor
from reductions import REDUCTIONS

FLOAT, INT, STRING, INTS = 1, 2, 3, 7  # kinds of attributes
# Attributes of no influence on shapes. Others have tests of their own.
VALUES = {"alpha": 0.3, "min": -1.5, "max": 2.0}
# Each value of a required attribute that is tried.
REQUIRED = {"direction": [b"LEFT", b"RIGHT"]}
TARGETS = {1: b"FLOAT", 6: b"INT32", 9: b"BOOL", 10: b"FLOAT16"}
# An integer 0 in the second input is an error, unlike in Pow.
DIVIDING = ("Div", "Mod")
# What a version that documents defaults does without its attributes.
FLOAT_MAX = float(np.finfo(np.float32).max)
DEFAULTS = {
    ("Clip", 6): {
        "min": Attribute(FLOAT, [-FLOAT_MAX]),
        "max": Attribute(FLOAT, [FLOAT_MAX]),
    },
    ("Selu", 1): {
        "alpha": Attribute(FLOAT, [1.6732]),
        "gamma": Attribute(FLOAT, [1.0507]),
    },
}


# ONNX Runtime fuses these with their neighbours, and the provider offers none.
LEFT_TO_HOST = ("DequantizeLinear", "DynamicQuantizeLinear", "QuantizeLinear")
# The data of reductions and composed operators.
DIMS = (2, 3, 4, 5)
ALONG_ROWS = ("LayerNormalization", "RMSNormalization")


def rows() -> list[Signature]:
    """The part of the support table that the provider offers."""
    table = host.library().signatures()
    return [row for row in table if row.name not in LEFT_TO_HOST]


@dataclass(frozen=True)
class OneOp:
    """A node with its inputs. Inputs that are left out are ABSENT."""

    row: Signature
    opset: int
    type: int
    attributes: Mapping[str, Attribute]
    inputs: tuple[Tensor, ...]

    def __str__(self) -> str:
        type_name = host.library().type_name(self.type)
        given = "".join("-" if t is ABSENT else "x" for t in self.inputs)
        names = ",".join(self.attributes)
        return (
            f"{self.row.name}-{self.row.since_version} {type_name} "
            f"opset {self.opset} inputs {given} attributes {names or 'none'}"
        )

    def names(self) -> list[str]:
        if self.row.inputs[0].variadic:
            return [f"x{i}" for i in range(len(self.inputs))]
        pairs = zip(self.row.inputs, self.inputs)
        return ["" if t is ABSENT else operand.name for operand, t in pairs]

    def given(self) -> dict[str, Tensor]:
        return {n: t for n, t in zip(self.names(), self.inputs) if n}

    def model(self) -> onnx.ModelProto:
        output = self.row.outputs[0]
        follows = output.type_parameter in ("T", "V")
        result = self.type if follows else output.types[0]
        if self.row.name == "CastLike":
            result = self.inputs[1].type
        if "to" in self.attributes:
            (to,) = self.attributes["to"].values
            names = {name: code for code, name in TARGETS.items()}
            result = names.get(to, to)
        values = {
            name: a.values if a.kind == INTS else a.values[0]
            for name, a in self.attributes.items()
        }
        return host.model(
            [helper.make_node(self.row.name, self.names(), ["out"], "node", **values)],
            [
                helper.make_tensor_value_info(name, t.type, t.dims)
                for name, t in self.given().items()
            ],
            [helper.make_tensor_value_info("out", result, None)],
            opset=self.opset,
        )

    def fault(self, out: Tensor) -> str | None:
        """What is wrong with the output, by the library's rules."""
        defaults = DEFAULTS.get((self.row.name, self.row.since_version), {})
        attributes = {**defaults, **self.attributes}
        row, inputs = self.row, list(self.inputs)
        return oracle.check_outputs(
            row.name, row.since_version, attributes, inputs, [out]
        )


def opsets(row: Signature) -> list[int]:
    """The first and the last opset of a version that ONNX Runtime loads."""
    last = min(row.last_opset, host.newest_opset())
    return sorted({row.since_version, last}) if last >= row.since_version else []


def type_operand(row: Signature) -> Operand:
    """The operand whose type tells versions and types apart: not a condition or a
    shape."""
    return max(row.inputs, key=lambda operand: len(operand.types) > 1)


def type_of(row: Signature, operand: Operand, code: int) -> int:
    """The type of an input beside a type operand of type `code`."""
    follows = operand.type_parameter == type_operand(row).type_parameter
    listed = len(operand.types) > 1 and code in operand.types  # Pow's exponent
    return code if follows or listed else operand.types[0]


def _attributes(row: Signature) -> Iterator[dict[str, Attribute]]:
    """No attributes, and all that have a value here."""
    values = {n: [VALUES[n]] for n in row.attributes if n in VALUES}
    if "consumed_inputs" in row.attributes:
        values["consumed_inputs"] = [0] * len(row.inputs)
    full = {name: Attribute(row.attributes[name], v) for name, v in values.items()}
    required = list(required_attributes(row))
    for needed in required or [{}]:
        yield needed
    if full:
        yield full


def required_attributes(row: Signature) -> Iterator[dict[str, Attribute]]:
    """Each value that is tried, one at a time; nothing if no attribute is required."""
    for name, kind in row.attributes.items():
        for value in REQUIRED.get(name, []):
            yield {name: Attribute(kind, [value])}
        for code, text in TARGETS.items() if name == "to" else ():
            yield {name: Attribute(kind, [text if kind == STRING else code])}


def _reshape(row: Signature, opset: int, code: int) -> Iterator[OneOp]:
    rng = np.random.default_rng(code)
    data = samples.opaque(code, 3 * 5 * 7, rng)
    data = Tensor(code, (3, 5, 7), data.raw)
    target = np.array([7, -1, 3], np.int64)
    if "shape" in row.attributes:
        attributes = {"shape": Attribute(INTS, [int(v) for v in target])}
        yield OneOp(row, opset, code, attributes, (data,))
        return
    inputs = data, host.tensor(target)
    yield OneOp(row, opset, code, {}, inputs)
    if "allowzero" in row.attributes:
        yield OneOp(row, opset, code, {"allowzero": Attribute(INT, [1])}, inputs)


def _packed(row: Signature, opset: int, code: int, count: int) -> Iterator[OneOp]:
    rng = np.random.default_rng(code)
    inputs = tuple(samples.opaque(code, 387, rng) for _ in range(count))
    for attributes in _attributes(row):
        yield OneOp(row, opset, code, attributes, inputs)


def _elementwise(row: Signature, opset: int, code: int) -> Iterator[OneOp]:
    rng = np.random.default_rng(code)
    operands = row.inputs * 3 if row.inputs[0].variadic else row.inputs
    required = [o for o in operands if not o.optional and type_of(row, o, code) == code]
    if BITS[code] < 8:  # elements share bytes
        yield from _packed(row, opset, code, len(required))
        return
    arrays = samples.operands(code, len(required), rng, divisor=row.name in DIVIDING)
    if row.name == "Pow" and code in samples.INTEGERS:  # 0 to a negative power fails
        arrays[0][arrays[0] == 0] = 5
    columns = iter(arrays)
    inputs: list[list[Tensor]] = []
    for operand in operands:
        if operand.name == "slope":  # before version 7, one element
            inputs.append([host.tensor(next(columns)[7:8])])
        elif operand.optional:  # a bound: one element
            bound = np.array(3 if operand.name == "min" else 100, host.dtype(code))
            inputs.append([host.tensor(bound), ABSENT])
        elif (other := type_of(row, operand, code)) == code:
            inputs.append([host.tensor(next(columns))])
        else:
            inputs.append([host.tensor(samples.random(other, len(arrays[0]), rng))])
    for attributes in _attributes(row):
        for chosen in itertools.product(*inputs):
            while chosen[-1] is ABSENT:
                chosen = chosen[:-1]
            yield OneOp(row, opset, code, attributes, chosen)


def _positive(code: int, dims: tuple[int, ...], rng: np.random.Generator) -> Tensor:
    """Numbers of which there is a logarithm and a variance."""
    if code == samples.BOOL:
        return host.tensor(rng.integers(0, 2, dims).astype(bool))
    integers = code in samples.INTEGERS
    made = rng.integers(1, 5, dims) if integers else rng.uniform(0.5, 2, dims)
    return host.tensor(made.astype(host.dtype(code)))


def _reduction(row: Signature, opset: int, code: int) -> Iterator[OneOp]:
    x = _positive(code, DIMS, np.random.default_rng(code))
    if row.name.startswith("Arg"):
        chosen = [{}, {"axis": [1], "keepdims": [0]}]
    else:
        chosen = [{}, {"axes": [1, -1]}, {"axes": [0], "keepdims": [0]}]
    for values in chosen:
        inputs = [x]
        if "axes" in values and "axes" not in row.attributes:
            inputs.append(host.tensor(np.int64(values.pop("axes"))))
        kinds = row.attributes
        attributes = {name: Attribute(kinds[name], v) for name, v in values.items()}
        yield OneOp(row, opset, code, attributes, tuple(inputs))


def _composed(row: Signature, opset: int, code: int) -> Iterator[OneOp]:
    rng = np.random.default_rng(code)
    values = {"num_groups": [3], "is_test": [1]}
    if row.name == "BatchNormalization":
        values["consumed_inputs"] = [0] * len(row.inputs)
    kinds = row.attributes
    attributes = {n: Attribute(kinds[n], v) for n, v in values.items() if n in kinds}
    vector = DIMS[-1:] if row.name in ALONG_ROWS else DIMS[1:2]
    dims = [DIMS, *[vector] * (len(row.inputs) - 1)]
    inputs = tuple(_positive(code, d, rng) for d in dims)
    yield OneOp(row, opset, code, attributes, inputs)
    if "axis" in kinds and row.name != "LpNormalization":
        axis = {"axis": Attribute(INT, [2])}
        if row.name in ALONG_ROWS:
            inputs = (inputs[0], *(_positive(code, DIMS[2:], rng) for _ in inputs[1:]))
        yield OneOp(row, opset, code, axis, inputs)


def cases(row: Signature, code: int) -> Iterator[OneOp]:
    make = _reshape if row.name == "Reshape" else _elementwise
    if row.name in REDUCTIONS:
        make = _reduction
    elif row.name in COMPOSED:
        make = _composed
    for opset in opsets(row):
        yield from make(row, opset, code)

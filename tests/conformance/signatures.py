# SPDX-License-Identifier: Apache-2.0
"""Holds the support table to the documents of the installed onnx package:
versions, inputs, types, attributes.

    prepare signatures.py LIBRARY
"""

from __future__ import annotations

import collections
import dataclasses
import sys

import onnx
import onnx.defs

from lanewise_ctypes import Library, Operand, Signature

# The types of conversions that the library does not have: strings, floats of 6 bits.
LACKING = {8, 27, 28}
LACKS = {
    (op, t): LACKING
    for op in ("Cast", "CastLike", "DequantizeLinear", "QuantizeLinear")
    for t in ("T1", "T2", "T3")
}

# The first outputs; the others are those of training.
INFERENCE_OUTPUTS = {"BatchNormalization": 1}

Schema = onnx.defs.OpSchema
CODES = {
    f"tensor({name.lower()})": code for name, code in onnx.TensorProto.DataType.items()
}


def types_of(schema: Schema, parameter: Schema.FormalParameter) -> set[int]:
    """The codes of the types that an input or output may have."""
    lacks = LACKS.get((schema.name, parameter.type_str), set())
    return {CODES[name] for name in parameter.types} - lacks


def operand_faults(schema: Schema, title: str, ours, theirs) -> list[str]:
    """What differs among the inputs or outputs of a version."""
    if len(ours) != len(theirs):
        return [f"{len(ours)} {title}, not {len(theirs)}"]
    faults = []
    for own, parameter in zip(ours, theirs):
        optional = parameter.option == Schema.FormalParameterOption.Optional
        variadic = parameter.option == Schema.FormalParameterOption.Variadic
        wanted = Operand(
            parameter.name,
            own.type_parameter,
            tuple(sorted(types_of(schema, parameter))),
            optional,
            variadic,
        )
        given = dataclasses.replace(own, types=tuple(sorted(own.types)))
        if given != wanted:
            faults.append(f"{given}, not {wanted}")
    return faults


def faults_of(ours: Signature, schema: Schema) -> list[str]:
    """What differs between a row of the support table and its document."""
    wanted = {name: int(a.type) for name, a in schema.attributes.items()}
    faults = operand_faults(schema, "inputs", ours.inputs, schema.inputs)
    outputs = schema.outputs[: INFERENCE_OUTPUTS.get(schema.name)]
    faults += operand_faults(schema, "outputs", ours.outputs, outputs)
    if dict(ours.attributes) != wanted:
        faults.append(f"attributes {dict(ours.attributes)}, not {wanted}")
    return faults


def main(path: str) -> int:
    rows = collections.defaultdict(dict)
    for row in Library(path).signatures():
        rows[row.name][row.since_version] = row
    schemas = collections.defaultdict(dict)
    for schema in onnx.defs.get_all_schemas_with_history():
        if schema.domain == "":
            schemas[schema.name][schema.since_version] = schema
    newest = onnx.defs.onnx_opset_version()
    failed = 0
    for name, versions in sorted(rows.items()):
        ours = {v for v in versions if v <= newest}
        faults = []
        if ours != set(schemas[name]):
            faults.append(f"versions {sorted(ours)}, not {sorted(schemas[name])}")
        for version in sorted(ours & set(schemas[name])):
            own = faults_of(versions[version], schemas[name][version])
            faults += [f"{version}: {fault}" for fault in own]
        for fault in faults:
            print(f"FAILED {name}-{fault}")
        failed += bool(faults)
    print(f"{len(rows)} operators, {failed} failed, onnx {onnx.__version__}")
    return 1 if failed or not rows else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))

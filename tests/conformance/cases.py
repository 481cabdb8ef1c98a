# SPDX-License-Identifier: Apache-2.0
"""ONNX's own test cases for our operators, from the onnx package and a folder."""

from __future__ import annotations

import dataclasses
import importlib
import pathlib
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test import loader
from onnx.backend.test.case import node as node_cases

from lanewise_ctypes import Attribute, Tensor

OPERATORS = (
    "Abs", "Acos", "Acosh", "Add", "And", "ArgMax", "ArgMin", "Asin", "Asinh", "Atan",
    "Atanh", "BatchNormalization", "BitShift", "BitwiseAnd", "BitwiseNot", "BitwiseOr",
    "BitwiseXor", "Cast", "CastLike", "Ceil", "Celu", "Clip", "Cos", "Cosh",
    "DequantizeLinear", "Div", "DynamicQuantizeLinear", "Elu", "Equal", "Erf", "Exp",
    "Floor", "Gelu", "GlobalAveragePool", "GlobalMaxPool", "Greater",
    "GreaterOrEqual", "GroupNormalization", "HardSigmoid", "HardSwish", "Hardmax",
    "InstanceNormalization", "IsInf", "IsNaN", "LayerNormalization", "LeakyRelu", "Less",
    "LessOrEqual", "Log", "LogSoftmax", "LpNormalization", "Max", "Mean",
    "MeanVarianceNormalization", "Min", "Mish", "Mod", "Mul", "Neg", "Not", "Or", "PRelu",
    "Pow", "QuantizeLinear", "RMSNormalization", "Reciprocal", "ReduceL1", "ReduceL2",
    "ReduceLogSum", "ReduceLogSumExp", "ReduceMax", "ReduceMean", "ReduceMin",
    "ReduceProd", "ReduceSum", "ReduceSumSquare", "Relu", "Reshape", "Round", "Selu",
    "Shrink", "Sigmoid", "Sign", "Sin", "Sinh", "Softmax", "Softplus", "Softsign", "Sqrt",
    "Sub", "Sum", "SwiGLU", "Swish", "Tan", "Tanh", "ThresholdedRelu", "Where", "Xor",
)  # fmt: skip

# lanewise_ctypes cannot pass strings.
STRING = onnx.TensorProto.STRING
CONVERSIONS = ("Cast", "CastLike", "DequantizeLinear", "QuantizeLinear")
# The types that these take and give. Cases of others are left out.
CAST_TYPES = {*range(1, 8), *range(9, 14), *range(16, 27)}
# Cases that hold what ml_dtypes gives where the documents say something else, or
# nothing: NaN as a float4 is -0, where ONNX's page on the type says 6, and what is beyond
# the integers of 4 and 2 bits wraps.
OTHER = {
    f"test_{operator}_{source}_to_{target}{ending}"
    for operator in ("cast", "castlike")
    for ending in ("", "_expanded")
    for source in ("FLOAT", "FLOAT16")
    for target in ("FLOAT4E2M1", "INT4", "UINT4", "INT2", "UINT2")
}

# ONNX expands Relu-18 into these nodes. A backend with Relu runs Relu instead.
RELU_BODY = ["Constant", "CastLike", "Max"]

# A node.pb of v1.1.0 without a model names no opset. Its opset is the newest one
# below 6. Its Reshape has the target as an attribute, which version 5 no longer has.
OPSET_OF_BARE_NODE = 5
OPSET_OF_BARE_RESHAPE = 4


@dataclass(frozen=True)
class Node:
    """One of our operators in a graph."""

    op: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: Mapping[str, Attribute]


@dataclass(frozen=True)
class Case:
    """A graph with the data for one or more runs."""

    name: str
    opset: int
    nodes: list[Node]
    inputs: list[str]
    outputs: list[str]
    constants: dict[str, Tensor] = field(default_factory=dict)
    data: list[tuple[list[Tensor], list[Tensor]]] = field(default_factory=list)
    model: onnx.ModelProto | None = None  # as the file has the model


def from_folder(folder: pathlib.Path) -> Iterator[Case]:
    """<onnx tag>/{node,simple,...}/<test>/{model.onnx,node.pb}"""
    for test in sorted(folder.glob("*/*/*/")):
        name = str(test.relative_to(folder))
        if (test / "model.onnx").exists():
            yield _from_model(name, onnx.load(test / "model.onnx"), _data_of(test))
        elif (test / "node.pb").exists():
            node = onnx.NodeProto()
            node.ParseFromString((test / "node.pb").read_bytes())
            bare_reshape = any(a.name == "shape" for a in node.attribute)
            opset = OPSET_OF_BARE_RESHAPE if bare_reshape else OPSET_OF_BARE_NODE
            graph = onnx.GraphProto(node=[node])
            ends = list(node.input), list(node.output)
            yield _from_graph(name, opset, graph, *ends, [_data_set(test)])


def from_package() -> Iterator[Case]:
    """The node tests that the onnx package generates, and the models in the package."""
    modules = [module.name for module in pkgutil.iter_modules(node_cases.__path__)]
    by_operator = {name.replace("_", ""): name for name in modules}
    for operator in OPERATORS:  # importing all operators would be slow
        name = by_operator[operator.lower()]
        importlib.import_module(f"{node_cases.__name__}.{name}")
    made = sorted(node_cases._NodeTestCases, key=lambda case: case.name)
    for case in made:
        if _is_ours(case.model.graph) and case.name not in OTHER:
            data = [
                ([_tensor(x) for x in inputs], [_tensor(x) for x in outputs])
                for inputs, outputs in case.data_sets
            ]
            yield _from_model(f"onnx/{case.kind}/{case.name}", case.model, data)
    for kind in ("simple", "pytorch-operator", "pytorch-converted"):
        for test in sorted(pathlib.Path(loader.DATA_DIR, kind).glob("*/")):
            if not (test / "model.onnx").exists():
                continue
            model = onnx.load(test / "model.onnx")
            if _is_ours(model.graph):
                yield _from_model(f"onnx/{kind}/{test.name}", model, _data_of(test))


def _is_ours(graph: onnx.GraphProto) -> bool:
    if any(value.type.tensor_type.elem_type == STRING for value in graph.input):
        return False
    for node in graph.node:
        # BatchNormalization that trains has other outputs.
        if any(a.name == "training_mode" and a.i != 0 for a in node.attribute):
            return False
        ends = [v.type.tensor_type.elem_type for v in (*graph.input, *graph.output)]
        if node.op_type in CONVERSIONS and not set(ends) <= CAST_TYPES:
            return False
    types = [node.op_type for node in graph.node]
    if "CastLike" in types and len(types) > 1 and types != RELU_BODY:
        return False  # a function's body, which rounds after each step
    ours = set(types) & set(OPERATORS)
    return types == RELU_BODY or (bool(ours) and set(types) <= {*OPERATORS, "Constant"})


def _from_model(
    name: str, model: onnx.ModelProto, data: list[tuple[list[Tensor], list[Tensor]]]
) -> Case:
    graph = model.graph
    opset = next(o.version for o in model.opset_import if o.domain in ("", "ai.onnx"))
    stored = {tensor.name for tensor in graph.initializer}
    inputs = [value.name for value in graph.input if value.name not in stored]
    outputs = [value.name for value in graph.output]
    case = _from_graph(name, opset, graph, inputs, outputs, data)
    return dataclasses.replace(case, model=model)


def _from_graph(
    name: str,
    opset: int,
    graph: onnx.GraphProto,
    inputs: list[str],
    outputs: list[str],
    data: list[tuple[list[Tensor], list[Tensor]]],
) -> Case:
    case = Case(name, opset, [], inputs, outputs, {}, data)
    for tensor in graph.initializer:
        case.constants[tensor.name] = _tensor(tensor)
    if [node.op_type for node in graph.node] == RELU_BODY:
        case.nodes.append(Node("Relu", tuple(inputs), (outputs[0],), {}))
        return case
    for node in graph.node:
        if node.op_type == "Constant":
            case.constants[node.output[0]] = _constant(node)
        elif node.op_type in OPERATORS:
            case.nodes.append(
                Node(
                    node.op_type,
                    tuple(node.input),
                    tuple(node.output),
                    _attributes(node),
                )
            )
        else:
            raise ValueError(f"{name}: {node.op_type} is not one of {OPERATORS}")
    return case


def _attributes(node: onnx.NodeProto) -> dict[str, Attribute]:
    values = {a.name: onnx.helper.get_attribute_value(a) for a in node.attribute}
    return {
        a.name: Attribute(
            a.type,
            [v] if isinstance(v := values[a.name], (int, float, bytes)) else list(v),
        )
        for a in node.attribute
    }


def _constant(node: onnx.NodeProto) -> Tensor:
    (attribute,) = node.attribute
    value = onnx.helper.get_attribute_value(attribute)
    if attribute.name == "value":
        return _tensor(value)
    kind = "int64" if attribute.name in ("value_int", "value_ints") else "float32"
    return _tensor(np.array(value, dtype=kind))


def _data_of(test: pathlib.Path) -> list[tuple[list[Tensor], list[Tensor]]]:
    return [_data_set(folder) for folder in sorted(test.glob("test_data_set_*"))]


def _data_set(folder: pathlib.Path) -> tuple[list[Tensor], list[Tensor]]:
    def read(role: str) -> list[Tensor]:
        count = len(list(folder.glob(f"{role}_*.pb")))
        return [_read(folder / f"{role}_{i}.pb") for i in range(count)]

    return read("input"), read("output")


def _read(path: pathlib.Path) -> Tensor:
    proto = onnx.TensorProto()
    proto.ParseFromString(path.read_bytes())
    return _tensor(proto)


def _tensor(value: Any) -> Tensor:
    """A Tensor of a TensorProto or an array. All kinds of stored values become raw
    bytes."""
    if isinstance(value, onnx.TensorProto):
        if value.HasField("raw_data"):
            return Tensor(value.data_type, tuple(value.dims), value.raw_data)
        value = numpy_helper.to_array(value)
    proto = numpy_helper.from_array(value)
    return Tensor(proto.data_type, tuple(proto.dims), proto.raw_data)

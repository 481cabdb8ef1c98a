# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime as the tests' host: the provider, sessions, values, and which
provider got which node.

Each test program runs as `prepare ENVIRONMENT TEST.py PROVIDER LANEWISE`: with the
library of the provider, and a shared build of lanewise for its support table.
"""

from __future__ import annotations

import ctypes
import functools
import json
import math
import pathlib
import sys
import tempfile
import unittest
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import onnx
import onnx.parser
import onnxruntime as ort

from lanewise_ctypes import BITS, Library, Tensor

PROVIDER = "LanewiseExecutionProvider"
CPU = "CPUExecutionProvider"
REGISTRATION = "lanewise"

# ONNX Runtime at the floor loads models of this version of the format.
IR_VERSION = 10
# Sessions that a test expects to fail would write their failure to stderr.
SILENT = 4


class Paths:
    provider = ""
    lanewise = ""


@functools.cache
def library() -> Library:
    return Library(Paths.lanewise)


def register() -> None:
    ort.register_execution_provider_library(REGISTRATION, Paths.provider)


def unregister() -> None:
    ort.unregister_execution_provider_library(REGISTRATION)


def version() -> tuple[int, int]:
    major, minor = ort.__version__.split(".")[:2]
    return int(major), int(minor)


def devices() -> list[ort.OrtEpDevice]:
    return [d for d in ort.get_ep_devices() if d.ep_name == PROVIDER]


def options(*, threads: int = 1, optimized: bool = True) -> ort.SessionOptions:
    made = ort.SessionOptions()
    made.intra_op_num_threads = threads
    made.log_severity_level = SILENT
    made.add_session_config_entry("session.record_ep_graph_assignment_info", "1")
    if not optimized:
        level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        made.graph_optimization_level = level
    return made


def session(
    model: onnx.ModelProto,
    *,
    strict: bool = True,
    threads: int = 1,
    optimized: bool = True,
    **provider_options: str,
) -> ort.InferenceSession:
    """A session with the provider, which takes all that it can unless an option
    says otherwise. A strict session fails if the CPU provider gets a node."""
    made = options(threads=threads, optimized=optimized)
    if strict:
        made.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
    chosen = {"claim": "all", "accuracy": "tight", **provider_options}
    made.add_provider_for_devices(devices(), chosen)
    # Without enable_fallback=0 a failure means a session without the provider.
    return ort.InferenceSession(model.SerializeToString(), made, enable_fallback=0)


def cpu_session(model: onnx.ModelProto, *, threads: int = 1) -> ort.InferenceSession:
    return ort.InferenceSession(
        model.SerializeToString(),
        options(threads=threads),
        providers=[CPU],
        enable_fallback=0,
    )


class Optimized(NamedTuple):
    """A session, the graph that ONNX Runtime made of the model, and the lines of
    `explain`: none without the provider."""

    session: ort.InferenceSession
    graph: onnx.GraphProto
    decisions: list[dict[str, Any]]


def optimized(
    model: bytes | str,
    claim: str | None = None,
    *,
    threads: int = 1,
    accuracy: str = "fast",
) -> Optimized:
    """Without the provider if `claim` is None."""
    made = options(threads=threads)
    providers = {"providers": [CPU]}
    with tempfile.TemporaryDirectory() as folder:
        graph, explained = (pathlib.Path(folder, n) for n in ("graph", "explained"))
        made.optimized_model_filepath = str(graph)
        if claim is not None:
            # ONNX Runtime writes no graph that has fused nodes.
            chosen = {"claim": claim, "chains": "nodes", "explain": str(explained)}
            chosen["accuracy"] = accuracy
            made.add_provider_for_devices(devices(), chosen)
            providers = {}
        of = ort.InferenceSession(model, made, enable_fallback=0, **providers)
        lines = explained.read_text().splitlines() if claim is not None else []
        return Optimized(of, onnx.load(graph).graph, [json.loads(x) for x in lines])


def taken_chains(decisions: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [line for line in decisions if "chain" in line and line["taken"]]


def placement(of: ort.InferenceSession) -> list[tuple[str, str]]:
    """Operator and provider of each node, as ONNX Runtime recorded them. ONNX
    Runtime 1.24 leaves out nodes that get casts."""
    return [
        (node.op_type, part.ep_name)
        for part in of.get_provider_graph_assignment_info()
        for node in part.get_nodes()
    ]


def ours(of: ort.InferenceSession) -> list[str]:
    """The operators of the nodes that the provider got."""
    return sorted(op for op, provider in placement(of) if provider == PROVIDER)


@functools.cache
def newest_opset() -> int:
    """The newest opset whose models this ONNX Runtime loads."""
    for opset in range(onnx.defs.onnx_opset_version(), 0, -1):
        value = [onnx.helper.make_tensor_value_info(n, 1, [1]) for n in "xy"]
        node = onnx.helper.make_node("Identity", ["x"], ["y"])
        try:
            cpu_session(model([node], value[:1], value[1:], opset=opset))
        except Exception:  # noqa: BLE001 - any failure means: not this one
            continue
        return opset
    raise RuntimeError("ONNX Runtime loads no model")


def model(
    nodes: Sequence[onnx.NodeProto],
    inputs: Sequence[onnx.ValueInfoProto],
    outputs: Sequence[onnx.ValueInfoProto],
    *,
    opset: int = 21,
    constants: Mapping[str, np.ndarray] | None = None,
) -> onnx.ModelProto:
    stored = [onnx.numpy_helper.from_array(v, k) for k, v in (constants or {}).items()]
    graph = onnx.helper.make_graph(nodes, "graph", inputs, outputs, stored)
    return onnx.helper.make_model(
        graph,
        ir_version=IR_VERSION,
        opset_imports=[onnx.helper.make_opsetid("", opset)],
    )


def parsed(graph: str, *, opset: int = 21) -> onnx.ModelProto:
    """A model from onnx's text format: `(float[N] x) => (float[N] y) { ... }`."""
    head = f'<ir_version: {IR_VERSION}, opset_import: ["" : {opset}]> graph '
    return onnx.parser.parse_model(head + graph)


def named(graph: str, constants: Mapping[str, np.ndarray], *, opset: int) -> bytes:
    """The same, serialized. A node has the name of its first output. The model has
    those constants that its nodes read."""
    made = parsed(graph, opset=opset)
    read = {name for node in made.graph.node for name in node.input}
    for node in made.graph.node:
        node.name = node.output[0]
        read -= set(node.output)
    for name, value in constants.items():
        if name in read:
            made.graph.initializer.append(onnx.numpy_helper.from_array(value, name))
    return made.SerializeToString()


def to_ort(tensor: Tensor) -> ort.OrtValue:
    """A value of any type but strings, from its bytes."""
    value = ort.OrtValue.ortvalue_from_shape_and_type(list(tensor.dims), tensor.type)
    if tensor.raw:
        ctypes.memmove(value.data_ptr(), tensor.raw, len(tensor.raw))
    return value


def from_ort(value: ort.OrtValue) -> Tensor:
    dims, code = tuple(value.shape()), value.element_type()
    size = (math.prod(dims) * BITS[code] + 7) // 8
    raw = ctypes.string_at(value.data_ptr(), size) if size else b""
    return Tensor(code, dims, raw)


def run(of: ort.InferenceSession, inputs: Mapping[str, Tensor]) -> list[Tensor]:
    given = {name: to_ort(tensor) for name, tensor in inputs.items()}
    return [from_ort(value) for value in of.run_with_ort_values(None, given)]


def tensor(array: np.ndarray) -> Tensor:
    """Not for packed types."""
    code = onnx.helper.np_dtype_to_tensor_dtype(array.dtype)
    return Tensor(code, array.shape, np.ascontiguousarray(array).tobytes())


def dtype(code: int) -> np.dtype:
    return np.dtype(onnx.helper.tensor_dtype_to_np_dtype(code))


def read_paths() -> None:
    """Takes the libraries from the command line."""
    if len(sys.argv) < 3:
        sys.exit(f"usage: {sys.argv[0]} PROVIDER LANEWISE [unittest's arguments]")
    Paths.provider, Paths.lanewise = sys.argv[1:3]
    ort.set_default_logger_severity(SILENT)


def main() -> None:
    """Runs the tests of the calling program."""
    read_paths()
    register()
    print(f"ONNX Runtime {ort.__version__}, {library().description()}", flush=True)
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

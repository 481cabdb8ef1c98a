# SPDX-License-Identifier: Apache-2.0
"""Which nodes need casts: ONNX Runtime is asked with models of one node, without and
with casts. Imports onnx."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Optional, Union

import onnx
from onnx import TensorProto, helper

from ._casts import BFLOAT16, FLOAT, Casts, Names
from ._library import import_onnxruntime
from ._session import Option, append_to

if TYPE_CHECKING:
    import onnxruntime

_TYPES = {
    f"tensor({name.lower()})": number for name, number in TensorProto.DataType.items()
}


@dataclasses.dataclass(frozen=True)
class Value:
    """What is known of a value: type and dims of a tensor; a small constant's
    TensorProto."""

    type: Optional[int] = None
    dims: Optional[tuple[Optional[int], ...]] = None
    constant: Optional[bytes] = None

    @property
    def kind(self) -> tuple[object, ...]:
        rank = None if self.dims is None else len(self.dims)
        return self.type, rank, self.constant

    def of_any_size(self) -> Value:
        """Nodes of one kind have outputs of one rank, but not of one size."""
        dims = None if self.dims is None else (None,) * len(self.dims)
        return Value(self.type, dims)


@dataclasses.dataclass(frozen=True)
class Answer:
    """`outputs` has what ONNX Runtime says about outputs of unknown type."""

    needs_casts: bool
    outputs: tuple[Value, ...]


class Kernels:
    """Asks ONNX Runtime with the provider, or without, once for each kind of node."""

    def __init__(
        self, model: onnx.ModelProto, options: Optional[Mapping[str, Option]]
    ) -> None:
        self._model = model
        self._options = options
        self._answers: dict[tuple[object, ...], Answer] = {}

    def ask(
        self, node: onnx.NodeProto, inputs: Sequence[Value], outputs: Sequence[Value]
    ) -> Answer:
        """An empty name stands for an input or output that is not there."""
        texts = (a.SerializeToString(deterministic=True) for a in node.attribute)
        kind = (
            (node.domain, node.op_type, *sorted(texts)),
            tuple(name and value.kind for name, value in zip(node.input, inputs)),
            tuple(name and value.type for name, value in zip(node.output, outputs)),
        )
        if kind not in self._answers:
            self._answers[kind] = self._ask(node, inputs, outputs)
        answer = self._answers[kind]
        found = (
            known if known.type is not None else other.of_any_size()
            for known, other in zip(outputs, answer.outputs)
        )
        return Answer(answer.needs_casts, tuple(found))

    def _ask(
        self, node: onnx.NodeProto, inputs: Sequence[Value], outputs: Sequence[Value]
    ) -> Answer:
        one = _OneNode(self._model, node, inputs, outputs)
        session = try_session(one.model(), self._options)
        if not isinstance(session, Exception):
            return Answer(False, one.outputs_of(session))
        wide = try_session(one.model(casts=True), self._options)
        if isinstance(wide, Exception):
            return Answer(False, tuple(outputs))
        found = one.outputs_of(wide)
        if any(name and v.type is None for name, v in zip(node.output, found)):
            return Answer(False, tuple(outputs))  # a sequence, which Cast refuses
        return Answer(True, tuple(self._narrow(one, str(session), found)))

    def _narrow(
        self, one: _OneNode, error: str, outputs: Sequence[Value]
    ) -> Iterator[Value]:
        """The outputs without casts, from those with casts. ONNX Runtime looks at
        types before it looks for kernels: a wrong type is another error."""
        for i, (value, before) in enumerate(zip(outputs, one.outputs)):
            if before.type is None and value.type == FLOAT:
                guess = dataclasses.replace(value, type=BFLOAT16)
                model = one.with_output(i, guess).model()
                if str(try_session(model, self._options)) == error:
                    value = guess
            yield value


class _OneNode:
    """A model of one node, whose values have names of their own."""

    def __init__(
        self,
        model: onnx.ModelProto,
        node: onnx.NodeProto,
        inputs: Sequence[Value],
        outputs: Sequence[Value],
    ) -> None:
        self._model = model
        self._node = onnx.NodeProto()
        self._node.CopyFrom(node)
        self._node.name = "node"
        self._node.input[:] = [n and f"in{i}" for i, n in enumerate(node.input)]
        self._node.output[:] = [n and f"out{i}" for i, n in enumerate(node.output)]
        self._inputs = inputs
        self.outputs = outputs

    def with_output(self, i: int, value: Value) -> _OneNode:
        outputs = [*self.outputs]
        outputs[i] = value
        return _OneNode(self._model, self._node, self._inputs, outputs)

    def model(self, *, casts: bool = False) -> bytes:
        graph = onnx.GraphProto(name="one node")
        types = {}
        for name, value in zip(self._node.input, self._inputs):
            if name and value.constant is not None:
                graph.initializer.add().ParseFromString(value.constant)
                graph.initializer[-1].name = name
            elif name:
                graph.input.append(_info(name, value))
            types[name] = value.type
        for name, value in zip(self._node.output, self.outputs):
            if name:
                graph.output.append(_info(name, Value(value.type)))
            types[name] = value.type
        graph.node.append(self._node)
        made = onnx.ModelProto(ir_version=self._model.ir_version, graph=graph)
        made.opset_import.extend(self._model.opset_import)
        if casts:
            nodes = Casts(Names(made)).around(self._node, types)
            del made.graph.node[:]
            made.graph.node.extend(nodes)
        return made.SerializeToString()

    def outputs_of(self, session: onnxruntime.InferenceSession) -> tuple[Value, ...]:
        """What is known of the outputs, and what ONNX Runtime says about the others."""
        said = {output.name: output for output in session.get_outputs()}
        return tuple(
            Value(_TYPES.get(said[name].type), _dims(said[name].shape))
            if name and value.type is None
            else value
            for name, value in zip(self._node.output, self.outputs)
        )


def try_session(
    model: Union[bytes, str, os.PathLike[str]], options: Optional[Mapping[str, Option]]
) -> Union[onnxruntime.InferenceSession, Exception]:
    """A session, or why there is none; with the provider, if there are options."""
    ort = import_onnxruntime()
    session_options = ort.SessionOptions()
    session_options.log_severity_level = 4
    session_options.intra_op_num_threads = 1
    if options is not None:
        append_to(session_options, **options)
    try:
        return ort.InferenceSession(model, session_options, enable_fallback=0)
    except Exception as error:  # onnxruntime's own types, which have no common base
        return error


def _info(name: str, value: Value) -> onnx.ValueInfoProto:
    if value.type is None:
        return onnx.ValueInfoProto(name=name)
    return helper.make_tensor_value_info(name, value.type, value.dims)


def _dims(shape: Sequence[object]) -> tuple[Optional[int], ...]:
    return tuple(dim if isinstance(dim, int) else None for dim in shape)

# SPDX-License-Identifier: Apache-2.0
"""The C ABI of lanewise for Python. Tensors are bytes; each node is one call."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

MAX_RANK = 64
MAX_OUTPUTS = 8

# Bits of an element, by ONNX's code of the type. Strings are not supported.
BITS = {
    1: 32, 2: 8, 3: 8, 4: 16, 5: 16, 6: 32, 7: 64, 9: 8, 10: 16, 11: 64, 12: 32,
    13: 64, 14: 64, 15: 128, 16: 16, 17: 8, 18: 8, 19: 8, 20: 8, 21: 4, 22: 4,
    23: 4, 24: 8, 25: 2, 26: 2,
}  # fmt: skip


# AttributeProto.AttributeType: FLOAT and FLOATS; STRING. All other kinds here are
# integers.
FLOAT_KINDS = (1, 6)
STRING_KIND = 3


@dataclass(frozen=True)
class Attribute:
    """An attribute. `kind` is ONNX's code; a single value is a list of one."""

    kind: int
    values: Sequence[float | bytes]


@dataclass(frozen=True)
class Tensor:
    """A tensor. `raw` has the elements in row-major order, like ONNX's raw_data."""

    type: int
    dims: tuple[int, ...]
    raw: bytes


# Stands for an optional input or output that is left out.
ABSENT = Tensor(0, (), b"")


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("dims", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("bytes", ctypes.c_size_t),
    ]


class _Shape(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("dims", ctypes.c_int64 * MAX_RANK),
    ]


class _String(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class _Attribute(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int32),
        ("count", ctypes.c_size_t),
        ("values", ctypes.c_void_p),
    ]


class _Operand(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("type_parameter", ctypes.c_char_p),
        ("types", ctypes.POINTER(ctypes.c_int32)),
        ("type_count", ctypes.c_size_t),
        ("optional", ctypes.c_int32),
        ("in_place", ctypes.c_int32),
        ("variadic", ctypes.c_int32),
    ]


class _AttributeInfo(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("kind", ctypes.c_int32),
        ("required", ctypes.c_int32),
        ("tells_type", ctypes.c_int32),
    ]


class _Signature(ctypes.Structure):
    """The first fields of lw_signature. No other fields are read here."""

    _fields_ = [
        ("name", ctypes.c_char_p),
        ("since_version", ctypes.c_int32),
        ("last_opset", ctypes.c_int32),
        ("inputs", ctypes.POINTER(_Operand)),
        ("input_count", ctypes.c_size_t),
        ("outputs", ctypes.POINTER(_Operand)),
        ("output_count", ctypes.c_size_t),
        ("attributes", ctypes.POINTER(_AttributeInfo)),
        ("attribute_count", ctypes.c_size_t),
    ]


@dataclass(frozen=True)
class Operand:
    """An input or output of an operator."""

    name: str
    type_parameter: str
    types: tuple[int, ...]
    optional: bool
    variadic: bool = False


@dataclass(frozen=True)
class Signature:
    """A row of the support table: one version of one operator."""

    name: str
    since_version: int
    last_opset: int
    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    attributes: Mapping[str, int]  # the kind of each


class LanewiseError(Exception):
    """A status other than LW_OK, with its message."""


class Library:
    """A loaded liblanewise."""

    def __init__(self, path: str) -> None:
        self._c = ctypes.CDLL(path)
        c, pointer = self._c, ctypes.c_void_p
        for name in ("lw_version", "lw_last_error", "lw_status_name", "lw_type_name"):
            getattr(c, name).restype = ctypes.c_char_p
        c.lw_engine_isa.restype = ctypes.c_char_p
        c.lw_engine_isa.argtypes = [pointer]
        c.lw_isa_name.restype = ctypes.c_char_p
        c.lw_isa_name.argtypes = [ctypes.c_size_t]
        c.lw_signature_at.argtypes = [ctypes.c_size_t]
        c.lw_signature_at.restype = ctypes.POINTER(_Signature)
        c.lw_op_create.argtypes = [
            pointer, ctypes.c_char_p, ctypes.c_int32, pointer, ctypes.c_size_t,
            ctypes.POINTER(pointer),
        ]  # fmt: skip
        c.lw_op_destroy.argtypes = [pointer]
        c.lw_op_destroy.restype = None
        c.lw_op_infer.argtypes = [pointer, pointer, ctypes.c_size_t, pointer]
        c.lw_op_run.argtypes = [
            pointer, pointer, ctypes.c_size_t, pointer, ctypes.c_size_t,
        ]  # fmt: skip

    def description(self) -> str:
        """The library's version, and the instruction set that it uses."""
        isa = self._c.lw_engine_isa(None).decode()
        return f"lanewise {self._c.lw_version().decode()} on {isa}"

    def type_name(self, code: int) -> str:
        return self._c.lw_type_name(code).decode()

    def isas(self) -> list[str]:
        """The instruction sets of this build that the machine runs, best first."""
        found: list[str] = []
        while name := self._c.lw_isa_name(len(found)):
            found.append(name.decode())
        return found

    def version(self, name: str, opset: int) -> int:
        """The version of an operator in an opset."""
        found = [s for s in self.signatures() if s.name == name]
        return max(s.since_version for s in found if s.since_version <= opset)

    def signatures(self) -> Iterator[Signature]:
        """The rows of the support table."""
        index = 0
        while row := self._c.lw_signature_at(index):
            yield _signature(row.contents)
            index += 1

    def run(
        self,
        name: str,
        opset: int,
        attributes: Mapping[str, Attribute],
        inputs: Sequence[Tensor],
        wanted: Sequence[bool] = (True,),
    ) -> list[Tensor]:
        """Runs one operator for the outputs that are wanted; ABSENT stands for the
        others. lw_op_infer gives the outputs' shapes."""
        keep: list[ctypes.Array] = []  # the structures point at these
        packed = (_Attribute * len(attributes))()
        for at, (key, attribute) in zip(packed, attributes.items()):
            values = attribute.values
            if attribute.kind == STRING_KIND:
                texts = (_String(text, len(text)) for text in values)
                keep.append((_String * len(values))(*texts))
            else:
                is_float = attribute.kind in FLOAT_KINDS
                item = ctypes.c_float if is_float else ctypes.c_int64
                keep.append((item * len(values))(*values))
            at.name, at.kind, at.count = key.encode(), attribute.kind, len(values)
            at.values = ctypes.addressof(keep[-1])

        op = ctypes.c_void_p()
        self._check(
            self._c.lw_op_create(
                None, name.encode(), opset, packed, len(packed), ctypes.byref(op)
            )
        )
        try:
            given = (_Tensor * len(inputs))(*(_view(t, keep) for t in inputs))
            shapes = (_Shape * MAX_OUTPUTS)()
            self._check(self._c.lw_op_infer(op, given, len(given), shapes))
            outputs = (_Tensor * len(wanted))()
            sizes = []
            for k, shape in enumerate(shapes[: len(wanted)]):
                dims = tuple(shape.dims[: shape.rank])
                sizes.append((math.prod(dims) * BITS[shape.type] + 7) // 8)
                if wanted[k]:
                    made = Tensor(shape.type, dims, b"\xa5" * sizes[k])
                    outputs[k] = _view(made, keep)
            self._check(
                self._c.lw_op_run(op, given, len(given), outputs, len(outputs))
            )
            return [
                Tensor(
                    shape.type,
                    tuple(shape.dims[: shape.rank]),
                    ctypes.string_at(output.data, size),
                )
                if is_wanted
                else ABSENT
                for shape, output, size, is_wanted in zip(shapes, outputs, sizes, wanted)
            ]
        finally:
            self._c.lw_op_destroy(op)

    def _check(self, status: int) -> None:
        if status != 0:
            name = self._c.lw_status_name(status).decode()
            raise LanewiseError(f"{name}: {self._c.lw_last_error().decode()}")


def _signature(row: _Signature) -> Signature:
    def operands(first: ctypes._Pointer, count: int) -> tuple[Operand, ...]:
        return tuple(
            Operand(
                operand.name.decode(),
                operand.type_parameter.decode(),
                tuple(operand.types[: operand.type_count]),
                bool(operand.optional),
                bool(operand.variadic),
            )
            for operand in first[:count]
        )

    attributes = row.attributes[: row.attribute_count]
    return Signature(
        row.name.decode(),
        row.since_version,
        row.last_opset,
        operands(row.inputs, row.input_count),
        operands(row.outputs, row.output_count),
        {a.name.decode(): a.kind for a in attributes},
    )


def _view(tensor: Tensor, keep: list[ctypes.Array]) -> _Tensor:
    # malloc aligns to 16 bytes, which is sufficient for every type.
    data = ctypes.create_string_buffer(tensor.raw, max(len(tensor.raw), 64))
    dims = (ctypes.c_int64 * len(tensor.dims))(*tensor.dims)
    keep += [data, dims]
    return _Tensor(
        ctypes.addressof(data),
        tensor.type,
        len(tensor.dims),
        ctypes.cast(dims, ctypes.POINTER(ctypes.c_int64)),
        None,
        len(tensor.raw),
    )

# SPDX-License-Identifier: Apache-2.0
"""Made-up inputs for a model."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ._library import import_onnxruntime

if TYPE_CHECKING:
    import numpy as np
    import onnxruntime

# ONNX Runtime's names of element types, and numpy's.
NUMPY_TYPES = {
    "float": "float32", "double": "float64", "float16": "float16", "bool": "bool",
    "int8": "int8", "int16": "int16", "int32": "int32", "int64": "int64",
    "uint8": "uint8", "uint16": "uint16", "uint32": "uint32", "uint64": "uint64",
    "string": "object",
}  # fmt: skip
BFLOAT16 = 16  # ONNX's code


def make_inputs(
    arguments: Iterable[onnxruntime.NodeArg], dims: Mapping[str, int], default: int
) -> dict[str, onnxruntime.OrtValue]:
    """A value for each input of a session. Symbolic dims take their number from
    `dims`, or `default`. Numbers are 1 to 2, so that nothing divides by zero and
    an integer is a likely index."""
    return {
        argument.name: _value(argument, [_dim(d, dims, default) for d in argument.shape])
        for argument in arguments
    }


def _dim(dim: int | str | None, dims: Mapping[str, int], default: int) -> int:
    return dim if isinstance(dim, int) else dims.get(dim or "", default)


def _value(argument: onnxruntime.NodeArg, shape: list[int]) -> onnxruntime.OrtValue:
    import numpy as np

    make = import_onnxruntime().OrtValue
    found = re.fullmatch(r"tensor\((\w+)\)", argument.type)
    kind = found[1] if found else ""
    random = np.random.default_rng(1)
    if kind == "bfloat16":
        return make.ortvalue_from_numpy_with_onnx_type(
            _bfloat16(np.asarray(random.uniform(1, 2, shape))), BFLOAT16
        )
    if kind not in NUMPY_TYPES:
        raise ValueError(f"no inputs of type {argument.type} can be made up")
    if kind == "string":
        values = np.full(shape, "lanewise", dtype=object)
    elif "float" in NUMPY_TYPES[kind]:
        values = random.uniform(1, 2, shape)
    else:
        values = random.integers(1, 2, shape, endpoint=True)
    return make.ortvalue_from_numpy(np.asarray(values, dtype=NUMPY_TYPES[kind]))


def _bfloat16(values: np.ndarray) -> np.ndarray:
    """The bits of bfloat16, which numpy does not know: the high half of float32."""
    return (values.astype("float32").view("uint32") >> 16).astype("uint16")

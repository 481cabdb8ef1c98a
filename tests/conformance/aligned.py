# SPDX-License-Identifier: Apache-2.0
"""QuantizeLinear and DequantizeLinear by definition, for the oracle."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import onnx

from lanewise_ctypes import ABSENT, Attribute, Tensor

ALIGNED = ("QuantizeLinear", "DequantizeLinear")
FLOAT8E8M0 = onnx.TensorProto.FLOAT8E8M0


def _number(attributes: Mapping[str, Attribute], name: str, default: int) -> int:
    return attributes[name].values[0] if name in attributes else default


def type_of_output(
    op: str, attributes: Mapping[str, Attribute], inputs: list[Tensor]
) -> int:
    """An attribute, an input or a default tells the type."""
    if told := _number(attributes, "output_dtype", 0):
        return told
    if op == "DequantizeLinear":
        return inputs[1].type
    has_zero = len(inputs) > 2 and inputs[2] is not ABSENT
    return inputs[2].type if has_zero else onnx.TensorProto.UINT8


def spread(
    parameter: np.ndarray, shape: tuple[int, ...], attributes: Mapping[str, Attribute]
) -> np.ndarray:
    """A scale or zero point with an element for each of x, or one that stretches."""
    axis = _number(attributes, "axis", 1)
    block = _number(attributes, "block_size", 0)
    if parameter.size == 1:
        return parameter.reshape(())
    if block == 0:
        dims = [1] * len(shape)
        dims[axis] = -1
        return parameter.reshape(dims)
    return np.repeat(parameter, block, axis).take(range(shape[axis]), axis)


def quantized(
    values: list[np.ndarray], types: list[int], precision: int, to_float: bool
) -> np.ndarray:
    """The number that is cast to the output's type."""
    x, scale = values[:2]
    if not precision:
        precision = types[1]
        if precision == onnx.TensorProto.INT32 or (
            precision == FLOAT8E8M0 and types[0] == onnx.TensorProto.INT32
        ):
            precision = onnx.TensorProto.DOUBLE
        elif precision == FLOAT8E8M0:
            precision = onnx.TensorProto.FLOAT
    dtype = onnx.helper.tensor_dtype_to_np_dtype(precision)
    quotient = x.astype(dtype) / scale.astype(dtype)
    wide = np.float64 if precision == onnx.TensorProto.DOUBLE else np.float32
    quotient = quotient.astype(wide)
    if not to_float:
        quotient = np.rint(quotient)
    return quotient + values[2].astype(wide) if len(values) > 2 else quotient


def dequantized(values: list[np.ndarray]) -> np.ndarray:
    """Exact, but for the widest of scales and integers of 32 bits."""
    x, scale = (value.astype(np.float64) for value in values[:2])
    zero = values[2].astype(np.float64) if len(values) > 2 else 0
    return (x - zero) * scale

# SPDX-License-Identifier: Apache-2.0
"""What composed operators give, in numpy's longdouble, and how far off they may be."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lanewise_ctypes import Attribute

Values = list[np.ndarray | None]
# Unit roundoff of results, by ONNX's code of the type; what is computed in float32 and
# rounded once errs by a little more than that.
ROUNDOFF = {1: 2.0**-24, 10: 2.0**-11, 11: 2.0**-53, 16: 2.0**-8}
LEAST = {1: 2.0**-149, 10: 2.0**-24, 11: 2.0**-1074, 16: 2.0**-133}
INNER_ULP = 32  # of float32 or float64, where sums are short


class Node:
    """A node's attributes, with the document's defaults."""

    def __init__(self, version: int, attributes: Mapping[str, Attribute]) -> None:
        self.version = version
        self._attributes = attributes

    def number(self, name: str, default: float) -> float:
        given = name in self._attributes
        return self._attributes[name].values[0] if given else default

    def numbers(self, name: str, default: tuple[int, ...]) -> tuple[int, ...]:
        given = name in self._attributes
        return tuple(self._attributes[name].values) if given else default

    def epsilon(self) -> np.longdouble:
        return np.longdouble(np.float32(self.number("epsilon", 1e-5)))


def _along(node: Node, x: np.ndarray) -> tuple[int, ...]:
    if node.version >= 13:
        return (int(node.number("axis", -1)) % x.ndim,)
    return tuple(range(int(node.number("axis", 1)) % x.ndim, x.ndim))


def _softmax(node: Node, v: Values) -> list[np.ndarray]:
    axes = _along(node, v[0])
    e = np.exp(v[0] - v[0].max(axis=axes, keepdims=True))
    return [e / e.sum(axis=axes, keepdims=True)]


def _log_softmax(node: Node, v: Values) -> list[np.ndarray]:
    axes = _along(node, v[0])
    d = v[0] - v[0].max(axis=axes, keepdims=True)
    return [d - np.log(np.exp(d).sum(axis=axes, keepdims=True))]


def _hardmax(node: Node, v: Values) -> list[np.ndarray]:
    axes = _along(node, v[0])
    shape = v[0].shape
    if node.version < 13:
        rows = v[0].reshape(int(np.prod(shape[: axes[0]], dtype=int)), -1)
        hot = np.arange(rows.shape[1]) == rows.argmax(axis=1)[:, None]
        return [hot.reshape(shape).astype(np.longdouble)]
    rows = np.moveaxis(v[0], axes[0], -1)
    hot = np.arange(rows.shape[-1]) == rows.argmax(axis=-1)[..., None]
    return [np.moveaxis(hot, -1, axes[0]).astype(np.longdouble)]


def _normalized(
    x: np.ndarray, axes: tuple[int, ...], epsilon: np.longdouble
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    mean = x.mean(axis=axes, keepdims=True)
    variance = ((x - mean) ** 2).mean(axis=axes, keepdims=True)
    inverse = 1 / np.sqrt(variance + epsilon)
    return (x - mean) * inverse, mean, inverse


def _layer_normalization(node: Node, v: Values) -> list[np.ndarray]:
    x = v[0]
    axes = tuple(range(int(node.number("axis", -1)) % x.ndim, x.ndim))
    y, mean, inverse = _normalized(x, axes, node.epsilon())
    y = y * v[1]
    return [y + v[2] if len(v) > 2 and v[2] is not None else y, mean, inverse]


def _rms_normalization(node: Node, v: Values) -> list[np.ndarray]:
    x = v[0]
    axes = tuple(range(int(node.number("axis", -1)) % x.ndim, x.ndim))
    mean = (x * x).mean(axis=axes, keepdims=True)
    return [x / np.sqrt(mean + node.epsilon()) * v[1]]


def _by_channel(x: np.ndarray, v: np.ndarray) -> np.ndarray:
    return v.reshape(v.shape + (1,) * max(x.ndim - 1 - v.ndim, 0))


def _batch_normalization(node: Node, v: Values) -> list[np.ndarray]:
    x = v[0]
    scale, shift, mean, variance = (_by_channel(x, operand) for operand in v[1:])
    return [(x - mean) / np.sqrt(variance + node.epsilon()) * scale + shift]


def _instance_normalization(node: Node, v: Values) -> list[np.ndarray]:
    x = v[0]
    y, _, _ = _normalized(x, tuple(range(2, x.ndim)), node.epsilon())
    return [y * _by_channel(x, v[1]) + _by_channel(x, v[2])]


def _group_normalization(node: Node, v: Values) -> list[np.ndarray]:
    x = v[0]
    groups = int(node.number("num_groups", 1))
    rows = x.reshape(x.shape[0], groups, -1)
    y, _, _ = _normalized(rows, (2,), node.epsilon())
    each = x.shape[1] // groups if node.version < 21 else 1
    scale, shift = (_by_channel(x, np.repeat(operand, each)) for operand in v[1:])
    return [y.reshape(x.shape) * scale + shift]


def _mean_variance_normalization(node: Node, v: Values) -> list[np.ndarray]:
    x = v[0]
    axes = node.numbers("axes", (0, 2, 3))
    d = x - x.mean(axis=axes, keepdims=True)
    deviation = np.sqrt((d * d).mean(axis=axes, keepdims=True))
    return [d / (deviation + np.longdouble(1e-9))]


def _lp_normalization(node: Node, v: Values) -> list[np.ndarray]:
    norm = _norm(v[0], int(node.number("p", 2)), int(node.number("axis", -1)))
    return [np.where(norm == 0, 0, v[0] / norm)]


def _norm(x: np.ndarray, p: float, axes: int | tuple[int, ...]) -> np.ndarray:
    powers = np.abs(x) ** np.longdouble(p)
    return powers.sum(axis=axes, keepdims=True) ** (1 / np.longdouble(p))


def _pool(reduce: Callable) -> Callable:
    def pool(node: Node, v: Values) -> list[np.ndarray]:
        return [reduce(node, v[0], tuple(range(2, v[0].ndim)))]

    return pool


def _dynamic_quantize_linear(_node: Node, v: Values) -> list[np.ndarray]:
    """In float32, as the document's function body."""
    x = v[0].astype(np.float32)
    most = np.float32(255)
    least, greatest = np.minimum(x.min(), 0), np.maximum(x.max(), 0)
    scale = (greatest - least) / most
    scale = scale if scale != 0 else np.float32(1)
    zero = np.rint(np.clip(-least / scale, 0, most))
    return [np.clip(np.rint(x / scale) + zero, 0, most), np.array(scale), np.array(zero)]


COMPOSED: dict[str, Callable[[Node, Values], list[np.ndarray]]] = {
    "BatchNormalization": _batch_normalization,
    "DynamicQuantizeLinear": _dynamic_quantize_linear,
    "GlobalAveragePool": _pool(lambda _, x, axes: x.mean(axis=axes, keepdims=True)),
    "GlobalLpPool": _pool(lambda node, x, axes: _norm(x, node.number("p", 2), axes)),
    "GlobalMaxPool": _pool(lambda _, x, axes: x.max(axis=axes, keepdims=True)),
    "GroupNormalization": _group_normalization,
    "Hardmax": _hardmax,
    "InstanceNormalization": _instance_normalization,
    "LayerNormalization": _layer_normalization,
    "LogSoftmax": _log_softmax,
    "LpNormalization": _lp_normalization,
    "MeanVarianceNormalization": _mean_variance_normalization,
    "RMSNormalization": _rms_normalization,
    "Softmax": _softmax,
}
EXACT = {"DynamicQuantizeLinear", "GlobalMaxPool", "Hardmax"}


def fault_of(
    op: str,
    version: int,
    attributes: Mapping[str, Attribute],
    inputs: Values,
    outputs: list[tuple[int, np.ndarray]],
) -> str | None:
    """Compares a node's outputs, each with its type."""
    wide = [None if x is None else _wide(x) for x in inputs]
    with np.errstate(all="ignore"):
        exact = COMPOSED[op](Node(version, attributes), wide)
    largest = max((float(np.abs(x).max(initial=0)) for x in wide if x is not None))
    of_float64 = any(code == 11 for code, _ in outputs)
    inner = INNER_ULP * ROUNDOFF[11 if of_float64 else 1]
    for k, ((code, given), wanted) in enumerate(zip(outputs, exact)):
        if given.shape != wanted.shape:
            return f"output {k} has the shape {given.shape}, not {wanted.shape}"
        if op in EXACT:
            if not np.array_equal(_wide(given), wanted):
                return f"output {k} is not the exact result"
            continue
        allowed = inner * (np.abs(wanted) + max(1, largest))
        if code in (10, 16):
            allowed += ROUNDOFF[code] * np.abs(wanted) + LEAST[code]
        wrong = np.abs(_wide(given) - wanted) > allowed
        if wrong.any():
            at = tuple(np.argwhere(wrong)[0])
            return f"output {k} at {at} is {given[at]}, not {wanted[at]}"
    return None


def _wide(x: np.ndarray) -> np.ndarray:
    # Types without a conversion to longdouble go through float64.
    return x.astype(np.float64).astype(np.longdouble)

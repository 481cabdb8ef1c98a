# SPDX-License-Identifier: Apache-2.0
"""What reductions give, in the order of kernels/reduction.h."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from lanewise_ctypes import Attribute

REDUCTIONS = {
    "ArgMax", "ArgMin", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp",
    "ReduceMax", "ReduceMean", "ReduceMin", "ReduceProd", "ReduceSum",
    "ReduceSumSquare",
}  # fmt: skip
PARTIALS = 64
PIECE_ALONG = 65536
PIECE_ACROSS = 256
# Of what has a function inside, in float32 and float64.
ALLOWED_ULP = {"ReduceLogSum": 1, "ReduceLogSumExp": 4}


def expected(
    op: str, attributes: Mapping[str, Attribute], values: list[np.ndarray | None]
) -> np.ndarray:
    """The result of a node."""
    x = values[0]
    axes = _axes(op, attributes, values)
    kept = [i for i in range(x.ndim) if i not in axes]
    count = int(np.prod([x.shape[i] for i in axes], dtype=int))
    rows = x.transpose(*kept, *axes).reshape([x.shape[i] for i in kept] + [count])
    longer = [i for i in range(x.ndim) if x.shape[i] > 1]
    along = not longer or longer[-1] in axes
    with np.errstate(all="ignore"):
        result = _reduced(op, rows, along, attributes)
    if _integer(attributes, "keepdims", 1):
        result = np.expand_dims(result, tuple(axes))
    return result


def _integer(attributes: Mapping[str, Attribute], name: str, default: int) -> int:
    return attributes[name].values[0] if name in attributes else default


def _axes(
    op: str, attributes: Mapping[str, Attribute], values: list[np.ndarray | None]
) -> list[int]:
    rank = values[0].ndim
    if op.startswith("Arg"):
        return [_integer(attributes, "axis", 0) % rank]
    given = attributes["axes"].values if "axes" in attributes else []
    if len(values) > 1 and values[1] is not None:
        given = values[1].tolist()
    if not given and not _integer(attributes, "noop_with_empty_axes", 0):
        given = range(rank)
    return sorted(axis % rank for axis in given)


def _reduced(
    op: str, rows: np.ndarray, along: bool, attributes: Mapping[str, Attribute]
) -> np.ndarray:
    """The last dim is reduced."""
    kind = rows.dtype
    if op.startswith("Arg"):
        return _place(op, rows, _integer(attributes, "select_last_index", 0))
    if op in ("ReduceMax", "ReduceMin"):
        return _extreme(rows, op == "ReduceMax")
    is_narrow = kind.itemsize == 2
    x = rows.astype(np.float32) if is_narrow else rows
    one = x.dtype.type(1)
    if op == "ReduceProd":
        result = _in_order(x, along, np.multiply, one)
    elif op == "ReduceL1":
        result = _in_order(np.abs(x), along, np.add, one - one)
    elif op in ("ReduceSumSquare", "ReduceL2"):
        result = _in_order(x * x, along, np.add, one - one)
        result = np.sqrt(result) if op == "ReduceL2" else result
    elif op == "ReduceLogSumExp":
        result = _log_sum_exp(x.astype(np.longdouble))
    else:
        result = _in_order(x, along, np.add, -(one - one))
        if rows.shape[-1] == 0:
            result = np.abs(result)
        if op == "ReduceMean":
            result = result / x.dtype.type(rows.shape[-1])
        elif op == "ReduceLogSum":
            result = np.log(result.astype(np.longdouble))
    return result.astype(kind)


def _in_order(
    x: np.ndarray, along: bool, combine: Callable, identity: np.generic
) -> np.ndarray:
    piece = PIECE_ALONG if along else PIECE_ACROSS
    starts = range(0, max(x.shape[-1], 1), piece)
    partials = PARTIALS if along else 1
    pieces = [
        _piece(x[..., start : start + piece], partials, combine, identity)
        for start in starts
    ]
    while len(pieces) > 1:
        pairs = [combine(*pair) for pair in zip(pieces[::2], pieces[1::2])]
        pieces = pairs + pieces[2 * len(pairs) :]
    return pieces[0]


def _piece(
    x: np.ndarray, width: int, combine: Callable, identity: np.generic
) -> np.ndarray:
    """`width` partial results, which are folded by halves."""
    partials = np.full(x.shape[:-1] + (width,), identity, x.dtype)
    for start in range(0, x.shape[-1], width):
        part = x[..., start : start + width]
        first = partials[..., : part.shape[-1]]
        combine(first, part, out=first)
    while width > 1:
        width //= 2
        partials = combine(partials[..., :width], partials[..., width:])
    return partials[..., 0]


def _extreme(x: np.ndarray, largest: bool) -> np.ndarray:
    if x.shape[-1] != 0:
        return (np.max if largest else np.min)(x, axis=-1)
    if x.dtype == bool:
        worst = not largest
    elif np.issubdtype(x.dtype, np.integer):
        info = np.iinfo(x.dtype)
        worst = info.min if largest else info.max
    else:
        worst = -np.inf if largest else np.inf
    return np.full(x.shape[:-1], worst, x.dtype)


def _place(op: str, x: np.ndarray, last: int) -> np.ndarray:
    find = np.argmax if op == "ArgMax" else np.argmin
    if not last:
        return find(x, axis=-1).astype(np.int64)
    return (x.shape[-1] - 1 - find(x[..., ::-1], axis=-1)).astype(np.int64)


def _log_sum_exp(x: np.ndarray) -> np.ndarray:
    if x.shape[-1] == 0:
        return np.full(x.shape[:-1], -np.inf, x.dtype)
    most = x.max(axis=-1, keepdims=True)
    centered = np.where(most == -np.inf, x, x - most)
    return np.log(np.exp(centered).sum(axis=-1)) + np.where(most == -np.inf, 0, most)[
        ..., 0
    ]

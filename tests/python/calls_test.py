# SPDX-License-Identifier: Apache-2.0
"""Calls of any form: shapes, strides, out=, overlaps, wrong arguments. Nothing crashes,
and what is written is what NumPy would write."""

from __future__ import annotations

import gc
import sys
from typing import Any

import lanewise
import numpy as np
import pytest
from close import check
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

settings.register_profile("quick", max_examples=60, deadline=None)
settings.load_profile("quick")
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

fused = lanewise.fuse(lambda a, b: (a + b) * a - b)
PAIRS = [(lanewise.add, np.add), (fused, lambda a, b: (a + b) * a - b),
         (lanewise.less, np.less), (lanewise.hypot, np.hypot)]  # fmt: skip
TYPES = st.sampled_from(["?", "i1", "u2", "i4", "i8", "u8", "f2", "f4", "f8"])
NATIVE = st.sampled_from(["<", ">"])


@st.composite
def views(draw: Any, shape: Any) -> np.ndarray:
    """An array of this shape that lies anyhow in memory."""
    dtype = np.dtype(draw(TYPES)).newbyteorder(draw(NATIVE))
    steps = [draw(st.sampled_from([1, 2, 3, -1, -2])) for _ in shape]
    order = draw(st.permutations(range(len(shape))))
    whole = [n * abs(steps[i]) for i, n in enumerate(shape)]
    base = np.zeros([whole[i] for i in order], dtype)
    base = base.transpose(np.argsort(order)) if shape else base
    base[...] = np.arange(base.size).reshape(base.shape) % 7
    return base[tuple(slice(None, None, s) for s in steps)]


@st.composite
def calls(draw: Any) -> Any:
    shapes = draw(arrays.mutually_broadcastable_shapes(num_shapes=2, max_dims=4,
                                                       min_side=0, max_side=5))  # fmt: skip
    return [draw(views(shape)) for shape in shapes.input_shapes]


@given(calls(), st.sampled_from(PAIRS))
def test_any_arrays(args: list, pair: Any) -> None:
    ours, numpys = pair
    try:
        want = numpys(*args)
    except TypeError:  # a - of bools
        with pytest.raises(TypeError):
            ours(*args)
        return
    got = ours(*args)
    check(got, want, 4)
    assert type(got) is type(want)


@given(calls(), st.sampled_from(PAIRS[:2]), TYPES, st.data())
def test_any_out(args: list, pair: Any, dtype: str, data: Any) -> None:
    ours, numpys = pair
    shape = np.broadcast_shapes(args[0].shape, args[1].shape)
    out = np.asarray(data.draw(views(shape)))
    want = np.array(out)
    try:
        result = numpys(*args)
        np.copyto(want, result, casting="same_kind")
    except TypeError:
        with pytest.raises(TypeError):
            ours(*args, out=out)
        return
    assert ours(*args, out=out) is out
    check(
        out.astype(out.dtype.newbyteorder("=")),
        want.astype(out.dtype.newbyteorder("=")),
        4,
    )


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 4), st.sampled_from([1, 2, -1]),
       st.sampled_from([1, 2, -1]), st.sampled_from([0, 1]))  # fmt: skip
def test_overlapping_out(
    a: int, b: int, c: int, step: int, out_step: int, which: int
) -> None:
    ours, numpys = PAIRS[which]
    results = []
    for function in (ours, numpys):
        memory = np.arange(40, dtype="f4")
        x, y = (
            memory[a : a + 12 : abs(step)][::step],
            memory[b : b + 12 : abs(step)][::step],
        )
        n = min(len(x), len(y))
        out = memory[c : c + n * abs(out_step) : abs(out_step)][:: np.sign(out_step)]
        if function is ours:
            function(x[:n], y[:n], out=out)
        else:
            out[...] = function(x[:n], y[:n])
        results.append(memory)
    np.testing.assert_array_equal(*results)


def test_out() -> None:
    x = np.arange(6, dtype="f4").reshape(2, 3)
    out = np.empty((2, 3), "f4")
    assert lanewise.exp(x, out=out) is out
    assert lanewise.exp(x, out=(out,)) is out
    wide = np.empty((2, 3), "f8")
    assert lanewise.exp(x, out=wide) is wide
    np.testing.assert_array_equal(wide.astype("f4"), out)
    stacked = np.empty((2, 2, 3), "f4")
    assert (lanewise.exp(x, out=stacked) == out).all()
    assert lanewise.exp(x, out=None).shape == x.shape
    with pytest.raises(ValueError, match=r"out= has the shape \(2, 2\)"):
        lanewise.exp(x, out=np.empty((2, 2), "f4"))
    with pytest.raises(TypeError, match="same_kind"):
        lanewise.exp(x, out=np.empty((2, 3), "i4"))
    with pytest.raises(ValueError, match="read-only"):
        lanewise.exp(x, out=np.broadcast_to(np.float32(0), (2, 3)))
    fixed = np.zeros((2, 3), "f4")
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        lanewise.exp(x, out=fixed)
    assert not fixed.any()
    for wrong in ([1.0], 3, "abc", object()):
        with pytest.raises(TypeError):
            lanewise.exp(x, out=wrong)
    two = lanewise.fuse(lambda x: (x + 1, x * 2))
    outs = (np.empty((2, 3), "f4"), np.empty((2, 3), "f8"))
    assert two(x, out=outs) is outs
    np.testing.assert_array_equal(outs[1], x * 2)
    for wrong in (out, (out,), (out,) * 3):
        with pytest.raises(ValueError, match="for 2 results"):
            two(x, out=wrong)


def test_scalars() -> None:
    assert type(lanewise.exp(np.float32(1))) is np.float32
    assert type(lanewise.exp(1)) is np.float64
    assert type(lanewise.add(True, True)) is np.bool_
    zero_d = np.float32(2)[...]
    assert lanewise.add(zero_d, 1).dtype == np.float32
    out = np.empty((), "f4")
    assert lanewise.add(zero_d, 1, out=out) is out and out == 3


def test_layout_is_kept() -> None:
    x = np.ones((3, 4, 5), "f4").transpose(2, 0, 1)
    assert fused(x, 1).strides == (x + 1).strides
    assert fused(np.ones((3, 4), "f4", order="F"), 1).flags.f_contiguous


def test_empty_and_large_ranks() -> None:
    assert fused(np.empty((0, 3), "f4"), np.empty((1, 3), "f4")).shape == (0, 3)
    x = np.ones((1,) * 30 + (2,), "f4")
    assert lanewise.exp(x).shape == x.shape
    with pytest.raises(ValueError):
        fused(np.ones(3), np.ones(4))


def test_huge() -> None:
    y = np.lib.stride_tricks.as_strided(np.float32([1]), (2**40,), (0,))
    with pytest.raises((ValueError, MemoryError)):
        lanewise.exp(y)


@pytest.mark.parametrize("wrong", ["abc", None, object(), {}, {1}, np.array(["a"]), 1j,
                                   np.array([None]), np.datetime64("2020-01-01"),
                                   np.zeros(2, "i4,f4"), np.clongdouble(1)])  # fmt: skip
def test_wrong_arguments(wrong: Any) -> None:
    for function in (lanewise.exp, lanewise.gelu, fused):
        with pytest.raises((TypeError, ValueError)):
            function(wrong)
        with pytest.raises((TypeError, ValueError)):
            function(wrong, np.ones(3))
    for call in (lambda: lanewise.exp(), lambda: lanewise.add(np.ones(3)),
                 lambda: lanewise.exp(*[np.ones(3)] * 40), lambda: fused(np.ones(2))):  # fmt: skip
        with pytest.raises(TypeError):
            call()


def test_nothing_leaks() -> None:
    x, out = np.ones(100, "f4"), np.empty(100, "f4")
    two = lanewise.fuse(lambda x, n: (x + n, x))

    def all_ways() -> None:
        lanewise.exp(x)
        lanewise.exp(x, out=out)
        lanewise.add(x, 2.5)
        two(x, 3)
        two(x[::2], n=3)
        lanewise.exp(x, out=np.empty(100, "f8"))
        with pytest.raises(TypeError):
            lanewise.exp("abc")
        with pytest.raises(ValueError):
            fused(x, out[:3])

    for _ in range(20):
        all_ways()
    gc.collect()
    objects, references = len(gc.get_objects()), [sys.getrefcount(o) for o in (x, out)]
    blocks = sys.getallocatedblocks()
    for _ in range(200):
        all_ways()
    gc.collect()
    assert [sys.getrefcount(o) for o in (x, out)] == references
    assert len(gc.get_objects()) - objects < 100
    assert sys.getallocatedblocks() - blocks < 500

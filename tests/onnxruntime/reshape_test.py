# SPDX-License-Identifier: Apache-2.0
"""Reshape's target: a constant, an input, or computed in the model."""

from __future__ import annotations

import unittest

import host
import numpy as np
import onnx
from onnx import helper

# dims, target, allowzero, result
TARGETS = [
    ((2, 3, 4), (4, -1), 0, (4, 6)),
    ((2, 3, 4), (0, 12), 0, (2, 12)),
    ((2, 3, 4), (-1, 0, 2), 0, (4, 3, 2)),
    ((1, 1), (), 0, ()),
    ((), (1, 1, 1), 0, (1, 1, 1)),
    ((0, 5), (5, 0, 3), 1, (5, 0, 3)),
    ((0, 8, 2), (4, 2, -1), 0, (4, 2, 0)),
    ((2, 0), (0, 0, 7), 0, (2, 0, 7)),
]
WRONG = [
    ((2, 3), (4, -1), 0),
    ((2, 3), (-1, -1), 0),
    ((2, 3), (7,), 0),
    ((2, 3), (0, 3), 1),
    ((2, 3), (2, 3, 0), 0),
    ((2, 3), (-2, 3), 0),
]


def model(rank: int, target: tuple[int, ...], allowzero: int, constant: bool):
    shape = np.array(target, np.int64)
    inputs = [
        helper.make_tensor_value_info("x", 1, [f"d{i}" for i in range(rank)]),
        helper.make_tensor_value_info("shape", 7, [len(target)]),
    ]
    return host.model(
        [helper.make_node("Reshape", ["x", "shape"], ["y"], allowzero=allowzero)],
        inputs[:1] if constant else inputs,
        [helper.make_tensor_value_info("y", 1, None)],
        constants={"shape": shape} if constant else {},
    )


def run(made: onnx.ModelProto, x: np.ndarray, target: tuple[int, ...]) -> np.ndarray:
    session = host.session(made)
    assert host.ours(session) == ["Reshape"]
    given = {"x": x, "shape": np.array(target, np.int64)}
    (out,) = session.run(None, {i.name: given[i.name] for i in session.get_inputs()})
    return out


class Targets(unittest.TestCase):
    def test_right(self) -> None:
        for dims, target, allowzero, result in TARGETS:
            x = np.arange(np.prod(dims), dtype=np.float32).reshape(dims)
            for constant in (False, True):
                with self.subTest(dims=dims, target=target, constant=constant):
                    made = model(len(dims), target, allowzero, constant)
                    out = run(made, x, target)
                    self.assertEqual(out.shape, result)
                    self.assertEqual(out.tobytes(), x.tobytes())

    def test_wrong(self) -> None:
        for dims, target, allowzero in WRONG:
            x = np.zeros(dims, np.float32)
            for constant in (False, True):
                with self.subTest(dims=dims, target=target, constant=constant):
                    made = model(len(dims), target, allowzero, constant)
                    with self.assertRaises(Exception) as caught:
                        run(made, x, target)
                    self.assertNotIsInstance(caught.exception, AssertionError)

    def test_the_session_lives_on(self) -> None:
        session = host.session(model(2, (0, 0), 0, constant=False))
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        for _ in range(3):
            with self.assertRaisesRegex(Exception, "Reshape"):
                session.run(None, {"x": x, "shape": np.int64([4, -1])})
            (out,) = session.run(None, {"x": x, "shape": np.int64([3, -1])})
            self.assertEqual(out.tolist(), x.reshape(3, 2).tolist())

    def test_one_target_for_many_shapes(self) -> None:
        session = host.session(model(2, (0, -1, 2), 0, constant=True))
        for dims in 2 * [(2, 4), (3, 2), (1, 6), (4, 0), (5, 8), (100, 2000)]:
            with self.assertRaisesRegex(Exception, "Reshape"):
                session.run(None, {"x": np.zeros((dims[0], 3), np.float32)})
            x = np.arange(np.prod(dims), dtype=np.float32).reshape(dims)
            (out,) = session.run(None, {"x": x})
            self.assertEqual(out.shape, (dims[0], dims[1] // 2, 2))
            self.assertEqual(out.tobytes(), x.tobytes())

    def test_computed_in_the_model(self) -> None:
        made = host.parsed(
            """(float[N, M] x) => (float[a, b] y)
            { dims = Shape(x)
              two = Constant<value_ints = [2]>()
              half = Div(dims, two)
              twice = Mul(dims, two)
              zero = Constant<value_ints = [0]>()
              one = Constant<value_ints = [1]>()
              first = Gather(half, zero)
              last = Gather(twice, one)
              target = Concat<axis = 0>(first, last)
              big = Exp(x)
              y = Reshape(big, target) }"""
        )
        session = host.session(made, strict=False)
        self.assertEqual(host.ours(session), ["Div", "Exp", "Mul", "Reshape"])
        for dims in [(4, 3), (0, 5), (10, 1000)]:
            (out,) = session.run(None, {"x": np.zeros(dims, np.float32)})
            self.assertEqual(out.shape, (dims[0] // 2, dims[1] * 2))
            self.assertTrue((out == 1).all())


if __name__ == "__main__":
    host.main()

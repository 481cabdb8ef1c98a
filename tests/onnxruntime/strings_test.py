# SPDX-License-Identifier: Apache-2.0
"""Strings: every version that lists them, broadcasting, in chains."""

from __future__ import annotations

import unittest

import host
import numpy as np
import one_op
import samples
from lanewise_ctypes import Signature
from onnx import helper

Values = dict[str, np.ndarray]

# The operators with strings: inputs by name, and the right answer.
MADE = {
    "Reshape": (["data", "shape"], lambda v: v["data"].reshape(v["shape"])),
    "Equal": (["A", "B"], lambda v: v["A"] == v["B"]),
    "Where": (
        ["condition", "X", "Y"],
        lambda v: np.where(v["condition"], v["X"], v["Y"]),
    ),
}


def inputs(row: Signature, shapes: list[tuple[int, ...]]) -> Values:
    rng = np.random.default_rng(1)
    values: Values = {}
    for operand, shape in zip(row.inputs, shapes):
        count = int(np.prod(shape))
        if samples.STRING in operand.types:
            values[operand.name] = samples.strings(count, rng).reshape(shape)
        elif samples.BOOL in operand.types:
            values[operand.name] = rng.integers(0, 2, shape).astype(bool)
        else:
            values[operand.name] = np.array([4, 3, -1], np.int64)
    return values


def model(row: Signature, opset: int, values: Values) -> host.onnx.ModelProto:
    names, _ = MADE[row.name]
    types = {
        n: samples.STRING
        if v.dtype == object
        else helper.np_dtype_to_tensor_dtype(v.dtype)
        for n, v in values.items()
    }
    dims = {n: [f"{n}{i}" for i in range(v.ndim)] for n, v in values.items()}
    if row.name == "Reshape":
        dims["shape"] = [3]
    result = samples.BOOL if row.name == "Equal" else samples.STRING
    return host.model(
        [helper.make_node(row.name, names, ["out"])],
        [helper.make_tensor_value_info(n, types[n], dims[n]) for n in names],
        [helper.make_tensor_value_info("out", result, None)],
        opset=opset,
    )


class Strings(unittest.TestCase):
    def check(self, row: Signature, opset: int, shapes: list[tuple[int, ...]]) -> None:
        values = inputs(row, shapes)
        session = host.session(model(row, opset, values))
        self.assertEqual(host.placement(session), [(row.name, host.PROVIDER)])
        (out,) = session.run(None, values)
        expected = MADE[row.name][1](values)
        self.assertEqual(out.shape, expected.shape)
        self.assertEqual(out.tolist(), expected.tolist())

    def test_every_operator_and_version(self) -> None:
        ran = set()
        for row in host.library().signatures():
            if samples.STRING not in one_op.type_operand(row).types:
                continue
            for opset in one_op.opsets(row):
                for shape in [(4, 6), (0, 12), (2, 3, 8)]:
                    if row.name == "Reshape" and 0 in shape:
                        continue
                    with self.subTest(row.name, opset=opset, shape=shape):
                        self.check(row, opset, [shape] * len(row.inputs))
                        ran.add(row.name)
                if row.name != "Reshape":
                    with self.subTest(row.name, opset=opset, shape="broadcast"):
                        self.check(row, opset, [(4, 1), (3, 1, 5), (1,)])
        self.assertEqual(ran, set(MADE))

    def test_chain(self) -> None:
        session = host.session(
            host.parsed(
                """(string[N, M] x, string[M] y, int64[K] shape)
                => (string[a, b] kept, bool[N, M] same)
                { same = Equal(x, y)
                  chosen = Where(same, y, x)
                  flat = Reshape(chosen, shape)
                  kept = Reshape(flat, shape) }"""
            )
        )
        operators = ["Equal", "Reshape", "Reshape", "Where"]
        self.assertEqual(host.ours(session), operators)
        rng = np.random.default_rng(2)
        for n, m in [(3, 4), (1, 1), (50, 8)]:
            x = samples.strings(n * m, rng).reshape(n, m)
            y = samples.strings(m, rng)
            target = np.array([m, n], np.int64)
            kept, same = session.run(None, {"x": x, "y": y, "shape": target})
            self.assertEqual(kept.tolist(), x.reshape(m, n).tolist())
            self.assertEqual(same.tolist(), (x == y).tolist())


if __name__ == "__main__":
    host.main()

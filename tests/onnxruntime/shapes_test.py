# SPDX-License-Identifier: Apache-2.0
"""Shapes: unknown until the run, broadcast in the ways of all versions, of rank 0,
without elements; operands that are initializers; Reshape's targets."""

from __future__ import annotations

import unittest

import host
import numpy as np
import one_op
import samples
from composed import COMPOSED
from lanewise_ctypes import Attribute, Signature, Tensor
from onnx import TensorProto, helper
from oracle import check_node
from reductions import REDUCTIONS

TYPES = (TensorProto.FLOAT, TensorProto.BFLOAT16, TensorProto.INT32, TensorProto.INT64)
PAIRS = [
    ((5, 7), (5, 7)), ((5, 7), (7,)), ((5, 1), (1, 7)), ((3, 1, 4), (2, 1)), ((), ()),
    ((6,), ()), ((), (2, 3)), ((1,), (9,)), ((0,), (1,)), ((0, 3), (3,)),
    ((4, 0), (1, 1)), ((2, 1, 3, 1, 2, 1, 2), (1, 3, 3, 2, 1, 4, 1)),
    ((40, 257), (257,)), ((40, 257), (40, 1)),
]  # fmt: skip
# Of versions before 7: A, B, axis.
LEGACY = [
    ((4, 5, 6), (4, 5, 6), None), ((4, 5, 6), (), None), ((4, 5, 6), (6,), None),
    ((4, 5, 6), (5, 6), None), ((4, 5, 6), (5,), 1), ((4, 5, 6), (4, 5), 0),
    ((4, 5, 6), (4,), 0), ((4, 5, 6), (1, 1), None),
]  # fmt: skip


OPSET = 21


def newest_rows() -> dict[str, Signature]:
    """Of elementwise operators. rows_test.py has the others."""
    others = {*COMPOSED, *REDUCTIONS}
    rows = [row for row in one_op.rows() if row.name not in others]
    return {row.name: row for row in rows if row.since_version <= OPSET}


def needed(row: Signature) -> dict[str, Attribute]:
    return next(one_op.required_attributes(row), {})


def value(code: int, shape: tuple[int, ...], seed: int, divisor: bool) -> Tensor:
    rng = np.random.default_rng(seed)
    flat = samples.random(code, int(np.prod(shape)), rng)
    if divisor and code in samples.INTEGERS:
        flat[flat == 0] = 3
    return host.tensor(flat.reshape(shape))


def inputs(row: Signature, code: int, shapes: list[tuple[int, ...]]) -> list[Tensor]:
    return [
        value(
            one_op.type_of(row, operand, code),
            shape,
            seed,
            divisor=row.name == "Pow" or (row.name in one_op.DIVIDING and seed == 1),
        )
        for seed, (operand, shape) in enumerate(zip(row.inputs, shapes))
    ]


class Broadcasting(unittest.TestCase):
    """Operators with two or three inputs, each of unknown shape in one session."""

    def rows(self) -> list[Signature]:
        found = [
            row
            for row in newest_rows().values()
            if sum(not operand.optional for operand in row.inputs) > 1
            # PRelu stretches one way. CastLike reads no second shape.
            and row.name not in ("CastLike", "PRelu", "Reshape")
        ]
        self.assertGreaterEqual(len(found), 7)
        return found

    def test_any_shapes_in_one_session(self) -> None:
        for row in self.rows():
            for code in set(TYPES) & set(one_op.type_operand(row).types):
                case = one_op.OneOp(row, OPSET, code, needed(row), ())
                pairs = [list(p) for p in PAIRS]
                if len(row.inputs) == 3:
                    pairs = [[*p, p[i % 2]] for i, p in enumerate(pairs)]
                session = None
                for shapes in pairs:
                    given = inputs(row, code, shapes)
                    case = one_op.OneOp(row, OPSET, code, needed(row), tuple(given))
                    # Without shapes the first model fits all.
                    session = session or host.session(shapeless(case))
                    with self.subTest(str(case), shapes=shapes):
                        self.assertEqual(host.ours(session), [row.name])
                        (out,) = host.run(session, case.given())
                        self.assertIsNone(check_node(row.name, needed(row), given, out))

    def test_legacy(self) -> None:
        ran = 0
        for row in host.library().signatures():
            if "broadcast" not in row.attributes:
                continue
            code = max(one_op.type_operand(row).types)
            for a, b, axis in LEGACY:
                given = inputs(row, code, [a, b])
                attributes = {"broadcast": Attribute(one_op.INT, [1])}
                if axis is not None:
                    attributes["axis"] = Attribute(one_op.INT, [axis])
                for opset in one_op.opsets(row):
                    case = one_op.OneOp(row, opset, code, attributes, tuple(given))
                    with self.subTest(str(case), shapes=(a, b), axis=axis):
                        session = host.session(case.model())
                        self.assertEqual(host.ours(session), [row.name])
                        (out,) = host.run(session, case.given())
                        self.assertIsNone(case.fault(out))
                        ran += 1
        self.assertTrue(ran)

    def test_shapes_that_do_not_fit(self) -> None:
        for row in self.rows():
            code = TensorProto.FLOAT
            if code not in one_op.type_operand(row).types:
                continue
            right = [(2, 3)] * len(row.inputs)
            wrong = [(2, 3), (4,), (2, 3)][: len(row.inputs)]
            good, bad = inputs(row, code, right), inputs(row, code, wrong)
            case = one_op.OneOp(row, OPSET, code, needed(row), tuple(good))
            session = host.session(shapeless(case))
            with self.subTest(row.name):
                names = case.names()
                with self.assertRaisesRegex(Exception, row.name):
                    host.run(session, dict(zip(names, bad)))
                (out,) = host.run(session, case.given())  # the session lives on
                self.assertIsNone(check_node(row.name, needed(row), good, out))

    def test_bounds(self) -> None:
        """Constant, given in each call, or left out; data of six shapes."""
        for code, dtype in ((TensorProto.FLOAT, np.float32), (TensorProto.INT8, np.int8)):
            stored = {"low": np.array(-2, dtype), "high": np.array(3, dtype)}
            for names in (["low", "high"], ["low", ""], ["", "high"]):
                for constants in ([], ["low"], ["high"], ["low", "high"]):
                    if not set(constants) <= set(names):
                        continue
                    given = {n: stored[n] for n in names if n and n not in constants}
                    made = host.model(
                        [helper.make_node("Clip", ["x", *names], ["y"])],
                        [helper.make_tensor_value_info("x", code, None)]
                        + [helper.make_tensor_value_info(n, code, []) for n in given],
                        [helper.make_tensor_value_info("y", code, None)],
                        constants={n: stored[n] for n in constants},
                    )
                    session = host.session(made)
                    self.assertEqual(host.ours(session), ["Clip"])
                    for dims in [(7,), (), (2, 3), (0, 4), (5, 1, 9), (3, 50001)]:
                        with self.subTest(names=names, constants=constants, dims=dims):
                            x = (np.arange(np.prod(dims)) % 11 - 5).astype(dtype)
                            x = x.reshape(dims)
                            (out,) = session.run(None, {"x": x, **given})
                            low = -2 if "low" in names else -9
                            high = 3 if "high" in names else 9
                            np.testing.assert_array_equal(out, x.clip(low, high))

    def test_initializers(self) -> None:
        """Each operand in turn is a constant of the model."""
        for row in self.rows():
            code = TensorProto.FLOAT
            if code not in one_op.type_operand(row).types:
                continue
            given = inputs(row, code, [(5, 4), (4,), (5, 1)][: len(row.inputs)])
            for constant in range(len(given)):
                case = one_op.OneOp(row, OPSET, code, needed(row), tuple(given))
                names = case.names()
                made = with_initializer(case.model(), names[constant], given[constant])
                session = host.session(made)
                with self.subTest(row.name, constant=names[constant]):
                    self.assertEqual(host.ours(session), [row.name])
                    rest = {
                        n: t for n, t in case.given().items() if n != names[constant]
                    }
                    (out,) = host.run(session, rest)
                    self.assertIsNone(check_node(row.name, needed(row), given, out))


def shapeless(case: one_op.OneOp) -> host.onnx.ModelProto:
    made = case.model()
    for given in made.graph.input:
        given.type.tensor_type.ClearField("shape")
    return made


def with_initializer(
    made: host.onnx.ModelProto, name: str, tensor: Tensor
) -> host.onnx.ModelProto:
    stored = helper.make_tensor(name, tensor.type, tensor.dims, tensor.raw, raw=True)
    made.graph.initializer.append(stored)
    (given,) = [i for i in made.graph.input if i.name == name]
    made.graph.input.remove(given)
    return made


class Unary(unittest.TestCase):
    def test_any_shapes_in_one_session(self) -> None:
        shapes = [(), (1,), (0,), (3, 0, 2), (7, 5), (1, 1, 33), (7000,), (3, 2001)]
        for row in newest_rows().values():
            if sum(not operand.optional for operand in row.inputs) != 1:
                continue
            for code in set(TYPES) & set(one_op.type_operand(row).types):
                session = None
                for shape in shapes:
                    given = inputs(row, code, [shape])
                    case = one_op.OneOp(row, OPSET, code, needed(row), tuple(given))
                    session = session or host.session(shapeless(case))
                    with self.subTest(str(case), shape=shape):
                        (out,) = host.run(session, case.given())
                        self.assertIsNone(case.fault(out))


if __name__ == "__main__":
    host.main()

# SPDX-License-Identifier: Apache-2.0
"""ONNX's own test cases for our operators: the models of the installed onnx package,
and those of a folder as tests/conformance reads it."""

from __future__ import annotations

import collections
import unittest
from collections.abc import Iterable

import cases
import host
import numpy as np
import one_op
import onnx
import oracle
from lanewise_ctypes import Tensor
from onnx.backend.test.case import node as node_cases
from run import FILE_ULP, data_folder


def loadable(model: onnx.ModelProto) -> onnx.ModelProto | None:
    """The model for this ONNX Runtime, which knows fewer opsets and formats than the
    onnx package. None if an older opset means another version of an operator."""
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    copy.ir_version = min(model.ir_version, host.IR_VERSION)
    (default,) = [o for o in copy.opset_import if o.domain in ("", "ai.onnx")]
    opset = min(default.version, host.newest_opset())
    version = host.library().version
    for node in model.graph.node:
        if node.op_type in cases.OPERATORS and (
            version(node.op_type, default.version) > opset
        ):
            return None
    default.version = opset
    return copy


def unnamed(code: int) -> bool:
    try:
        host.to_ort(Tensor(code, (0,), b""))
    except RuntimeError:
        return True
    return False


class NodeCases(unittest.TestCase):
    def check_all(self, found: Iterable[cases.Case]) -> set[str]:
        ran: collections.Counter[str] = collections.Counter()
        left: collections.defaultdict[str, list[str]]
        left = collections.defaultdict(list)
        for case in found:
            if reason := self.reason_to_leave(case):
                left[reason].append(case.name)
                continue
            with self.subTest(case.name):
                ran[self.check(case)] += 1
        for reason, names in left.items():
            print(f"not run, {reason}: {', '.join(names)}")
        print(f"{ran.total()} cases: {dict(ran)}")
        return set(ran)

    def reason_to_leave(self, case: cases.Case) -> str | None:
        if case.model is None:
            return "no model"
        operators = [n.op_type for n in case.model.graph.node]
        if not set(operators) & set(cases.OPERATORS):
            return "no operator of ours before a backend joins the nodes"
        if set(operators) & set(one_op.LEFT_TO_HOST):
            return "an operator that is left to ONNX Runtime"
        if operators == cases.RELU_BODY:
            return "ONNX Runtime makes a Cast of CastLike"
        if loadable(case.model) is None:
            return f"a version newer than opset {host.newest_opset()}"
        types = {t.type for inputs, _ in case.data for t in inputs}
        return (
            "a type that ONNX Runtime cannot name" if any(map(unnamed, types)) else None
        )

    def check(self, case: cases.Case) -> str:
        model = loadable(case.model)
        session = host.session(model, optimized=False)
        operators = [n.op_type for n in model.graph.node if n.op_type != "Constant"]
        self.assertEqual(host.ours(session), sorted(operators))
        ulp = sum(FILE_ULP.get(op, 0) for op in operators)
        for inputs, expected in case.data:
            outputs = host.run(session, dict(zip(case.inputs, inputs)))
            for out, wanted in zip(outputs, expected, strict=True):
                fault = oracle.check_expected(operators[-1], out, wanted, ulp)
                self.assertIsNone(fault)
        return operators[-1]

    def test_onnx_package(self) -> None:
        ran = self.check_all(cases.from_package())
        # An old ONNX Runtime refuses the opset of all cases of these operators.
        seldom = {"BitShift", "Cast", "Celu", "Mod", "ReduceLogSum", "ReduceLogSumExp"}
        seldom |= {"SwiGLU", *one_op.LEFT_TO_HOST}
        self.assertLessEqual(set(cases.OPERATORS) - seldom, ran)

    def test_folder(self) -> None:
        if folder := data_folder():
            self.assertTrue(self.check_all(cases.from_folder(folder)))
        else:
            print("not run: cases of older releases (LANEWISE_CONFORMANCE_DATA)")

    def test_strings(self) -> None:
        """cases.py leaves these out, as Python's C interface has no strings."""
        list(cases.from_package())  # makes node_cases._NodeTestCases
        ran = 0
        for case in node_cases._NodeTestCases:
            graph = case.model.graph
            types = {i.type.tensor_type.elem_type for i in graph.input}
            operators = [n.op_type for n in graph.node]
            if cases.STRING not in types or not set(operators) <= set(cases.OPERATORS):
                continue
            session = host.session(loadable(case.model))
            for inputs, expected in case.data_sets:
                with self.subTest(case.name):
                    self.assertEqual(host.ours(session), operators)
                    names = [i.name for i in graph.input]
                    given = {n: np.asarray(v) for n, v in zip(names, inputs)}
                    outputs = session.run(None, given)
                    for out, wanted in zip(outputs, expected, strict=True):
                        self.assertEqual(out.tolist(), np.asarray(wanted).tolist())
                    ran += 1
        self.assertGreater(ran, 0)


if __name__ == "__main__":
    host.main()

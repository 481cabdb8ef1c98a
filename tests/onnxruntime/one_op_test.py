# SPDX-License-Identifier: Apache-2.0
"""Every operator, version and type of the support table in a model of one node: the
provider gets the node, and the result is right by the library's own rules."""

from __future__ import annotations

import collections
import unittest

import host
import one_op
import samples
from lanewise_ctypes import Signature, Tensor
from onnx import TensorProto

# The types that an ONNX Runtime cannot name: a failure to make a value of any other
# type is a failure of the test.
COMPLEX = {TensorProto.COMPLEX64, TensorProto.COMPLEX128}
NOT_BEFORE = {TensorProto.FLOAT8E8M0: (1, 27)}


def refusal(code: int) -> str | None:
    """Why this ONNX Runtime has no values of the type."""
    try:
        host.to_ort(Tensor(code, (0,), b""))
    except RuntimeError as error:
        return str(error)
    return None


class OneOp(unittest.TestCase):
    def setUp(self) -> None:
        self.ran: collections.Counter[str] = collections.Counter()
        self.rows = one_op.rows()
        self.assertTrue(self.rows)

    def test_every_operator_version_and_type(self) -> None:
        refused: collections.defaultdict[str, list[str]]
        refused = collections.defaultdict(list)
        for row in self.rows:
            for code in one_op.type_operand(row).types:
                if code == samples.STRING:
                    continue  # strings_test.py
                if reason := refusal(code):
                    self.assertTrue(
                        code in COMPLEX or host.version() < NOT_BEFORE.get(code, (0, 0))
                    )
                    refused[reason].append(f"{row.name}-{row.since_version}")
                    continue
                self.check(row, code)
        for reason, rows in refused.items():
            print(f"not run, as ONNX Runtime says `{reason}`: {', '.join(rows)}")
        print(f"{self.ran.total()} models: {dict(self.ran)}")

    def check(self, row: Signature, code: int) -> None:
        if row.since_version > host.newest_opset():
            return
        cases = list(one_op.cases(row, code))
        self.assertTrue(cases, f"{row.name}-{row.since_version} is in no opset")
        for case in cases:
            with self.subTest(str(case)):
                session = host.session(case.model(), optimized=False)
                self.assertEqual(
                    host.placement(session), [(row.name, host.PROVIDER)], "placement"
                )
                (out,) = host.run(session, case.given())
                self.assertIsNone(case.fault(out))
                self.ran[row.name] += 1


if __name__ == "__main__":
    host.main()

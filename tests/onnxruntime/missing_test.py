# SPDX-License-Identifier: Apache-2.0
"""claim=missing takes what ONNX Runtime's own CPU provider refuses, and nothing that
the CPU provider computes itself."""

from __future__ import annotations

import unittest

import host
import one_op
import samples
from lanewise_ctypes import Tensor
from onnx import TensorProto


def on_cpu_provider(case: one_op.OneOp) -> list[str] | None:
    """The nodes that the CPU provider computes; None if it refuses the model. These
    are the nodes of the operator's function body if there is a body and no kernel."""
    try:
        session = host.cpu_session(case.model())
    except Exception:  # noqa: BLE001 - the kind differs between versions
        return None
    return [operator for operator, _ in host.placement(session)]


def has_values(code: int) -> bool:
    try:
        host.to_ort(Tensor(code, (0,), b""))
    except RuntimeError:
        return False
    return True


class Missing(unittest.TestCase):
    def test_agrees_with_the_cpu_provider(self) -> None:
        refused, taken_too = [], []
        for row in one_op.rows():
            for code in one_op.type_operand(row).types:
                if code == samples.STRING or not has_values(code):
                    continue
                for opset in one_op.opsets(row):
                    case = next(c for c in one_op.cases(row, code) if c.opset == opset)
                    with self.subTest(str(case)):
                        self.check(case, refused, taken_too)
        print(
            f"the CPU provider refuses {len(refused)} models, claim=missing loads them"
        )
        print(f"taken although the CPU provider has them: {sorted(taken_too)}")
        self.assertTrue(refused)

    def check(
        self, case: one_op.OneOp, refused: list[str], taken_too: list[str]
    ) -> None:
        native = on_cpu_provider(case)
        strict = native is None
        session = host.session(case.model(), strict=strict, claim="missing")
        taken = host.ours(session) == [case.row.name]
        if native is None:
            refused.append(str(case))
            self.assertTrue(taken)
        elif taken and native == [case.row.name] and case.type != TensorProto.FLOAT16:
            # A newer CPU provider may have learnt a type.
            taken_too.append(str(case))
            self.assertGreater(host.version(), (1, 24))


if __name__ == "__main__":
    host.main()

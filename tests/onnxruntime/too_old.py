# SPDX-License-Identifier: Apache-2.0
"""An ONNX Runtime that is too old refuses the provider, and says why.

prepare ort-too-old too_old.py PROVIDER LANEWISE
"""

from __future__ import annotations

import sys
import unittest

import numpy as np
import onnx
import onnxruntime as ort


class TooOld(unittest.TestCase):
    provider = ""

    def test_registration_fails_with_a_clear_message(self) -> None:
        for _ in range(2):  # a refusal leaves nothing behind
            with self.assertRaises(Exception) as caught:
                ort.register_execution_provider_library("lanewise", self.provider)
            message = str(caught.exception)
            self.assertIn("needs ONNX Runtime 1.24 or newer", message)
            self.assertIn(f"this is {ort.__version__}", message)

    def test_the_process_lives_on(self) -> None:
        with self.assertRaises(Exception):
            ort.register_execution_provider_library("lanewise", self.provider)
        values = [onnx.helper.make_tensor_value_info(n, 1, [3]) for n in "xy"]
        node = onnx.helper.make_node("Relu", ["x"], ["y"])
        graph = onnx.helper.make_graph([node], "graph", values[:1], values[1:])
        model = onnx.helper.make_model(
            graph, ir_version=8, opset_imports=[onnx.helper.make_opsetid("", 17)]
        )
        session = ort.InferenceSession(model.SerializeToString())
        (out,) = session.run(None, {"x": np.float32([-1, 0, 2])})
        self.assertEqual(out.tolist(), [0, 0, 2])


if __name__ == "__main__":
    TooOld.provider = sys.argv[1]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])

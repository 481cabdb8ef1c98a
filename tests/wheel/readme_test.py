# SPDX-License-Identifier: Apache-2.0
"""The README's Python lines, on a model in bfloat16 that ONNX Runtime's own CPU
provider refuses."""

from __future__ import annotations

import contextlib
import io
import math
import os
import pathlib
import re
import tempfile
import unittest

import models
import numpy as np
import onnx
import onnxruntime as ort

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"


class Readme(unittest.TestCase):
    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        onnx.save(models.mixed(), "model.onnx")

    def test_model_needs_the_provider(self) -> None:
        with self.assertRaisesRegex(Exception, "NOT_IMPLEMENTED"):
            ort.InferenceSession("model.onnx", providers=["CPUExecutionProvider"])

    def test_lines(self) -> None:
        found = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
        (lines,) = (lines for lines in found if "import onnxruntime\n" in lines)
        self.assertLessEqual(len([line for line in lines.splitlines() if line]), 10)
        names: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(compile(lines, "README.md", "exec"), names)
        self.assertTrue(output.getvalue().startswith("5 nodes"))
        y = np.asarray(names["y"])
        np.testing.assert_allclose(y, math.exp(-1), rtol=2**-8)


if __name__ == "__main__":
    unittest.main()

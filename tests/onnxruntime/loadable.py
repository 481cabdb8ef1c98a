# SPDX-License-Identifier: Apache-2.0
"""For tests of the Python package's make_loadable: the package from the sources, a
folder with a model and its new model, and numbers in bfloat16."""

from __future__ import annotations

import os
import pathlib
import sys
import tempfile
import unittest

import host
import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto

PACKAGE = pathlib.Path(__file__).resolve().parents[2] / "runtime/onnxruntime/python"
sys.path.insert(0, str(PACKAGE))

import onnxruntime_ep_lanewise as lanewise  # noqa: E402

BFLOAT16 = host.dtype(TensorProto.BFLOAT16)
# Half a unit in the last place of bfloat16.
ROUNDING = 2.0**-8


def narrow(array: np.ndarray) -> np.ndarray:
    return np.asarray(array).astype(BFLOAT16)


def rounded(array: np.ndarray) -> np.ndarray:
    """The nearest bfloat16 numbers, as float32."""
    return narrow(array).astype(np.float32)


def random(*shape: int, seed: int = 1) -> np.ndarray:
    return narrow(np.random.default_rng(seed).normal(size=shape))


def wide(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float32) if array.dtype == BFLOAT16 else array


def weights(**arrays: np.ndarray) -> list[onnx.TensorProto]:
    return [onnx.numpy_helper.from_array(array, n) for n, array in arrays.items()]


class Files(unittest.TestCase):
    def setUp(self) -> None:
        os.environ[lanewise.LIBRARY_VARIABLE] = host.Paths.provider
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.old, self.new = self.folder / "old.onnx", self.folder / "new.onnx"

    def save(self, graph: str, *, opset: int = 21, **arrays: np.ndarray) -> None:
        model = host.parsed(graph, opset=opset)
        model.graph.initializer.extend(weights(**arrays))
        onnx.save(model, self.old)

    def convert(self) -> lanewise.Loadable:
        report = lanewise.make_loadable(self.old, self.new)
        self.assertEqual(report.problems, [])
        return report

    def operators(self) -> list[str]:
        """The operators of the nodes that get casts."""
        return sorted(node.op for node in self.convert().nodes)

    def run_new(self, **given: np.ndarray) -> list[np.ndarray]:
        options = lanewise.append_to(ort.SessionOptions(), accuracy="tight")
        options.intra_op_num_threads = 1
        options.log_severity_level = host.SILENT
        session = ort.InferenceSession(str(self.new), options, enable_fallback=0)
        tensors = {name: host.tensor(np.asarray(a)) for name, a in given.items()}
        return [
            np.frombuffer(out.raw, host.dtype(out.type)).reshape(out.dims)
            for out in host.run(session, tensors)
        ]

    def assert_close(self, got: np.ndarray, wanted: np.ndarray, steps: int = 1) -> None:
        """Equal but for so many roundings of numbers as large as the largest."""
        self.assertEqual(got.dtype, BFLOAT16)
        atol = steps * ROUNDING * abs(wanted).max()
        np.testing.assert_allclose(wide(got), wanted, rtol=ROUNDING, atol=atol)

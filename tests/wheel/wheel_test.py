# SPDX-License-Identifier: Apache-2.0
"""The file that scripts/wheel made, and the package without the ONNX Runtime that it
needs.

    wheel_test.py WHEEL PYTHON_WITHOUT_ONNXRUNTIME PYTHON_WITH_OLD_ONNXRUNTIME
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import unittest

import archive

wheel, bare, old = (pathlib.Path(sys.argv.pop(1)) for _ in range(3))
PACKAGE = "onnxruntime_ep_lanewise"


def run(python: pathlib.Path, code: str) -> subprocess.CompletedProcess:
    return subprocess.run([python, "-c", code], capture_output=True, text=True)


class Wheel(archive.Archive):
    wheel = wheel
    name = "onnxruntime-ep-lanewise"
    package = PACKAGE
    tag = ("py3", "none")
    library = f"lib{PACKAGE}.so"
    windows_library = f"{PACKAGE}.dll"
    requires = None
    readme = "append_to"


class WithoutOnnxRuntime(unittest.TestCase):
    def test_import_needs_no_onnxruntime(self) -> None:
        done = run(bare, f"import {PACKAGE} as l; print(l.get_library_path())")
        self.assertEqual(done.stderr, "")
        self.assertTrue(pathlib.Path(done.stdout.strip()).is_file())

    def test_register_says_what_is_missing(self) -> None:
        done = run(bare, f"import {PACKAGE} as l; l.register()")
        self.assertIn("No module named 'onnxruntime'", done.stderr)

    def test_description_says_what_is_missing(self) -> None:
        command = [bare, "-m", PACKAGE]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, ""))
        self.assertIn("onnxruntime: ModuleNotFoundError", done.stdout)


class OldOnnxRuntime(unittest.TestCase):
    def test_package_refuses(self) -> None:
        done = run(old, f"import {PACKAGE} as l; l.register()")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"needs onnxruntime 1\.24 or newer; 1\.23")

    def test_library_refuses(self) -> None:
        done = run(
            old,
            f"import onnxruntime as o, {PACKAGE} as l;"
            "o.register_execution_provider_library('l', l.get_library_path())",
        )
        self.assertEqual(done.returncode, 1, done)
        self.assertRegex(done.stderr, r"Lanewise[^\n]* needs ONNX Runtime 1\.24")


if __name__ == "__main__":
    unittest.main()

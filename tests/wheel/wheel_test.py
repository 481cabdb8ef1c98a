# SPDX-License-Identifier: Apache-2.0
"""The file that scripts/wheel made, and the package without the ONNX Runtime that it
needs.

    wheel_test.py WHEEL PYTHON_WITHOUT_ONNXRUNTIME PYTHON_WITH_OLD_ONNXRUNTIME
"""

from __future__ import annotations

import email
import pathlib
import re
import subprocess
import sys
import unittest
import zipfile

wheel, bare, old = (pathlib.Path(sys.argv.pop(1)) for _ in range(3))
GLIBC = (2, 28)
PACKAGE = "onnxruntime_ep_lanewise"


def run(python: pathlib.Path, code: str) -> subprocess.CompletedProcess:
    return subprocess.run([python, "-c", code], capture_output=True, text=True)


class Wheel(unittest.TestCase):
    def setUp(self) -> None:
        archive = zipfile.ZipFile(wheel)
        self.addCleanup(archive.close)
        self.names = archive.namelist()
        (self.info,) = {n.split("/")[0] for n in self.names if ".dist-info/" in n}
        self.metadata = email.message_from_bytes(archive.read(f"{self.info}/METADATA"))
        self.library = archive.read(f"{PACKAGE}/lib{PACKAGE}.so")

    def test_tag_needs_no_new_c_library(self) -> None:
        python, abi, platforms = wheel.stem.split("-")[-3:]
        self.assertEqual((python, abi), ("py3", "none"))
        for platform in platforms.split("."):
            found = re.match(r"manylinux_(\d+)_(\d+)_|manylinux(2014)_", platform)
            self.assertTrue(found, platform)
            if not found[3]:
                self.assertLessEqual((int(found[1]), int(found[2])), GLIBC)

    def test_symbols_need_no_new_c_library(self) -> None:
        versions = {
            (int(major), int(minor))
            for major, minor in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", self.library)
        }
        self.assertTrue(versions)
        self.assertLessEqual(max(versions), GLIBC)

    def test_metadata(self) -> None:
        self.assertEqual(self.metadata["Name"], "onnxruntime-ep-lanewise")
        self.assertRegex(self.metadata["Version"], r"^\d+\.\d+\.\d+$")
        self.assertIsNone(self.metadata["Requires-Dist"])
        self.assertIn("append_to", self.metadata.get_payload())

    def test_licences(self) -> None:
        files = self.metadata.get_all("License-File")
        self.assertGreaterEqual(
            set(files), {"LICENSE", "licenses/highway.txt", "licenses/llvm.txt"}
        )
        for file in files:
            self.assertIn(f"{self.info}/licenses/{file}", self.names)

    def test_contents(self) -> None:
        libraries = [name for name in self.names if re.search(r"\.(so|dll|a)\b", name)]
        self.assertEqual(libraries, [f"{PACKAGE}/lib{PACKAGE}.so"])
        self.assertIn(f"{PACKAGE}/py.typed", self.names)
        strange = [n for n in self.names if n.split("/")[0] not in (PACKAGE, self.info)]
        self.assertEqual(strange, [])


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

# SPDX-License-Identifier: Apache-2.0
"""What each wheel of scripts/wheel must be: its names, its contents, and the C library
that it needs. As a program: tests a wheel of the package `lanewise`.

    archive.py WHEEL
"""

from __future__ import annotations

import email
import pathlib
import re
import sys
import unittest
import zipfile

GLIBC = (2, 28)


class Archive(unittest.TestCase):
    wheel: pathlib.Path
    name = "lanewise"
    package = "lanewise"
    tag = ("cp311", "abi3")
    library = "_core.abi3.so"
    windows_library = "_core.pyd"
    requires: list[str] | None = ["numpy>=1.26"]
    readme = "lanewise.fuse"

    def setUp(self) -> None:
        archive = zipfile.ZipFile(self.wheel)
        self.addCleanup(archive.close)
        self.names = archive.namelist()
        (self.info,) = {n.split("/")[0] for n in self.names if ".dist-info/" in n}
        self.metadata = email.message_from_bytes(archive.read(f"{self.info}/METADATA"))
        self.tags = re.findall(
            rb"^Tag: (.*)$", archive.read(f"{self.info}/WHEEL"), re.MULTILINE
        )
        self.is_for_windows = self.wheel.stem.endswith("-win_amd64")
        file = self.windows_library if self.is_for_windows else self.library
        self.path = f"{self.package}/{file}"
        self.bytes = archive.read(self.path)

    def test_tag_needs_no_new_c_library(self) -> None:
        python, abi, platforms = self.wheel.stem.split("-")[-3:]
        self.assertEqual((python, abi), self.tag)
        wanted = {f"{python}-{abi}-{platform}" for platform in platforms.split(".")}
        self.assertEqual({tag.decode().strip() for tag in self.tags}, wanted)
        for platform in platforms.split(".") if not self.is_for_windows else []:
            found = re.match(r"manylinux_(\d+)_(\d+)_|manylinux(2014)_", platform)
            self.assertTrue(found, platform)
            if not found[3]:
                self.assertLessEqual((int(found[1]), int(found[2])), GLIBC)

    def test_library_is_of_the_platform(self) -> None:
        if self.is_for_windows:
            start = int.from_bytes(self.bytes[60:64], "little")
            self.assertEqual(self.bytes[start : start + 6], b"PE\0\0\x64\x86")
        else:
            machine = 183 if self.wheel.stem.endswith("_aarch64") else 62
            self.assertEqual(self.bytes[:5], b"\x7fELF\2")
            self.assertEqual(int.from_bytes(self.bytes[18:20], "little"), machine)

    def test_symbols_need_no_new_c_library(self) -> None:
        versions = {
            (int(major), int(minor))
            for major, minor in re.findall(rb"\0GLIBC_(\d+)\.(\d+)", self.bytes)
        }
        self.assertEqual(bool(versions), not self.is_for_windows)
        self.assertLessEqual(max(versions, default=GLIBC), GLIBC)

    def test_metadata(self) -> None:
        self.assertEqual(self.metadata["Name"], self.name)
        self.assertRegex(self.metadata["Version"], r"^\d+\.\d+\.\d+$")
        self.assertEqual(self.metadata.get_all("Requires-Dist"), self.requires)
        self.assertIn(self.readme, self.metadata.get_payload())

    def test_licences(self) -> None:
        files = self.metadata.get_all("License-File")
        self.assertGreaterEqual(
            set(files), {"LICENSE", "licenses/highway.txt", "licenses/llvm.txt"}
        )
        for file in files:
            self.assertIn(f"{self.info}/licenses/{file}", self.names)

    def test_contents(self) -> None:
        libraries = [n for n in self.names if re.search(r"\.(so|dll|pyd|a|lib)\b", n)]
        self.assertEqual(libraries, [self.path])
        self.assertIn(f"{self.package}/py.typed", self.names)
        strange = [
            n for n in self.names if n.split("/")[0] not in (self.package, self.info)
        ]
        self.assertEqual(strange, [])


if __name__ == "__main__":
    Archive.wheel = pathlib.Path(sys.argv.pop(1))
    unittest.main()

# SPDX-License-Identifier: Apache-2.0
"""Docstrings and READMEs: their examples run. The stubs name what there is, and type
checkers accept a program that uses it."""

from __future__ import annotations

import ast
import doctest
import importlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
from typing import Any

import lanewise
import numpy as np
import pytest
from lanewise import _operators
from needs import need

TOP = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = TOP / "python" / "lanewise"
FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
NUMPY_1 = np.__version__.startswith("1.")


def run(test: doctest.DocTest) -> None:
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    with np.printoptions(precision=4):
        runner.run(test)
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("name", sorted(_operators.make()))
def test_operator(name: str) -> None:
    text = getattr(lanewise, name).__doc__
    assert text, f"{name} has no docstring: _docs.py"
    test = doctest.DocTestParser().get_doctest(
        text, {"lanewise": lanewise, "np": np}, name, None, 0
    )
    assert test.examples
    if not (NUMPY_1 and "np.float" in test.examples[-1].want):
        run(test)


@pytest.mark.parametrize("name", ["", "._engine", "._evaluate", "._fuse"])
def test_module(name: str) -> None:
    module = importlib.import_module("lanewise" + name)
    found = doctest.DocTestFinder().find(module, extraglobs={"lanewise": lanewise})
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    count = 0
    for test in found:
        if not isinstance(
            module.__dict__.get(test.name.split(".")[-1]), _operators.Operation
        ):
            count += len(test.examples)
            runner.run(test)
    assert count and runner.summarize().failed == 0


def examples(readme: pathlib.Path) -> list[str]:
    return re.findall(r"```python\n(.*?)```", readme.read_text(), re.DOTALL)


def test_readme_of_the_package() -> None:
    found = examples(TOP / "python" / "README.md")
    assert found
    names: dict[str, Any] = {"__name__": "readme"}
    for example in found:
        if "dask" in example:
            try:
                need("dask.array")
            except pytest.skip.Exception:
                continue
        exec(compile(example, "python/README.md", "exec"), names)


def test_readme_of_the_project() -> None:
    found = [e for e in examples(TOP / "README.md") if "import lanewise\n" in e]
    assert len(found) == 1
    exec(compile(found[0], "README.md", "exec"), {"__name__": "readme"})


def test_stubs_name_everything() -> None:
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text())
    named = set()
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            named.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            named.add(node.target.id)
    public = {name for name in named if not name.startswith("_")} - {"Fused"}
    assert public == set(lanewise.__all__)


PROGRAM = """
import numpy as np
import lanewise

@lanewise.fuse
def silu(x):
    return x / (1 + np.exp(-x))

@lanewise.fuse(static="n", fallback=True)
def power(x, n: int):
    return x**n

y = silu(np.ones(3))
silu.explain(y)
z = lanewise.add(y, 2.0, out=np.empty(3))
with lanewise.engine(accuracy="fast", threads=2) as engine:
    isa: str = engine.isa
w = lanewise.gelu(y, approximate="tanh") + power(y, 3) + lanewise.evaluate("y * 2")
"""
WRONG = PROGRAM + "lanewise.engine(accuracy=3)\nlanewise.nothing(y)\n"


def mypy(folder: pathlib.Path, *arguments: str) -> tuple[int, str]:
    """mypy's answer, beside a copy of the package."""
    need("mypy")
    shutil.copytree(
        PACKAGE, folder / "lanewise", dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("*.so", "__pycache__"),
    )  # fmt: skip
    environment = {**os.environ, "MYPYPATH": str(folder), "PYTHONPATH": ""}
    done = subprocess.run([sys.executable, "-m", "mypy", *arguments], cwd=folder,
                          env=environment, capture_output=True, text=True)  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_types_of_a_program(tmp_path: pathlib.Path) -> None:
    outputs = []
    for name, text in (("right.py", PROGRAM), ("wrong.py", WRONG)):
        (tmp_path / name).write_text(text)
        outputs.append(mypy(tmp_path, name))
    assert outputs[0][0] == 0, outputs[0][1]
    assert outputs[1][0] != 0 and "nothing" in outputs[1][1], outputs[1][1]


def test_types_of_the_package(tmp_path: pathlib.Path) -> None:
    settings = TOP / "python" / "pyproject.toml"
    status, output = mypy(tmp_path, "--config-file", str(settings), "lanewise")
    assert status == 0, output


def test_main() -> None:
    done = subprocess.run([sys.executable, "-m", "lanewise", "--count", "100"],
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0 and done.stderr == ""
    assert "silu" in done.stdout and f"NumPy {np.__version__}" in done.stdout

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
            pytest.importorskip("dask.array")
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


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
def test_type_checkers(checker: str, tmp_path: pathlib.Path) -> None:
    program = pathlib.Path(sys.executable).parent / checker
    if not program.exists():
        pytest.skip(f"no {checker}")
    shutil.copytree(
        PACKAGE, tmp_path / "lanewise", ignore=shutil.ignore_patterns("*.so")
    )
    environment = {**os.environ, "MYPYPATH": str(tmp_path), "PYTHONPATH": ""}
    options = ["--pythonpath", sys.executable] if checker == "pyright" else []
    outputs = []
    for name, text in (("right.py", PROGRAM), ("wrong.py", WRONG)):
        (tmp_path / name).write_text(text)
        done = subprocess.run([program, *options, name], cwd=tmp_path, env=environment,
                              capture_output=True, text=True)  # fmt: skip
        outputs.append((done.returncode, done.stdout + done.stderr))
    assert outputs[0][0] == 0, outputs[0][1]
    assert outputs[1][0] != 0 and "nothing" in outputs[1][1], outputs[1][1]


def test_main() -> None:
    done = subprocess.run([sys.executable, "-m", "lanewise", "--count", "100"],
                          capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0 and done.stderr == ""
    assert "silu" in done.stdout and f"NumPy {np.__version__}" in done.stdout

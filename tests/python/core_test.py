# SPDX-License-Identifier: Apache-2.0
"""The extension module gets anything, and answers with an exception."""

from __future__ import annotations

import itertools
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from lanewise import _core, _engine
from lanewise._registry import OPSET

X = np.ones(3, "f4")
F4 = np.dtype("f4")
ENGINE = _engine.current()
EXP = ("Exp", OPSET, (), (0,))
ALPHA = (("alpha", 1, 0.5),)
# engine, inputs, constants, steps, results, dtypes, is_tuple, whole_results
RIGHT = (ENGINE, ((0, 1, False),), (), (EXP,), (1,), (F4,), False, 0)
WRONG: list[list[Any]] = [
    [None, 3, _core],
    [None, 3, [], ((),), ((0, 1),), ((0, 1, 2, 3),), ((20, 1, 0),), ((-1, 1, 0),),
     ((0, 8, 0),), ((0, 99, 0),), ((0, 21, 0),), ((2**40, 1, 0),), (3,),
     ((0, 1, 0),) * 17, ((1, 1, 0),)],
    [None, (3,), (None,), (np.array(["a"]),), ([1.0],), (X,) * 65],
    [None, (), (3,), ((),), (("Exp",),), (("Nothing", OPSET, (), (0,)),),
     (("Exp", OPSET, [], (0,)),), (("Exp", OPSET, 3, (0,)),),
     (("Exp", OPSET, (3,), (0,)),), (("Exp", OPSET, (("alpha",),), (0,)),),
     (("Exp", OPSET, ALPHA, (0,)),), (("LeakyRelu", OPSET, (("alpha", 3, 5),), (0,)),),
     (("LeakyRelu", OPSET, (("alpha", 1, "a"),), (0,)),),
     (("LeakyRelu", OPSET, (("alpha", 99, (1, 2)),), (0,)),),
     (("LeakyRelu", OPSET, (("alpha", 6, 3),), (0,)),),
     (("LeakyRelu", OPSET, (("alpha", 6, [None]),), (0,)),),
     (("Exp", OPSET, (), None),), (("Exp", OPSET, (), [0]),),
     (("Exp", OPSET, (), (None,)),), (("Exp", OPSET, (), (7,)),),
     (("Exp", OPSET, (), (-2,)),), (("Exp", OPSET, (), (2**32,)),),
     (("Exp", OPSET, (), (2**70,)),), (("Exp", OPSET, (), ()),),
     (("Exp", OPSET, (), (0,) * 99),), (EXP,) * 65, (("\0", 1, (), ()),)],
    [None, (), (0,), (2,), (-1,), (2**32 + 1,), ("a",), (1,) * 9, (1, 2), (1, 1)],
    [None, (), (F4, F4), (np.dtype("f8"),), (np.dtype("U3"),), (3,), (None,)],
]  # fmt: skip


class Own(_core.Function):
    """A function whose program is given."""

    def __init__(self, program: Any) -> None:
        self.program = program

    def _compile(self, engine: Any, args: tuple) -> Any:
        return self.program


def outcome(parts: Any, args: Any) -> Any:
    try:
        return Own(_core.Program(*parts))(*args)
    except (TypeError, ValueError, OverflowError, RuntimeError) as error:
        return error


def test_a_right_program() -> None:
    np.testing.assert_allclose(outcome(RIGHT, (X,)), np.exp(X), 1e-6)


def test_wrong_programs() -> None:
    for place, wrongs in enumerate(WRONG):
        for wrong in wrongs:
            parts = [*RIGHT[:place], wrong, *RIGHT[place + 1 :]]
            for args in ((X,), (1.5,), (3,), (True,)):
                assert isinstance(outcome(parts, args), Exception), (place, wrong, args)
    # Two parts at once: any answer, but no crash.
    for (i, a), (j, b) in itertools.combinations(enumerate(WRONG[1:6], 1), 2):
        for one, other in itertools.product(a, b):
            parts = list(RIGHT)
            parts[i], parts[j] = one, other
            outcome(parts, (X,))


@pytest.mark.parametrize("what", [
    "_core.Function()()", "_core.Function()(1.5)", "_core.Function()._run((1.5,), None)",
    "_core.Function()(None)", "_core.setup(1, {}, None)", "_core.Program()",
    "_core.setup(numpy, {}, 1, 2), _core.Function()(1.5)",
    "_core.setup(numpy, {}, int, int), _core.Function()(1.5)",
    "_core.setup(numpy, {}, lambda: None, lambda: None), _core.Function()(1.5)",
    "_core.Engine('a')", "_core.Engine(9)", "_core.Engine(0, -1)", "_core.type_name('a')",
    "_core.Engine(0, 0, 'a\\0b')", "_core.type_name(2**70)",
])  # fmt: skip
def test_wrong_calls_of_the_bare_module(what: str) -> None:
    """Without the package around the module, in a process of its own."""
    code = f"""
import importlib.util, numpy
spec = importlib.util.spec_from_file_location("lanewise._core", {_core.__file__!r})
_core = importlib.util.module_from_spec(spec)
spec.loader.exec_module(_core)
try:
    {what}
except (TypeError, ValueError, RuntimeError, AttributeError, OverflowError):
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "refused\n", "")

# SPDX-License-Identifier: Apache-2.0
"""numexpr's own tests, as its package brings them along, run against evaluate,
re_evaluate and validate. Those that fail are listed with the reason, and no others
fail."""

from __future__ import annotations

import collections
import re
import unittest
from typing import Any, Iterator

import lanewise
import pytest
from needs import need

suite: Any = need("numexpr.tests.test_numexpr")
pytestmark = pytest.mark.filterwarnings("ignore")

COMPLEX, STRINGS = "complex numbers", "strings"
REASONS = {
    r"\.test_(complex_expr|complex_tan|bool_funcs|sign_round|reductions|sanitize)$": COMPLEX,
    r"\.test_str_contains_": STRINGS,
    r"^test_strings\.": STRINGS,
    r"^expression .* complex$": COMPLEX,
    r"^expression .*nextafter": "the operator nextafter",
}
# These test numexpr itself: its threads, its processes, its virtual machine.
NOT_OURS = re.compile(
    r"^test_(threading|threading_config|subprocess)\.|"
    r"\.test_(disassemble|ex_uses_vml|run|changing_nthreads_\w+|illegal_value|"
    r"constant_deduplication|nan_constant|f32_constant|r0_reuse)$"
)


def reason(name: str) -> str | None:
    return next((why for what, why in REASONS.items() if re.search(what, name)), None)


@pytest.fixture(autouse=True)
def ours(monkeypatch: Any) -> None:
    for name in ("evaluate", "re_evaluate", "validate"):
        monkeypatch.setattr(suite, name, getattr(lanewise, name))


def cases() -> Iterator[Any]:
    for value in vars(suite).values():
        if isinstance(value, type) and issubclass(value, unittest.TestCase):
            yield from unittest.defaultTestLoader.loadTestsFromTestCase(value)


def test_cases() -> None:
    unexpected, passed = [], 0
    for case in cases():
        name = ".".join(case.id().split(".")[-2:])
        if NOT_OURS.search(name):
            continue
        result = unittest.TestResult()
        case.run(result)
        if result.wasSuccessful() != (reason(name) is None):
            unexpected.append((name, result.errors + result.failures))
        passed += result.wasSuccessful()
    assert not unexpected, unexpected
    assert passed > 40


def test_expressions() -> None:
    (marker,) = (
        m for m in suite.test_expressions.pytestmark if m.name == "parametrize"
    )
    counts: collections.Counter = collections.Counter()
    unexpected = []
    for parameters in marker.args[1]:
        name = f"expression {parameters[0]} {parameters[2].__name__}"
        try:
            suite.test_expressions(*parameters)
            outcome = None
        except pytest.skip.Exception:
            continue
        except (pytest.fail.Exception, Exception) as error:
            outcome = error
        why = reason(name)
        # Some expressions of complex numbers are of the real arrays alone.
        if outcome is not None and why is None:
            unexpected.append((name, outcome))
        counts["passed" if outcome is None else why] += 1
    assert not unexpected, unexpected[:5]
    assert counts["passed"] > 5000, counts

# SPDX-License-Identifier: Apache-2.0
"""On CI, a test does not pass because a module is missing."""

from __future__ import annotations

from typing import Any

import pytest
from needs import need


def test_a_missing_module(monkeypatch: Any) -> None:
    monkeypatch.setattr("needs.EVERYWHERE", {"no_such_module"})
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="no_such_module is missing"):
        need("no_such_module")
    with pytest.raises(pytest.fail.Exception, match="no_such_module.inner is missing"):
        need("no_such_module.inner")
    monkeypatch.delenv("CI")
    with pytest.raises(pytest.skip.Exception):
        need("no_such_module")

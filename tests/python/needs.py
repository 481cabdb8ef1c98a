# SPDX-License-Identifier: Apache-2.0
"""Modules that tests need, and that not every environment has."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np
import pytest

# scripts/setup puts these beside the oldest NumPy, too.
EVERYWHERE = {"numexpr"}


def need(name: str) -> Any:
    """The module. Without it the test is left out, and fails on CI."""
    is_expected = name.split(".")[0] in EVERYWHERE or not np.__version__.startswith("1.")
    if os.environ.get("CI") == "true" and is_expected:
        try:
            return importlib.import_module(name)
        except ImportError:
            pytest.fail(f"the module {name} is missing: scripts/setup python", False)
    return pytest.importorskip(name)

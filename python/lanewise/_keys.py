# SPDX-License-Identifier: Apache-2.0
"""Keys of dictionaries that tell values apart which Python calls equal."""

from __future__ import annotations

import numbers
from typing import Any


def typed(x: Any) -> Any:
    """x with its type and the sign of its zero: 2, 2.0 and True are equal for Python,
    and so are 0.0 and -0.0, but they make different programs."""
    if isinstance(x, tuple):
        return type(x), tuple(map(typed, x))
    if isinstance(x, frozenset):
        return type(x), frozenset(map(typed, x))
    if isinstance(x, numbers.Number) and not isinstance(x, numbers.Integral):
        return type(x), repr(x)  # a NaN is equal to itself here
    return type(x), x

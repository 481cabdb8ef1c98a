# SPDX-License-Identifier: Apache-2.0
"""NumPy code that runs in one pass over memory, without a compiler."""

from __future__ import annotations

import numpy as _numpy

from . import _core, _engine, _operators, _types
from ._engine import current as current_engine
from ._engine import engine, isas
from ._fuse import fuse
from ._trace import TraceError

_engine.connect(_numpy, _types.added)

__version__: str = _core.version
_functions = _operators.make()
globals().update(_functions)
__all__ = ["TraceError", "current_engine", "engine", "fuse", "isas", *_functions]

# SPDX-License-Identifier: Apache-2.0
"""NumPy code that runs in one pass over memory, without a compiler.

>>> import numpy as np
>>> @lanewise.fuse
... def silu(x):
...     return x / (1 + np.exp(-x))
>>> silu(np.float32([-1, 0, 2]))
array([-0.26894143,  0.        ,  1.761594  ], dtype=float32)
>>> lanewise.gelu(np.float32([-1, 0, 2]))
array([-0.15865526,  0.        ,  1.9544997 ], dtype=float32)
"""

from __future__ import annotations

import numpy as _numpy

from . import _core, _engine, _operators, _reductions, _types
from ._engine import current as current_engine
from ._engine import engine, isas
from ._evaluate import evaluate, re_evaluate, validate
from ._fuse import fuse
from ._trace import TraceError

_engine.connect(_numpy, _types.added)

__version__: str = _core.version
_made = _operators.make()
globals().update(_made)
__all__ = ["TraceError", "current_engine", "engine", "evaluate", "fuse", "isas",
           "re_evaluate", "validate", *_made]  # fmt: skip


def __getattr__(name: str) -> object:
    reason = _reductions.why_not(name)
    raise AttributeError(f"module 'lanewise' has no attribute {name!r}{reason}")

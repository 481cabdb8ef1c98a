# SPDX-License-Identifier: Apache-2.0
"""Engines: how exact, on how many threads, by which instructions."""

from __future__ import annotations

import contextlib
import contextvars
import functools
from typing import Any

from . import _core

_current: contextvars.ContextVar[Any] = contextvars.ContextVar(
    "lanewise.engine", default=None
)
# What held before each `with` that this context is in. Not in the engine, which several
# threads may use at once.
_before: contextvars.ContextVar[tuple[Any, ...]] = contextvars.ContextVar(
    "lanewise.engine.before", default=()
)
_GRADES = {None: 0, "fast": 1, "tight": 2, "exact": 3}


# Functions keep programs for each engine that they have seen: the same options are
# the same engine, also for threads that ask at once.
_engines: dict[tuple, Any] = {}


def _engine(*options: Any) -> Any:
    found = _engines.get(options)
    return found or _engines.setdefault(options, _core.Engine(*options))


# The engine where no `with` holds.
_default = functools.partial(_engine, 0, 0, None, None)


class engine(contextlib.ContextDecorator):
    """How calls within a `with` run.

    accuracy: "fast" (float32 functions err below 4 ULP), "tight" (below 1 ULP) or
    "exact" (correctly rounded; functions for which this is not proven are refused).
    threads: how many threads a call may use. isa: the best instruction set not above
    this one, "AVX2" for example. tuning: a file that scripts/tune wrote. What is not
    given comes from LANEWISE_ACCURACY, LANEWISE_NUM_THREADS, LANEWISE_MAX_ISA and
    LANEWISE_TUNING, else it is "tight", all processors of this process, and the best.

    >>> import numpy as np
    >>> with engine(accuracy="exact", threads=2) as chosen:
    ...     print(lanewise.exp(np.float32([1])), chosen.accuracy, chosen.threads)
    [2.7182817] exact 2
    """

    def __init__(
        self,
        accuracy: str | None = None,
        threads: int = 0,
        isa: str | None = None,
        tuning: str | None = None,
    ) -> None:
        if accuracy not in _GRADES:
            raise ValueError(f"accuracy={accuracy!r} is none of fast, tight, exact")
        self._engine = _engine(_GRADES[accuracy], threads, isa, tuning)

    @property
    def accuracy(self) -> str:
        """ "fast", "tight" or "exact"."""
        return self._engine.accuracy

    @property
    def threads(self) -> int:
        """How many threads a call may use."""
        return self._engine.threads

    @property
    def isa(self) -> str:
        """The instruction set: "AVX2", ..."""
        return self._engine.isa

    def __enter__(self) -> engine:
        _before.set((*_before.get(), _current.get()))
        _current.set(self._engine)
        return self

    def __exit__(self, *exception: object) -> None:
        *before, last = _before.get()
        _before.set(tuple(before))
        _current.set(last)

    def __repr__(self) -> str:
        return f"<lanewise.engine {self.accuracy}, {self.threads} threads, {self.isa}>"


def current() -> Any:
    """The engine of this context: an object with accuracy, threads and isa."""
    return _current.get() or _default()


def isas() -> list[str]:
    """The instruction sets that this CPU runs and this package has, best first."""
    return _core.isas()


def connect(numpy: Any, dtypes: dict[Any, int]) -> None:
    """Tells the extension module what it needs of Python."""
    _core.setup(numpy, dtypes, _current.get, _default)

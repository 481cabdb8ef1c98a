# SPDX-License-Identifier: Apache-2.0
"""fuse: a function of arrays runs as one chain."""

from __future__ import annotations

import functools
import inspect
import pickle
import sys
from typing import Any, Callable

from . import _engine, _explain
from ._arrays import plain
from ._function import MOST_SPECIALS, Traced
from ._keys import typed


class Fused(Traced):
    """What `fuse` makes of a function."""

    def __init__(self, function: Callable[..., Any], fallback: bool = False,
                 static: tuple[str, ...] = ()) -> None:  # fmt: skip
        super().__init__(function, fallback)
        functools.update_wrapper(self, function)
        self._static = tuple(static)

    def explain(self, *args: Any) -> None:
        """Prints what a call with such arguments computes: the steps, the passes over
        memory, the bytes that these move beside what NumPy would move, the engine.

        >>> import numpy as np
        >>> silu = lanewise.fuse(lambda x: x / (1 + np.exp(-x)))
        >>> silu.explain(np.ones(1000, "float32"))  # doctest: +ELLIPSIS
        4 steps, 1 pass, 1 result
          %0 = argument 0: float32, rank 1
          %1 = Neg(%0): float32
          %2 = Exp(%1): float32
          %3 = Add(1, %2): float32
          %4 = Div(%0, %3): float32
        8,000 bytes moved; NumPy: 36,000 in 4 passes
        engine: ...
        """
        data = tuple(x if type(x) in (int, float) else plain(x) for x in args)
        graph, results, _ = self._trace(data)
        print(_explain.describe(graph, results, data, _engine.current()))

    def __reduce__(self) -> Any:
        module = getattr(self, "__module__", None)
        name = getattr(self, "__qualname__", "")
        found: Any = sys.modules.get(module or "")
        for part in name.split("."):
            found = getattr(found, part, None)
        options = (self._fallback, self._static)
        if found is self and module != "__main__":
            return _by_name, (module, name)
        cloudpickle = sys.modules.get("cloudpickle")
        if cloudpickle is not None:
            # Functions of __main__ and lambdas: workers of dask and Ray lack these.
            return _from_bytes, (cloudpickle.dumps(self.__wrapped__), options)
        if found is self:
            return _by_name, (module, name)
        return _make, (self.__wrapped__, *options)

    def __repr__(self) -> str:
        return f"<lanewise.fuse {getattr(self, '__qualname__', '?')}>"


class StaticFused(Fused):
    """A fused function some of whose arguments are no data: traced for each of their
    values."""

    def __init__(self, function: Callable[..., Any], fallback: bool,
                 static: tuple[str, ...]) -> None:  # fmt: skip
        super().__init__(function, fallback, static)
        self._signature = inspect.signature(function)
        self._of_static: dict[Any, Fused] = {}

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        out = {"out": kwargs.pop("out")} if "out" in kwargs else {}
        bound = self._signature.bind(*args, **kwargs)
        bound.apply_defaults()
        fixed = {n: bound.arguments.pop(n) for n in self._static}
        key = typed(tuple(fixed.values()))
        found = self._of_static.get(key)
        if found is None:
            function = self.__wrapped__

            def special(*args: Any, **kwargs: Any) -> Any:
                return function(*args, **kwargs, **fixed)

            if len(self._of_static) >= MOST_SPECIALS:
                self._of_static.clear()
            found = self._of_static[key] = Fused(special, self._fallback)
        return found(**bound.arguments, **out)


def _make(
    function: Callable[..., Any], fallback: bool, static: tuple[str, ...]
) -> Fused:
    kind = StaticFused if static else Fused
    return kind(function, fallback, static)


def _by_name(module: str, name: str) -> Any:
    import importlib

    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    return found


def _from_bytes(function: bytes, options: tuple) -> Fused:
    return _make(pickle.loads(function), *options)


def fuse(function: Any = None, *, fallback: bool = False, static: Any = ()) -> Any:
    """Makes a function of arrays run in one pass over memory.

    The function is traced once for each combination of types and ranks: it is called
    with values that record what NumPy's functions and Python's operators do to them.
    What cannot be recorded is a TraceError that names the line; with fallback=True the
    function then runs as it is. static names arguments that are no data.

    >>> import numpy as np
    >>> @fuse
    ... def silu(x):
    ...     return x / (1 + np.exp(-x))
    >>> silu(np.float32([-1, 0, 2]))
    array([-0.26894143,  0.        ,  1.761594  ], dtype=float32)
    """
    if function is None:
        return functools.partial(fuse, fallback=fallback, static=static)
    if isinstance(static, str):
        static = (static,)
    return _make(function, fallback, tuple(static))

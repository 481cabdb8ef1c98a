# SPDX-License-Identifier: Apache-2.0
"""Functions that are traced once for each combination of types and ranks."""

from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _arrays, _core, _types
from ._keys import typed
from ._steps import Literal
from ._trace import Graph, TraceError, Value


# Values of attributes may be computed: what was made for old ones is forgotten.
MOST_SPECIALS = 256


class _Slot:
    """Where an argument that is data stands in a call."""

    def __repr__(self) -> str:
        return "array"


_SLOT = _Slot()


class Traced(_core.Function):
    """A Python function of Values that runs as one chain.

    The extension module calls `_compile` for new types, `_unusual` for arguments that
    are not all plain arrays and numbers, `_beyond` for integers that do not fit, and
    `_put` for an `out` that cannot be written in place.
    """

    def __init__(self, function: Callable[..., Any], fallback: bool = False,
                 numbers_are_static: bool = False) -> None:  # fmt: skip
        self.__wrapped__ = function
        self._fallback = fallback
        # Keywords of operators are attributes, not data.
        self._numbers_are_static = numbers_are_static
        self._specials: dict[Any, Traced] = {}

    # ---- Called by the extension module

    def _compile(self, engine: Any, args: tuple) -> Any:
        try:
            graph, results, is_tuple = self._trace(args)
            return graph.program(engine, results, is_tuple)
        except TraceError:
            if not self._fallback:
                raise
            return self.__wrapped__

    def _unusual(self, args: tuple, kwargs: dict) -> Any:
        kwargs = dict(kwargs)
        out = kwargs.pop("out", None)
        if any(isinstance(x, Value) for x in (*args, *kwargs.values())):
            if out is not None:
                raise TraceError("out= has no meaning while tracing", "x = f(x)")
            return self.__wrapped__(*args, **kwargs)
        data: list[Any] = []
        places = tuple(self._place(x, data, False) for x in args)
        names = tuple((k, self._place(x, data, True)) for k, x in kwargs.items())
        if not data:
            raise TypeError("a call needs an array or a number")
        target = self._special(places, names)
        if isinstance(out, tuple) and len(out) == 1:
            (out,) = out
        if isinstance(out, tuple):
            to_write: Any = tuple(map(_arrays.plain_out, out))
        else:
            to_write = _arrays.plain_out(out)
        result = target._run(tuple(data), to_write)
        return result if out is None else out

    def _beyond(self, args: tuple, out: Any) -> Any:
        """A call in which an integer is beyond the type of the arrays beside it. As in
        NumPy, a comparison has an answer; else the trace raises an OverflowError."""
        data: list[Any] = []
        places = []
        for x in args:
            is_data = type(x) is not int
            places.append(_SLOT if is_data else x)
            data += [x] if is_data else []
        if not data:
            raise OverflowError("a Python integer is out of bounds for int64")
        return self._special(tuple(places), ())._run(tuple(data), out)

    def _put(self, result: Any, out: Any) -> Any:
        results = result if isinstance(result, tuple) else (result,)
        outs = out if isinstance(out, tuple) else (out,)
        if len(results) != len(outs):
            raise ValueError(f"out= has {len(outs)} arrays for {len(results)} results")
        for one, where in zip(results, outs):
            if one is where or where is None:
                continue
            where = _arrays.plain_out(where)
            try:
                one = np.broadcast_to(one, where.shape)
            except ValueError:
                raise ValueError(
                    f"out= has the shape {where.shape}, the result {np.shape(one)}"
                ) from None
            np.copyto(where, one, casting="same_kind")
        return out

    # ---- Tracing

    def _trace(self, args: tuple) -> tuple[Graph, list[Any], bool]:
        graph = Graph()
        values = [_as_value(graph, i, x) for i, x in enumerate(args)]
        result = self.__wrapped__(*values)
        is_tuple = isinstance(result, (tuple, list))
        nodes = []
        for one in result if is_tuple else (result,):
            if isinstance(one, Literal) or not isinstance(one, Value):
                raise TraceError(f"the function returns {one!r}, which is no array",
                                 "a result that depends on the arguments")  # fmt: skip
            value = one.to(np.dtype(one.weak)) if one.weak is not None else one
            if not any(n.kind == "input" for n in graph.needed([value.node])):
                raise TraceError("a result depends on no argument",
                                 "a result that depends on the arguments")  # fmt: skip
            nodes.append(value.node)
        return graph, nodes, is_tuple

    # ---- Arguments

    def _place(self, x: Any, data: list[Any], is_keyword: bool) -> Any:
        """What stands for this argument in the key of a special function."""
        if is_keyword and self._numbers_are_static and isinstance(x, np.generic):
            x = x.item()
        is_number = type(x) in (bool, int, float)
        if _arrays.is_static(x) or (
            is_keyword and self._numbers_are_static and (is_number or type(x) is tuple)
        ):
            return x if not isinstance(x, dict) else _no_dict()
        data.append(x if type(x) in (int, float) else _arrays.plain(x))
        return _SLOT

    def _like(self, function: Callable[..., Any]) -> Traced:
        """Another function, with this one's options."""
        return Traced(function, self._fallback)

    def _special(self, places: tuple, names: tuple) -> Traced:
        """This function with its arguments that are no data filled in."""
        if not names and all(place is _SLOT for place in places):
            return self
        key = typed((places, names))
        found = self._specials.get(key)
        if found is None:
            function = self.__wrapped__

            def special(*data: Any) -> Any:
                left = iter(data)
                args = [next(left) if p is _SLOT else p for p in places]
                kwargs = {k: next(left) if p is _SLOT else p for k, p in names}
                return function(*args, **kwargs)

            if len(self._specials) >= MOST_SPECIALS:
                self._specials.clear()
            found = self._specials[key] = self._like(special)
        return found


def _no_dict() -> Any:
    raise TypeError("a dict is no argument of a fused function")


def _as_value(graph: Graph, index: int, x: Any) -> Value:
    if type(x) in (int, float):
        return Value(graph, None, type(x), index)
    if isinstance(x, bool):
        return Value(graph, graph.input(index, _types.BOOL, 0))
    code = _types.code_of(x.dtype)
    return Value(graph, graph.input(index, code, x.ndim))

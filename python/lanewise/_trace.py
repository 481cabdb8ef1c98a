# SPDX-License-Identifier: Apache-2.0
"""What a traced function computes with: values that record what is done to them."""

from __future__ import annotations

import os
import sys
import types
from typing import Any

import numpy as np

from . import _core, _types
from ._keys import typed
from ._registry import OPERATORS, OPSET

_HERE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_NUMPY = os.path.dirname(os.path.abspath(np.__file__)) + os.sep

Weak = type  # int or float: a Python number's type, which bends to an array's


def _place() -> str:
    """The line of the caller's that is being traced."""
    frame: types.FrameType | None = sys._getframe(1)
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith((_HERE, _NUMPY)) and not file.startswith("<__array"):
            return f"{file}:{frame.f_lineno}, in {frame.f_code.co_name}"
        frame = frame.f_back
    return "an unknown line"


class TraceError(TypeError):
    """A function does something that no chain of operators can."""

    def __init__(self, what: str, instead: str = "") -> None:
        self.what = what
        lines = [f"{_place()}: {what}"]
        if instead:
            lines.append(f"Write instead: {instead}")
        lines.append("lanewise.fuse(..., fallback=True) would run it as NumPy.")
        super().__init__("\n".join(lines))


class Node:
    """An input, a constant, or a step of a graph."""

    __slots__ = ("kind", "data", "operands", "code", "ndim")

    def __init__(self, kind: str, data: Any, operands: tuple[Node | None, ...],
                 code: int, ndim: int) -> None:  # fmt: skip
        self.kind, self.data, self.operands = kind, data, operands
        self.code, self.ndim = code, ndim


class Graph:
    """The steps that a traced function has recorded so far."""

    def __init__(self) -> None:
        self.nodes: dict[Any, Node] = {}

    def _keep(
        self, key: Any, kind: str, data: Any, operands: tuple, code: int, ndim: int
    ) -> Node:
        # The same operator on the same operands is one step.
        if key not in self.nodes:
            self.nodes[key] = Node(kind, data, operands, code, ndim)
        return self.nodes[key]

    def input(self, argument: int, code: int, ndim: int) -> Node:
        """An argument; a number is an input for each type that it is needed in."""
        return self._keep(("input", argument, code), "input", argument, (), code, ndim)

    def constant(self, value: Any, dtype: np.dtype) -> Node:
        array = _as_constant(value, dtype)
        code = _types.code_of(dtype)
        key = ("constant", code, array.shape, array.tobytes())
        return self._keep(key, "constant", array, (), code, array.ndim)

    def step(
        self, name: str, operands: tuple, code: int, ndim: int, **attributes: Any
    ) -> Node:
        operator = OPERATORS.get(name)
        if operator is None:
            raise TraceError(f"this build of lanewise has no operator {name}")
        if any(map(is_reshaped_result, operands)):
            raise TraceError("what was computed is reshaped, and then computed with",
                             "two fused functions, one before the reshape")  # fmt: skip
        given = tuple(
            (key, operator.attributes[key].kind, value)
            for key, value in attributes.items()
        )
        key = (name, typed(given), tuple(map(id, operands)))
        return self._keep(key, "step", (name, given), operands, code, ndim)

    def output(self, step: Node, index: int, code: int) -> Node:
        """An output behind the first one of a step: a number."""
        return self._keep(("output", id(step), index), "output", index, (step,), code, 0)

    def needed(self, results: list[Node]) -> list[Node]:
        """What the results depend on, in the order in which it was recorded."""
        seen: set[int] = set()
        left: list[Node | None] = [*results]
        while left:
            node = left.pop()
            if node is not None and id(node) not in seen:
                seen.add(id(node))
                left.extend(node.operands)
        return [node for node in self.nodes.values() if id(node) in seen]

    def program(self, engine: Any, results: list[Node], is_tuple: bool) -> Any:
        results = self._distinct(results)
        nodes = self.needed(results)
        inputs = [n for n in nodes if n.kind == "input"]
        inputs.sort(key=lambda node: node.data)
        constants = [n for n in nodes if n.kind == "constant"]
        steps = [n for n in nodes if n.kind == "step"]
        for count, most, what in (
            (len(steps), 64, "steps"), (len(constants), 64, "constants"),
            (len(inputs) + sum(c.data.size > 1 for c in constants), 16, "arrays"),
            (len(results), 8, "results"),
        ):  # fmt: skip
            if count > most:
                raise TraceError(
                    f"the function has {count} {what}; a chain has at most {most}",
                    "two fused functions, one after the other",
                )
        number = {id(n): i for i, n in enumerate(inputs + constants + steps)}
        outputs = [n for n in nodes if n.kind == "output"]
        several = [n for n in steps
                   if any(not o.optional for o in OPERATORS[n.data[0]].outputs[1:])]  # fmt: skip
        if several and (len(steps) > 1 or not outputs or results[1:] != outputs):
            raise TraceError(
                f"{several[0].data[0]} has several results, and is no step of a chain",
                "a call of the operator outside of the fused function",
            )
        for i, node in enumerate(outputs, 1):
            number[id(node)] = number[id(steps[0])] + i
        # Memory on the other side of a reshape has no gaps.
        reshapes = [n for n in steps if n.data[0] == "Reshape" and len(steps) > 1]
        whole = {id(n) for r in reshapes for n in (r, r.operands[0])}
        return _core.Program(
            engine,
            tuple((n.data, n.code, id(n) in whole) for n in inputs),
            tuple(n.data for n in constants),
            tuple(
                (
                    n.data[0],
                    OPSET,
                    n.data[1],
                    tuple(-1 if o is None else number[id(o)] for o in n.operands),
                )
                for n in steps
            ),
            tuple(number[id(n)] for n in results),
            tuple(_types.dtype_of(n.code) for n in results),
            is_tuple,
            sum(1 << i for i, n in enumerate(results) if id(n) in whole),
        )

    def _distinct(self, results: list[Node]) -> list[Node]:
        """Every result is a step of its own: others are copied by one."""
        distinct: list[Node] = []
        roots: list[Node] = []
        for i, node in enumerate(results):
            # A reshaped result is the memory of what was reshaped.
            root = _reshaped(node) if is_reshaped_result(node) else node
            if root.kind not in ("step", "output") or root in roots or _is_moved(node):
                # The names of no operators: copies must not be merged.
                copy = Node("step", ("Cast", (("to", 2, node.code),)), (root,),
                            root.code, root.ndim)  # fmt: skip
                self.nodes[("copy", i)] = copy
                if root is not node:
                    operands = (copy, *node.operands[1:])
                    copy = Node("step", node.data, operands, node.code, node.ndim)
                    self.nodes[("reshaped copy", i)] = copy
                node = copy
            roots.append(root)
            distinct.append(node)
        return distinct


def _reshaped(node: Any) -> Any:
    """What a step reshapes, if it does."""
    found = None
    while node is not None and node.kind == "step" and node.data[0] == "Reshape":
        found = node = node.operands[0]
    return found


def is_reshaped_result(node: Node | None) -> bool:
    """A chain reshapes only its arguments, and what nobody computes with."""
    found = _reshaped(node)
    return found is not None and found.kind == "step"


def _is_moved(node: Node) -> bool:
    """An argument in another shape: no chain computes that."""
    found = _reshaped(node)
    return found is not None and found.kind != "step"


def _as_constant(value: Any, dtype: np.dtype) -> np.ndarray:
    """A constant as an array of this type; NumPy's OverflowError, if it does not fit."""
    if isinstance(value, int) and dtype.kind in "iu":
        limits = np.iinfo(dtype)
        if not limits.min <= value <= limits.max:
            raise OverflowError(f"Python integer {value} out of bounds for {dtype}")
    with np.errstate(over="ignore"):
        return np.asarray(value).astype(dtype, order="C")


_METHODS = ("sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "argmax",
            "argmin")  # fmt: skip


class Value:
    """An array of which only the type and the rank are known while tracing."""

    __slots__ = ("graph", "node", "weak", "argument")
    __array_priority__ = 1000

    def __init__(self, graph: Graph, node: Node | None, weak: Weak | None = None,
                 argument: int = -1) -> None:  # fmt: skip
        self.graph, self.weak, self.argument = graph, weak, argument
        # None only while the number is weak; whoever computes made it strong.
        self.node: Any = node

    @property
    def dtype(self) -> np.dtype:
        if self.node is None:
            return np.dtype(self.weak)
        return _types.dtype_of(self.node.code)

    @property
    def ndim(self) -> int:
        return 0 if self.node is None else self.node.ndim

    def to(self, dtype: np.dtype) -> Value:
        """This value in another type."""
        code = _types.code_of(dtype)
        if self.node is None:
            return Value(self.graph, self.graph.input(self.argument, code, 0))
        if self.node.code == code:
            return self if self.weak is None else Value(self.graph, self.node)
        node = self.graph.step("Cast", (self.node,), code, self.ndim, to=code)
        return Value(self.graph, node)

    # ---- What NumPy asks for

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        from . import _rules

        if method != "__call__":
            raise TraceError(
                f"np.{ufunc.__name__}.{method} is no operator of a chain",
                "its result outside of the fused function",
            )
        return _rules.apply_ufunc(ufunc, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        from . import _functions

        return _functions.apply(function, args, kwargs)

    # ---- What cannot be traced

    def _no(self, what: str, instead: str = "") -> Any:
        raise TraceError(what, instead)

    def __bool__(self) -> bool:
        return self._no(
            "an `if`, `and`, `or` or `while` asks for the elements of an array",
            "np.where(condition, x, y), and & | ~ for conditions",
        )

    def __float__(self) -> float:
        return self._no("float() asks for the elements of an array",
                        "x.astype(float), or NumPy's function of that name")  # fmt: skip

    def __int__(self) -> int:
        return self._no("int() asks for the elements of an array", "x.astype(int)")

    __index__ = __int__

    def __len__(self) -> int:
        return self._no("the shape of an array is not known here",
                        "the length as an argument of the function")  # fmt: skip

    def __iter__(self) -> Any:
        return self._no("an array's rows cannot be taken apart here",
                        "each row as an argument of the function")  # fmt: skip

    def __getitem__(self, index: Any) -> Any:
        return self._no("an index or a slice is no operator of a chain",
                        "the function of x, and call it with x[...]")  # fmt: skip

    def __setitem__(self, index: Any, value: Any) -> Any:
        return self._no("an assignment to elements is no operator of a chain",
                        "x = np.where(condition, new, x)")  # fmt: skip

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        return self._no("a function that lanewise does not know asks for the elements",
                        "operators and functions of NumPy that are elementwise")  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if name in _METHODS:
            return self._reduce(name)
        known = {
            "shape": "the shape as an argument of the function",
            "size": "the size as an argument of the function",
            "T": "the function of x, and call it with x.T",
        }
        return self._no(f"x.{name} is not known while tracing", known.get(name, ""))

    # ---- Methods of arrays

    def astype(self, dtype: Any, *args: Any, **kwargs: Any) -> Value:
        from . import _functions

        return _functions.astype(self, dtype, *args, **kwargs)

    def clip(self, min: Any = None, max: Any = None) -> Any:  # noqa: A002
        return np.clip(self, min, max)

    def round(self, decimals: int = 0) -> Any:
        return np.round(self, decimals)

    def conj(self) -> Value:
        return self

    def copy(self) -> Value:
        return self

    @property
    def real(self) -> Value:
        return self

    def _reduce(self, name: str) -> Any:
        return lambda *args, **kwargs: getattr(np, name)(self, *args, **kwargs)

    def reshape(self, *shape: Any, **kwargs: Any) -> Any:
        return np.reshape(self, shape[0] if len(shape) == 1 else shape, **kwargs)

    def __hash__(self) -> int:
        return id(self)


def _operator(ufunc: np.ufunc, reflected: bool = False) -> Any:
    def method(self: Value, other: Any) -> Any:
        from . import _rules

        operands = (other, self) if reflected else (self, other)
        return _rules.apply_ufunc(ufunc, operands, {}, is_symbol=True)

    return method


for _name, _ufunc in {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "truediv": np.divide,
    "floordiv": np.floor_divide, "mod": np.remainder, "pow": np.power,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
    "lshift": np.left_shift, "rshift": np.right_shift, "matmul": np.matmul,
    "divmod": np.divmod,
}.items():  # fmt: skip
    setattr(Value, f"__{_name}__", _operator(_ufunc))
    setattr(Value, f"__r{_name}__", _operator(_ufunc, reflected=True))
for _name, _ufunc in {
    "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal,
    "eq": np.equal, "ne": np.not_equal,
}.items():  # fmt: skip
    setattr(Value, f"__{_name}__", _operator(_ufunc))
for _name, _ufunc in {
    "neg": np.negative, "pos": np.positive, "abs": np.absolute, "invert": np.invert,
}.items():  # fmt: skip
    setattr(
        Value,
        f"__{_name}__",
        lambda self, _ufunc=_ufunc: _apply_unary(_ufunc, self),
    )


def _apply_unary(ufunc: np.ufunc, value: Value) -> Any:
    from . import _rules

    return _rules.apply_ufunc(ufunc, (value,), {}, is_symbol=True)

# SPDX-License-Identifier: Apache-2.0
"""evaluate: numexpr's interface. Formulas are texts of Python's syntax, with numexpr's
functions and numexpr's types of results."""

from __future__ import annotations

import ast
import functools
import operator
import os
import re
import sys
import threading
import weakref
from typing import Any

import numpy as np

from . import _arrays, _reductions, _rules
from ._function import Traced
from ._steps import BOOL, Literal, always, step
from ._trace import Graph, Value

# numexpr's kinds, each wider than the one before. The 16-bit floats are ours: numexpr
# has none, and computes on float16 in float32.
_KINDS = ["bool", "int32", "int64", "float16", "bfloat16", "float32", "float64"]
_KIND_OF = {
    "int8": "int32", "uint8": "int32", "int16": "int32", "uint16": "int32",
    "uint32": "int64", "uint64": "int64",
}  # fmt: skip
_REDUCTIONS = {"sum": "ReduceSum", "prod": "ReduceProd", "min": "ReduceMin",
               "max": "ReduceMax"}  # fmt: skip
_FUNCTIONS: dict[str, tuple[Any, str]] = {
    **{
        name: (getattr(np, name), "float16")
        for name in (
            "sqrt", "sin", "cos", "tan", "arcsin", "arccos", "arctan", "sinh", "cosh",
            "tanh", "arcsinh", "arccosh", "arctanh", "fmod", "arctan2", "log", "log1p",
            "log10", "log2", "exp", "expm1", "ceil", "floor",
        )
    },
    **{
        name: (getattr(np, name), "float64")
        for name in ("hypot", "copysign", "maximum", "minimum", "trunc", "isnan",
                     "isfinite", "isinf", "signbit")
    },
    "abs": (np.absolute, "float16"),
    "round": (np.rint, "float64"),
    "sign": (np.sign, "float64"),
}  # fmt: skip
_KEEP_WHOLE = {"round", "sign"}
_BINARY = {
    ast.Add: ("add", np.add), ast.Sub: ("sub", np.subtract),
    ast.Mult: ("mul", np.multiply), ast.Mod: ("mod", np.remainder),
    ast.FloorDiv: ("floordiv", np.floor_divide), ast.Div: ("truediv", np.divide),
    ast.Pow: ("pow", np.power), ast.LShift: ("lshift", np.left_shift),
    ast.RShift: ("rshift", np.right_shift), ast.BitAnd: ("and_", np.bitwise_and),
    ast.BitOr: ("or_", np.bitwise_or), ast.BitXor: ("xor", np.bitwise_xor),
}  # fmt: skip
_COMPARE = {
    ast.Lt: ("lt", np.less), ast.LtE: ("le", np.less_equal), ast.Gt: ("gt", np.greater),
    ast.GtE: ("ge", np.greater_equal), ast.Eq: ("eq", np.equal),
    ast.NotEq: ("ne", np.not_equal),
}  # fmt: skip
_SHORT_POWERS = 50  # numexpr multiplies up to here


def _kind(x: Any) -> str:
    """The kind of a Value or of a constant."""
    if not isinstance(x, Value):
        if isinstance(x, (bool, np.bool_)):
            return "bool"
        if isinstance(x, (int, np.integer)):
            fits = -(2**31) <= x < 2**31 and not isinstance(x, np.int64)
            return "int32" if fits else "int64"
        if isinstance(x, np.float32):
            return "float32"
        if isinstance(x, float):
            return "float64"
        raise TypeError(f"unsupported object type: {type(x)}")
    name = x.dtype.name
    name = _KIND_OF.get(name, name)
    if name not in _KINDS:
        raise ValueError(f"unknown type {name}")
    return name


class _Tracer:
    """Computes a formula on Values. Constants are computed by Python at once."""

    def __init__(self, graph: Graph, values: dict[str, Any]) -> None:
        self.graph, self.values = graph, values

    def visit(self, node: ast.AST) -> Any:
        method = getattr(self, type(node).__name__, None)
        if method is None:
            raise TypeError(_refusal(node))
        return method(node)

    def Name(self, node: ast.Name) -> Any:
        return self.values[node.id]

    def Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, (str, bytes, complex)) or node.value is None:
            raise TypeError(f"lanewise has no elements like {node.value!r}")
        return node.value

    def Attribute(self, node: ast.Attribute) -> Any:
        x = self.visit(node.value)
        if node.attr != "real":
            raise TypeError("lanewise computes with no complex numbers")
        return self.to(x, "float64")

    def UnaryOp(self, node: ast.UnaryOp) -> Any:
        x = self.visit(node.operand)
        if isinstance(node.op, ast.Not):
            raise TypeError(_refusal(node))
        if isinstance(node.op, ast.UAdd):
            return x
        invert = isinstance(node.op, ast.Invert)
        if not isinstance(x, Value):
            if invert and isinstance(x, bool):
                return not x
            return ~x if invert else -x
        if not invert and _kind(x) == "bool":
            raise NotImplementedError("couldn't find matching opcode for 'neg_bb'")
        return self.apply(np.invert if invert else np.negative, _kind(x), x)

    def BinOp(self, node: ast.BinOp) -> Any:
        name, ufunc = _BINARY[type(node.op)]
        a, b = self.visit(node.left), self.visit(node.right)
        if not isinstance(a, Value) and not isinstance(b, Value):
            return getattr(operator, name)(a, b)
        kind = self.common(a, b)
        if name == "pow" and not isinstance(b, Value):
            return self.power(a, b)
        if name == "truediv" and _KINDS.index(kind) < _KINDS.index("float16"):
            kind = "float64"
        if name == "sub" and kind == "bool":
            raise NotImplementedError("couldn't find matching opcode for 'sub_bbb'")
        return self.apply(ufunc, kind, a, b)

    def power(self, x: Value, exponent: Any) -> Value:
        """By multiplications, and a square root, where that is short."""
        kind = _kind(x)
        whole = kind in ("int32", "int64")
        if whole and isinstance(exponent, int) and exponent < 0:
            raise ValueError("Integers to negative integer powers are not allowed.")
        twice = 2 * exponent
        if twice != int(twice) or abs(exponent) > _SHORT_POWERS:
            return self.apply(np.power, self.common(x, exponent), x, exponent)
        factors, count, base = [], int(abs(exponent)), self.to(x, kind)
        while count:
            if count & 1:
                factors.append(base)
            count >>= 1
            if count:
                base = self.apply(np.multiply, kind, base, base)
        if int(abs(twice)) % 2:
            kind = "float64" if whole else kind
            factors.append(self.apply(np.sqrt, kind, x))
        if not factors:
            return self.ones_like(x)
        result = functools.reduce(
            lambda a, b: self.apply(np.multiply, self.common(a, b), a, b), factors
        )
        if exponent >= 0:
            return result
        kind = self.common(result, 1)
        kind = "float64" if kind in ("int32", "int64") else kind
        return self.apply(np.divide, kind, 1, result)

    def ones_like(self, x: Value) -> Value:
        """Ones in the shape of x."""
        one = Literal(self.graph, 1).to(np.dtype(_kind(x)))
        return step("Where", always(x, True), one, one)

    def Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1 or type(node.ops[0]) not in _COMPARE:
            raise TypeError(_refusal(node))
        name, ufunc = _COMPARE[type(node.ops[0])]
        a, b = self.visit(node.left), self.visit(node.comparators[0])
        if not isinstance(a, Value) and not isinstance(b, Value):
            return getattr(operator, name)(a, b)
        kind = self.common(a, b)
        return _rules.apply_ufunc(ufunc, (self.to(a, kind), self.to(b, kind)), {})

    def Call(self, node: ast.Call) -> Any:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise TypeError(_refusal(node))
        name = node.func.id
        args = [self.visit(x) for x in node.args]
        if name in _REDUCTIONS:
            raise RuntimeError(f"{name}() must be the outermost function")
        if name == "where":
            return self.where(*args)
        if name in ("copy", "ones_like", "real", "complex", "imag", "conj", "contains"):
            return self.special(name, args)
        if name not in _FUNCTIONS:
            raise TypeError(f"'{name}' is no function that lanewise has")
        ufunc, least = _FUNCTIONS[name]
        if not any(isinstance(x, Value) for x in args):
            return ufunc(*args).item()
        kind = self.common(*args)
        if kind in ("int32", "int64"):
            kind = kind if name in _KEEP_WHOLE else "float64"
            ufunc = np.positive if name == "round" and kind != "float64" else ufunc
        elif _KINDS.index(kind) < _KINDS.index(least):
            kind = "float32" if kind == "bool" and least == "float16" else least
        return self.apply(ufunc, kind, *args)

    def special(self, name: str, args: list) -> Any:
        if name in ("complex", "imag"):
            raise TypeError("lanewise computes with no complex numbers")
        if name == "contains":
            raise TypeError("lanewise computes with no strings")
        (x,) = args
        if not isinstance(x, Value):
            return 1 if name == "ones_like" else x
        if name == "ones_like":
            return self.ones_like(x)
        # numexpr's conj of real numbers is complex, with the same values.
        return self.to(x, "float64" if name in ("real", "conj") else _kind(x))

    def where(self, condition: Any, x: Any, y: Any) -> Any:
        if not isinstance(condition, Value):
            return x if condition else y
        if _kind(condition) != "bool":
            raise NotImplementedError("couldn't find matching opcode for 'where'")
        kind = self.common(x, y)
        return step("Where", condition, self.to(x, kind), self.to(y, kind))

    def common(self, *operands: Any) -> str:
        kinds = {_kind(x) for x in operands}
        if {"float16", "bfloat16"} <= kinds:
            return "float32"
        return max(kinds, key=_KINDS.index)

    def to(self, x: Any, kind: str) -> Value:
        from ._types import dtype_from

        if not isinstance(x, Value):
            x = Literal(self.graph, x)
        return x.to(dtype_from(kind))

    def apply(self, ufunc: Any, kind: str, *operands: Any) -> Value:
        result = _rules.apply_ufunc(
            ufunc, tuple(self.to(x, kind) for x in operands), {}
        )
        return result


def _refusal(node: ast.AST) -> str:
    if isinstance(node, (ast.BoolOp, ast.Compare)) or (
        isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    ):
        return ("Python's boolean operators ask for the elements of an array: write & "
                "for `and`, | for `or`, ~ for `not`, and (a < b) & (b < c)")  # fmt: skip
    return f"{type(node).__name__} is no part of an expression"


class _Formula:
    """A text: its names, its chain, and a reduction that is the outermost function."""

    def __init__(self, text: str) -> None:
        tree = ast.parse(text.strip(), mode="eval").body
        self.reduction, self.axis, tree = _split_reduction(tree)
        functions = {id(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)}
        found = {n.id for n in ast.walk(tree)
                 if isinstance(n, ast.Name) and id(n) not in functions}  # fmt: skip
        self.names = sorted(found)
        self.constant: Any = None
        if not self.names:
            value = _Tracer(Graph(), {}).visit(tree)
            self.constant = np.asarray(value, _kind(value))
            return

        def formula(*values: Any) -> Any:
            tracer = _Tracer(values[0].graph, dict(zip(self.names, values)))
            result = tracer.visit(tree)
            if not isinstance(result, Value):
                raise ValueError("the expression depends on no array")
            result = tracer.to(result, _kind(result))
            if self.reduction is None:
                return result
            if result.dtype == BOOL:
                raise NotImplementedError("numexpr has no reductions of bools")
            return _reductions.reduce(self.reduction, result, self.axis, False)

        self.function = Traced(formula)

    def run(self, arguments: list[Any], out: Any) -> Any:
        if self.constant is None:
            return self.function(*arguments, out=out)
        if out is None:
            return self.constant.copy()
        out[...] = self.constant
        return out


def _split_reduction(tree: ast.expr) -> tuple[str | None, int | None, ast.expr]:
    """The operator and the axis of a reduction that is the outermost function, and what
    is reduced."""
    if not (
        isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.args
    ):
        return None, None, tree
    if tree.func.id not in _REDUCTIONS:
        return None, None, tree
    axis = None
    for node in [*tree.args[1:], *(k.value for k in tree.keywords)]:
        axis = ast.literal_eval(node)
    if axis is not None and axis < 0:
        raise ValueError("negative axis are not supported")
    return _REDUCTIONS[tree.func.id], axis, tree.args[0]


_FORBIDDEN = re.compile(
    r"[;:\[]|__|\.(?!real\b|imag\b|\d|[eEjJ]|\s|$|[+\-*/%)<>=&|^,])"
)


@functools.lru_cache(maxsize=1024)
def _formula(text: str, sanitize: bool) -> _Formula:
    if sanitize and _FORBIDDEN.search(re.sub(r"\d\.", "0", text)):
        raise ValueError(f"Expression {text} has forbidden control characters.")
    return _Formula(text)


def _arguments(names: list[str], local_dict: Any, global_dict: Any, depth: int) -> list:
    if names and local_dict is None:
        frame = sys._getframe(depth)
        local_dict = frame.f_locals
        if global_dict is None:
            global_dict = frame.f_globals
    found = []
    for name in names:
        if name in local_dict:
            x = local_dict[name]
        elif global_dict is not None and name in global_dict:
            x = global_dict[name]
        else:
            raise KeyError(name)
        # numexpr's numbers are as strong as arrays.
        is_number = isinstance(x, (bool, int, float, np.generic))
        found.append(np.asarray(x) if is_number or isinstance(x, list) else x)
    return found


_last = threading.local()


def _remember(formula: _Formula, out: Any, order: str, casting: str) -> None:
    """For re_evaluate, which does not keep `out` alive."""
    is_array = isinstance(out, np.ndarray)
    _last.call = (
        formula,
        weakref.ref(out) if is_array else lambda: None,
        order,
        casting,
    )


def _sanitizes(sanitize: bool | None) -> bool:
    if sanitize is None:
        return bool(int(os.environ.get("NUMEXPR_SANITIZE", "1")))
    return sanitize


def evaluate(ex: str, local_dict: Any = None, global_dict: Any = None, out: Any = None,
             order: str = "K", casting: str = "same_kind", sanitize: bool | None = None,
             _frame_depth: int = 2, **kwargs: Any) -> Any:  # fmt: skip
    """numexpr.evaluate: the value of an expression; names are the caller's variables.

    Types are numexpr's: 2.0 beside a float32 array makes float64. Unlike there, 16-bit
    floats stay such.

    >>> import numpy as np
    >>> a, b = np.arange(3), np.float64([2, 4, 6])
    >>> evaluate("2*a + 3*b**2")
    array([ 12.,  50., 112.])
    """
    if not isinstance(ex, str):
        raise ValueError("must specify expression as a string")
    formula = _formula(ex, _sanitizes(sanitize))
    arguments = _arguments(formula.names, local_dict, global_dict, _frame_depth)
    _remember(formula, out, order, casting)
    return _run(formula, arguments, out, order, casting)


def _run(formula: _Formula, arguments: list, out: Any, order: str, casting: str) -> Any:
    if out is not None and casting != "same_kind":
        result = formula.run(arguments, None)
        np.copyto(out, result, casting=casting)  # type: ignore[arg-type]
        return out
    result = formula.run(arguments, _arrays.plain_out(out))
    if out is not None:
        return out
    return np.asarray(result, order=None if order == "K" else order)  # type: ignore


def re_evaluate(local_dict: Any = None, global_dict: Any = None,
                _frame_depth: int = 2) -> Any:  # fmt: skip
    """numexpr.re_evaluate: the last expression of this thread, on new values.

    >>> import numpy as np
    >>> a = np.arange(3)
    >>> evaluate("a * 2")
    array([0, 2, 4])
    >>> a = np.arange(2)
    >>> re_evaluate()
    array([0, 2])
    """
    if not hasattr(_last, "call"):
        raise RuntimeError("A previous evaluate() execution was not found")
    formula, out, order, casting = _last.call
    arguments = _arguments(formula.names, local_dict, global_dict, _frame_depth)
    return _run(formula, arguments, out(), order, casting)


def validate(ex: str, local_dict: Any = None, global_dict: Any = None, out: Any = None,
             order: str = "K", casting: str = "safe", sanitize: bool | None = None,
             _frame_depth: int = 2, **kwargs: Any) -> Exception | None:  # fmt: skip
    """numexpr.validate: None, or what evaluate would raise.

    >>> validate("nobody + 1")
    KeyError('nobody')
    """
    try:
        if not isinstance(ex, str):
            raise ValueError("must specify expression as a string")
        formula = _formula(ex, _sanitizes(sanitize))
        arguments = _arguments(formula.names, local_dict, global_dict, _frame_depth)
        if formula.names:
            formula.function._trace(tuple(map(_arrays.plain, arguments)))
        _remember(formula, out, order, casting)
    except Exception as error:
        return error
    return None

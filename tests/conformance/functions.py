# SPDX-License-Identifier: Apache-2.0
"""The operators made of e^x, logarithms, sines, their inverses and the error function,
in longdouble (those of the error function in float64, as Python has no better one)."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

# Of a FLOAT: its value as an element of the inputs' type, by name and fallback.
Float = Callable[[str, float], np.longdouble]
Function = Callable[..., np.ndarray]

SELU_ALPHA, SELU_GAMMA = 1.67326319217681884765625, 1.05070102214813232421875


def _sigmoid(x: np.ndarray) -> np.ndarray:
    e = np.exp(-np.abs(x))
    return np.where(x < 0, e, 1) / (1 + e)


def _at_limit(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """-inf has the limit -0, where a product would be NaN."""
    return np.where(np.isneginf(x), -0.0, y)


def _softplus(x: np.ndarray) -> np.ndarray:
    return np.logaddexp(0, x)


def _elu(x: np.ndarray, alpha: np.longdouble, gamma: float = 1) -> np.ndarray:
    return gamma * np.where(x < 0, alpha * np.expm1(x), x)


def _celu(x: np.ndarray, alpha: np.longdouble) -> np.ndarray:
    return np.where(x < 0, alpha * np.expm1(x / alpha), x)


def _gelu(x: float, is_tanh: bool) -> float:
    if math.isnan(x):
        return x
    if abs(x) > 40:
        return x if x > 0 else -0.0
    if 0 < abs(x) < 1e-17:  # above x / 2, by less than float64 holds
        return math.nextafter(x / 2, math.inf)
    if is_tanh:
        u = math.sqrt(2 / math.pi) * (x + 0.044715 * x * x * x)
        return x / (1 + math.exp(-2 * u))
    return x / 2 * math.erfc(-x * math.sqrt(0.5))


def _each(function: Callable[[float], float], x: np.ndarray) -> np.ndarray:
    return np.array([function(float(v)) for v in x.ravel()]).reshape(x.shape)


def _swiglu(a: np.ndarray, b: np.ndarray, alpha: np.longdouble) -> np.ndarray:
    gate = _at_limit(a, a * _sigmoid(alpha * a))
    return np.where(alpha * a < -780, np.copysign(0, a), gate) * b


# Inputs, then attributes.
FUNCTIONS: dict[str, Function] = {
    "Acos": lambda x, f: np.arccos(x),
    "Acosh": lambda x, f: np.arccosh(x),
    "Asin": lambda x, f: np.arcsin(x),
    "Asinh": lambda x, f: np.arcsinh(x),
    "Atan": lambda x, f: np.arctan(x),
    "Atanh": lambda x, f: np.arctanh(x),
    "Cos": lambda x, f: np.cos(x),
    "Cosh": lambda x, f: np.cosh(x),
    "Exp": lambda x, f: np.exp(x),
    "Log": lambda x, f: np.log(x),
    "Sigmoid": lambda x, f: _sigmoid(x),
    "Sin": lambda x, f: np.sin(x),
    "Sinh": lambda x, f: np.sinh(x),
    "Tan": lambda x, f: np.tan(x),
    "Tanh": lambda x, f: np.tanh(x),
    "Softplus": lambda x, f: _softplus(x),
    "Mish": lambda x, f: _at_limit(x, x * np.tanh(_softplus(x))),
    "Elu": lambda x, f: _elu(x, f("alpha", 1)),
    "Selu": lambda x, f: _elu(x, f("alpha", SELU_ALPHA), f("gamma", SELU_GAMMA)),
    "Celu": lambda x, f: _celu(x, f("alpha", 1)),
    "Pow": lambda x, y, f: np.power(x, y),
    "Swish": lambda x, f: _at_limit(x, x * _sigmoid(f("alpha", 1) * x)),
    "SwiGLU": lambda a, b, f: _swiglu(a, b, f("alpha", 1)),
    "Erf": lambda x, f: _each(math.erf, x),
    "Gelu": lambda x, f: _each(lambda v: _gelu(v, False), x),
    "Gelu tanh": lambda x, f: _each(lambda v: _gelu(v, True), x),
}

# SPDX-License-Identifier: Apache-2.0
"""What time_package.py times: formulas for arrays (NumPy, lanewise, JAX), a text for
each result (numexpr), and functions of one element (Numba).

The chains are those of benchmarks/chains.h. The other four are workloads that others
wrote benchmarks with: Black-Scholes of Numba's and numexpr's examples, the conversion
of sRGB to Lab as scikit-image has it, the update of a 1-D wave, and log-sum-exp of a
mixture of four Gaussians.
"""

from __future__ import annotations

import math
from typing import Any, Callable, NamedTuple

import numpy as np


class Workload(NamedTuple):
    name: str
    formula: Callable[..., Any]  # (module, *arrays)
    texts: tuple[str, ...]
    # (type): a function of elements for Numba, whose numbers are of this type
    one: Callable[[Any], Callable[..., Any]]
    arrays: Callable[[int, Any], tuple]  # (elements, dtype)


def line(low: float, high: float) -> Callable[[int, Any], tuple]:
    return lambda n, dtype: (np.linspace(low, high, n).astype(dtype),)


# ---- Chains


def hard_swish(m: Any, x: Any) -> Any:
    a = x * 1.1 + 0.1
    return a * m.minimum(m.maximum(a + 3, 0), 6) / 6 * 0.9 - 0.2


def hard_swish_of(t: Any) -> Callable[[Any], Any]:
    p, q, r, v = t(1.1), t(0.1), t(0.9), t(-0.2)
    zero, three, six = t(0), t(3), t(6)

    def one(x: Any) -> Any:
        a = x * p + q
        return a * min(max(a + three, zero), six) / six * r + v

    return one


def mul_add_relu_of(t: Any) -> Callable[[Any], Any]:
    p, q, zero = t(1.1), t(0.1), t(0)
    return lambda x: max(x * p + q, zero)


def silu_of(t: Any) -> Callable[[Any], Any]:
    unit = t(1)
    return lambda x: x * (unit / (unit + math.exp(-x)))


def greater_where_of(t: Any) -> Callable[[Any], Any]:
    half, zero = t(0.5), t(0)
    return lambda x: x if x > zero else x * half


_A = "(x * 1.1 + 0.1)"
CHAINS = [
    Workload(
        "HardSwish",
        hard_swish,
        (
            f"{_A} * where({_A} + 3 < 0, 0, where({_A} + 3 > 6, 6, {_A} + 3)) / 6 * 0.9 - 0.2",
        ),
        hard_swish_of,
        line(-5, 5),
    ),
    Workload(
        "MulAddRelu",
        lambda m, x: m.maximum(x * 1.1 + 0.1, 0),
        (f"where({_A} < 0, 0, {_A})",),
        mul_add_relu_of,
        line(-5, 5),
    ),
    Workload(
        "SiLU",
        lambda m, x: x * (1 / (1 + m.exp(-x))),
        ("x * (1 / (1 + exp(-x)))",),
        silu_of,
        line(-5, 5),
    ),
    Workload(
        "GreaterWhere",
        lambda m, x: m.where(x > 0, x, x * 0.5),
        ("where(x > 0, x, x * 0.5)",),
        greater_where_of,
        line(-5, 5),
    ),
]

# ---- Black-Scholes: call and put of European options

_CND = (0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
_ROOT = 0.39894228040143267794
RISK_FREE, VOLATILITY = 0.02, 0.3


def normal_cdf(m: Any, d: Any) -> Any:
    k = 1 / (1 + 0.2316419 * m.abs(d))
    p = k * (_CND[0] + k * (_CND[1] + k * (_CND[2] + k * (_CND[3] + k * _CND[4]))))
    tail = _ROOT * m.exp(-0.5 * d * d) * p
    return m.where(d > 0, 1 - tail, tail)


def black_scholes(m: Any, price: Any, strike: Any, years: Any) -> Any:
    root = m.sqrt(years)
    d1 = m.log(price / strike) + (RISK_FREE + 0.5 * VOLATILITY * VOLATILITY) * years
    d1 = d1 / (VOLATILITY * root)
    d2 = d1 - VOLATILITY * root
    cdf1, cdf2 = normal_cdf(m, d1), normal_cdf(m, d2)
    discounted = strike * m.exp(-RISK_FREE * years)
    call = price * cdf1 - discounted * cdf2
    return call, call - price + discounted


def black_scholes_of(t: Any) -> Callable[..., Any]:
    import numba

    c1, c2, c3, c4, c5 = (t(c) for c in _CND)
    scale, root_of_pi, half, one = t(0.2316419), t(_ROOT), t(-0.5), t(1)
    rate, volatility = t(RISK_FREE), t(VOLATILITY)
    drift = t(RISK_FREE + 0.5 * VOLATILITY * VOLATILITY)

    @numba.njit
    def cdf(d: Any) -> Any:
        k = one / (one + scale * abs(d))
        p = k * (c1 + k * (c2 + k * (c3 + k * (c4 + k * c5))))
        tail = root_of_pi * math.exp(half * d * d) * p
        return one - tail if d > 0 else tail

    def both(price: Any, strike: Any, years: Any) -> Any:
        root = math.sqrt(years)
        d1 = (math.log(price / strike) + drift * years) / (volatility * root)
        discounted = strike * math.exp(-rate * years)
        call = price * cdf(d1) - discounted * cdf(d1 - volatility * root)
        return call, call - price + discounted

    return both


def _cdf_text(d: str) -> str:
    k = f"(1 / (1 + 0.2316419 * abs({d})))"
    p = f"{_CND[4]}"
    for c in reversed(_CND[:4]):
        p = f"({c} + {k} * {p})"
    tail = f"({_ROOT} * exp(-0.5 * {d} * {d}) * {k} * {p})"
    return f"where({d} > 0, 1 - {tail}, {tail})"


_D1 = "((log(a / b) + 0.065 * c) / (0.3 * sqrt(c)))"
_D2 = f"({_D1} - 0.3 * sqrt(c))"
_CALL = f"a * {_cdf_text(_D1)} - b * exp(-0.02 * c) * {_cdf_text(_D2)}"


def options(n: int, dtype: Any) -> tuple:
    rng = np.random.default_rng(0)
    ranges = ((5, 30), (1, 100), (0.25, 10))
    return tuple(rng.uniform(*r, n).astype(dtype) for r in ranges)


# ---- sRGB to Lab, as scikit-image: D65, one array for each channel

_XYZ = (
    (0.412453, 0.357580, 0.180423),
    (0.212671, 0.715160, 0.072169),
    (0.019334, 0.119193, 0.950227),
)
_WHITE = (0.95047, 1.0, 1.08883)


def _linear(m: Any, c: Any) -> Any:
    return m.where(c > 0.04045, ((c + 0.055) / 1.055) ** 2.4, c / 12.92)


def _cube(m: Any, t: Any) -> Any:
    return m.where(t > 0.008856, t ** (1 / 3), 7.787 * t + 16 / 116)


def lab(m: Any, r: Any, g: Any, b: Any) -> Any:
    r, g, b = _linear(m, r), _linear(m, g), _linear(m, b)
    x, y, z = (
        _cube(m, (row[0] * r + row[1] * g + row[2] * b) / white)
        for row, white in zip(_XYZ, _WHITE)
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def lab_of(t: Any) -> Callable[..., Any]:
    import numba

    offset, scale, power, knee, slope = map(t, (0.055, 1.055, 2.4, 0.04045, 12.92))
    third, limit, steep, shift = map(t, (1 / 3, 0.008856, 7.787, 16 / 116))
    a, b, c, less = map(t, (116, 500, 200, 16))
    (xr, xg, xb), (yr, yg, yb), (zr, zg, zb) = (tuple(map(t, row)) for row in _XYZ)
    white_x, white_y, white_z = map(t, _WHITE)

    @numba.njit
    def linear(v: Any) -> Any:
        return ((v + offset) / scale) ** power if v > knee else v / slope

    @numba.njit
    def cube(v: Any) -> Any:
        return v**third if v > limit else steep * v + shift

    def one(red: Any, green: Any, blue: Any) -> Any:
        r, g, u = linear(red), linear(green), linear(blue)
        x = cube((xr * r + xg * g + xb * u) / white_x)
        y = cube((yr * r + yg * g + yb * u) / white_y)
        z = cube((zr * r + zg * g + zb * u) / white_z)
        return a * y - less, b * (x - y), c * (y - z)

    return one


def _lab_texts() -> tuple[str, ...]:
    linear = [
        f"where({v} > 0.04045, (({v} + 0.055) / 1.055) ** 2.4, {v} / 12.92)"
        for v in "abc"
    ]
    sums = [
        f"(({' + '.join(f'{m} * {v}' for m, v in zip(row, linear))}) / {white})"
        for row, white in zip(_XYZ, _WHITE)
    ]
    x, y, z = (
        f"where({v} > 0.008856, {v} ** {1 / 3}, 7.787 * {v} + {16 / 116})" for v in sums
    )
    return f"116 * {y} - 16", f"500 * ({x} - {y})", f"200 * ({y} - {z})"


def colors(n: int, dtype: Any) -> tuple:
    rng = np.random.default_rng(1)
    return tuple(rng.uniform(0, 1, n).astype(dtype) for _ in range(3))


# ---- A 1-D wave: the next amplitudes from the present and the last


def wave(m: Any, left: Any, here: Any, right: Any, last: Any) -> Any:
    return 2 * here - last + 0.25 * (left - 2 * here + right)


def waves(n: int, dtype: Any) -> tuple:
    now = np.sin(np.linspace(0, 30, n + 2)).astype(dtype)
    last = np.sin(np.linspace(0.1, 30.1, n)).astype(dtype)
    return now[:-2], now[1:-1], now[2:], last


# ---- The logarithm of the density of a mixture of four Gaussians

_MIXTURE = ((0.1, -2.0, 0.5), (0.4, 0.0, 1.0), (0.3, 1.5, 0.7), (0.2, 3.0, 2.0))
_PARTS = tuple(
    (math.log(weight / (deviation * math.sqrt(2 * math.pi))), mean, -0.5 / deviation**2)
    for weight, mean, deviation in _MIXTURE
)


def mixture(m: Any, x: Any) -> Any:
    parts = [c + s * (x - mean) * (x - mean) for c, mean, s in _PARTS]
    most = m.maximum(m.maximum(parts[0], parts[1]), m.maximum(parts[2], parts[3]))
    total = m.exp(parts[0] - most)
    for part in parts[1:]:
        total = total + m.exp(part - most)
    return most + m.log(total)


def mixture_of(t: Any) -> Callable[[Any], Any]:
    (a, b, c), (d, e, f), (g, h, i), (j, k, n) = (tuple(map(t, p)) for p in _PARTS)

    def one(x: Any) -> Any:
        p = a + c * (x - b) * (x - b)
        q = d + f * (x - e) * (x - e)
        r = g + i * (x - h) * (x - h)
        s = j + n * (x - k) * (x - k)
        most = max(max(p, q), max(r, s))
        total = math.exp(p - most) + math.exp(q - most) + math.exp(r - most)
        return most + math.log(total + math.exp(s - most))

    return one


def wave_of(t: Any) -> Callable[..., Any]:
    two, quarter = t(2), t(0.25)

    def one(left: Any, here: Any, right: Any, last: Any) -> Any:
        return two * here - last + quarter * (left - two * here + right)

    return one


def _mixture_text() -> str:
    parts = [f"({c} + {s} * (x - {mean}) * (x - {mean}))" for c, mean, s in _PARTS]
    most = f"where({parts[0]} > {parts[1]}, {parts[0]}, {parts[1]})"
    for part in parts[2:]:
        most = f"where({most} > {part}, {most}, {part})"
    # numexpr has no names for parts, but computes equal parts once.
    return f"{most} + log({' + '.join(f'exp({p} - {most})' for p in parts)})"


WORKLOADS = [
    Workload(
        "Black-Scholes",
        black_scholes,
        (_CALL, f"{_CALL} - a + b * exp(-0.02 * c)"),
        black_scholes_of,
        options,
    ),
    Workload("sRGB to Lab", lab, _lab_texts(), lab_of, colors),
    Workload(
        "wave",
        wave,
        ("2 * b - d + 0.25 * (a - 2 * b + c)",),
        wave_of,
        waves,
    ),
    Workload("mixture", mixture, (_mixture_text(),), mixture_of, line(-6, 8)),
]

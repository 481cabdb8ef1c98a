# SPDX-License-Identifier: Apache-2.0
"""The chains of benchmarks/chains.h in float32, for python_peers.py: in NumPy,
numexpr, Numba and JAX."""
import time

import numpy as np

F = np.float32
NAMES = {'p': F(1.1), 'q': F(0.1), 's': F(0.9), 't': F(-0.2), 'h': F(0.5),
         'zero': F(0), 'one': F(1), 'three': F(3), 'six': F(6)}


def hard_swish(m, x):
    a = x * F(1.1) + F(0.1)
    return a * m.clip(a + F(3), F(0), F(6)) / F(6) * F(0.9) + F(-0.2)


def hard_swish_of_one(x):
    a = x * F(1.1) + F(0.1)
    return a * min(max(a + F(3), F(0)), F(6)) / F(6) * F(0.9) + F(-0.2)


def norm_tail(m, x, mean, inverse, scale, shift):
    return (x - mean) * inverse * scale + shift


def norm_tail_constants(shape):
    """Columns, then rows, as benchmarks/chains.h has them."""
    def constant(value, count):
        return (F(value) * (1 + F(0.125) * (np.arange(count) % 8))).astype(F)
    rows, columns = shape
    return (constant(0.1, rows).reshape(-1, 1), constant(1.1, rows).reshape(-1, 1),
            constant(0.9, columns), constant(-0.2, columns))


# By chain: on arrays, with NumPy's functions or those of the same names; as text for
# numexpr, with NAMES; on one element, for Numba.
CHAINS = {
    'Chain.HardSwish': (
        hard_swish,
        '(x * p + q) * where(x * p + q + three < zero, zero, where(x * p + q + '
        'three > six, six, x * p + q + three)) / six * s + t',
        hard_swish_of_one),
    'Chain.MulAddRelu': (
        lambda m, x: m.maximum(x * F(1.1) + F(0.1), F(0)),
        'where(x * p + q < zero, zero, x * p + q)',
        lambda x: max(x * F(1.1) + F(0.1), F(0))),
    'Chain.SiLU': (
        lambda m, x: x * (F(1) / (m.exp(x * F(-1)) + F(1))),
        'x * (one / (exp(-x) + one))', None),
    'Chain.GreaterWhere': (
        lambda m, x: m.where(x > F(0), x, x * F(0.5)),
        'where(x > zero, x, x * h)',
        lambda x: x if x > F(0) else x * F(0.5)),
    'Chain.CastToF32': (lambda m, x: x.astype(F), None, None),
    'Chain.CastToF16': (lambda m, x: x.astype(np.float16), None, None),
    'Chain.ShiftLeft': (lambda m, x: m.left_shift(x, x.dtype.type(3)), None, None),
    'Chain.NormTail': (norm_tail, '(x - c0) * c1 * c2 + c3', None),
}
COLUMNS = 256  # of chains with rows


class Chain:
    """A chain in one of the libraries."""
    loose = ''

    def __init__(self, task):
        is_one_step = task.op[6:10] in ('Cast', 'Shif')
        if task.op not in CHAINS or task.dtype != F and not is_one_step:
            raise LookupError(task.op)
        self.task = task
        self.x, self.out, self.constants = task.a, task.out, ()
        if task.op == 'Chain.NormTail':
            shape = (-1, min(task.out.size, COLUMNS))
            self.x, self.out = task.a.reshape(shape), task.out.reshape(shape)
            self.constants = norm_tail_constants(self.x.shape)
        self.call = self.make(*CHAINS[task.op])
        self.call()

    def run(self, count):
        call = self.call
        start = time.perf_counter()
        for _ in range(count):
            call()
        return time.perf_counter() - start

    def show(self):
        self.task.show(np.asarray(self.out).reshape(-1))


class NumPy(Chain):
    def make(self, function, _text, _one):
        def call():
            self.out = function(np, self.x, *self.constants)
        return call


class NumExpr(Chain):
    def make(self, _function, text, _one):
        import numexpr
        if text is None:
            raise LookupError(self.task.op)
        numexpr.set_num_threads(self.task.threads)
        values = {**NAMES, 'x': self.x,
                  **{f'c{k}': c for k, c in enumerate(self.constants)}}
        used = {name: value for name, value in values.items()
                if name in text.replace('(', ' ').replace(')', ' ')
                .replace(',', ' ').replace('-x', 'x').split()}
        return lambda: numexpr.evaluate(text, used, out=self.out)


class Numba(Chain):
    def make(self, _function, _text, one):
        import numba
        if one is None or self.task.threads != 1:
            raise LookupError(self.task.op)
        scalar = numba.njit(one)

        @numba.njit
        def loop(x, out):
            for i in range(x.size):
                out[i] = scalar(x[i])
        return lambda: loop(self.x, self.out)


class Jax(Chain):
    def make(self, function, _text, _one):
        import jax
        compiled = jax.jit(lambda *inputs: function(jax.numpy, *inputs))
        inputs = [jax.numpy.asarray(value) for value in (self.x, *self.constants)]

        def call():
            self.out = compiled(*inputs).block_until_ready()
        return call


def peers():
    """[(name, version, class)] of what is installed."""
    found = []
    for name, peer in (('numexpr', NumExpr), ('numba', Numba), ('jax', Jax)):
        try:
            module = __import__(name)
        except ImportError:
            continue
        found.append((name, module.__version__, peer))
    return found

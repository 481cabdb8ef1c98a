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
}


class Chain:
    """A chain in one of the libraries."""
    loose = ''

    def __init__(self, task):
        if task.op not in CHAINS or task.dtype != F:
            raise LookupError(task.op)
        self.task = task
        self.out = task.out
        self.call = self.make(*CHAINS[task.op])
        self.call()

    def run(self, count):
        call = self.call
        start = time.perf_counter()
        for _ in range(count):
            call()
        return time.perf_counter() - start

    def show(self):
        self.task.show(np.asarray(self.out))


class NumPy(Chain):
    def make(self, function, _text, _one):
        def call():
            self.out = function(np, self.task.a)
        return call


class NumExpr(Chain):
    def make(self, _function, text, _one):
        import numexpr
        numexpr.set_num_threads(self.task.threads)
        values = {**NAMES, 'x': self.task.a}
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
        return lambda: loop(self.task.a, self.out)


class Jax(Chain):
    def make(self, function, _text, _one):
        import jax
        compiled = jax.jit(lambda x: function(jax.numpy, x))
        x = jax.numpy.asarray(self.task.a)

        def call():
            self.out = compiled(x).block_until_ready()
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

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


def softmax(m, x):
    e = m.exp(x - m.max(x, axis=-1, keepdims=True))
    return e / m.sum(e, axis=-1, keepdims=True)


def scale_mask_softmax(m, x, mask):
    return softmax(m, x * F(0.125) + mask)


def layer_norm(m, x, scale, shift):
    d = x - m.mean(x, axis=-1, keepdims=True)
    variance = m.mean(d * d, axis=-1, keepdims=True)
    return d / m.sqrt(variance + F(1e-5)) * scale + shift


def add_layer_norm(m, x, other, scale, shift):
    return layer_norm(m, x + other, scale, shift)


def add_rms_norm(m, x, other, scale):
    x = x + other
    return x / m.sqrt(m.mean(x * x, axis=-1, keepdims=True) + F(1e-5)) * scale


# By chain with rows: its constants, as benchmarks/chains.h has them.
ROW_CONSTANTS = {
    'Chain.NormTail': ((0.1, 'column'), (1.1, 'column'), (0.9, 'row'), (-0.2, 'row')),
    'Chain.ScaleMaskSoftmax': ((-0.5, 'row'),),
    'Chain.AddLayerNorm': ((0.5, 'all'), (0.9, 'row'), (-0.2, 'row')),
    'Chain.AddRmsNorm': ((0.5, 'all'), (0.9, 'row')),
    'Chain.Softmax': (),
    'Chain.LayerNorm': ((0.9, 'row'), (-0.2, 'row')),
}


def row_constants(op, shape):
    shapes = {'row': shape[1:], 'column': (shape[0], 1), 'all': shape}

    def constant(value, shape):
        numbers = np.arange(np.prod(shape)) % 8
        return (F(value) * (1 + F(0.125) * numbers)).astype(F).reshape(shape)
    return tuple(constant(value, shapes[form]) for value, form in ROW_CONSTANTS[op])


# Rows of one array, for Numba.
def softmax_rows(x, out):
    for r in range(x.shape[0]):
        most = x[r, 0]
        for c in range(x.shape[1]):
            most = max(most, x[r, c])
        total = F(0)
        for c in range(x.shape[1]):
            out[r, c] = np.exp(x[r, c] - most)
            total += out[r, c]
        for c in range(x.shape[1]):
            out[r, c] /= total


def layer_norm_rows(x, scale, shift, out):
    count = F(x.shape[1])
    for r in range(x.shape[0]):
        mean = F(0)
        for c in range(x.shape[1]):
            mean += x[r, c]
        mean /= count
        variance = F(0)
        for c in range(x.shape[1]):
            variance += (x[r, c] - mean) * (x[r, c] - mean)
        inverse = F(1) / np.sqrt(variance / count + F(1e-5))
        for c in range(x.shape[1]):
            out[r, c] = (x[r, c] - mean) * inverse * scale[c] + shift[c]


ROW_LOOPS = {'Chain.Softmax': softmax_rows, 'Chain.LayerNorm': layer_norm_rows}


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
    'Chain.ScaleMaskSoftmax': (scale_mask_softmax, None, None),
    'Chain.AddLayerNorm': (add_layer_norm, None, None),
    'Chain.AddRmsNorm': (add_rms_norm, None, None),
    'Chain.Softmax': (softmax, None, None),
    'Chain.LayerNorm': (layer_norm, None, None),
}


class Chain:
    """A chain in one of the libraries."""
    loose = ''

    def __init__(self, task):
        is_one_step = task.op[6:10] in ('Cast', 'Shif')
        if task.op not in CHAINS or task.dtype != F and not is_one_step:
            raise LookupError(task.op)
        self.task = task
        self.x, self.out, self.constants = task.a, task.out, ()
        if task.op in ROW_CONSTANTS:
            shape = (-1, task.columns)
            self.x, self.out = task.a.reshape(shape), task.out.reshape(shape)
            self.constants = row_constants(task.op, self.x.shape)
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
        rows = ROW_LOOPS.get(self.task.op)
        if (one is None and rows is None) or self.task.threads != 1:
            raise LookupError(self.task.op)
        if rows is not None:
            by_rows = numba.njit(rows)
            return lambda: by_rows(self.x, *self.constants, self.out)
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

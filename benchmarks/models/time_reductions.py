#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times reductions and composed operators, each alone in ONNX Runtime, with the
execution provider and without; reductions of floats by NumPy, too.

    time_reductions.py [--tree LIBRARY] OUT.json [REGEX]

A row has the harness's grammar. Its pattern is `rows` where sequences lie along the last
dim, and `columns` where they lie along the first one; n is the number of elements of the
input. The provider takes every node. All run in turns, on one thread.
"""
from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import onnx
import onnx.parser
import time_models
from time_models import NAME, OURS, OWN, Session, ort

COLUMNS = 256
SIZES = (2048, 65536, 1 << 20)
TURNS, SECONDS = 15, 0.002
TYPES = {'f16': 'float16', 'f32': 'float32', 'f64': 'float64', 'i32': 'int32',
         'i64': 'int64', 'i8': 'int8', 'u8': 'uint8'}
TEXT = {'float32': 'float', 'float64': 'double'}
FLOATS = ('f32', 'f64')
OPSET = 23
REDUCTIONS = ('ReduceL1', 'ReduceL2', 'ReduceLogSum', 'ReduceLogSumExp', 'ReduceMax',
              'ReduceMean', 'ReduceMin', 'ReduceProd', 'ReduceSum', 'ReduceSumSquare')
ARGS = ('ArgMax', 'ArgMin')
# Of each composed operator: its call over dims of a tensor, and the tensor's dims
# before the one of COLUMNS elements. The shapes that models have.
LAST, IMAGES = (), (8,)
COMPOSED = {
    'Softmax': ('Softmax<axis = {axis}>(x)', LAST),
    'LogSoftmax': ('LogSoftmax<axis = {axis}>(x)', LAST),
    'Hardmax': ('Hardmax<axis = {axis}>(x)', LAST),
    'LayerNormalization': ('LayerNormalization(x, ones, ones)', LAST),
    'RMSNormalization': ('RMSNormalization(x, ones)', LAST),
    'LpNormalization': ('LpNormalization<axis = {axis}>(x)', LAST),
    'MeanVarianceNormalization': ('MeanVarianceNormalization<axes = [{axis}]>(x)', LAST),
    'InstanceNormalization': ('InstanceNormalization(x, eight, eight)', IMAGES),
    'GroupNormalization': ('GroupNormalization<num_groups = 2>(x, eight, eight)', IMAGES),
    'BatchNormalization': ('BatchNormalization(x, eight, eight, eight, eight)', IMAGES),
    'GlobalAveragePool': ('GlobalAveragePool(x)', IMAGES),
    'GlobalMaxPool': ('GlobalMaxPool(x)', IMAGES),
    'GlobalLpPool': ('GlobalLpPool(x)', IMAGES),
}
# Some of NumPy's functions of several steps are what its users write.
BY_NUMPY = {
    'ReduceL1': lambda x, axis: np.abs(x).sum(axis, keepdims=True),
    'ReduceL2': lambda x, axis: np.sqrt(np.square(x).sum(axis, keepdims=True)),
    'ReduceLogSum': lambda x, axis: np.log(x.sum(axis, keepdims=True)),
    'ReduceLogSumExp': lambda x, axis: np.log(np.exp(x).sum(axis, keepdims=True)),
    'ReduceMax': lambda x, axis: x.max(axis, keepdims=True),
    'ReduceMean': lambda x, axis: x.mean(axis, keepdims=True),
    'ReduceMin': lambda x, axis: x.min(axis, keepdims=True),
    'ReduceProd': lambda x, axis: x.prod(axis, keepdims=True),
    'ReduceSum': lambda x, axis: x.sum(axis, keepdims=True),
    'ReduceSumSquare': lambda x, axis: np.square(x).sum(axis, keepdims=True),
    'ArgMax': lambda x, axis: x.argmax(axis, keepdims=True),
    'ArgMin': lambda x, axis: x.argmin(axis, keepdims=True),
}
OPERATORS = (*REDUCTIONS, *ARGS, *COMPOSED)


class Cell(NamedTuple):
    op: str
    type: str
    pattern: str
    n: int

    def dims(self) -> tuple[int, ...]:
        if self.op in COMPOSED:
            inner = COMPOSED[self.op][1]
            sides = (COLUMNS,) if inner == LAST else (16, COLUMNS // 16)
            return self.n // int(np.prod((*inner, *sides))), *inner, *sides
        return self.n // COLUMNS, COLUMNS

    def name(self, impl: str) -> str:
        return f'{self.op}/{self.type}/{self.pattern}/{impl}/n:{self.n}/threads:1'

    @property
    def axis(self) -> int:
        return -1 if self.pattern == 'rows' else 0

    def model(self) -> bytes:
        dtype, axis = TYPES[self.type], self.axis
        call = COMPOSED[self.op][0] if self.op in COMPOSED else self.op + (
            '<axis = {axis}>(x)' if self.op in ARGS else '(x, axes)')
        out = 'int64' if self.op in ARGS else TEXT.get(dtype, dtype)
        shape = ', '.join(map(str, self.dims()))
        made = onnx.parser.parse_model(
            f'<ir_version: 10, opset_import: ["" : {OPSET}]> graph '
            f'({TEXT.get(dtype, dtype)}[{shape}] x) => ({out} y) '
            f'{{ y = {call.format(axis=axis)} }}')
        made.graph.output[0].type.tensor_type.ClearField('shape')
        constants = {'axes': np.int64([axis]), 'ones': np.ones(COLUMNS, dtype),
                     'eight': np.ones(8, dtype)}
        for name, value in constants.items():
            if name in made.graph.node[0].input:
                made.graph.initializer.append(
                    onnx.numpy_helper.from_array(value, name))
        return made.SerializeToString()

    def values(self) -> np.ndarray:
        rng = np.random.default_rng(1)
        dtype = np.dtype(TYPES[self.type])
        values = (rng.uniform(0.5, 1.5, self.dims()) if dtype.kind == 'f'
                  else rng.integers(0, 9, self.dims()))
        return values.astype(dtype)


class ByNumpy:
    """NumPy's function, with the interface of a session."""

    def __init__(self, cell: Cell):
        self.impl, self.times = 'numpy', []
        self.function, self.x = BY_NUMPY[cell.op], cell.values()
        self.axis = cell.axis

    def run(self, count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            self.function(self.x, self.axis)
        return time.perf_counter() - start


def cells(names: str) -> Iterator[Cell]:
    """The cells that have a row whose name matches the regular expression."""
    return (cell for cell in all_cells()
            if any(re.search(names, cell.name(impl)) for impl in (OWN, OURS)))


def all_cells() -> Iterator[Cell]:
    for op in OPERATORS:
        has_axis = op not in COMPOSED or '{axis}' in COMPOSED[op][0]
        for kind in TYPES:
            for pattern in ('rows', 'columns') if has_axis else ('rows',):
                for n in SIZES:
                    yield Cell(op, kind, pattern, n)


def measure(cell: Cell) -> list[dict]:
    """The rows of a cell; none if one of the sessions lacks the type."""
    sessions: list = []
    inputs = {'x': ort.OrtValue.ortvalue_from_numpy(cell.values())}
    for impl in (OWN, OURS):
        try:
            sessions.append(Session(impl, cell.model(), inputs, 1, claim='all'))
        except Exception:  # ONNX Runtime's own types, which have no common base
            return []
    if NAME not in sessions[1].nodes():
        return []
    answers = [np.asarray(session.answers()[0], 'float64') for session in sessions]
    if not np.allclose(*answers, rtol=2.0**-7, atol=2.0**-7):
        print(f'bench: not timed, the answers differ: {cell.name(OURS)}', file=sys.stderr)
        return []
    if cell.op in BY_NUMPY and cell.type in FLOATS:
        sessions.append(ByNumpy(cell))
    seconds = min(session.run(3) / 3 for session in sessions)
    count = max(1, int(SECONDS / seconds))
    time_models.in_turns(sessions, count, TURNS)
    return [{'name': cell.name(session.impl), 'run_type': 'iteration',
             'repetition_index': i, 'iterations': count, 'real_time': time_ns,
             'time_unit': 'ns'}
            for session in sessions for i, time_ns in enumerate(session.times)]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument('--tree', metavar='LIBRARY')
    parser.add_argument('path')
    parser.add_argument('names', nargs='?', default='')
    options = parser.parse_args()
    wanted = list(cells(options.names))
    if not wanted:
        print('bench: no cell of reductions matches', file=sys.stderr)
        return 1
    time_models.load(options.tree)
    rows = []
    for cell in wanted:
        rows += measure(cell)
    with open(options.path, 'w', encoding='utf-8') as file:
        json.dump({'context': time_models.context('tree' if options.tree else 'wheel'),
                   'benchmarks': rows}, file, indent=1)
    return 0


if __name__ == '__main__':
    sys.exit(main())

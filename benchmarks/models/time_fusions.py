#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What ONNX Runtime's fused nodes take, and nodes around a Softmax or a normalization;
and the same nodes as a chain of the execution provider, as a Markdown table: what
gelus.cc, normalizations.cc and savings.cc of the provider know.

    ORT_DISABLE_TELEMETRY=1 time_fusions.py LIBRARY [OPTION=VALUE...]

OPTION is one of the provider's: isa=AVX2. Times are CPU time in ns for each element of
64 x 1024, minima of turns, less those of the model without the fusion's nodes. The
models begin and end with nodes that only the CPU provider has, so that a fusion's
values are those of a model's middle.
"""
from __future__ import annotations

import os
import sys
import time

os.environ['ORT_DISABLE_TELEMETRY'] = '1'
sys.dont_write_bytecode = True

import numpy as np  # noqa: E402
import onnx  # noqa: E402
import onnx.parser  # noqa: E402
import onnxruntime as ort  # noqa: E402

NAME = 'LanewiseExecutionProvider'
ROWS, COLUMNS = 64, 1024
TURNS, SECONDS = 61, 0.002
GELU = '''d = Div({x}, root) e = Erf(d) s = Add(e, one) m = Mul({x}, s)
  z = Mul(m, half)'''
BY_TANH = '''p = Pow({x}, three) c = Mul(p, cubic) s = Add({x}, c) l = Mul(s, rootpi)
  t = Tanh(l) u = Add(t, one) h = Mul({x}, half) z = Mul(h, u)'''
BIAS = 'b = Add(i, bias) '
NORMALIZED = 'z = LayerNormalization(b, gamma, bias)'
FUSIONS = {
    'Gelu in primitives': GELU.format(x='i'),
    'Add, Gelu in primitives': BIAS + GELU.format(x='b'),
    'Add, Gelu': BIAS + 'z = Gelu(b)',
    'Gelu by Tanh in primitives': BY_TANH.format(x='i'),
    'Add, Gelu by Tanh in primitives': BIAS + BY_TANH.format(x='b'),
    'Add, Gelu by Tanh': BIAS + 'z = Gelu<approximate = "tanh">(b)',
    'x * Sigmoid(x)': 's = Sigmoid(i) z = Mul(i, s)',
    'x * Sigmoid(1.702 * x)': 'k = Mul(i, alpha) s = Sigmoid(k) z = Mul(i, s)',
    'Add, LayerNormalization': f'b = Add(i, x) {NORMALIZED}',
    'bias, Add, LayerNormalization': f'{BIAS} b2 = Add(b, x) {NORMALIZED}'.replace(
        'n(b,', 'n(b2,'),
    'Softmax': 'z = Softmax(i)',
    'Mul, Add, Softmax': 's = Mul(i, half) b = Add(s, bias) z = Softmax(b)',
    'Mul, Abs, Add, Softmax':
        's = Mul(i, half) a = Abs(s) b = Add(a, bias) z = Softmax(b)',
    'LayerNormalization': 'z = LayerNormalization(i, gamma, bias)',
    'LayerNormalization, Mul, Add':
        'n = LayerNormalization(i, gamma, bias) m = Mul(n, gamma) z = Add(m, bias)',
    'Add, RMSNormalization': 'b = Add(i, x) z = RMSNormalization(b, gamma)',
}
RNG = np.random.default_rng(1)
CONSTANTS = {name: np.float32(value) for name, value in {
    'root': 2**0.5, 'one': 1, 'half': 0.5, 'three': 3, 'cubic': 0.044715,
    'rootpi': (2 / np.pi)**0.5, 'alpha': 1.702}.items()}
CONSTANTS['bias'] = RNG.normal(0, 0.1, COLUMNS).astype('float32')
CONSTANTS['gamma'] = RNG.normal(1, 0.1, COLUMNS).astype('float32')
CONSTANTS['times'] = np.array([1, 1, 1])
X = RNG.normal(0, 2, (1, ROWS, COLUMNS)).astype('float32')


def model(nodes: str) -> bytes:
    # From opset 20 on, ONNX Runtime makes the operator Gelu of primitives before the
    # provider sees them.
    opset = 20 if ' = Gelu' in nodes else 17 if 'Layer' in nodes else 14
    opset = 23 if 'RMS' in nodes else opset
    dims = f'float[1, {ROWS}, {COLUMNS}]'
    made = onnx.parser.parse_model(
        f'<ir_version: 10, opset_import: ["" : {opset}]> graph ({dims} x) => ({dims} y) '
        f'{{ i = Tile(x, times) {nodes} y = Tile(z, times) }}')
    read = {name for node in made.graph.node for name in node.input}
    for name in read.intersection(CONSTANTS):
        made.graph.initializer.append(
            onnx.numpy_helper.from_array(CONSTANTS[name], name))
    return made.SerializeToString()


class Session:
    def __init__(self, nodes: str, provider_options: dict | None = None):
        options = ort.SessionOptions()
        options.intra_op_num_threads = 1
        options.log_severity_level = 4
        if provider_options is not None:
            devices = [d for d in ort.get_ep_devices() if d.ep_name == NAME]
            options.add_provider_for_devices(devices,
                                             {'claim': 'all', **provider_options})
        self.session = ort.InferenceSession(model(nodes), options, enable_fallback=0)
        self.binding = self.session.io_binding()
        self.binding.bind_cpu_input('x', X)
        self.binding.bind_output('y')
        self.run(3)
        self.binding.bind_ortvalue_output('y', self.binding.get_outputs()[0])
        self.best = float('inf')

    def run(self, count: int) -> float:
        start = time.thread_time()
        for _ in range(count):
            self.session.run_with_iobinding(self.binding)
        return (time.thread_time() - start) / count


def main() -> None:
    library, *given = sys.argv[1:]
    options = dict(option.split('=') for option in given)
    ort.register_execution_provider_library(NAME, os.path.abspath(library))
    print(f'| ns an element | ONNX Runtime {ort.__version__} | chain '
          f'{" ".join(given)} | ratio |\n|---|---|---|---|')
    for name, nodes in FUSIONS.items():
        sessions = [Session(nodes), Session(nodes, options),
                    Session('z = Identity(i)')]
        count = max(1, int(SECONDS / sessions[0].run(5)))
        for turn in range(TURNS):
            for session in sessions if turn % 2 else reversed(sessions):
                session.best = min(session.best, session.run(count))
        own, ours, rest = (1e9 * session.best / X.size for session in sessions)
        own, ours = own - rest, ours - rest
        print(f'| {name} | {own:.2f} | {ours:.2f} | {own / ours:.2f} |', flush=True)


if __name__ == '__main__':
    main()

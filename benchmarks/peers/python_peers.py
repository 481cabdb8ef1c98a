#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs NumPy, ONNX Runtime, PyTorch, numexpr, Numba and JAX for python.cc.

Each line of input is a command; each gets one line as its answer:

  hello                      -> <name> <version>;<name> <version>
  make <slot> <impl> <op> <type> <pattern> <n> <columns> <threads>
       <a bytes> <b bytes> <b offset> <out offset>
                             -> ok | ok <why it is loose> | no
  run <slot> <count> <show>  -> seconds; with show=1 the output is copied into
                                the shared memory
  drop <slot>                -> ok

Operands lie in shared memory, whose file descriptor is the only argument. They
are copied from there into memory that the library has allocated.
"""
import mmap
import os
import sys
import time

# Without this variable, ONNX Runtime reports its use over the network.
os.environ['ORT_DISABLE_TELEMETRY'] = '1'

try:
    import numpy as np
except ImportError:
    np = None
try:
    import onnxruntime as ort
    ort.set_default_logger_severity(3)
except ImportError:
    ort = None
try:
    import torch
except ImportError:
    torch = None
if np is not None:
    import python_chains

# In the order of Pattern in peer.h.
PATTERNS = ('same', 'scalar_b', 'scalar_a', 'scalar_c', 'row_b', 'col_b',
            'row8_b', 'col8_b', 'strided', 'in_place', 'special', 'rows', 'columns')
# By ONNX's code of the type.
TYPES = {1: 'float32', 2: 'uint8', 3: 'int8', 4: 'uint16', 5: 'int16',
         6: 'int32', 7: 'int64', 9: 'bool', 10: 'float16', 11: 'float64',
         12: 'uint32', 13: 'uint64'}
OPSET = 20
# Functions that NumPy and PyTorch have under one name.
SHARED = {'Abs': 'absolute', 'Acos': 'arccos', 'Acosh': 'arccosh',
          'And': 'logical_and', 'Asin': 'arcsin', 'Asinh': 'arcsinh',
          'Atan': 'arctan', 'Atanh': 'arctanh', 'BitwiseAnd': 'bitwise_and',
          'BitwiseNot': 'bitwise_not', 'BitwiseOr': 'bitwise_or',
          'BitwiseXor': 'bitwise_xor', 'Ceil': 'ceil', 'Cos': 'cos',
          'Cosh': 'cosh', 'Exp': 'exp', 'Floor': 'floor', 'Log': 'log',
          'Neg': 'negative', 'Not': 'logical_not', 'Or': 'logical_or',
          'Reciprocal': 'reciprocal', 'Sign': 'sign', 'Sin': 'sin',
          'Sinh': 'sinh', 'Sqrt': 'sqrt', 'Sum': 'add', 'Tan': 'tan',
          'Tanh': 'tanh', 'Xor': 'logical_xor'}
# Operators of one input, and few of two, that a session is made for.
SESSIONS = ('Acos', 'Acosh', 'Asin', 'Asinh', 'Atan', 'Atanh', 'Ceil', 'Cos',
            'Cosh', 'Div', 'Elu', 'Erf', 'Exp', 'Floor', 'Gelu', 'HardSigmoid',
            'HardSwish', 'Log', 'Mean', 'Mish', 'Pow', 'Reciprocal', 'Relu',
            'Round', 'Sigmoid', 'Sin', 'Sinh', 'Softplus', 'Softsign', 'Sqrt',
            'Sum', 'Tan', 'Tanh')


# By (x, axis, out). Some functions of several steps are what NumPy's users write.
REDUCTIONS = {
    'ReduceL1': lambda x, axis, out: np.abs(x).sum(axis, out.dtype, out, True),
    'ReduceL2': lambda x, axis, out: np.sqrt(
        np.square(x).sum(axis, out.dtype, out, True), out),
    'ReduceLogSum': lambda x, axis, out: np.log(x.sum(axis, out.dtype, out, True), out),
    'ReduceLogSumExp': lambda x, axis, out: np.log(
        np.exp(x).sum(axis, out.dtype, out, True), out),
    'ReduceMax': lambda x, axis, out: x.max(axis, out, True),
    'ReduceMean': lambda x, axis, out: x.mean(axis, out.dtype, out, True),
    'ReduceMin': lambda x, axis, out: x.min(axis, out, True),
    'ReduceProd': lambda x, axis, out: x.prod(axis, out.dtype, out, True),
    'ReduceSum': lambda x, axis, out: x.sum(axis, out.dtype, out, True),
    'ReduceSumSquare': lambda x, axis, out: np.square(x).sum(axis, out.dtype, out, True),
    'ArgMax': lambda x, axis, out: x.argmax(axis, out, keepdims=True),
    'ArgMin': lambda x, axis, out: x.argmin(axis, out, keepdims=True),
}
# Their results would be float64.
OF_FLOATS = ('ReduceL2', 'ReduceLogSum', 'ReduceLogSumExp', 'ReduceMean')


class Task:
    """The operands of one cell as NumPy arrays."""

    def __init__(self, fields, memory):
        (self.op, code, pattern, n, columns, self.threads, a_bytes, b_bytes,
         b_offset, out_offset) = [fields[0]] + [int(f) for f in fields[1:]]
        self.code = code
        self.dtype = np.dtype(TYPES[code])
        self.pattern = PATTERNS[pattern]
        self.columns = columns
        self.memory = memory
        self.out_offset = out_offset

        def read(offset, size):
            return np.frombuffer(memory, self.dtype, size // self.dtype.itemsize,
                                 offset).copy()

        self.a = read(0, a_bytes)
        self.b = read(b_offset, b_bytes) if b_bytes else None
        shape = (n,)
        if self.pattern in ('row_b', 'row8_b', 'col_b', 'col8_b'):
            shape = (n // columns, columns)
            self.a = self.a.reshape(shape)
            if self.pattern.startswith('col'):
                self.b = self.b.reshape(n // columns, 1)
        elif self.pattern == 'strided':
            self.a = self.a[::2]
            self.b = self.b[::2] if self.b is not None else None
        elif self.pattern in ('rows', 'columns'):
            self.a = self.a.reshape(n // columns, columns)
            shape = (n // columns, 1) if self.pattern == 'rows' else (1, columns)
        is_index = self.op in ('ArgMax', 'ArgMin')
        self.out = np.ones(shape, np.int64 if is_index else self.dtype)

    def show(self, out):
        np.frombuffer(self.memory, out.dtype, out.size,
                      self.out_offset)[:] = out.reshape(-1)


class NumPy:
    """A ufunc that writes into a given output."""

    def __init__(self, task):
        self.task = task
        integer = task.dtype.kind in 'iu'
        self.loose = ''
        self.keywords = {'out': task.out}
        if task.op == 'Div':
            self.ufunc = np.floor_divide if integer else np.divide
            self.arguments = (task.a, task.b)
            if task.dtype.kind == 'i':
                self.loose = 'rounds down'
        elif task.op == 'Mod':
            self.ufunc = np.mod
            self.arguments = (task.a, task.b)
        elif task.op == 'Pow' and not integer:
            self.ufunc = np.power
            self.arguments = (task.a, task.b)
        elif task.op == 'Relu':
            self.ufunc = np.maximum
            self.arguments = (task.a, task.dtype.type(0))
        elif task.op == 'Softplus':
            self.ufunc = np.logaddexp
            self.arguments = (task.dtype.type(0), task.a)
        elif task.op in SHARED or task.op == 'Round':
            self.ufunc = getattr(np, SHARED.get(task.op, 'rint'))
            self.arguments = (task.a,) if task.b is None else (task.a, task.b)
        elif task.op in REDUCTIONS and not (integer and task.op in OF_FLOATS):
            self.ufunc = REDUCTIONS[task.op]
            self.arguments = (task.a, 1 if task.pattern == 'rows' else 0, task.out)
            self.keywords = {}
        elif task.op in ('Reshape', 'Copy'):
            self.ufunc = np.copyto
            self.arguments = (task.out, task.a)
            self.keywords = {}
        else:
            raise LookupError(task.op)

    def run(self, count):
        ufunc, arguments, keywords = self.ufunc, self.arguments, self.keywords
        start = time.perf_counter()
        for _ in range(count):
            ufunc(*arguments, **keywords)
        return time.perf_counter() - start

    def show(self):
        self.task.show(self.task.out)


class Torch:
    """A function that writes into a given output, on NumPy's arrays."""
    loose = ''

    def __init__(self, task):
        self.task = task
        self.out = torch.from_numpy(task.out)
        a = torch.from_numpy(task.a)
        self.keywords = {'out': self.out}
        if task.op == 'Div':
            self.function = torch.div
            self.arguments = (a, torch.from_numpy(task.b))
            if task.dtype.kind in 'iu':
                self.keywords['rounding_mode'] = 'trunc'
        elif task.op == 'Relu':
            self.function = torch.clamp_min
            self.arguments = (a, 0)
        elif task.op in SHARED or task.op in ('Erf', 'Pow', 'Round', 'Sigmoid'):
            self.function = getattr(torch, SHARED.get(task.op, task.op.lower()))
            b = () if task.b is None else (torch.from_numpy(task.b),)
            self.arguments = (a, *b)
        elif task.op in ('Reshape', 'Copy'):
            self.function = self.out.copy_
            self.arguments = (a.reshape(self.out.shape),)
            self.keywords = {}
        else:
            raise LookupError(task.op)

    def run(self, count):
        function, arguments, keywords = (self.function, self.arguments,
                                         self.keywords)
        torch.set_num_threads(self.task.threads)
        start = time.perf_counter()
        for _ in range(count):
            function(*arguments, **keywords)
        return time.perf_counter() - start

    def show(self):
        self.task.show(self.task.out)


def varint(value):
    out = b''
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def number(field, value):
    return varint(field << 3) + varint(value)


def message(field, body):
    body = body.encode() if isinstance(body, str) else body
    return varint(field << 3 | 2) + varint(len(body)) + body


def one_node_model(op, code, inputs):
    """A ModelProto of y = op(inputs), without shapes."""
    node = b''.join(message(1, name) for name in inputs)
    node += message(2, 'y') + message(4, op)
    graph = message(1, node) + message(2, 'g')
    tensor = message(2, message(1, number(1, code)))  # type.tensor_type
    for name in inputs:
        graph += message(11, message(1, name) + tensor)
    graph += message(12, message(1, 'y') + tensor)
    return number(1, 8) + message(7, graph) + message(8, number(2, OPSET))


class OnnxRuntime:
    """A session of one node, with its inputs and output bound once."""
    loose = ''

    def __init__(self, task):
        if task.op not in SESSIONS:
            raise LookupError(task.op)
        if task.pattern == 'strided':
            raise LookupError('ONNX Runtime has no strides')
        self.task = task
        options = ort.SessionOptions()
        options.intra_op_num_threads = task.threads
        options.inter_op_num_threads = 1
        operands = {'a': task.a}
        if task.b is not None:
            operands['b'] = task.b
        self.session = ort.InferenceSession(
            one_node_model(task.op, task.code, operands), options,
            providers=['CPUExecutionProvider'])
        self.binding = self.session.io_binding()
        for name, array in operands.items():
            self.binding.bind_ortvalue_input(
                name, ort.OrtValue.ortvalue_from_numpy(array))
        self.out = ort.OrtValue.ortvalue_from_numpy(task.out)
        self.binding.bind_ortvalue_output('y', self.out)

    def run(self, count):
        run = self.session._sess.run_with_iobinding  # the wrapper calls this
        binding = self.binding._iobinding
        start = time.perf_counter()
        for _ in range(count):
            run(binding, None)
        seconds = time.perf_counter() - start
        if self.task.threads > 1:
            time.sleep(0.005)  # until idle threads stop spinning
        return seconds

    def show(self):
        self.task.show(self.out.numpy())


def main():
    # Answers go to the original stdout. What a library prints to stdout goes to
    # stderr.
    answers = os.fdopen(os.dup(1), 'w')
    os.dup2(2, 1)
    descriptor = int(sys.argv[1])
    known = {}
    versions = []
    if np is not None:
        np.seterr(all='ignore')
        known['numpy'] = NumPy
        versions.append('numpy ' + np.__version__)
        if ort is not None:
            known['onnxruntime'] = OnnxRuntime
            versions.append('onnxruntime ' + ort.__version__ +
                            ' through Python')
        if torch is not None:
            known['torch'] = Torch
            versions.append('torch ' + torch.__version__)
        for name, version, peer in python_chains.peers():
            known[name] = peer
            versions.append(f'{name} {version}')
    slots = {}
    for line in sys.stdin:
        command, *fields = line.split()
        if command == 'hello':
            answer = ';'.join(versions)
        elif command == 'make':
            try:
                memory = mmap.mmap(descriptor, os.fstat(descriptor).st_size)
                peer = known[fields[1]]
                if fields[2].startswith('Chain.') and fields[1] == 'numpy':
                    peer = python_chains.NumPy
                slots[fields[0]] = peer(Task(fields[2:], memory))
                answer = 'ok ' + slots[fields[0]].loose
            except Exception as error:  # the library cannot compute the task
                if os.environ.get('LANEWISE_BENCH_VERBOSE'):
                    print(line, error, file=sys.stderr)
                answer = 'no'
        elif command == 'run':
            slot = slots[fields[0]]
            answer = repr(slot.run(int(fields[1])))
            if fields[2] == '1':
                slot.show()
        else:
            slots.pop(fields[0], None)
            answer = 'ok'
        print(answer.strip(), file=answers, flush=True)


if __name__ == '__main__':
    main()

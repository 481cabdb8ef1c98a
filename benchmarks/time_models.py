#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times whole models in ONNX Runtime, with the execution provider and without.

    time_models.py LIBRARY OUT.json [MODEL...]

The models are those of the tests. Rows have the harness's grammar, with Model as
the operator and the model's name as the pattern; n is the number of elements of
the inputs. Both sessions of a model run side by side: repetitions alternate.
"""
from __future__ import annotations

import json
import os
import re
import sys
import time

# Without this variable, ONNX Runtime reports its use over the network.
os.environ['ORT_DISABLE_TELEMETRY'] = '1'
sys.dont_write_bytecode = True

import numpy as np  # noqa: E402
import onnxruntime as ort  # noqa: E402

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(SOURCE, 'tests', 'onnxruntime'))
import models  # noqa: E402

NAME = 'LanewiseExecutionProvider'
REPETITIONS = 31
SECONDS = 0.02  # of each repetition


class Session:
    """A session over buffers that are bound once, and its times."""

    def __init__(self, impl: str, model: bytes, inputs: dict, threads: int):
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 4
        # Threads of the other session that still look for work would take a core.
        options.add_session_config_entry('session.force_spinning_stop', '1')
        if impl != 'onnxruntime':
            options.add_provider_for_devices(
                [d for d in ort.get_ep_devices() if d.ep_name == NAME], {})
        self.impl = impl
        self.times: list[float] = []
        self.session = ort.InferenceSession(model, options, enable_fallback=0)
        self.binding = self.session.io_binding()
        for name, value in inputs.items():
            self.binding.bind_ortvalue_input(name, value)
        for output in self.session.get_outputs():
            self.binding.bind_output(output.name)
        self.run(3)
        # The first run made the outputs. From now on they are overwritten.
        for output, value in zip(self.session.get_outputs(),
                                 self.binding.get_outputs()):
            self.binding.bind_ortvalue_output(output.name, value)
        self.count = max(1, int(SECONDS / (self.run(3) / 3)))

    def run(self, count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            self.session.run_with_iobinding(self.binding)
        return time.perf_counter() - start

    def repeat(self) -> None:
        self.times.append(1e9 * self.run(self.count) / self.count)
        # Idle threads of ONNX Runtime spin for a while.
        time.sleep(0.005)


def measure(name: str, threads: int) -> list[dict]:
    model, inputs = models.MODELS[name]()
    values = {key: ort.OrtValue.ortvalue_from_numpy(value)
              for key, value in inputs.items()}
    sessions = []
    for impl in ('onnxruntime', 'ort+lanewise'):
        try:
            sessions.append(Session(impl, model.SerializeToString(), values,
                                    threads))
        except Exception as error:  # a type that the CPU provider lacks
            print(f'bench: {name}: {impl} refuses: '
                  f'{str(error).splitlines()[0]}', file=sys.stderr)
    for i in range(REPETITIONS):
        for session in sessions[::-1] if i % 2 else sessions:
            session.repeat()
    # The type that the model computes in, if its name tells.
    found = re.search(r'(b?f)loat(\d+)', name)
    dtype = found[1] + found[2] if found else 'f32'
    count = sum(int(np.prod(value.shape)) for value in inputs.values())
    return [{'name': f'Model/{dtype}/{name}/{s.impl}/n:{count}'
                     f'/threads:{threads}',
             'run_type': 'iteration', 'repetition_index': i,
             'iterations': s.count, 'real_time': t, 'time_unit': 'ns'}
            for s in sessions for i, t in enumerate(s.times)]


def main() -> None:
    library, path, *names = sys.argv[1:]
    ort.register_execution_provider_library(NAME, os.path.abspath(library))
    rows = []
    for name in names or models.MODELS:
        for threads in sorted({1, os.cpu_count() or 1}):
            rows += measure(name, threads)
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'benchmarks': rows}, file, indent=1)


if __name__ == '__main__':
    main()

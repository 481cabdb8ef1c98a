#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times whole models in ONNX Runtime, with the execution provider and without.

    time_models.py LIBRARY OUT.json [MODEL...]

A MODEL is a name of suite.py; the default is all of them. FILE.onnx:1x3x48x320 is
any model with one input, of that shape.

Rows have the harness's grammar, with Model as the operator and the model's name as
the pattern; n is the number of elements of the inputs. `models` in the file has
what rows cannot say: answers compared, nodes taken, nodes that became slower. Both
sessions of a model are in this process and run in turns.
"""
from __future__ import annotations

import datetime
import json
import os
import sys
import tempfile
import time

# Without this variable, ONNX Runtime reports its use over the network.
os.environ['ORT_DISABLE_TELEMETRY'] = '1'
sys.dont_write_bytecode = True

import node_times  # noqa: E402
import numpy as np  # noqa: E402
import onnxruntime as ort  # noqa: E402
from suite import SOURCE, STEPS, SUITE, Model, of_file  # noqa: E402

sys.path.insert(0, os.path.join(SOURCE, 'benchmarks', 'report'))
from cpus import own_model, own_numbers  # noqa: E402

NAME = 'LanewiseExecutionProvider'
OWN, OURS = 'onnxruntime', 'ort+lanewise'
SECONDS = 0.005  # of a turn, which has one run at least
# A session has as many turns as fit into some seconds, within bounds: whatever else
# the machine does hits some turns only, and medians of many do not feel them.
TURNS, MOST_TURNS, SECONDS_OF_TURNS = 31, 101, 1
WARM_UP = 3  # runs
# How many steps of the type answers may differ by, relative to the largest: the
# operators without an exact result, and the order of sums. Answers that are all
# near 0, as the probabilities of a detector that finds nothing, count as SMALL.
ALLOWED = 8
SMALL = 2.0**-6


def devices() -> list:
    return [device for device in ort.get_ep_devices() if device.ep_name == NAME]


class Session:
    """A session over buffers that are bound once, and its times."""

    def __init__(self, impl: str, model: bytes, inputs: dict, threads: int,
                 profile: str = ''):
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 4
        # Threads of the other session that still look for work would take a core.
        options.add_session_config_entry('session.force_spinning_stop', '1')
        options.add_session_config_entry(
            'session.record_ep_graph_assignment_info', '1')
        options.enable_profiling = bool(profile)
        options.profile_file_prefix = profile
        if impl == OURS:
            options.add_provider_for_devices(devices(), {})
        self.impl = impl
        self.times: list[float] = []
        self.session = ort.InferenceSession(model, options, enable_fallback=0)
        self.binding = self.session.io_binding()
        for name, value in inputs.items():
            self.binding.bind_ortvalue_input(name, value)
        for output in self.session.get_outputs():
            self.binding.bind_output(output.name)
        self.run(WARM_UP)
        # The first run made the outputs. From now on they are overwritten.
        for output, value in zip(self.session.get_outputs(),
                                 self.binding.get_outputs()):
            self.binding.bind_ortvalue_output(output.name, value)

    def run(self, count: int) -> float:
        start = time.perf_counter()
        for _ in range(count):
            self.session.run_with_iobinding(self.binding)
        return time.perf_counter() - start

    def answers(self) -> list[np.ndarray]:
        return [value.numpy() for value in self.binding.get_outputs()]

    def nodes(self) -> list[str]:
        """The provider of each node."""
        return [part.ep_name
                for part in self.session.get_provider_graph_assignment_info()
                for _ in part.get_nodes()]


def in_turns(sessions: list[Session], count: int, turns: int) -> None:
    for i in range(turns):
        for session in sessions[::-1] if i % 2 else sessions:
            session.times.append(1e9 * session.run(count) / count)
            # Idle threads of ONNX Runtime spin for a while.
            time.sleep(0.005)


def difference(sessions: list[Session], dtype: str) -> float:
    """The largest distance of two answers, in steps of the type at the largest."""
    worst = 0.0
    for old, new in zip(*(session.answers() for session in sessions)):
        old, new = old.astype('float64'), new.astype('float64')
        if np.array_equal(old, new, equal_nan=True):
            continue
        apart = np.abs(old - new).max() / max(np.abs(old).max(), SMALL)
        worst = max(worst, float(apart) / STEPS[dtype])
        if np.isnan(apart):
            return float('inf')
    return worst


class Case:
    """One model on one number of threads."""

    def __init__(self, model: Model, threads: int):
        self.model, self.threads = model, threads
        made, inputs = model.make()
        name_nodes(made.graph)
        self.bytes = made.SerializeToString()
        self.count = sum(value.size for value in inputs.values())
        self.inputs = {name: ort.OrtValue.ortvalue_from_numpy(value)
                       for name, value in inputs.items()}
        self.refused: dict[str, str] = {}

    def sessions(self, folder: str = '') -> list[Session]:
        made = []
        for impl in (OWN, OURS):
            profile = os.path.join(folder, impl) if folder else ''
            try:
                made.append(Session(impl, self.bytes, self.inputs, self.threads,
                                    profile))
            except Exception as error:  # a type that the CPU provider lacks
                self.refused[impl] = str(error).splitlines()[0]
        return made

    def measure(self) -> tuple[dict, list[dict]]:
        """What rows cannot say, and the rows."""
        sessions = self.sessions()
        facts = {'model': self.model.name, 'threads': self.threads,
                 'type': self.model.dtype, 'source': self.model.source,
                 'refused': self.refused}
        if len(sessions) == 2:
            facts['difference'] = round(difference(sessions, self.model.dtype), 3)
            facts['right'] = facts['difference'] <= ALLOWED
        if sessions and sessions[-1].impl == OURS:
            placed = sessions[-1].nodes()
            facts |= {'taken': placed.count(NAME), 'nodes': len(placed)}
        seconds = min([s.run(3) / 3 for s in sessions], default=1)
        count = max(1, int(SECONDS / seconds))
        turns = int(SECONDS_OF_TURNS / (count * seconds))
        in_turns(sessions, count, min(max(turns, TURNS), MOST_TURNS))
        rows = [self.row(session, count, i, t) for session in sessions
                for i, t in enumerate(session.times)]
        del sessions
        return facts | self.profile(), rows

    def row(self, session: Session, count: int, i: int, time_ns: float) -> dict:
        return {'name': f'Model/{self.model.dtype}/{self.model.name}/'
                        f'{session.impl}/n:{self.count}/threads:{self.threads}',
                'run_type': 'iteration', 'repetition_index': i,
                'iterations': count, 'real_time': time_ns, 'time_unit': 'ns'}

    def profile(self) -> dict:
        with tempfile.TemporaryDirectory() as folder:
            sessions = self.sessions(folder)
            in_turns(sessions, 1, TURNS)
            found = [node_times.read(s.session.end_profiling(), WARM_UP)
                     for s in sessions]
        if not found:
            return {}
        facts = {'elementwise_share': round(node_times.elementwise_share(found[0]),
                                            3)}
        if len(found) == 2:
            facts['slower'] = node_times.slower(*found)
        return facts


def name_nodes(graph) -> None:
    """Gives each node a name, by which the profiles of two sessions are joined."""
    for node in graph.node:
        node.name = node.name or next(filter(None, node.output))
        for attribute in node.attribute:
            if attribute.HasField('g'):
                name_nodes(attribute.g)


def context() -> dict:
    """The machine and the libraries, as the harness names them."""
    facts = devices()[0].ep_metadata
    return {'date': datetime.datetime.now().isoformat(timespec='seconds'),
            'num_cpus': os.cpu_count() or 1, 'lanewise_cpu': own_model(),
            'lanewise_cpu_numbers': own_numbers(),
            'lanewise_as': os.environ.get('LANEWISE_MAX_ISA', ''),
            'lanewise_isa': facts['isa'], 'lanewise_version': facts['version'],
            'lanewise_peers': f'onnxruntime {ort.__version__}'}


def find(name: str) -> Model:
    if name in SUITE:
        return SUITE[name]
    path, _, shape = name.rpartition(':')
    if not path.endswith('.onnx'):
        sys.exit(f'bench: no model {name}; there are: {" ".join(SUITE)}; and '
                 'FILE.onnx:1x3x48x320')
    return of_file(path, shape)


def main() -> int:
    library, path, *names = sys.argv[1:]
    models = [find(name) for name in names or SUITE]
    ort.register_execution_provider_library(NAME, os.path.abspath(library))
    rows, facts = [], []
    for model in models:
        if model.absent:
            print(f'bench: Not run: {model.name}, there is no {model.file}')
            facts.append({'model': model.name, 'threads': 1, 'absent': True})
            continue
        print(f'bench: {model.name}', flush=True)
        for threads in sorted({1, os.cpu_count() or 1}):
            found, timed = Case(model, threads).measure()
            facts.append(found)
            rows += timed
    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'context': context(), 'benchmarks': rows, 'models': facts},
                  file, indent=1)
    wrong = [f for f in facts if not f.get('right', True)]
    for f in wrong:
        print(f'bench: {f["model"]}: the answers differ by {f["difference"]} steps '
              'of the type', file=sys.stderr)
    return 3 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())

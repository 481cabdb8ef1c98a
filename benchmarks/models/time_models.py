#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times whole models in ONNX Runtime, with the execution provider and without.

    time_models.py [--tree LIBRARY] [--seconds N] OUT.json [MODEL...]

The provider is that of the package onnxruntime_ep_lanewise, which users install; with
--tree the library that was built in the tree. A MODEL is a name of suite.py; the default is all of them. FILE.onnx:1x3x48x320 is
any model with one input, of that shape.

Rows have the harness's grammar, with Model as the operator and the model's name as
the pattern; n is the number of elements of the inputs. `models` in the file has
what rows cannot say: answers compared, nodes taken, nodes that became slower. The
sessions of a model are in this process and run in turns: with the provider, without,
and once more without. What differs between the last two is noise.
"""
from __future__ import annotations

import argparse
import datetime
import itertools
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
import onnx  # noqa: E402
import onnxruntime as ort  # noqa: E402
from exact_functions import with_exact_functions  # noqa: E402
from suite import SOURCE, STEPS, SUITE, Model, of_file  # noqa: E402

sys.path.insert(0, os.path.join(SOURCE, 'benchmarks', 'report'))
# The package of the wheel, if it is installed, comes first.
sys.path.append(os.path.join(SOURCE, 'runtime', 'onnxruntime', 'python'))
from cpus import own_model, own_numbers  # noqa: E402
from provider import AGAIN, OWN  # noqa: E402
from rows import IN_SESSION as OURS  # noqa: E402
from turns import of_ratios  # noqa: E402

NAME = 'LanewiseExecutionProvider'
VARIABLE = 'LANEWISE_ORT_LIBRARY'
SECONDS = 0.005  # of a turn, which has one run at least
# Turns go on until the ratios are as sure as WIDTH says: whatever else the machine
# does hits some turns only, and medians of many do not feel them.
TURNS, MOST_TURNS, SECONDS_OF_TURNS, WIDTH = 31, 401, 15.0, 0.01
WARM_UP = 3  # runs
CPUS = sorted(os.sched_getaffinity(0))
# How many steps of the type answers may differ by, relative to the largest: the
# operators without an exact result, and the order of sums. The recogniser's answers
# without the provider differ by 9 from the right ones. Answers that are all
# near 0, as the probabilities of a detector that finds nothing, count as SMALL.
ALLOWED = 16
SMALL = 2.0**-6


def devices() -> list:
    return [device for device in ort.get_ep_devices() if device.ep_name == NAME]


class Session:
    """A session over buffers that are bound once, and its times."""

    def __init__(self, impl: str, model: bytes, inputs: dict, threads: int,
                 profile: str = '', claim: str = 'profitable'):
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 4
        if threads > 1:
            options.add_session_config_entry('session.intra_op_thread_affinities',
                                             affinities(CPUS[:threads]))
        # After a run, threads would look for work for 40 ms and longer, and take a
        # core from the other sessions.
        options.add_session_config_entry('session.force_spinning_stop', '1')
        options.add_session_config_entry(
            'session.record_ep_graph_assignment_info', '1')
        options.enable_profiling = bool(profile)
        options.profile_file_prefix = profile
        if impl == OURS:
            options.add_provider_for_devices(devices(), {'claim': claim})
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


def with_casts(model: onnx.ModelProto, impl: str) -> onnx.ModelProto:
    """A bfloat16 model that the session loads: nodes without a kernel are in float32,
    between casts."""
    from onnxruntime_ep_lanewise._nodes import cast_nodes
    copy = onnx.ModelProto()
    copy.CopyFrom(model)
    return cast_nodes(copy, {} if impl == OURS else None)[0]


def affinities(cpus: list[int]) -> str:
    """Where ONNX Runtime's threads run, which numbers processors from 1. The calling
    thread has the first."""
    return ';'.join(str(cpu + 1) for cpu in cpus[1:])


def in_turns(sessions: list[Session], count: int, turns: int) -> None:
    orders = itertools.cycle(itertools.permutations(sessions))
    for order in itertools.islice(orders, turns):
        for session in order:
            session.times.append(1e9 * session.run(count) / count)


def until_sure(sessions: list[Session], count: int, seconds: float) -> None:
    first, *others = sessions
    start = time.perf_counter()
    while len(first.times) < MOST_TURNS:
        in_turns(sessions, count, TURNS)
        late = time.perf_counter() - start > seconds
        widths = [of_ratios(first.times, other.times).width for other in others]
        if late or max(widths, default=0) < WIDTH:
            break


def difference(right: list[np.ndarray], answers: list[np.ndarray],
               dtype: str) -> float:
    """The largest distance of two answers, in steps of the type at the largest."""
    worst = 0.0
    for old, new in zip(right, answers):
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
        # Threads of a session that the system once put on one core would stay there,
        # and the session would take twice the time of its equals.
        os.sched_setaffinity(0, CPUS[:1] if threads > 1 else CPUS)
        made, inputs = model.make()
        name_nodes(made.graph)
        self.made = made
        self.given = {OWN: made, OURS: made, AGAIN: made}
        self.exact = with_exact_functions(made) if model.dtype == 'f32' else made
        self.count = sum(value.size for value in inputs.values())
        self.inputs = {name: ort.OrtValue.ortvalue_from_numpy(value)
                       for name, value in inputs.items()}
        self.refused: dict[str, str] = {}

    def sessions(self, impls: tuple[str, ...], folder: str = '') -> list[Session]:
        made = []
        for impl in impls:
            profile = os.path.join(folder, impl) if folder else ''
            try:
                made.append(self.session(impl, self.given[impl], profile))
                continue
            except Exception as error:  # a type that the CPU provider lacks
                self.refused[impl] = str(error).splitlines()[0]
            if self.model.dtype != 'bf16' or self.given[impl] is not self.made:
                continue
            try:
                self.given[impl] = with_casts(self.made, impl)
                made.append(self.session(impl, self.given[impl], profile))
            except Exception as error:  # what no casts help
                self.refused[impl] = str(error).splitlines()[0]
            self.given[AGAIN] = self.given[OWN]
        return made

    def session(self, impl: str, model: onnx.ModelProto, profile: str = '') -> Session:
        return Session(impl, model.SerializeToString(), self.inputs, self.threads,
                       profile)

    def compared(self, sessions: list[Session]) -> dict:
        """How far the answers with the provider, and those without, are from the
        right ones. Of 16-bit types, those without the provider count as right."""
        right = (self.session(OWN, self.exact) if self.exact is not self.made
                 else sessions[0]).answers()
        own, ours = (round(difference(right, s.answers(), self.model.dtype), 3)
                     for s in sessions)
        return {'difference': ours, 'own_difference': own, 'right': ours <= max(ALLOWED, own)}

    def measure(self, most_seconds: float) -> tuple[dict, list[dict]]:
        """What rows cannot say, and the rows."""
        sessions = self.sessions((OWN, OURS))
        facts = {'model': self.model.name, 'threads': self.threads,
                 'type': self.model.dtype, 'source': self.model.source,
                 'refused': self.refused}
        if len(sessions) == 2:
            facts |= self.compared(sessions)
        if sessions and sessions[-1].impl == OURS:
            placed = sessions[-1].nodes()
            facts |= {'taken': placed.count(NAME), 'nodes': len(placed)}
        if len(sessions) == 2:
            sessions += self.sessions((AGAIN,))
        seconds = min([s.run(3) / 3 for s in sessions], default=1)
        count = max(1, int(SECONDS / seconds))
        if sessions:
            until_sure(sessions, count, most_seconds)
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
            sessions = self.sessions((OWN, OURS), folder)
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


def context(provider: str) -> dict:
    """The machine and the libraries, as the harness names them."""
    facts = devices()[0].ep_metadata
    return {'date': datetime.datetime.now().isoformat(timespec='seconds'),
            'num_cpus': os.cpu_count() or 1, 'lanewise_cpu': own_model(),
            'lanewise_cpu_numbers': own_numbers(),
            'lanewise_as': os.environ.get('LANEWISE_MAX_ISA', ''),
            'lanewise_isa': facts['isa'], 'lanewise_version': facts['version'],
            'lanewise_peers': f'onnxruntime {ort.__version__}',
            'lanewise_provider': provider}


def find(name: str) -> Model:
    if name in SUITE:
        return SUITE[name]
    path, _, shape = name.rpartition(':')
    if not path.endswith('.onnx'):
        sys.exit(f'bench: no model {name}; there are: {" ".join(SUITE)}; and '
                 'FILE.onnx:1x3x48x320')
    return of_file(path, shape)


def load(library: str | None) -> None:
    """Registers this library, or that of the wheel, whatever the environment says."""
    os.environ.pop(VARIABLE, None)
    if library is None:
        import onnxruntime_ep_lanewise as lanewise
        library = lanewise.get_library_path()
    os.environ[VARIABLE] = os.path.abspath(library)
    ort.register_execution_provider_library(NAME, os.environ[VARIABLE])


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument('--tree', metavar='LIBRARY')
    parser.add_argument('--seconds', type=float, default=SECONDS_OF_TURNS)
    parser.add_argument('path')
    parser.add_argument('names', nargs='*')
    options = parser.parse_args()
    models = [find(name) for name in options.names or SUITE]
    load(options.tree)
    rows, facts = [], []
    for model in models:
        if model.absent:
            print(f'bench: Not run: {model.name}, there is no {model.file}')
            facts.append({'model': model.name, 'threads': 1, 'absent': True})
            continue
        print(f'bench: {model.name}', flush=True)
        for threads in sorted({1, len(CPUS)}):
            found, timed = Case(model, threads).measure(options.seconds)
            facts.append(found)
            rows += timed
    with open(options.path, 'w', encoding='utf-8') as file:
        json.dump({'context': context('tree' if options.tree else 'wheel'),
                   'benchmarks': rows, 'models': facts},
                  file, indent=1)
    wrong = [f for f in facts if not f.get('right', True)]
    for f in wrong:
        print(f'bench: {f["model"]}: the answers differ by {f["difference"]} steps '
              'of the type', file=sys.stderr)
    return 3 if wrong else 0


if __name__ == '__main__':
    sys.exit(main())

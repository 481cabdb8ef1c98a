#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The Python package beside NumPy, numexpr, Numba and JAX: the results that the
repository keeps, and a page for each machine.

  python_package.py FILE.json    keeps what benchmarks/python/time_package.py wrote, and
                                 writes all pages

A kept row has microseconds by library: those of a first call, which traces or compiles,
and the least of later calls.
"""
import glob
import json
import os
import sys

sys.dont_write_bytecode = True

from cpus import file_name, full_name, microarchitecture, short_name  # noqa: E402
from figure import Figure  # noqa: E402
from markdown import MET, md_table  # noqa: E402
from rows import Run  # noqa: E402

OURS = 'lanewise (python)'
FAST = 'lanewise (fast)'
LIBRARIES = {OURS: 'lanewise', FAST: 'lanewise, fast', 'numpy': 'NumPy',
             'numexpr': 'numexpr', 'numba': 'Numba', 'jax': 'JAX'}
SIZE = 65536  # elements: what the goals are for
CHAINS = ('HardSwish', 'MulAddRelu', 'SiLU', 'GreaterWhere')
# Results that differ in one of these do not mix.
_SAME = ('lanewise_isa', 'lanewise_version', 'lanewise_peers')


class PythonRun(Run):
    """Kept results, or those of one run."""

    def __init__(self, path):
        super().__init__(path)
        with open(path, encoding='utf-8') as file:
            data = json.load(file)
        self.python, self.small = data['python'], data['small']


def _key(row):
    return row['workload'], row['type'], row['count']


def keep_python(run, folder):
    """Merges a run into the folder's file for this CPU, and returns the path. Rows that
    were measured again replace the old ones."""
    path = os.path.join(folder, file_name(run) + '.json')
    rows = {}
    if os.path.exists(path):
        old = PythonRun(path)
        if all(old.context.get(name) == run.context.get(name) for name in _SAME):
            rows = {_key(row): row for row in old.python}
    rows.update({_key(row): row for row in run.python})
    os.makedirs(folder, exist_ok=True)
    lines = ',\n'.join(json.dumps(row) for row in rows.values())
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'{{"context": {json.dumps(run.context, indent=1)},\n'
                   f'"small": {json.dumps(run.small)},\n'
                   f'"python": [\n{lines}\n]}}\n')
    return path


def kept_python(folder):
    """{name of the CPU's file: the kept results}"""
    return {os.path.basename(path)[:-len('.json')]: PythonRun(path)
            for path in sorted(glob.glob(os.path.join(folder, '*.json')))}


def _least(row, name):
    return row['times'].get(name, {}).get('least')


def _ratios(run, peer, kind, names):
    """The peer's time over ours, of these workloads in this type."""
    return [_least(row, peer) / _least(row, OURS) for row in run.python
            if row['type'] == kind and row['workload'] in names and row['count'] == SIZE
            and _least(row, peer) and _least(row, OURS)]


def figures(run):
    """What the package promises, and what was measured."""
    found = []
    for title, peer, kinds, names, bar in (
            ('chains', 'numpy', ('float32',), CHAINS, 4),
            ('chains', 'numexpr', ('float32',), CHAINS, 3),
            ('chains', 'numba', ('float32',), CHAINS, 0.9),
            ('chains', 'numpy', ('float16', 'bfloat16'), CHAINS, 8),
            ('Black-Scholes', 'numpy', ('float64',), ('Black-Scholes',), 3),
            ('Black-Scholes', 'numexpr', ('float64',), ('Black-Scholes',), 1.5)):
        ratios = [r for kind in kinds for r in _ratios(run, peer, kind, names)]
        if ratios:
            found.append(Figure(
                f'{title}, {" and ".join(kinds)}: the time of {LIBRARIES[peer]} over '
                'ours, at the least', f'{min(ratios):.2f}x', f'at least {bar}x',
                min(ratios) >= bar))
    firsts = [row['times'][OURS]['first'] for row in run.python
              if row['workload'] in CHAINS and 'first' in row['times'].get(OURS, {})]
    if firsts:
        # The first call of a process also makes the engine.
        found.append(Figure('the first call of a chain, at the most',
                            f'{max(firsts) / 1e3:.2f} ms', 'below 2 ms',
                            max(firsts) < 2e3))
    for name, time in run.small.items():
        found.append(Figure(f'a call of {name} on 1,000 elements of float32',
                            f'{time:.2f} us', 'at most 2.5 us', time <= 2.5))
    return found


def _later(row, name):
    if row['times'].get(name, {}).get('wrong'):
        return 'wrong'
    time, ours = _least(row, name), _least(row, OURS)
    if time is None:
        return '-'
    return f'{time:.1f}' + (f' ({time / ours:.2f}x)' if ours and name != OURS else '')


def _first(row, name):
    time = row['times'].get(name, {}).get('first')
    return '-' if time is None else f'{time / 1e3:.1f}'


def _tables(run, title, cell, names):
    parts = [title, '']
    for kind in dict.fromkeys(row['type'] for row in run.python):
        rows = [row for row in run.python if row['type'] == kind]
        shown = [n for n in names if any(n in row['times'] for row in rows)]
        parts += [f'### {kind}', '', *md_table(
            [['workload', 'elements', *(LIBRARIES[n] for n in shown)]]
            + [[row['workload'], f'{row["count"]:,}', *(cell(row, n) for n in shown)]
               for row in rows])]
    return parts


def make_markdown(run):
    name = microarchitecture(run.own('cpu_numbers'))
    machine = md_table([
        ('machine', ''),
        ('CPU', full_name(run) + (f' ({name})' if name else '')),
        ('instruction set', run.own('isa')), ('lanewise', run.own('version')),
        ('Python, peers', run.own('peers')), ('last run', run.date)])
    goals = [('goal', 'measured', 'to reach', '')] + [
        (f.title, f.text, f.bar, MET[f.met]) for f in figures(run)]
    return '\n'.join([
        f'# The Python package on a {short_name(run)}', '',
        'On one thread, by `scripts/bench --python --keep`: '
        '[how](../../README.md#the-python-package).', '', *machine,
        '## Goals', '', *md_table(goals),
        *_tables(run, '## Later calls: microseconds, and the time over ours', _later,
                 LIBRARIES),
        *_tables(run, '## First calls: milliseconds', _first,
                 [n for n in LIBRARIES if n not in (FAST, 'numpy')])])


def main():
    from documents import PYTHON, write_documents
    path = keep_python(PythonRun(sys.argv[1]), PYTHON)
    print('\n'.join([path, *write_documents()]))


if __name__ == '__main__':
    sys.exit(main())

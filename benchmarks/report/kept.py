# SPDX-License-Identifier: Apache-2.0
"""The results that the repository keeps: benchmarks/results/<cpu>.json.

A file has the cells on one thread in which we met a peer; of the small calls,
only those on contiguous operands. On all threads, the file has the cells that
threads.py judges. A cell has medians in ns of one call: those
of our APIs, of the fastest right peer that is called like each API, and of the
faster copy where the copy decides the standing (summary.py). The noise, in
percent, is the sum over both rows of a comparison.

Chains are kept from SMALL elements on, on one thread, with the medians of every
row. Their noise is twice that of the noisiest row: no comparison has more.

A file also has the goals of the last full run, as some of these need rows that
are not kept.
"""
import glob
import json
import os

import chains
from cpus import file_name
from figure import Figure
from rows import LIMITS, Run
from summary import SMALL, at_copy_speed
from threads import cells_on_all_threads

# What of a run's context is kept.
_CONTEXT = ('date', 'num_cpus', 'caches', 'lanewise_cpu',
            'lanewise_cpu_numbers', 'lanewise_isa', 'lanewise_as',
            'lanewise_version', 'lanewise_compiler', 'lanewise_peers',
            'lanewise_absent')
# Results that differ in one of these do not mix.
_SAME = ('lanewise_isa', 'lanewise_version', 'lanewise_compiler')


def _short(time):
    return float(f'{time:.4g}')


def _times(cell):
    """None if no peer is right."""
    if cell.duel is None:
        return None
    out = {}
    for duel in cell.duels:
        out.update({row.impl: _short(row.time) for row in duel
                    if row is not None})
    if at_copy_speed(cell):
        limit = min((cell.rows[name] for name in LIMITS if name in cell.rows),
                    key=lambda row: row.time)
        out[limit.impl] = _short(limit.time)
    noise = max(d.noise for d in cell.duels if d.peer is not None)
    out['noise'] = round(100 * noise, 1)
    return out


def _chain_times(cell):
    out = {impl: _short(cell.rows[impl].time) for impl in chains.ORDER
           if impl in cell.rows}
    out['noise'] = round(200 * chains.noise(cell), 1)
    return out


def keep_medians(run, folder, partial, goals):
    """Writes the file of the run's CPU, and returns its path. A partial run
    replaces only the cells that it measured, a full run the whole file."""
    path = os.path.join(folder, file_name(run) + '.json')
    context = {name: run.context[name] for name in _CONTEXT
               if name in run.context}
    cells = {}
    if partial:
        goals = []
    if partial and os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            old = json.load(file)
        if all(old['context'].get(k) == context.get(k) for k in _SAME):
            cells = old['cells']
            goals = [Figure(**goal) for goal in old.get('goals', [])]
    alone = [c for c in run.select(threads=1)
             if c.key.n >= SMALL or c.key.pattern == 'same']
    kept = [(c, _times(c)) for c in alone + cells_on_all_threads(run)]
    kept += [(c, _chain_times(c)) for c in chains.cells(run)
             if c.key.n >= SMALL and chains.ours(c)]
    for cell, times in kept:
        threads = cell.key.threads
        group = cell.key.group + (f'/threads:{threads}' if threads > 1 else '')
        sizes = cells.setdefault(group, {})
        if times:
            sizes[str(cell.key.n)] = times
        else:
            sizes.pop(str(cell.key.n), None)
    lines = [f'{json.dumps(group)}: {json.dumps(cells[group])}'
             for group in sorted(cells) if cells[group]]
    os.makedirs(folder, exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'{{"context": {json.dumps(context, indent=1)},\n"goals": '
                   f'{json.dumps([vars(goal) for goal in goals], indent=1)},\n'
                   '"cells": {\n' + ',\n'.join(lines) + '\n}}\n')
    return path


def all_kept(folder):
    """The kept results as runs, in the order of their files' names."""
    return [Run(path)
            for path in sorted(glob.glob(os.path.join(folder, '*.json')))]

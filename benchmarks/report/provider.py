# SPDX-License-Identifier: Apache-2.0
"""The execution provider for ONNX Runtime against ONNX Runtime's own: figures,
tables, and the results that the repository keeps."""
import json
import os
import re
from typing import NamedTuple

from cpus import file_name, full_name
from figure import Figure
from rows import IN_SESSION as OURS
from rows import Cell, geometric_mean, short_count, sort_types

OWN = 'onnxruntime'
AGAIN = 'onnxruntime+again'  # one more session without another provider: the noise
OTHERS = ('ort+nxrt',)
CALL, LARGE = 64, 65536
# Operands of one shape; sequences of reductions along the last and the first dim.
SAME, PATTERNS = 'same', ('same', 'rows', 'columns')
# The library that was measured, by the name in a run's context.
SOURCES = {'wheel': 'from the wheel', 'tree': 'built in the tree'}
LONG = {'bf': 'bfloat', 'f': 'float', 'u': 'uint', 'i': 'int', 'c': 'complex'}


def source(run):
    return run.own('provider', 'tree')


class Gain(NamedTuple):
    cell: Cell
    ratio: float  # the time of ONNX Runtime's own provider over the other's


def gains(run, impl=OURS, threads=1, patterns=PATTERNS):
    """The gains of operators in these patterns."""
    return [Gain(c, c.rows[OWN].time / c.rows[impl].time)
            for c in run.select(None, threads)
            if c.key.pattern in patterns and OWN in c.rows and impl in c.rows]


def missing(run):
    """The cells whose type ONNX Runtime's own provider lacks."""
    return [c for c in run.select(SAME, 1)
            if OURS in c.rows and OWN not in c.rows]


def figures(run):
    out = []
    found = gains(run, patterns=(SAME,))
    calls = [1 / g.ratio for g in found
             if (g.cell.key.n, g.cell.key.type) == (CALL, 'f32')
             and g.cell.key.op != 'Reshape']
    if calls:
        out.append(Figure(
            'a call inside ONNX Runtime, f32, n = 64, over the call of its '
            'own provider: geometric mean and worst',
            f'{geometric_mean(calls):.2f}x, {max(calls):.2f}x',
            'at most 1.10x', max(calls) <= 1.1))
    large = [g.ratio for g in found
             if g.cell.key.n >= LARGE and g.cell.key.op != 'Reshape']
    if large:
        mean = geometric_mean(large)
        out.append(Figure(
            'against ONNX Runtime\'s own provider inside ONNX Runtime, n of '
            '64Ki and more, without Reshape, geometric mean',
            f'{mean:.2f}x', 'at least 1.5x', mean >= 1.5))
    return out


def _means(found):
    """'1.23', or '1.23 (0.98 i8)' if the worst type is behind."""
    if not found:
        return '-'
    worst = min(found, key=lambda g: g.ratio)
    text = f'{geometric_mean(g.ratio for g in found):.2f}'
    if len(found) > 1 and worst.ratio < 1:
        text += f' ({worst.ratio:.2f} {worst.cell.key.type})'
    return text


def _operator_rows(run, impl, threads):
    found = gains(run, impl, threads)
    sizes = sorted({g.cell.key.n for g in found})
    rows = [['operator'] + [f'n = {short_count(n)}' for n in sizes]]
    for op in run.ops():
        own = [g for g in found if g.cell.key.op == op]
        if own:
            rows.append([op] + [_means([g for g in own if g.cell.key.n == n])
                                for n in sizes])
    return rows if len(rows) > 1 else []


def _missing_rows(run):
    rows = [['operator', 'types that only lanewise computes']]
    for op in run.ops():
        types = {c.key.type for c in missing(run) if c.key.op == op}
        if types:
            rows.append([op, ' '.join(sort_types(types))])
    return rows if len(rows) > 1 else []


def tables(run):
    """[(title, rows of texts)]; the first row has the titles of columns."""
    out = [(f'{impl}, {threads} thread{"s" * (threads > 1)}',
            _operator_rows(run, impl, threads))
           for impl in (OURS,) + OTHERS
           for threads in sorted({1, run.max_threads()})]
    out.append(('Types that ONNX Runtime\'s own provider lacks',
                _missing_rows(run)))
    return [(title, rows) for title, rows in out if rows]


def print_rows(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print('  ' + row[0].ljust(widths[0]) + ''.join(
            '  ' + text.rjust(width)
            for text, width in zip(row[1:], widths[1:])))


def print_provider(run):
    found = tables(run)
    if found:
        print('\nInside ONNX Runtime: the time of its own provider over that '
              'of another: geometric\nmeans over types and patterns; in parentheses the '
              'worst type, if it is slower')
    for title, rows in found:
        print(f'\n{title}')
        print_rows(rows)


# ---- The kept results -------------------------------------------------------

def _long_name(type_name):
    """'f32' -> 'float32', as lw_type_name spells it."""
    return re.sub(r'^(bf|[fuic])(?=\d)', lambda m: LONG[m[1]], type_name)


def own_version(run):
    match = re.search(r'onnxruntime ([\w.]+)', run.own('peers'))
    return match[1] if match else ''


def keep_gains(run, folder):
    """Merges the ratios of a run on one thread into the folder's files for this CPU, of
    operators and of reductions, and returns the paths. A row that was measured again
    replaces the old one. Rows of several threads are not kept: they also tell what else
    ran."""
    if source(run) != 'wheel':
        raise ValueError('only results of the wheel are kept')
    paths = []
    for end, patterns in (('', (SAME,)), ('.reductions', PATTERNS[1:])):
        found = gains(run, patterns=patterns)
        if found:
            path = os.path.join(folder, f'{file_name(run)}{end}.json')
            _keep(run, found, path)
            paths.append(path)
    return paths


def _keep(run, found, path):
    rows = {}
    head = {'cpu': full_name(run), 'isa': run.own('isa'),
            'onnxruntime': own_version(run), 'lanewise': run.own('version'),
            'library': source(run)}
    if os.path.exists(path):
        with open(path, encoding='utf-8') as file:
            old = json.load(file)
        # Ratios against another version do not mix with these.
        if all(old.get(name) == value for name, value in head.items()):
            rows = {(r['op'], r['type'], r.get('pattern', SAME), r['n']): r['ratio']
                    for r in old['rows']}
    for cell, ratio in found:
        key = cell.key
        rows[key.op, _long_name(key.type), key.pattern, key.n] = round(ratio, 3)
    head['date'] = run.context.get('date', '')[:10]
    lines = [json.dumps({'op': op, 'type': type_name,
                         **({} if pattern == SAME else {'pattern': pattern}),
                         'n': n, 'ratio': ratio})
             for (op, type_name, pattern, n), ratio in sorted(rows.items())]
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(json.dumps(head)[:-1] + ', "rows": [\n'
                   + ',\n'.join(lines) + '\n]}\n')

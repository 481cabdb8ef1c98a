# SPDX-License-Identifier: Apache-2.0
"""A run as a Markdown page: the machine, the operators, the goals, and the
cells in which lanewise is clearly slower than a peer."""
import chains
import threads
from chains_picture import drawn
from cpus import file_name, full_name, microarchitecture, short_name
from goals import goals
from notes import NOTES
from provider import SOURCES, source
from rows import geometric_mean, short_bytes, short_count
from summary import judged_cells, operator_means, standings
from whole_models import model_rows

SLOW = 0.95
MET = {None: 'open', True: 'met', False: 'missed'}


def md_table(rows):
    """Lines of a table; the first row has the titles of columns."""
    lines = [f'| {" | ".join(row)} |' for row in rows]
    return [lines[0], '|---' * len(rows[0]) + '|', *lines[1:], '']


def _machine(run):
    name = microarchitecture(run.own('cpu_numbers'))
    caches = ', '.join(f'{level} {short_bytes(size)}'
                       for level, size in run.caches())
    rows = [('CPU', full_name(run) + (f' ({name})' if name else '')),
            ('cores', str(run.context.get('num_cpus', ''))),
            ('instruction set', run.own('isa')),
            ('caches of one core', caches),
            ('compiler', run.compiler),
            ('lanewise', run.own('version')),
            ('last run', run.date),
            ('peers', run.own('peers')),
            ('absent peers', run.own('absent'))]
    return md_table([('machine', '')] + [row for row in rows if row[1]])


def _standing(op, cells, mean):
    counts = [str(len(part)) for part in standings(cells)]
    return [op, str(len(cells)), f'{mean:.2f}x', *counts]


def _operators(run):
    cells = judged_cells(run)
    if not cells:
        return []
    sizes = ', '.join(short_count(n) for n in sorted({c.key.n for c in cells}))
    mean = geometric_mean(c.duel.ratio for c in cells)
    rows = [('operator', 'cells', 'geometric mean', 'ahead', 'level within '
             'noise', 'slower beyond noise')]
    rows += [_standing(*own) for own in sorted(operator_means(run))]
    return ['## Operators', '',
            'The time of the fastest peer with a right answer over our time, '
            f'on one thread, n = {sizes}: above 1, lanewise is faster. A cell '
            'in which both run at the speed of a copy is ahead from 0.95 on.',
            '',
            *md_table(rows + [_standing('all', cells, mean)])]


def _goals(run, library):
    rows = [(g.title, g.text, g.bar, MET[g.met]) for g in goals(run, library)]
    return rows and ['## Goals', '',
                     *md_table([('to reach', 'measured', 'bar', '')] + rows)]


def _slow_cells(run):
    out = []
    for op, cells, _ in sorted(operator_means(run)):
        slow = sorted((c for c in cells if c.duel.ratio < SLOW),
                      key=lambda c: c.duel.ratio)
        if slow:
            rows = [(f'{c.key.type}/{c.key.pattern}', short_count(c.key.n),
                     f'{c.duel.ratio:.2f}x', f'{100 * c.duel.noise:.0f} %',
                     c.duel.api.impl, c.duel.peer.impl) for c in slow]
            note = [NOTES[op], ''] if op in NOTES else []
            out += [f'### {op}: {len(slow)} of {len(cells)}', '', *note,
                    *md_table([('cell', 'n', 'ratio', 'noise', 'our API',
                                'fastest peer')] + rows)]
    return out and [f'## Cells below {SLOW}', '', *out]


def _threads(run):
    rows = threads.table(run)
    return rows and ['## All threads', '',
                     'The fastest peer\'s time over ours, both on '
                     f'{run.max_threads()} threads, operands of one shape.', '',
                     *md_table(rows)]


def _chains(run):
    header, rows = chains.table(run)
    link = [f'![The time of chains, one call of lanewise and others]'
            f'({file_name(run)}.chains.svg)', ''] if run.kept and drawn(run) else []
    return rows and ['## Chains', '', *link, chains.LEGEND, '', *md_table([header] + rows)]


def _models(run):
    rows = model_rows(run)
    link = [f'![The time without lanewise over the time with lanewise]'
            f'(models/{file_name(run)}.svg)', ''] if run.kept else []
    return rows and ['## Models in ONNX Runtime', '',
                     'Whole models with the execution provider and without, in '
                     f'turns: medians. lanewise is {SOURCES[source(run)]}.', '', *link, *md_table(rows)]


def make_markdown(run, library=None):
    """The page; that of a kept run shows the picture beside the page."""
    name = file_name(run)
    picture = [f'<!-- scripts/bench --readme writes this page from {name}.json '
               '-->', '', f'![The fastest peer\'s time over ours]({name}.svg)',
               ''] if run.kept else []
    lines = [f'# {short_name(run)}', '', *_machine(run), *picture,
             *_operators(run), *_goals(run, library), *_threads(run),
             *_chains(run), *_models(run), *_slow_cells(run)]
    return '\n'.join(lines).rstrip() + '\n'

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares machines: README's table, and one page from several runs.

  machines.py README.md    fails if README's table is not the kept results'
"""
import os
import sys
from html import escape

sys.dont_write_bytecode = True

from cpus import file_name, short_name  # noqa: E402
from kept import all_kept  # noqa: E402
from rows import geometric_mean, short_count, sort_types  # noqa: E402
from summary import judged_cells, standings  # noqa: E402

RESULTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(
    __file__))), 'results')
BEGIN = '<!-- machines: scripts/bench --keep writes what follows -->\n'
END = '<!-- end of machines -->\n'
SIZE = 65536


def _operators(runs):
    """[(op, [its judged cells on each machine])], and all operators."""
    cells = [judged_cells(run) for run in runs]
    ops = list(dict.fromkeys(c.key.op for own in cells for c in own))
    return [(op, [[c for c in own if c.key.op == op] for own in cells])
            for op in sorted(ops)] + [('all', cells)]


def _standing(cells):
    """'2.31x, 4 of 96 slower', of one operator on one machine."""
    if not cells:
        return '-'
    mean = geometric_mean(c.duel.ratio for c in cells)
    behind = len(standings(cells)[2])
    return f'{mean:.2f}x, ' + (f'{behind} of {len(cells)} slower' if behind
                               else f'none of {len(cells)} slower')


def _worst(runs, machines):
    """The cell with the smallest ratio on any machine, as a text."""
    run, cell = min(((run, c) for run, own in zip(runs, machines)
                     for c in own), key=lambda found: found[1].duel.ratio)
    key = cell.key
    return (f'{cell.duel.ratio:.2f}x {key.type}/{key.pattern} '
            f'n:{short_count(key.n)}, {cell.duel.peer.impl}'
            + (f', {short_name(run)}' if len(runs) > 1 else ''))


def table(runs):
    """Rows of texts; the first row has the titles of columns."""
    return [['operator', *map(short_name, runs), 'worst cell']] + [
        [op, *map(_standing, machines), _worst(runs, machines)]
        for op, machines in _operators(runs)]


def markdown(runs):
    """README's part: the table, whose titles are links to the pictures."""
    if not runs:
        return 'No machine has been measured on this code yet.\n'
    rows = table(runs)
    rows[0][1:-1] = [f'[{title}](benchmarks/results/{file_name(run)}.svg)'
                     for title, run in zip(rows[0][1:-1], runs)]
    lines = ['| ' + ' | '.join(row) + ' |' for row in rows]
    lines.insert(1, '|---' * len(rows[0]) + '|')
    dates = ', '.join(f'{short_name(run)} {run.context.get("date", "")[:10]}'
                      for run in runs)
    return '\n'.join(lines) + f'\n\nMeasured: {dates}.\n'


def with_table(readme, folder=RESULTS):
    """README's text, with the table of the kept results."""
    begin = readme.index(BEGIN) + len(BEGIN)
    return (readme[:begin] + markdown(all_kept(folder))
            + readme[readme.index(END):])


def write_readme(path):
    with open(path, encoding='utf-8') as file:
        text = with_table(file.read())
    with open(path, 'w', encoding='utf-8') as file:
        file.write(text)
    return path


# ---- The page ---------------------------------------------------------------

def _colored(value, content):
    from svg import ratio_color, ratio_ink
    return (f'<td style="background:{ratio_color(value)};'
            f'color:{ratio_ink(value)}">{content}</td>')


def _cell_table(runs, keys, page_table):
    """Each machine's time and ratio in each of the cells."""
    head = ['cell', 'n', 'threads'] + [
        title for run in runs
        for title in (f'{escape(short_name(run))}, ns/element', 'ratio')]
    rows = []
    for key in keys:
        row = (f'<td>{escape(key.group)}</td><td>{key.n:,}</td>'
               f'<td>{key.threads}</td>')
        for run in runs:
            cell = run.cells.get(key)
            duel = cell.duel if cell else None
            row += '<td></td><td></td>' if duel is None else (
                f'<td>{duel.api.time / key.n:.3f}</td>'
                + _colored(duel.ratio, f'{duel.ratio:.2f} '
                           + escape(duel.peer.impl)))
        rows.append(row)
    return ('<div class="scroll">'
            + page_table(head, rows, ' style="width:auto"') + '</div>')


def _keys(runs):
    """The cells of all machines in which lanewise met a peer."""
    keys = {c.key for run in runs for c in run.select(threads=1)
            if c.duel is not None}
    order = {name: i for i, name in enumerate(sort_types(
        {key.type for key in keys}))}
    return sorted(keys, key=lambda k: (k.op, order[k.type], k[2:]))


def make_comparison(runs):
    """One HTML page that compares the machines."""
    from page import STYLE
    from page import table as page_table
    behind = {c.key: c.duel.ratio for run in runs
              for c in standings(judged_cells(run))[2]}
    keys = _keys(runs)

    def worst(key):
        return min(run.cells[key].duel.ratio for run in runs
                   if key in run.cells and run.cells[key].duel)
    rows = table(runs)
    summary = page_table(
        [escape(t) for t in rows[0]],
        [''.join(f'<td>{escape(t)}</td>' for t in row) for row in rows[1:]],
        ' style="width:auto"')
    machines = ''.join(f'<li>{escape(run.machine)}. Peers: '
                       f'{escape(run.own("peers", "none"))}. Absent: '
                       f'{escape(run.own("absent") or "none")}.</li>'
                       for run in runs)
    slower = _cell_table(runs, sorted(behind, key=worst), page_table)
    large = _cell_table(runs, [k for k in keys if k.pattern == 'same'
                               and k.n == SIZE], page_table)
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f'<title>lanewise on several machines</title><style>{STYLE}</style>'
        '</head><body><h1>lanewise on several machines</h1>'
        f'<ul class="quiet">{machines}</ul>'
        '<h2>Operators</h2><p>The time of the fastest peer with a right answer '
        'over our time, on one thread: the geometric mean over all cells of '
        '1,024 elements or more, and how many cells are slower beyond noise. '
        'The last column is the worst cell on any machine.</p>'
        f'<div class="scroll">{summary}</div>'
        f'<h2>Cells where a peer is faster on some machine: {len(behind)}</h2>'
        f'{slower}<h2>Contiguous operands, n = {SIZE:,}</h2>{large}'
        f'<h2>All numbers</h2><details><summary>{len(keys)} cells</summary>'
        f'{_cell_table(runs, keys, page_table)}</details></body></html>\n')


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        text = file.read()
    if with_table(text) != text:
        print(f'{sys.argv[1]}: the table of machines is not that of '
              'benchmarks/results. scripts/bench --readme writes',
              markdown(all_kept(RESULTS)), sep='\n\n', file=sys.stderr)
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())

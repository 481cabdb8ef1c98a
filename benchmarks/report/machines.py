# SPDX-License-Identifier: Apache-2.0
"""Compares machines: a table, and one page from several runs."""
from html import escape

from cpus import short_name
from page import STYLE
from page import table as page_table
from rows import geometric_mean, sort_types
from summary import judged_cells, standings
from svg import ratio_color, ratio_ink

SIZE = 65536


def _standing(cells):
    """'2.31x, 96 % ahead', of one operator on one machine."""
    if not cells:
        return '-'
    mean = geometric_mean(c.duel.ratio for c in cells)
    ahead = len(standings(cells)[0])
    return f'{mean:.2f}x, {100 * ahead // len(cells)} % ahead'


def table(runs, title='operator', name_of=lambda op: op):
    """Rows of texts; the first row has the titles of columns. name_of(op) is
    the name of the row that has the cells of an operator."""
    cells = [judged_cells(run) for run in runs]
    rows = [[title, *map(short_name, runs)]]
    for name in sorted({name_of(c.key.op) for own in cells for c in own}):
        rows.append([name] + [
            _standing([c for c in own if name_of(c.key.op) == name])
            for own in cells])
    return rows + [['all', *map(_standing, cells)]]


def _colored(value, content):
    return (f'<td style="background:{ratio_color(value)};'
            f'color:{ratio_ink(value)}">{content}</td>')


def _cell_table(runs, keys):
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
    machines = ''.join(f'<li>{escape(run.machine)}; {run.date}. Peers: '
                       f'{escape(run.own("peers", "none"))}. Absent: '
                       f'{escape(run.own("absent") or "none")}.</li>'
                       for run in runs)
    slower = _cell_table(runs, sorted(behind, key=worst))
    large = _cell_table(runs, [k for k in keys if k.pattern == 'same'
                               and k.n == SIZE])
    return (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f'<title>lanewise on several machines</title><style>{STYLE}</style>'
        '</head><body><h1>lanewise on several machines</h1>'
        f'<ul class="quiet">{machines}</ul>'
        '<h2>Operators</h2><p>The time of the fastest peer with a right answer '
        'over our time, on one thread: the geometric mean over all cells of '
        '1,024 elements or more, and the share of the cells where no peer is '
        'faster.</p>'
        f'<div class="scroll">{summary}</div>'
        f'<h2>Cells where a peer is faster on some machine: {len(behind)}</h2>'
        f'{slower}<h2>Contiguous operands, n = {SIZE:,}</h2>{large}'
        f'<h2>All numbers</h2><details><summary>{len(keys)} cells</summary>'
        f'{_cell_table(runs, keys)}</details></body></html>\n')

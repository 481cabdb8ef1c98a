# SPDX-License-Identifier: Apache-2.0
"""What the terminal, the page and the README's table have in common."""
from rows import OURS, Key, geometric_mean

LARGE = 1 << 24
# A smaller call is mostly overhead. Overhead has figures of its own.
SMALL = 1024


def judged_cells(run):
    """The cells that count: one thread, a right peer, n of SMALL or more."""
    return [c for c in run.select(threads=1)
            if c.duel is not None and c.key.n >= SMALL]


def at_copy_speed(cell):
    """Whether our row and the peer are both within 10 % of the copy."""
    shares = [cell.share(row) for row in cell.duel]
    return None not in shares and min(shares) > 0.9


def standings(cells):
    """Divides judged cells into (ahead, level within noise, behind), each
    with the smallest ratio first."""
    ahead, level, behind = [], [], []
    for cell in sorted(cells, key=lambda c: c.duel.ratio):
        ratio = cell.duel.ratio
        if ratio >= (0.95 if at_copy_speed(cell) else 1.0):
            ahead.append(cell)
        elif ratio >= 1 - cell.duel.noise:
            level.append(cell)
        else:
            behind.append(cell)
    return ahead, level, behind


def operator_means(run):
    """[(op, its judged cells, geometric mean of their ratios)]"""
    found = {}
    for cell in judged_cells(run):
        found.setdefault(cell.key.op, []).append(cell)
    return [(op, cells, geometric_mean(c.duel.ratio for c in cells))
            for op, cells in found.items()]


def scaling(run):
    """{op/type: (our scaling, the copy's scaling, noise)}: how many times
    faster all threads are than one."""
    most = run.max_threads()
    out = {}
    for cell in run.select('same', most):
        alone = run.cells.get(Key(*cell.key[:4], 1))
        if (most == 1 or cell.key.n != LARGE or alone is None
                or cell.ours is None or alone.ours is None):
            continue
        copy, rows = None, [alone.ours, cell.ours]
        if 'stream' in alone.rows and 'stream' in cell.rows:
            rows += [alone.rows['stream'], cell.rows['stream']]
            copy = rows[2].time / rows[3].time
        out[f'{cell.key.op}/{cell.key.type}'] = (
            rows[0].time / rows[1].time, copy, sum(r.noise for r in rows))
    return out


def forced_isas(run):
    """(n, names, cells): the forced instruction sets, fastest first, and the
    cells of one size that have them."""
    cells = [c for c in run.select('same', 1) if c.ours is not None
             and any(i.startswith(OURS + '@') for i in c.rows)]
    if not cells:
        return 0, [], []
    sizes = {c.key.n for c in cells}
    n = 65536 if 65536 in sizes else max(sizes)
    cells = [c for c in cells if c.key.n == n]
    names = {i for c in cells for i in c.rows if i.startswith(OURS + '@')}

    def slowness(name):
        return geometric_mean(c.rows[name].time / c.ours.time for c in cells
                              if name in c.rows)
    return n, sorted(names, key=slowness), cells

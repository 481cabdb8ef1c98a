# SPDX-License-Identifier: Apache-2.0
"""How calls on all threads compare with peers on as many threads."""
from figure import Figure
from rows import geometric_mean, short_count

TYPES = ('f32', 'f16', 'i32')
LEAST = 1 << 16  # smaller calls are not worth a second thread


def cells_on_all_threads(run):
    """Those that count: operands of one shape, large, of the commonest types."""
    most = run.max_threads()
    if most == 1:
        return []
    return [c for c in run.select('same', most)
            if c.key.type in TYPES and c.key.n >= LEAST and c.duel is not None]


def figures(run):
    cells = cells_on_all_threads(run)
    if not cells:
        return []
    mean = geometric_mean(c.duel.ratio for c in cells)
    means = {}
    for cell in cells:
        means.setdefault(cell.key.op, []).append(cell)
    slow = sorted(op for op, own in means.items()
                  if geometric_mean(c.duel.ratio + c.duel.noise for c in own) < 0.9)
    return [Figure('all threads, against the fastest peer, geometric mean',
                   f'{mean:.2f}x', 'at least 1.1x', mean >= 1.1),
            Figure('all threads, operators below 0.9x beyond noise',
                   ', '.join(slow) or 'none', 'none', not slow)]


def table(run):
    """Rows of ratios: an operator and type in each, a size in each column."""
    cells = cells_on_all_threads(run)
    sizes = sorted({c.key.n for c in cells})
    rows = [['', *map(short_count, sizes), 'mean']]
    for name in sorted({(c.key.op, c.key.type) for c in cells}):
        own = {c.key.n: c.duel.ratio for c in cells
               if (c.key.op, c.key.type) == name}
        rows.append([' '.join(name),
                     *(f'{own[n]:.2f}x' if n in own else '' for n in sizes),
                     f'{geometric_mean(own.values()):.2f}x'])
    return rows if cells else []

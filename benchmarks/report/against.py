# SPDX-License-Identifier: Apache-2.0
"""What changed since an older run.

Machines drift between runs, so our times are first divided by the drift of the
same cell: the median change of everybody else in it, peers and copies. Then
the repetitions are compared by the Mann-Whitney U test, two-sided.
"""
import math
import statistics
from functools import lru_cache

from rows import OURS, geometric_mean, short_count

SIGNIFICANT = 0.05
WORTH_TELLING = 0.03  # what is less is not shown, however significant


@lru_cache(maxsize=None)
def _arrangements(m, n, u):
    """In how many orders of m and n samples the statistic is u."""
    if u < 0 or m < 0 or n < 0:
        return 0
    if m == 0 or n == 0:
        return 1 if u == 0 else 0
    return _arrangements(m - 1, n, u - n) + _arrangements(m, n - 1, u)


def mann_whitney(a, b):
    """The two-sided p: how likely samples of one kind differ as much."""
    m, n = len(a), len(b)
    if m == 0 or n == 0:
        return 1.0
    u = sum((x > y) + (x == y) / 2 for x in a for y in b)
    low = min(u, m * n - u)
    if m * n <= 400 and len(set(a + b)) == m + n:
        tail = sum(_arrangements(m, n, k) for k in range(int(low) + 1))
        return min(1.0, 2 * tail / math.comb(m + n, m))
    # Many samples, or ties: the normal approximation with its corrections.
    counts = [(a + b).count(x) for x in set(a + b)]
    total = m + n
    ties = sum(t ** 3 - t for t in counts) / (total * (total - 1))
    deviation = math.sqrt(m * n / 12 * (total + 1 - ties))
    if deviation == 0:
        return 1.0
    z = max(0.0, m * n / 2 - low - 0.5) / deviation
    return math.erfc(z / math.sqrt(2))


class Change:
    def __init__(self, key, row, old_times, drift):
        """`old_times` are without the drift."""
        middle = statistics.median(old_times)
        self.key = key
        self.impl = row.impl
        self.drift = drift  # None: nobody else was there to tell
        self.factor = row.time / middle  # new time over old
        self.old = [t / middle for t in old_times]
        self.new = [t / middle for t in row.times]
        self.p = mann_whitney(self.new, self.old)

    @property
    def significant(self):
        return (self.p < SIGNIFICANT
                and abs(self.factor - 1) >= WORTH_TELLING)


def _drift(old, new):
    factors = [new.rows[i].time / old.rows[i].time for i in new.rows
               if i in old.rows and not new.rows[i].is_own]
    return statistics.median(factors) if factors else None


def changes(old, new):
    out = []
    for key, cell in new.cells.items():
        before = old.cells.get(key)
        if before is None:
            continue
        drift = _drift(before, cell)
        for impl, row in cell.rows.items():
            if not impl.startswith(OURS) or impl not in before.rows:
                continue
            scaled = [t * (drift or 1) for t in before.rows[impl].times]
            out.append(Change(key, row, scaled, drift))
    return out


def print_changes(old, new):
    """Returns how many cells became slower."""
    found = changes(old, new)
    if not found:
        print('\nThe two runs have no cell in common.')
        return 0
    told = sorted((c for c in found if c.significant),
                  key=lambda c: -abs(math.log(c.factor)))
    slower = [c for c in told if c.factor > 1]
    print(f'\nSince {old.context.get("date", "then")}: of {len(found)} cells '
          f'{len(slower)} slower, {len(told) - len(slower)} faster (beyond '
          f'{WORTH_TELLING:.0%}, p < {SIGNIFICANT}; about '
          f'{len(found) * SIGNIFICANT:.0f} pass that test by chance)')
    for change in told:
        word = 'SLOWER' if change.factor > 1 else 'faster'
        drift = ('no drift known' if change.drift is None
                 else f'drift {change.drift:.2f}')
        print(f'  {word} {change.factor:5.2f}x  p={change.p:.3f}  '
              f'{change.key.group}/{change.impl} '
              f'n:{short_count(change.key.n)} threads:{change.key.threads}'
              f'  ({drift})')
    # A slower kernel moves all its cells, chance does not.
    kernels = {}
    for change in found:
        name = f'{change.key.op}/{change.key.type}/{change.impl}'
        kernels.setdefault(name, []).append(change)
    for name, cells in kernels.items():
        mean = geometric_mean(c.factor for c in cells)
        p = mann_whitney(sum((c.new for c in cells), []),
                         sum((c.old for c in cells), []))
        if (len(cells) > 1 and p < SIGNIFICANT
                and abs(mean - 1) >= WORTH_TELLING):
            word = 'SLOWER' if mean > 1 else 'faster'
            print(f'  {word} {mean:5.2f}x  p={p:.3f}  all {len(cells)} cells '
                  f'of {name}')
    return len(slower)

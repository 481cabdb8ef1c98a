# SPDX-License-Identifier: Apache-2.0
"""What changed since an older run.

Machines drift between runs, so times are first divided by the drift of the
same cell: the median change of everybody else in it, peers and copies. What
is left of the changes of peers and copies, which did not change, is the noise
between these two runs: a row or kernel of ours must have moved further than
they did. Its repetitions must differ, too, by the Mann-Whitney U test,
two-sided: that knows the noise within a run, but not that between two.
"""
import math
import statistics
from functools import lru_cache

from rows import geometric_mean, short_count

SIGNIFICANT = 0.05
WORTH_TELLING = 0.03  # what is less is not shown, however significant
ENOUGH = 20  # rows to know the noise between two runs by


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
    """How much slower a row of the new run is, without the drift."""

    def __init__(self, key, row, old, drift):
        self.key = key
        self.row = row
        self.drift = drift
        self.factor = _time(row) / _time(old) / drift
        self.p = mann_whitney(row.times, [t * drift for t in old.times])

    @property
    def kernel(self):
        return f'{self.key.op}/{self.key.type}/{self.row.impl}'


def _time(row):
    """The lower quartile: what disturbs a repetition only makes it slower."""
    if len(row.times) < 4:
        return row.time
    return statistics.quantiles(row.times, n=4)[0]


def changes(old, new):
    """A Change for each row that both runs have and that others stand by."""
    out = []
    for key, cell in new.cells.items():
        before = old.cells.get(key)
        if before is None:
            continue
        # Streaming stores follow the memory's mood where nobody else does;
        # the bare kernel is no door, what moves it moves them.
        both = [(row, before.rows[impl]) for impl, row in cell.rows.items()
                if impl in before.rows and impl not in ('stream', 'kernel')]
        for row, past in both:
            others = [_time(a) / _time(b) for a, b in both
                      if a is not row and not a.is_own]
            if others:
                out.append(Change(key, row, past, statistics.median(others)))
    return out


def by_kernel(found):
    """[(kernel, its changes, mean factor)] of those with several cells."""
    kernels = {}
    for change in found:
        kernels.setdefault(change.kernel, []).append(change)
    return [(name, cells, geometric_mean(c.factor for c in cells))
            for name, cells in kernels.items() if len(cells) > 1]


def _reach(factors):
    """How far 95 % of the factors of what did not change lie from 1."""
    moved = sorted(abs(math.log(f)) for f in factors)
    if len(moved) < ENOUGH:
        return WORTH_TELLING
    return max(WORTH_TELLING, moved[math.ceil(0.95 * len(moved)) - 1])


def _tell(factor, words):
    word = 'SLOWER' if factor > 1 else 'faster'
    print(f'  {word} {factor:5.2f}x  {words}')


def print_changes(old, new):
    """Returns how many rows and kernels became slower."""
    found = changes(old, new)
    ours = [c for c in found if c.row.is_own]
    others = [c for c in found if not c.row.is_own]
    if not ours:
        print('\nThe two runs have no cell in common with a peer or a copy.')
        return 0
    cell_reach = _reach(c.factor for c in others)
    kernel_reach = _reach(mean for *_, mean in by_kernel(others))
    told = sorted((c for c in ours if abs(math.log(c.factor)) > cell_reach
                   and c.p < SIGNIFICANT), key=lambda c: -c.factor)
    # A slower kernel moves all its cells, chance does not.
    kernels = sorted((k for k in by_kernel(ours)
                      if abs(math.log(k[2])) > kernel_reach),
                     key=lambda k: -k[2])
    print(f'\nSince {old.context.get("date", "then")}. Between the runs 95 % '
          f'of {len(others)} rows of peers and copies,\nwhich did not change, '
          f'moved by up to {math.expm1(cell_reach):.0%}, and by up to '
          f'{math.expm1(kernel_reach):.0%} over all cells of one\nkernel. '
          f'Of {len(ours)} rows and {len(by_kernel(ours))} kernels of ours '
          f'these moved further:{"" if told or kernels else " none"}')
    for name, cells, mean in kernels:
        _tell(mean, f'all {len(cells)} cells of {name}')
    for change in told:
        key = change.key
        _tell(change.factor,
              f'p={change.p:.3f}  {key.group}/{change.row.impl} n:'
              f'{short_count(key.n)} threads:{key.threads}  '
              f'(drift {change.drift:.2f})')
    return sum(c.factor > 1 for c in told) + sum(k[2] > 1 for k in kernels)

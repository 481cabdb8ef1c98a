# SPDX-License-Identifier: Apache-2.0
"""Finds what changed since an older run.

Machines drift between runs. So each time is first divided by the drift of its
cell: the median change of the peers and copies in that cell. Peers and copies
did not change. Their remaining changes are therefore the noise between the two
runs, and a row or kernel of ours must have moved further than that noise. The
repetitions of a row must also differ by the two-sided Mann-Whitney U test. That
test knows the noise within a run, but not the noise between two runs.
"""
import math
import statistics
from functools import lru_cache

from rows import geometric_mean, short_count

SIGNIFICANT = 0.05
WORTH_TELLING = 0.03  # smaller changes are not shown, even significant ones
ENOUGH = 20  # so many rows show the noise between two runs


@lru_cache(maxsize=None)
def _arrangements(m, n, u):
    """The number of orders of m and n samples whose statistic is u."""
    if u < 0 or m < 0 or n < 0:
        return 0
    if m == 0 or n == 0:
        return 1 if u == 0 else 0
    return _arrangements(m - 1, n, u - n) + _arrangements(m, n - 1, u)


def mann_whitney(a, b):
    """The two-sided p: how likely samples of the same kind differ this much."""
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
    """How much slower a row of the new run is, after removing the drift."""

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
    """The lower quartile: a disturbance can only make a repetition slower."""
    if len(row.times) < 4:
        return row.time
    return statistics.quantiles(row.times, n=4)[0]


def changes(old, new):
    """A Change for each row in both runs whose cell has a peer or a copy."""
    out = []
    for key, cell in new.cells.items():
        before = old.cells.get(key)
        if before is None:
            continue
        # The streaming copy follows drifts of the memory that affect no other
        # row. The bare kernel is not an API: a change of the kernel also shows
        # in the rows of the APIs.
        both = [(row, before.rows[impl]) for impl, row in cell.rows.items()
                if impl in before.rows and impl not in ('stream', 'kernel')]
        for row, past in both:
            others = [_time(a) / _time(b) for a, b in both
                      if a is not row and not a.is_own]
            if others:
                out.append(Change(key, row, past, statistics.median(others)))
    return out


def by_kernel(found):
    """[(kernel, its changes, mean factor)] of kernels with several cells."""
    kernels = {}
    for change in found:
        kernels.setdefault(change.kernel, []).append(change)
    return [(name, cells, geometric_mean(c.factor for c in cells))
            for name, cells in kernels.items() if len(cells) > 1]


def _reach(factors):
    """How far from 1 the factors of 95 % of the unchanged rows are at most."""
    moved = sorted(abs(math.log(f)) for f in factors)
    if len(moved) < ENOUGH:
        return WORTH_TELLING
    return max(WORTH_TELLING, moved[math.ceil(0.95 * len(moved)) - 1])


def _tell(factor, words):
    word = 'SLOWER' if factor > 1 else 'faster'
    print(f'  {word} {factor:5.2f}x  {words}')


def print_changes(old, new):
    """Prints the changes. Returns how many rows and kernels became slower."""
    found = changes(old, new)
    ours = [c for c in found if c.row.is_own]
    others = [c for c in found if not c.row.is_own]
    if not ours:
        print('\nNo cell with a peer or a copy is in both runs.')
        return 0
    cell_reach = _reach(c.factor for c in others)
    kernel_reach = _reach(mean for *_, mean in by_kernel(others))
    told = sorted((c for c in ours if abs(math.log(c.factor)) > cell_reach
                   and c.p < SIGNIFICANT), key=lambda c: -c.factor)
    # A slower kernel moves all its cells. Chance does not.
    kernels = sorted((k for k in by_kernel(ours)
                      if abs(math.log(k[2])) > kernel_reach),
                     key=lambda k: -k[2])
    print(f'\nCompared with {old.context.get("date", "the older run")}. '
          f'Peers and copies did not change between the runs.\n'
          f'95 % of their {len(others)} rows moved by up to '
          f'{math.expm1(cell_reach):.0%}, and by up to '
          f'{math.expm1(kernel_reach):.0%} over all cells of one\nkernel. '
          f'Of {len(ours)} rows and {len(by_kernel(ours))} kernels of ours, '
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

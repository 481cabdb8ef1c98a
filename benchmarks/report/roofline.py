# SPDX-License-Identifier: Apache-2.0
"""The machine's limits: how fast it copies, by the cache that holds the
bytes."""
import math

from rows import LIMITS, short_bytes


def level(run, touched):
    """The smallest cache that holds this many bytes."""
    for name, size in sorted(run.caches(), key=lambda c: c[1]):
        if touched <= size:
            return name
    return 'DRAM'


def copies(run, threads):
    """[(bytes touched, {'plain': GB/s, 'stream': GB/s})] by size."""
    out = []
    for key, cell in run.cells.items():
        rows = [cell.rows[name] for name in LIMITS if name in cell.rows]
        if (key.op, key.threads) == ('Copy', threads) and rows:
            out.append((rows[0].bytes, {r.impl: r.bandwidth for r in rows}))
    return sorted(out)


def copy_threads(run):
    return sorted({k.threads for k in run.cells if k.op == 'Copy'})


def limit(run, cell, row):
    """(share of the limit, whether the limit is from the row's own cell).

    If the cell has no copy, the limit is the Copy row nearest in size, if
    possible one in the same cache. The share is None if the run has no Copy
    row.
    """
    share = cell.share(row)
    if share is not None:
        return share, True
    found = copies(run, cell.key.threads)
    where = level(run, row.bytes)
    found = [c for c in found if level(run, c[0]) == where] or found
    if not found or not row.bytes:
        return None, False
    near = min(found, key=lambda c: abs(math.log(c[0] / row.bytes)))
    return row.bandwidth / max(near[1].values()), False


def share_text(run, cell, row):
    share, exact = limit(run, cell, row)
    if share is None:
        return '-'
    return f'{"" if exact else "~"}{100 * share:.0f} %'


def table(run):
    """Rows of words: the sizes, the caches they fit into, GB/s of each copy."""
    threads = copy_threads(run)
    sizes = sorted({size for t in threads for size, _ in copies(run, t)})
    if not sizes:
        return []
    out = [['bytes touched'] + [short_bytes(s) for s in sizes],
           ['they fit into'] + [level(run, s) for s in sizes]]
    for count in threads:
        found = dict(copies(run, count))
        for name in LIMITS:
            speeds = [found.get(s, {}).get(name) for s in sizes]
            out.append([f'{name}, {count} thread{"s" * (count > 1)}'] + [
                '' if v is None else f'{v:.1f}' for v in speeds])
    return out

# SPDX-License-Identifier: Apache-2.0
"""The figures that sum up a run, for the terminal and the page alike."""
import os
import re
import shutil
import subprocess
import tempfile

from rows import OURS, Key, geometric_mean, short_bytes

LARGE = 1 << 24
# Below it a call is all overhead, which has a figure of its own.
SMALL = 1024


class Figure:
    """One number with what it means and, if there is one, its bar."""

    def __init__(self, title, text, bar='', met=None):
        self.title = title
        self.text = text
        self.bar = bar
        self.met = met  # None: no bar, or not to be judged here


def _at_copy_speed(cell):
    """Ours and the best peer both within 10 % of the copy."""
    return (cell.share is not None and cell.share > 0.9
            and cell.share / cell.ratio > 0.9)


def judged_cells(run):
    """Those that the bar counts: one thread, a right peer, not too small."""
    return [c for c in run.select(threads=1)
            if c.ratio is not None and c.key.n >= SMALL]


def lost_cells(run):
    """Where a peer beats us, worst first."""
    lost = [c for c in judged_cells(run) if c.ratio < (0.95 if _at_copy_speed(c) else 1.0)]
    return sorted(lost, key=lambda c: c.ratio)


def _overhead(run, impl):
    """What a door costs at n = 64 beyond the kernel itself, in ns."""
    extra = []
    for cell in run.select('same', 1):
        if cell.key.n == 64 and cell.key.type == 'f32':
            if impl in cell.rows and 'kernel' in cell.rows:
                extra.append(cell.rows[impl].time - cell.rows['kernel'].time)
    return max(extra) if extra else None


def figures(run, library=None):
    """The list of Figure of a run; `library` comes from library_figures."""
    out = []
    ratios = [c.ratio for c in judged_cells(run)]
    if ratios:
        mean = geometric_mean(ratios)
        out.append(Figure('against the fastest peer, geometric mean',
                          f'{mean:.2f}x', 'at least 1.5x', mean >= 1.5))
        lost = len(lost_cells(run))
        out.append(Figure('cells where no peer is faster',
                          f'{len(ratios) - lost} of {len(ratios)}',
                          'all', lost == 0))
    shares = [c.share for c in run.select('same', 1)
              if c.key.n == LARGE and c.share is not None
              and (c.key.op in ('Relu', 'Reshape')
                   or c.key.type in ('f32', 'f16', 'bf16'))]
    if shares:
        out.append(Figure('least share of the copy at n = 16 Mi',
                          f'{100 * min(shares):.0f} %', 'at least 90 %',
                          min(shares) >= 0.9))
    for impl, title, bar in (('lanewise', 'tensor door', 100),
                             ('direct', 'direct door', 30)):
        cost = _overhead(run, impl)
        if cost is not None:
            out.append(Figure(f'a call through the {title}, n = 64',
                              f'{cost:.0f} ns', f'at most {bar} ns',
                              cost <= bar))
    allocations = run.own('allocations')
    if allocations:
        out.append(Figure('allocations in 1,000 calls of each kind',
                          allocations, 'none', allocations == '0'))
    for figure in library or []:
        out.append(figure)
    return out


def _stripped_size(archive):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, 'stripped.a')
        shutil.copy(archive, copy)
        subprocess.run(['strip', '--strip-unneeded', copy], check=True)
        return os.path.getsize(copy)


def _sizes_per_isa(archive):
    listing = subprocess.run(['nm', '-C', '-S', archive], check=True,
                             capture_output=True, text=True).stdout
    sizes = {}
    for line in listing.splitlines():
        match = re.match(r'\w+ (\w+) [tTrRvVwW] .*::N_(\w+)::', line)
        if match:
            size = int(match[1], 16)
            sizes[match[2]] = sizes.get(match[2], 0) + size
    return sizes


def _compile_seconds(build):
    """Compile times of the library's files, summed, from Ninja's log."""
    times = {}
    with open(os.path.join(build, '.ninja_log'), encoding='utf-8') as log:
        for line in log:
            fields = line.rstrip('\n').split('\t')
            if len(fields) == 5 and re.match(
                    r'(kernels|runtime)/CMakeFiles/.*\.o$', fields[3]):
                times[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    return sum(times.values()), len(times)


def library_figures(build):
    """Size and build time, as far as the machine can tell."""
    out = []
    archive = os.path.join(build, 'liblanewise.a')
    try:
        size = _stripped_size(archive)
        out.append(Figure('the stripped archive, all instruction sets',
                          short_bytes(size), 'at most 4 MB', size <= 4 << 20))
        per_isa = ', '.join(f'{name} {short_bytes(size)}' for name, size in
                            sorted(_sizes_per_isa(archive).items()))
        out.append(Figure('code for each', per_isa))
    except (OSError, subprocess.CalledProcessError):
        pass
    try:
        seconds, count = _compile_seconds(build)
        if count:
            out.append(Figure(
                f'compiling its {count} files when they were last built, '
                'one after the other', f'{seconds:.0f} s',
                'at most 5 minutes on 2 cores'))
    except OSError:
        pass
    return out


def scaling(run):
    """{op/type: (threads, ours, copy's)}: how much faster all threads are."""
    most = run.max_threads()
    out = {}
    for cell in run.select('same', most):
        alone = run.cells.get(Key(*cell.key[:4], 1))
        if (most == 1 or cell.key.n != LARGE or alone is None
                or cell.ours is None or alone.ours is None):
            continue
        copies = [(alone.rows[k].time / cell.rows[k].time) for k in
                  ('stream',) if k in alone.rows and k in cell.rows]
        out[f'{cell.key.op}/{cell.key.type}'] = (
            most, alone.ours.time / cell.ours.time,
            copies[0] if copies else None)
    return out


def forced_isas(run):
    """(n, names, cells): who was forced, fastest first, in cells of one size."""
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

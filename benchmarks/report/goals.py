# SPDX-License-Identifier: Apache-2.0
"""The goals of the library, and whether a run reaches them."""
import chains
import provider
import threads
import whole_models
from figure import Figure
from rows import CALLING, DIRECT, EXACT, OURS, geometric_mean
from summary import LARGE, SMALL, judged_cells, scaling, standings

IN_CACHE = (2048, 65536)
NARROW = ('i8', 'u8')
INTEGERS = NARROW + ('i16', 'u16', 'i32', 'u32', 'i64', 'u64')
HALVES = ('f16', 'bf16', 'i16', 'u16')


def _at_least(title, values, bar, unit='x'):
    """[Figure] of the smallest of some ratios; [] without ratios."""
    values = [v for v in values if v is not None]
    if not values:
        return []
    scale, digits = (100, 0) if unit == ' %' else (1, 2)
    return [Figure(title, f'{scale * min(values):.{digits}f}{unit}',
                   f'at least {scale * bar:.3g}{unit}', min(values) >= bar)]


def _over(run, op, types, peer, sizes=None, pattern='same'):
    """A peer's times over ours, on one thread. Small calls do not count."""
    return [c.against(c.rows[peer]) for c in run.select(pattern, 1)
            if c.key.op == op and c.key.type in types and peer in c.rows
            and c.ours is not None
            and (c.key.n in sizes if sizes else c.key.n >= SMALL)]


def _gains(run, patterns, sizes=None):
    """[(cell, time of its `same` cell over its own time)] through our tensor
    API."""
    out = []
    for cell in run.select(threads=1):
        same = run.cells.get(cell.key._replace(pattern='same'))
        if (cell.key.pattern in patterns and same and same.ours and cell.ours
                and (cell.key.n in sizes if sizes else cell.key.n >= SMALL)):
            out.append((cell, same.ours.time / cell.ours.time))
    return out


def _ahead(run):
    cells = judged_cells(run)
    if not cells:
        return []
    mean = geometric_mean(c.duel.ratio for c in cells)
    ahead, level, behind = standings(cells)
    # A run with cells within the noise cannot tell whether the goal is met.
    met = False if behind else None if level else True
    return [Figure('against the fastest peer, geometric mean', f'{mean:.2f}x',
                   'at least 1.5x', mean >= 1.5),
            Figure('cells where no peer is faster',
                   f'{len(ahead)} of {len(cells)}',
                   'all, or 0.95x where both run at the copy\'s speed; '
                   f'{len(level)} more are level within noise, '
                   f'{len(behind)} slower', met)]


def _large(run):
    # Only the kernels that the goal names. Comparisons, for example, read most
    # of their bytes, so copies do not show their limit.
    shares = [c.share(c.ours) for c in run.select('same', 1)
              if c.key.n == LARGE and c.ours is not None
              and (c.key.op in ('Relu', 'Reshape')
                   or c.key.op in ('Div', 'Reciprocal')
                   and c.key.type in HALVES + ('f32',)
                   or c.key[:2] == ('Exp', 'f32'))]
    out = _at_least('least share of the copy at n = 16 Mi (Relu, Reshape; Div '
                    'and Reciprocal of f32 and 16 bits; Exp f32)', shares, 0.9,
                    ' %')
    scales = [(ours / copy, noise) for ours, copy, noise
              in scaling(run).values() if copy is not None]
    if scales:
        least, noise = min(scales)
        behind = any(ratio < 1 - noise for ratio, noise in scales)
        out.append(Figure(
            f'scaling to {run.max_threads()} threads over the copy\'s, '
            'n = 16 Mi, least', f'{least:.2f}x',
            f'at least 1x; its noise is {100 * noise:.0f} %',
            False if behind else None if least < 1 else True))
    return out


def _exp(run):
    out = []
    if run.own('isa').startswith('AVX3'):
        out += _at_least('Exp f32 in cache against SLEEF u10',
                         _over(run, 'Exp', ['f32'], 'sleef', IN_CACHE), 1.4)
    out += _at_least('Exp f32 in cache against XNNPACK',
                     _over(run, 'Exp', ['f32'], 'xnnpack', IN_CACHE), 1.0)
    return out


def _exp_f64(run):
    return _at_least('Exp f64 in cache against the fastest peer',
                     [c.duel.ratio for c in judged_cells(run)
                      if c.key[:3] == ('Exp', 'f64', 'same')
                      and c.key.n in IN_CACHE], 1.2)


def _exact(run):
    """Exact Exp against SLEEF, the C library, and our own usual Exp."""
    def over(impl, types, sizes):
        return [c.rows[impl].time / row.time for c in run.select('same', 1)
                for row in [c.rows.get(EXACT)]
                if row and c.key.op == 'Exp' and c.key.type in types
                and c.key.n in sizes and impl in c.rows]
    out = []
    for one in ('f32', 'f64'):
        out += _at_least(f'exact Exp {one} in cache against SLEEF u10',
                         over('sleef', [one], IN_CACHE), 0.8)
    out += _at_least('exact Exp in cache against the C library',
                     over('libm', ['f32', 'f64'], IN_CACHE), 5)
    return out + _at_least('exact Exp against the default, n = 16 Mi',
                           over(OURS, ['f32', 'f64'], [LARGE]), 1 / 1.3)


def _integers(run):
    wider = [t for t in INTEGERS if t not in NARROW]
    return (
        _at_least('8-bit division in cache against Highway\'s',
                  _over(run, 'Div', NARROW, 'highway', IN_CACHE), 2.5)
        + _at_least('wider integer division against Highway\'s',
                    _over(run, 'Div', wider, 'highway'), 1.0)
        + _at_least('integer division by a scalar against NumPy',
                    _over(run, 'Div', INTEGERS, 'numpy',
                          pattern='scalar_b'), 1.0))


def _scalar_divisors(run):
    return _at_least('integer division by a scalar over that by a vector',
                     [gain for cell, gain in _gains(run, ['scalar_b'], IN_CACHE)
                      if cell.key.op == 'Div' and cell.key.type in INTEGERS],
                     1.5)


def _small_calls(run):
    """What calls through the kernel API take beyond the fastest function."""
    extra = []
    for cell in run.select('same', 1):
        functions = [p for p in cell.peers() if p.impl not in CALLING]
        if cell.key.n <= 256 and DIRECT in cell.rows and functions:
            extra.append((cell.rows[DIRECT].time - functions[0].time, cell))
    if not extra:
        return []
    most, worst = max(extra, key=lambda e: e[0])
    beyond = sum(ns > 4 for ns, _ in extra)
    return [Figure('calls of up to 256 elements through the kernel API, beyond '
                   'the fastest bare function',
                   f'{most:.1f} ns ({worst.key.group} n:{worst.key.n}); '
                   f'{beyond} of {len(extra)} calls beyond 4 ns',
                   'at most 4 ns', most <= 4)]


def _calls(run):
    out = _small_calls(run)
    for impl, title, bar in (('lanewise', 'tensor API', 100),
                             ('direct', 'kernel API', 30)):
        extra = [c.rows[impl].time - c.rows['kernel'].time
                 for c in run.select('same', 1)
                 if (c.key.n, c.key.type) == (64, 'f32')
                 and impl in c.rows and 'kernel' in c.rows]
        if extra:
            out.append(Figure(
                f'a call through the {title}, n = 64, beyond its kernel',
                f'{max(extra):.0f} ns', f'at most {bar} ns',
                max(extra) <= bar))
    gains = _gains(run, ['row_b', 'col_b', 'scalar_a', 'scalar_b'])
    if gains:
        shapes = sorted({c.key.pattern for c, _ in gains})
        worst = 1 / min(gain for _, gain in gains)
        out.append(Figure(f'broadcasting ({", ".join(shapes)}) over the same '
                          'shape\'s time, worst', f'{worst:.2f}x',
                          'at most 1.5x', worst <= 1.5))
    allocations = run.own('allocations')
    if allocations:
        out.append(Figure('allocations in 1,000 calls of each kind',
                          allocations, 'none', allocations == '0'))
    return out


def figures(run, library=None):
    """All figures of a run. `library` comes from library_figures. A kept run
    has only the fastest peer of each cell: figures that need another row are
    left out."""
    if run.kept:
        return (_ahead(run) + _exp_f64(run) + _scalar_divisors(run)
                + _calls(run) + threads.figures(run) + chains.figures(run))
    return (_ahead(run) + _large(run) + _exp(run) + _exp_f64(run) + _exact(run)
            + _integers(run) + _scalar_divisors(run) + _calls(run)
            + threads.figures(run) + chains.figures(run) + provider.figures(run)
            + whole_models.figures(run) + (library or []))


def goals(run, library=None):
    """The figures that have a bar. Where the cells of a kept run do not tell a
    figure, the last full run of the CPU does."""
    found = {figure.title: figure for figure in run.goals}
    found.update({figure.title: figure for figure in figures(run, library)
                  if figure.bar})
    return list(found.values())

# SPDX-License-Identifier: Apache-2.0
"""Chains: their goals, the table of their times, and charts."""
import re
from html import escape

from charts import COPY_COLORS, OUR_COLOR, PEER_COLORS
from figure import Figure
from rows import CHAIN, FAST, LIMITS, short_count
from svg import LogAxes, decades, picture

HARD_SWISH = CHAIN + 'HardSwish'
STEPS = 'lanewise+steps'
LOOP = 'loop'
EXP_LOOP = 'libmvec'  # the loop of a chain with Exp
IN_CACHE = (2048, 65536)
BEYOND = (1 << 20, 1 << 24)
ORDER = ('prepared', 'lanewise', FAST, STEPS, LOOP, EXP_LOOP, 'onednn', 'numba',
         'onnxruntime', 'jax', 'numpy', 'numexpr', 'plain', 'stream')
LEGEND = ('ns for each element, on one thread. `prepared` and `lanewise` are one call '
          f'for the whole chain, `{FAST}` is that of a fast engine, `{STEPS}` is one call '
          f'for each operator, `{LOOP}` is the '
          f'loop that the compiler makes of the whole chain, `{EXP_LOOP}` a loop with the C '
          'library\'s vector functions; `plain` and `stream` are copies. Noise is that of '
          'the noisiest row.')


def cells(run):
    """The cells of chains on one thread."""
    return [c for c in run.cells.values()
            if c.key.op.startswith(CHAIN) and c.key.threads == 1]


def is_one_step(cell):
    """Whether the chain is an operator alone, which needs an attribute or rows."""
    return cell.key.op.startswith((CHAIN + 'CastTo', CHAIN + 'Shift',
                                   CHAIN + 'Softmax', CHAIN + 'LayerNorm'))


def ours(cell):
    """The time of a prepared chain: hosts that repeat shapes prepare them."""
    row = cell.rows.get('prepared') or cell.rows.get('lanewise')
    return row.time if row else None


def noise(cell):
    """That of the noisiest row."""
    return max(row.noise for row in cell.rows.values())


def _ratios(run, impl, sizes, ops=None, types=('f32',)):
    """The other's time over ours."""
    return [c.rows[impl].time / ours(c) for c in cells(run)
            if impl in c.rows and ours(c) and c.key.n in sizes
            and c.key.type in types and (ops is None or c.key.op in ops)]


def _at_least(title, ratios, bar):
    if not ratios:
        return []
    return [Figure(title, f'{min(ratios):.2f}x', f'at least {bar:g}x',
                   min(ratios) >= bar)]


def _at_most(title, ratios, bar):
    """Our time over the other's."""
    if not ratios:
        return []
    worst = max(1 / ratio for ratio in ratios)
    return [Figure(title, f'{worst:.2f}', f'at most {bar:g}', worst <= bar)]


def figures(run):
    hard_swish = [HARD_SWISH]
    out = _at_most('hard-swish over the compiler\'s fused loop, 2,048 to 1 Mi',
                   _ratios(run, LOOP, IN_CACHE + BEYOND[:1], hard_swish), 1.4)
    out += _at_most('other chains over the compiler\'s fused loop, 2,048 to 1 Mi',
                    _ratios(run, LOOP, IN_CACHE + BEYOND[:1],
                            {c.key.op for c in cells(run)} - {HARD_SWISH}), 1.4)
    out += _at_most('x * sigmoid(x) over a loop with a vector Exp, 2,048 to 1 Mi',
                    _ratios(run, EXP_LOOP, IN_CACHE + BEYOND[:1]), 1.6)
    copies = [min(c.rows[i].time for i in ('plain', 'stream') if i in c.rows) / ours(c)
              for c in cells(run) if c.key.op == HARD_SWISH and c.key.n == BEYOND[1]
              and c.key.type == 'f32' and ours(c) and 'plain' in c.rows]
    out += _at_most('hard-swish over the copy, 16 Mi', copies, 1.15)
    out += _at_least('hard-swish against one call per operator, in cache',
                     _ratios(run, STEPS, IN_CACHE, hard_swish), 2.5)
    out += _at_least('hard-swish against one call per operator, beyond',
                     _ratios(run, STEPS, BEYOND, hard_swish), 5)
    for peer in ('onnxruntime', 'numpy', 'numexpr'):
        out += _at_least(f'hard-swish against {peer}, 65,536',
                         _ratios(run, peer, IN_CACHE[1:], hard_swish), 5)
    out += _at_most('hard-swish over Numba, 65,536',
                    _ratios(run, 'numba', IN_CACHE[1:], hard_swish), 1.25)
    out += _at_least('hard-swish against JAX, 65,536',
                     _ratios(run, 'jax', IN_CACHE[1:], hard_swish), 2)
    for name in ('f16', 'bf16'):
        out += _at_most(f'{name} chains over one call per operator, in cache',
                        _ratios(run, STEPS, IN_CACHE, types=[name]), 0.8)
        out += _at_most(f'{name} chains over one call per operator, 16 Mi',
                        _ratios(run, STEPS, BEYOND[1:], types=[name]), 0.4)
    return [Figure('chains: ' + f.title, f.text, f.bar, f.met) for f in out]


def table(run):
    """(header, rows) of ns for each element; '' for what was not measured."""
    groups = list(dict.fromkeys(c.key.group for c in cells(run)))
    found = sorted(cells(run), key=lambda c: (groups.index(c.key.group), c.key.n))
    impls = [i for i in ORDER if any(i in c.rows for c in found)]
    rows = []
    for cell in found:
        name = f'{cell.key.op[len(CHAIN):]} {cell.key.type}, {cell.key.n:,}'
        rows.append([name] + [
            f'{cell.rows[i].time / cell.key.n:.3f}' if i in cell.rows else ''
            for i in impls] + [f'{100 * noise(cell):.0f} %'])
    return ['chain, elements'] + impls + ['noise'], rows


def _chart(name, found, colors):
    """Time for each element over the number of elements."""
    curves = {}
    for cell in sorted(found, key=lambda c: c.key.n):
        for impl in colors:
            if impl in cell.rows:
                curves.setdefault(impl, []).append(
                    (cell.key.n, cell.rows[impl].time / cell.key.n))
    sizes = sorted({c.key.n for c in found})
    times = [y for points in curves.values() for _, y in points]
    if len(sizes) < 2 or not times:
        return ''
    axes = LogAxes(350, 240, (sizes[0] / 1.4, sizes[-1] * 1.4),
                   (min(times) / 1.3, max(times) * 1.3))
    parts = axes.frame([(n, short_count(n)) for n in sizes], decades(*axes.y_range),
                       'elements', 'ns an element')
    for impl, points in curves.items():
        css = 'ours' if impl == 'prepared' else 'dashed' if impl in LIMITS else ''
        parts += axes.curve(points, colors[impl], css, impl)
    return f'<div><h3>{name}</h3>' + picture(350, 240, parts, name) + '</div>'


def charts(run):
    """A chart for each chain of float32, and one legend."""
    impls = [i for i in ORDER if any(i in c.rows for c in cells(run))]
    peers = [i for i in impls if i not in COPY_COLORS and i != 'prepared']
    colors = {'prepared': OUR_COLOR, **COPY_COLORS,
              **dict(zip(peers, PEER_COLORS))}
    colors = {i: colors[i] for i in impls if i in colors}
    names = dict.fromkeys(c.key.op for c in cells(run) if c.key.type == 'f32')
    drawn = ''.join(
        _chart(name[len(CHAIN):],
               [c for c in cells(run) if (c.key.op, c.key.type) == (name, 'f32')],
               colors) for name in names)
    keys = ''.join(f'<span><i style="background:{c}"></i>{escape(i)}</span>'
                   for i, c in colors.items())
    return f'<div class="charts">{drawn}</div><p class="legend">{keys}</p>'


def page(run):
    """The section of the HTML page; '' without chains."""
    header, rows = table(run)
    if not rows:
        return ''
    head = ''.join(f'<th>{escape(h)}</th>' for h in header)
    body = ''.join('<tr>' + ''.join(f'<td>{escape(v)}</td>' for v in row) + '</tr>'
                   for row in rows)
    words = re.sub('`(.+?)`', r'<code>\1</code>', LEGEND)
    return (f'<h2>Chains</h2><p>{words}</p>' + charts(run)
            + '<div class="scroll">'
            f'<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>')

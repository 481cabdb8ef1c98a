# SPDX-License-Identifier: Apache-2.0
"""The charts of the HTML page."""
from html import escape

import roofline
from rows import DIRECT, LIMITS, OURS, short_bytes, short_count, sort_types
from summary import scaling
from svg import (LogAxes, bars, decades, label_room, line, mix, picture,
                 ratio_color, ratio_ink, rect, text)

OUR_COLOR = '#1f5fbf'
LIMIT_COLOR = '#8a8f98'
COPY_COLORS = {'plain': '#8a8f98', 'stream': '#5bc0eb'}
PEER_COLORS = ('#d1622b', '#2a9461', '#8e56b8', '#b8860b', '#c2407c',
               '#3f8fa8', '#7a6a53', '#5c7f2b', '#a33b3b', '#6b6fd0',
               '#4d4d4d', '#e8a87c', '#0fb5a2', '#e39ac4', '#264653')


def peer_colors(run):
    names = sorted({r.impl for c in run.select()
                    for r in c.rows.values() if r.is_peer})
    return {name: PEER_COLORS[i % len(PEER_COLORS)]
            for i, name in enumerate(names)}


def group_rows(run, pattern):
    """[(op, type)] in the order in which the charts show them."""
    out = []
    for op in run.ops():
        types = {c.key.type for c in run.select(pattern) if c.key.op == op}
        out += [(op, t) for t in sort_types(types)]
    return out


def heat_map(run, n, pattern, colors):
    """A table: a column for each peer, a row for each operator and type. Each
    number is the peer's time over ours."""
    cells = {(c.key.op, c.key.type): c for c in run.select(pattern, 1)
             if c.key.n == n and c.ours is not None}
    peers = [p for p in colors if any(p in c.rows for c in cells.values())]
    groups = [g for g in group_rows(run, pattern)
              if g in cells and cells[g].peers(loose=True)]
    if not peers or not groups:
        return ''
    left, top, w, h = label_room([f'{op}  {t}' for op, t in groups]), 66, 34, 18
    width = left + w * len(peers) + 44
    parts = []
    for j, peer in enumerate(peers):
        x = left + j * w + w / 2
        parts.append(f'<g transform="translate({x:.0f},{top - 6}) '
                     f'rotate(-45)">{text(0, 0, peer, "start", "label")}</g>')
    last = ''
    for i, group in enumerate(groups):
        y = top + i * h
        label = group[1]
        if group[0] != last:
            last = group[0]
            label = f'{last}  {label}'
            parts.append(line(4, y - 0.5, left + w * len(peers), y - 0.5,
                              'grid'))
        parts.append(text(left - 8, y + 12.5, label, 'end', 'label'))
        for j, peer in enumerate(peers):
            row = cells[group].rows.get(peer)
            if row is not None:
                parts += _heat(cells[group], row, left + j * w, y, w, h)
    svg = picture(width, top + h * len(groups) + 6, parts,
                  f'ratios at n = {n}')
    # As an attribute, the color would yield to the text color of the page.
    for ink in ('#fff', '#1b1f24'):
        svg = svg.replace(f'fill="{ink}"', f'style="fill:{ink}"')
    return f'<div><h3>{pattern}, n = {short_count(n)}</h3>{svg}</div>'


def _heat(cell, row, x, y, w, h):
    """One peer's ratio in the heat map."""
    ratio = cell.against(row)
    shown = f'{ratio:.0f}' if ratio >= 9.95 else (
        f'{ratio:.1f}' if ratio >= 0.995 else f'{ratio:.2f}'[1:])
    tip = f'{row.impl}: {ratio:.2f} times the time of {cell.api(row).impl}'
    if row.loose:
        tip += f' (loose: {row.loose})'
        shown = f'({shown})'
    css = 'cell loose' if row.loose else 'cell'
    return [rect(x + 1, y + 1, w - 2, h - 2, ratio_color(ratio), tip),
            text(x + w / 2, y + 12.5, shown, 'middle', css, ratio_ink(ratio))]


def throughput(run, op, dtype, colors):
    """A chart of GB/s by the bytes that a call touches, on one thread."""
    cells = sorted((c for c in run.select('same', 1)
                    if (c.key.op, c.key.type) == (op, dtype)
                    and c.ours is not None), key=lambda c: c.key.n)
    if len(cells) < 2:
        return ''
    curves = {}
    for cell in cells:
        for name, row in cell.rows.items():
            if row.is_peer or name in (OURS, DIRECT):
                curves.setdefault(name, []).append((row.bytes, row.bandwidth))
    limits = [(c.ours.bytes, max(c.rows[k].bandwidth for k in LIMITS
                                 if k in c.rows)) for c in cells
              if any(k in c.rows for k in LIMITS)]
    values = [y for points in curves.values() for _, y in points]
    values += [y for _, y in limits]
    sizes = [c.ours.bytes for c in cells]
    axes = LogAxes(350, 215, (sizes[0] / 1.4, sizes[-1] * 1.4),
                   (min(values) / 1.3, max(values) * 1.3))
    ticks = [(s, short_bytes(s)) for s in sizes]
    parts = axes.frame(ticks, decades(*axes.y_range), 'bytes touched', 'GB/s')
    for name, size in run.caches():
        parts += axes.mark(size, name)
    parts += axes.curve(limits, LIMIT_COLOR, 'dashed', 'the copy')
    for name, points in curves.items():
        if name in colors:
            parts += axes.curve(points, colors[name], '', name)
    for name, css in ((DIRECT, 'direct'), (OURS, 'ours')):
        if name in curves:
            parts += axes.curve(curves[name], OUR_COLOR, css, name)
    return (f'<div><h3>{op} {dtype}</h3>'
            + picture(350, 215, parts, f'{op} {dtype}') + '</div>')


def legend(run, colors):
    out = [f'<span><i style="background:{OUR_COLOR};height:5px"></i>lanewise'
           '</span>', f'<span><i style="background:{OUR_COLOR}"></i>lanewise’s '
           'kernel API</span>'
           f'<span><i style="background:{LIMIT_COLOR}"></i>'
           'the faster copy of as many bytes</span>']
    out += [f'<span><i style="background:{c}"></i>{escape(n)}</span>'
            for n, c in colors.items()]
    return '<p class="legend">' + ''.join(out) + '</p>'


def copy_curves(run):
    """A chart of the GB/s of the copies, by the bytes touched."""
    curves = [(count, name, points) for count in roofline.copy_threads(run)
              for name in LIMITS
              for points in [[(size, found[name]) for size, found
                              in roofline.copies(run, count)
                              if name in found]] if len(points) > 1]
    if not curves:
        return ''
    sizes = sorted({x for _, _, points in curves for x, _ in points})
    speeds = [y for _, _, points in curves for _, y in points]
    axes = LogAxes(560, 250, (sizes[0] / 1.4, sizes[-1] * 1.4),
                   (min(speeds) / 1.3, max(speeds) * 1.3))
    parts = axes.frame([(s, short_bytes(s)) for s in sizes],
                       decades(*axes.y_range), 'bytes touched', 'GB/s')
    for name, size in run.caches():
        parts += axes.mark(size, name)
    for count, name, points in curves:
        css = '' if count == 1 else 'ours'
        parts += axes.curve(points, COPY_COLORS[name], css,
                            f'{name}, {count} threads')
    keys = ''.join(
        f'<span><i style="background:{COPY_COLORS[name]};'
        f'height:{2 if count == 1 else 5}px"></i>{name}, {count} '
        f'thread{"s" * (count > 1)}</span>' for count, name, _ in curves)
    return (picture(560, 250, parts, 'copies') + f'<p class="legend">{keys}</p>')


def share_bars(run, n):
    """Bars: each operator's share of the copy's speed, through the API with the
    least overhead."""
    rows, apis = [], {}
    for op, dtype in group_rows(run, 'same'):
        for cell in run.select('same', 1):
            if (cell.key[:2], cell.key.n) != ((op, dtype), n) or not cell.ours:
                continue
            row = cell.rows.get(DIRECT, cell.ours)
            share = cell.share(row)
            if share is None:
                continue
            apis[row.impl] = True
            color = mix((176, 196, 222), (31, 95, 191), min(1.0, share))
            rows.append((f'{op} {dtype}', share, color,
                         f'{100 * share:.0f} %, {row.bandwidth:.0f} GB/s'))
    if not rows:
        return ''
    return (f'<div><h3>n = {short_count(n)}, '
            f'{" or ".join(apis)}</h3>'
            + bars(rows, 390, 1.25, 'share of the copy', row_height=17,
                   reference=1) + '</div>')


def scaling_bars(run):
    rows = []
    for name, (ours, copy, _) in scaling(run).items():
        rows.append((name, ours, OUR_COLOR, f'{ours:.2f}x'))
        if copy is not None:
            rows.append(('the copy', copy, LIMIT_COLOR, f'{copy:.2f}x'))
    if not rows:
        return ''
    most = run.max_threads()
    return bars(rows, 520, max(most * 1.1, max(r[1] for r in rows)),
                'scaling', reference=most)

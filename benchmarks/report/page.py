# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page that needs nothing else."""
from html import escape

from rows import LIMITS, OURS, geometric_mean, short_bytes, short_count, sort_types
from summary import figures, forced_isas, judged_cells, lost_cells, scaling
from svg import (LogAxes, bars, decades, mix, picture, ratio_color, ratio_ink,
                 rect, text)

OUR_COLOR = '#1f5fbf'
LIMIT_COLOR = '#8a8f98'
PEER_COLORS = ('#d1622b', '#2a9461', '#8e56b8', '#b8860b', '#c2407c',
               '#3f8fa8', '#7a6a53', '#5c7f2b', '#a33b3b', '#6b6fd0',
               '#4d4d4d', '#c98a5a', '#1b998b')

STYLE = '''
:root { font: 15px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif;
        color: #1b1f24; background: #fff; }
body { max-width: 1120px; margin: 0 auto; padding: 24px; }
h1 { font-size: 26px; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 40px 0 4px; }
h3 { font-size: 14px; margin: 14px 0 2px; }
p { margin: 4px 0 12px; max-width: 760px; }
.quiet, .tick { color: #5d6570; fill: #5d6570; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(205px, 1fr));
         gap: 10px; margin: 18px 0; }
.tile { border: 1px solid #dde1e6; border-radius: 8px; padding: 10px 12px;
        border-left: 4px solid #b6bcc4; }
.tile b { font-size: 22px; display: block; overflow-wrap: anywhere; }
.tile.long b { font-size: 12px; font-weight: 500; line-height: 1.4; }
.tile.met { border-left-color: #2a9461; }
.tile.missed { border-left-color: #c83c28; }
.tile small { color: #5d6570; }
.charts { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: flex-start; }
svg { display: block; max-width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: #1b1f24; }
svg text.tick { fill: #5d6570; font-size: 10px; }
svg text.cell { font-size: 11px; font-variant-numeric: tabular-nums; }
svg text.loose { font-style: italic; }
.grid { stroke: #eceef1; } .axis { stroke: #8a8f98; }
.mark { stroke: #b6bcc4; stroke-dasharray: 2 3; }
.curve { stroke-width: 1.4; stroke-linejoin: round; }
.curve.ours { stroke-width: 3; } .curve.dashed { stroke-dasharray: 5 3; }
.legend span { display: inline-block; margin-right: 14px; font-size: 12px; }
.legend i { display: inline-block; width: 18px; height: 3px; margin-right: 5px;
            vertical-align: middle; }
table { border-collapse: collapse; font-size: 12px; width: 100%; }
th, td { text-align: right; padding: 2px 8px; border-bottom: 1px solid #eceef1;
         font-variant-numeric: tabular-nums; }
th:first-child, td:first-child, td.word { text-align: left; }
thead th { position: sticky; top: 0; background: #fff; }
.bad { color: #c02f1c; font-weight: 600; }
.scroll { overflow-x: auto; }
'''


def peer_colors(run):
    names = sorted({r.impl for c in run.cells.values()
                    for r in c.rows.values() if r.is_peer})
    return {name: PEER_COLORS[i % len(PEER_COLORS)]
            for i, name in enumerate(names)}


def tiles(run, library):
    out = ['<div class="tiles">']
    for figure in figures(run, library):
        css = {None: '', True: ' met', False: ' missed'}[figure.met]
        if len(figure.text) > 24:
            css += ' long'
        bar = f'<small>{escape(figure.bar)}</small>' if figure.bar else ''
        out.append(f'<div class="tile{css}">{escape(figure.title)}'
                   f'<b>{escape(figure.text)}</b>{bar}</div>')
    return ''.join(out) + '</div>'


def group_rows(run, pattern):
    """[(op, type)] in the order of the charts."""
    out = []
    for op in run.ops():
        types = {c.key.type for c in run.select(pattern) if c.key.op == op}
        out += [(op, t) for t in sort_types(types)]
    return out


def heat_map(run, n, pattern, colors):
    """Peers across, operators down, each peer's time over ours."""
    cells = {(c.key.op, c.key.type): c for c in run.select(pattern, 1)
             if c.key.n == n and c.ours is not None}
    peers = [p for p in colors if any(p in c.rows for c in cells.values())]
    groups = [g for g in group_rows(run, pattern)
              if g in cells and cells[g].peers(loose=True)]
    if not peers or not groups:
        return ''
    left, top, w, h = 104, 62, 46, 19
    parts = []
    for j, peer in enumerate(peers):
        x = left + j * w + w / 2
        parts.append(f'<g transform="translate({x:.0f},{top - 6}) '
                     f'rotate(-38)">{text(0, 0, peer, "start", "label")}</g>')
    last = ''
    for i, group in enumerate(groups):
        y = top + i * h
        label = f'{group[0]}  {group[1]}' if group[0] != last else group[1]
        last = group[0]
        parts.append(text(left - 8, y + 13, label, 'end', 'label'))
        for j, peer in enumerate(peers):
            row = cells[group].rows.get(peer)
            if row is None:
                continue
            ratio = row.time / cells[group].ours.time
            shown = f'{ratio:.0f}' if ratio >= 9.95 else f'{ratio:.2g}'
            tip = f'{peer}: {ratio:.2f} times our time'
            if row.loose:
                tip += f' (loose: {row.loose})'
                shown = f'({shown})'
            parts.append(rect(left + j * w + 1, y + 1, w - 2, h - 2,
                              ratio_color(ratio), tip))
            parts.append(text(left + j * w + w / 2, y + 13.5, shown, 'middle',
                              'cell loose' if row.loose else 'cell',
                              ratio_ink(ratio)))
    width = left + w * len(peers) + 40
    svg = picture(width, top + h * len(groups) + 6, parts,
                  f'ratios at n = {n}')
    for ink in ('#fff', '#1b1f24'):  # the page's own text color would win
        svg = svg.replace(f'fill="{ink}"', f'style="fill:{ink}"')
    return f'<div><h3>{pattern}, n = {short_count(n)}</h3>{svg}</div>'


def throughput(run, op, dtype, colors):
    """GB/s against the bytes that a call touches, one thread."""
    cells = sorted((c for c in run.select('same', 1)
                    if (c.key.op, c.key.type) == (op, dtype)
                    and c.ours is not None), key=lambda c: c.key.n)
    if len(cells) < 2:
        return ''
    curves = {}
    for cell in cells:
        for name, row in cell.rows.items():
            if row.is_peer or name == OURS:
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
    parts += axes.curve(limits, LIMIT_COLOR, 'dashed', 'the copy') if limits else []
    for name, points in curves.items():
        if name != OURS:
            parts += axes.curve(points, colors[name], '', name)
    parts += axes.curve(curves[OURS], OUR_COLOR, 'ours', OURS)
    return (f'<div><h3>{op} {dtype}</h3>'
            + picture(350, 215, parts, f'{op} {dtype}') + '</div>')


def legend(run, colors):
    out = [f'<span><i style="background:{OUR_COLOR};height:5px"></i>lanewise'
           '</span>', f'<span><i style="background:{LIMIT_COLOR}"></i>'
           'the faster copy of as many bytes</span>']
    out += [f'<span><i style="background:{c}"></i>{escape(n)}</span>'
            for n, c in colors.items()]
    return '<p class="legend">' + ''.join(out) + '</p>'


def roofline_bars(run, n):
    rows = []
    for op, dtype in group_rows(run, 'same'):
        found = [c for c in run.select('same', 1) if c.share is not None
                 and (c.key.op, c.key.type, c.key.n) == (op, dtype, n)]
        if found:
            share = found[0].share
            color = mix((176, 196, 222), (31, 95, 191), min(1.0, share))
            rows.append((f'{op} {dtype}', share, color,
                         f'{100 * share:.0f} %  {found[0].ours.bandwidth:.0f}'
                         ' GB/s'))
    if not rows:
        return ''
    return (f'<div><h3>n = {short_count(n)}</h3>'
            + bars(rows, 520, 1.25, 'share of the copy', reference=1) + '</div>')


def scaling_bars(run):
    rows = []
    for name, (_, ours, copy) in scaling(run).items():
        rows.append((name, ours, OUR_COLOR, f'{ours:.2f}x'))
        if copy is not None:
            rows.append(('the copy', copy, LIMIT_COLOR, f'{copy:.2f}x'))
    if not rows:
        return ''
    most = run.max_threads()
    return bars(rows, 520, max(most * 1.1, max(r[1] for r in rows)),
                'scaling', reference=most)


def isa_map(run):
    """Time on each forced instruction set over the best one's."""
    n, isas, cells = forced_isas(run)
    if not isas:
        return ''
    head = ''.join(f'<th>{escape(i.split("@")[1])}</th>' for i in isas)
    body = []
    for cell in cells:
        row = (f'<td>{cell.key.op} {cell.key.type}</td>'
               f'<td>{cell.ours.bandwidth:.1f}</td>')
        for isa in isas:
            ratio = (cell.rows[isa].time / cell.ours.time
                     if isa in cell.rows else None)
            row += '<td></td>' if ratio is None else (
                f'<td style="background:{ratio_color(1 / ratio)};'
                f'color:{ratio_ink(ratio)}">{ratio:.2f}</td>')
        body.append(f'<tr>{row}</tr>')
    return ('<h2>Instruction sets</h2><p>Time on each forced set over the time '
            f'on {escape(run.own("isa"))}, n = {n:,}, one thread.</p>'
            f'<table style="width:auto"><thead><tr><th></th><th>GB/s</th>{head}'
            f'</tr></thead><tbody>{"".join(body)}</tbody></table>')


def full_table(run):
    out = ['<details><summary>Every cell</summary><div class="scroll"><table>'
           '<thead><tr><th>cell</th><th>n</th><th>threads</th><th>ns/element'
           '</th><th>GB/s</th><th>of the copy</th><th>noise</th><th>fastest '
           'peer</th><th>ns/element</th><th>ratio</th></tr></thead><tbody>']
    for key, cell in run.cells.items():
        if cell.ours is None:
            continue
        share = '' if cell.share is None else f'{100 * cell.share:.0f} %'
        row = (f'<td>{key.group}</td><td>{key.n:,}</td><td>{key.threads}</td>'
               f'<td>{cell.ours.time / key.n:.3f}</td>'
               f'<td>{cell.ours.bandwidth:.1f}</td><td>{share}</td>'
               f'<td>{100 * cell.ours.noise:.0f} %</td>')
        best = cell.best_peer
        if best is not None:
            css = '' if cell.ratio >= 1 else ' class="bad"'
            row += (f'<td>{escape(best.impl)}</td>'
                    f'<td>{best.time / key.n:.3f}</td>'
                    f'<td{css}>{cell.ratio:.2f}</td>')
        out.append(f'<tr>{row}</tr>')
    return ''.join(out) + '</tbody></table></div></details>'


def lost_list(run):
    lost = lost_cells(run)
    if not lost:
        return '<p>No peer is faster in any cell on one thread.</p>'
    items = ''.join(
        f'<tr><td>{c.key.group}</td><td>{c.key.n:,}</td>'
        f'<td class="bad">{c.ratio:.2f}</td><td class="word">'
        f'{escape(c.best_peer.impl)}</td></tr>' for c in lost[:12])
    more = f' The worst 12 of {len(lost)}.' if len(lost) > 12 else ''
    return (f'<p>Cells on one thread where a peer is faster.{more}</p>'
            '<table style="width:auto"><thead><tr><th>cell</th><th>n</th>'
            f'<th>ratio</th><th>peer</th></tr></thead><tbody>{items}</tbody>'
            '</table>')


def make_page(run, library):
    colors = peer_colors(run)
    sizes = sorted({c.key.n for c in run.select('same', 1)})
    maps = ''.join(heat_map(run, n, 'same', colors) for n in sizes)
    maps += heat_map(run, 65536, 'scalar_b', colors)
    curves = ''.join(throughput(run, op, dtype, colors)
                     for op, dtype in group_rows(run, 'same'))
    roofs = ''.join(roofline_bars(run, n) for n in sizes if n >= 2048)
    means = []
    for op in run.ops():
        ratios = [c.ratio for c in judged_cells(run) if c.key.op == op]
        if ratios:
            means.append((op, geometric_mean(ratios)))
    mean_bars = bars([(op, m, ratio_color(m), f'{m:.2f}x') for op, m in means],
                     520, max([m for _, m in means] + [2]), 'means',
                     reference=1) if means else ''
    scale = scaling_bars(run)
    about = (f'{run.own("cpu")}, {run.own("isa")}, '
             f'{run.context.get("num_cpus", "?")} threads. '
             f'lanewise {run.own("version")}, compiler {run.own("compiler")}. '
             f'{run.context.get("date", "")}. Tuning: {run.own("tuning")}.')
    absent = run.own('absent')
    sections = [
        f'<h1>lanewise, measured</h1><p class="quiet">{escape(about)}</p>',
        tiles(run, library),
        '<h2>Operators</h2><p>The fastest right peer’s time over ours, '
        'geometric mean over all cells on one thread, without the smallest n. '
        'Above 1 we are faster.'
        f'</p>{mean_bars}{lost_list(run)}',
        '<h2>Against each peer</h2><p>Each number is the peer’s time over '
        'ours in the same cell: blue above 1, red below. In parentheses: a '
        'loose peer, outside the operator’s contract, which does not count. At n '
        '= 64 our time is that of a whole call through the tensor door, the '
        'peers’ that of a loop, except onednn, numpy and onnxruntime.'
        f'</p><div class="charts">{maps}</div>',
        '<h2>Throughput against size</h2><p>One thread; bytes read plus '
        'written. Dotted lines are the caches of one core.</p>'
        f'{legend(run, colors)}<div class="charts">{curves}</div>',
        '<h2>Share of the limit</h2><p>Our speed over that of the faster copy '
        '(plain or streaming stores) of as many bytes, measured in the same '
        f'cell.</p><div class="charts">{roofs}</div>',
        '<h2>Threads</h2><p>How many times faster all threads are than one, n '
        f'= 16 Mi.</p>{scale}' if scale else '',
        isa_map(run),
        '<h2>All numbers</h2>' + full_table(run),
        '<h2>Who was there</h2><p>' + escape(run.own('peers', 'no peers'))
        + (f'</p><p>Absent: {escape(absent)}' if absent else '')
        + '</p><p class="quiet">Medians over repetitions, interleaved at '
        'random within a cell. benchmarks/README.md tells the method and its '
        'caveats.</p>',
    ]
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f'<title>lanewise benchmarks</title><style>{STYLE}</style></head>'
            '<body>' + '\n'.join(sections) + '</body></html>\n')

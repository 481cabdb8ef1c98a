# SPDX-License-Identifier: Apache-2.0
"""The report as one HTML page that needs no other file."""
from html import escape

import chains
import roofline
import whole_models
from charts import (copy_curves, group_rows, heat_map, legend, peer_colors,
                    scaling_bars, share_bars, throughput)
from goals import figures
from provider import tables
from summary import (SMALL, forced_isas, judged_cells, operator_means,
                     standings)
from svg import bars, ratio_color, ratio_ink

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
.lists { gap: 6px 40px; }
.charts { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: flex-start; }
svg { display: block; max-width: 100%; height: auto; }
svg text { font: 11px system-ui, sans-serif; fill: #1b1f24; }
svg text.tick { fill: #5d6570; font-size: 10px; }
svg text.cell { font-size: 11px; font-variant-numeric: tabular-nums; }
svg text.loose { font-style: italic; }
.grid { stroke: #eceef1; } .axis { stroke: #8a8f98; }
.mark { stroke: #b6bcc4; stroke-dasharray: 2 3; }
.curve { stroke-width: 1.4; stroke-linejoin: round; }
.curve.ours { stroke-width: 3; } .curve.direct { stroke-width: 2; } .curve.dashed { stroke-dasharray: 5 3; }
.legend span { display: inline-block; margin-right: 14px; font-size: 12px; }
.legend i { display: inline-block; width: 18px; height: 3px; margin-right: 5px;
            vertical-align: middle; }
table { border-collapse: collapse; font-size: 12px; width: 100%; }
th, td { text-align: right; padding: 2px 8px; border-bottom: 1px solid #eceef1;
         font-variant-numeric: tabular-nums; }
th:first-child, td:first-child { text-align: left; }
thead th { position: sticky; top: 0; background: #fff; }
.bad { color: #c02f1c; font-weight: 600; }
.scroll { overflow-x: auto; }
'''


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


def isa_map(run):
    """A table of times: each forced instruction set over the best one."""
    n, isas, cells = forced_isas(run)
    if not isas:
        return ''
    rows = []
    for cell in cells:
        row = (f'<td>{cell.key.op} {cell.key.type}</td>'
               f'<td>{cell.ours.bandwidth:.1f}</td>')
        for isa in isas:
            ratio = (cell.rows[isa].time / cell.ours.time
                     if isa in cell.rows else None)
            row += '<td></td>' if ratio is None else (
                f'<td style="background:{ratio_color(1 / ratio)};'
                f'color:{ratio_ink(ratio)}">{ratio:.2f}</td>')
        rows.append(row)
    head = ['', f'{escape(run.own("isa"))}, GB/s'] + [
        escape(i.split('@')[1]) for i in isas]
    return ('<h2>Instruction sets</h2><p>Time on each forced set over the time '
            f'on {escape(run.own("isa"))}, n = {n:,}, one thread: 2 means '
            'twice as slow.</p>' + table(head, rows, ' style="width:auto"'))


def table(head, rows, css=''):
    """A table. `head` and `rows` are HTML; the first column contains words."""
    return (f'<table{css}><thead><tr>'
            + ''.join(f'<th>{h}</th>' for h in head) + '</tr></thead><tbody>'
            + ''.join(f'<tr>{r}</tr>' for r in rows) + '</tbody></table>')


def full_table(run):
    rows = []
    for key, cell in run.cells.items():
        for duel in cell.duels:
            api, peer = duel.api, duel.peer
            row = (f'<td>{key.group}</td><td>{key.n:,}</td>'
                   f'<td>{key.threads}</td><td>{api.impl}</td>'
                   f'<td>{api.time / key.n:.3f}</td>'
                   f'<td>{api.bandwidth:.1f}</td>'
                   f'<td>{roofline.share_text(run, cell, api)}</td>'
                   f'<td>{100 * api.noise:.0f} %</td>')
            if peer is not None:
                css = '' if duel.ratio >= 1 else ' class="bad"'
                row += (f'<td>{escape(peer.impl)}</td>'
                        f'<td>{peer.time / key.n:.3f}</td>'
                        f'<td{css}>{duel.ratio:.2f}</td>')
            rows.append(row)
    head = ('cell', 'n', 'threads', 'API', 'ns/element', 'GB/s',
            'of the copy', 'noise', 'fastest peer of the same kind',
            'ns/element', 'ratio')
    return ('<details><summary>Every cell</summary><div class="scroll">'
            + table(head, rows) + '</div></details>')


def standing_list(title, cells, most=12):
    if not cells:
        return ''
    rows = [f'<td>{c.key.group}</td><td>{c.key.n:,}</td>'
            f'<td>{c.duel.ratio:.2f}</td><td>{100 * c.duel.noise:.0f} %</td>'
            f'<td>{c.duel.api.impl}</td>'
            f'<td>{escape(c.duel.peer.impl)}</td>'
            for c in cells[:most]]
    more = f', the worst {most} of' if len(cells) > most else ':'
    return (f'<div><h3>{title}{more} {len(cells)}</h3>'
            + table(('cell', 'n', 'ratio', 'noise', 'our API', 'peer'), rows,
                    ' style="width:auto"') + '</div>')


def operators(run):
    means = operator_means(run)
    if not means:
        return ''
    _, level, behind = standings(judged_cells(run))
    chart = bars([(op, mean, ratio_color(mean),
                   f'{mean:.2f}x, {len(cells)} cells')
                  for op, cells, mean in means],
                 520, max([mean for *_, mean in means] + [2]), 'means',
                 reference=1)
    lists = (standing_list('A peer is faster', behind)
             + standing_list('Level within the noise of both', level))
    return ('<h2>Operators</h2><p>The time of the fastest peer with a right '
            'answer over our time: the geometric mean over all cells on one '
            'thread, without the smallest n. Above 1, lanewise is faster. '
            'Small cells also have a row of our kernel API. There, the kernel '
            'API is compared with peers that are functions on pointers, and '
            'the tensor API with peers that take tensors or sessions; the '
            f'worse ratio counts.</p>{chart}'
            f'<div class="charts lists">{lists}</div>')


def limits(run, sizes):
    rows = roofline.table(run)
    if not rows:
        return ''
    words = table(rows[0], [''.join(f'<td>{v}</td>' for v in row)
                            for row in rows[1:]], ' style="width:auto"')
    shares = ''.join(share_bars(run, n) for n in sizes if n >= SMALL)
    return ('<h2>The limit, and our share of the limit</h2><p>How fast this '
            'machine copies, measured in this run: GB/s read plus written, '
            'with plain stores and with stores that bypass the caches. The '
            'dotted lines in the chart are the caches of one core, as the '
            'machine reports them.</p>'
            f'{copy_curves(run)}<div class="scroll">{words}</div>'
            '<p>Our speed over the speed of the faster of the two copies of '
            'as many bytes, measured in the same cell. The dotted line is the '
            'copy. The table below has the shares of all rows.</p>'
            f'<div class="charts">{shares}</div>')


def _texts(rows):
    """A table of texts; the first row contains the titles."""
    cells = [[escape(text) for text in row] for row in rows]
    return ('<div class="scroll">' + table(
        cells[0], [''.join(f'<td>{text}</td>' for text in row)
                   for row in cells[1:]], ' style="width:auto"') + '</div>')


def inside_onnxruntime(run):
    found = tables(run)
    if not found:
        return ''
    return ('<h2>Inside ONNX Runtime</h2><p>The time of ONNX Runtime’s own '
            'CPU provider over the time of another provider, for the same '
            'model in the same library: above 1, the other provider is faster. '
            'Times are those of a whole call of a session of one node. Numbers '
            'are geometric means over types. In parentheses: the worst type, '
            'if it is slower.</p>'
            + ''.join(f'<h3>{escape(title)}</h3>{_texts(rows)}'
                      for title, rows in found))


def make_page(run, library):
    colors = peer_colors(run)
    sizes = sorted({c.key.n for c in run.select('same', 1)})
    wanted = [(n, 'same') for n in sizes if n >= SMALL]
    wanted += [(65536, p) for p in ('scalar_b', 'row_b', 'col_b', 'strided')]
    wanted += [(n, 'same') for n in sizes if n < SMALL]
    maps = ''.join(heat_map(run, n, p, colors) for n, p in wanted)
    curves = ''.join(throughput(run, op, dtype, colors)
                     for op, dtype in group_rows(run, 'same'))
    scale = scaling_bars(run)
    absent = run.own('absent')
    sections = [
        '<h1>lanewise benchmarks</h1><p class="quiet">'
        f'{escape(run.machine)}; {run.date}. '
        f'Tuning: {escape(run.own("tuning"))}.</p>'
        + (f'<p><b>Absent peers:</b> {escape(absent)}</p>' if absent else ''),
        tiles(run, library),
        operators(run),
        '<h2>Against each peer</h2><p>Each number is the peer’s time over '
        'our time in the same cell: blue above 1, red below. A number in '
        'parentheses belongs to a loose peer: its answer is outside the '
        'operator’s contract, and the number does not count. Up to n = '
        '2,048, peers that are functions on pointers are compared with our '
        'kernel API. At n = 64, the numbers of the other peers show mostly '
        'the cost of a call.'
        f'</p><div class="charts">{maps}</div>' if maps else '',
        '<h2>Throughput by size</h2><p>On one thread; bytes read plus '
        'written. The dotted lines are the caches of one core.</p>'
        f'{legend(run, colors)}<div class="charts">{curves}</div>'
        if curves else '',
        limits(run, sizes),
        '<h2>Threads</h2><p>How many times faster all threads are than one '
        f'thread, n = 16 Mi.</p>{scale}' if scale else '',
        isa_map(run),
        chains.page(run),
        inside_onnxruntime(run),
        whole_models.section(run, _texts),
        '<h2>All numbers</h2>' + full_table(run),
        '<h2>Peers</h2><p>' + escape(run.own('peers', 'no peers'))
        + '</p><p class="quiet">Times are medians over repetitions, which are '
        'interleaved at random within a cell. benchmarks/README.md describes '
        'the method and its caveats.</p>',
    ]
    return ('<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f'<title>lanewise benchmarks</title><style>{STYLE}</style></head>'
            '<body>' + '\n'.join(s for s in sections if s)
            + '</body></html>\n')

# SPDX-License-Identifier: Apache-2.0
"""The picture of a run: bars of operators and types."""
from rows import sort_types
from summary import standings
from svg import line, picture, rect, text

SIZE = 65536
WIDTH, TOP, ROW, LABEL, ROOM = 400, 44, 17, 66, 200
MOST = 4  # longer bars are cut: a ratio of 100 would make all others alike

# An image cannot use the colors of its page, so it draws its own background.
STYLE = '''<style>
.card { fill: #ffffff; stroke: #d0d7de; } text { font: 12px system-ui, sans-serif;
fill: #1f2328; } .head { font-weight: 600; } .tick { fill: #59636e; font-size: 11px; }
.mark { stroke: #59636e; stroke-dasharray: 3 3; } .ahead { fill: #1f6fc4; }
.level { fill: #8c959f; } .behind { fill: #d1622b; }
@media (prefers-color-scheme: dark) { .card { fill: #0d1117; stroke: #3d444d; }
text { fill: #f0f6fc; } .tick { fill: #9198a1; } .mark { stroke: #9198a1; }
.ahead { fill: #4493f8; } .behind { fill: #e0834f; } }
</style>'''


def _blocks(run):
    """[(op, its cells)] that the picture shows."""
    out = []
    for op in run.ops():
        cells = {c.key.type: c for c in run.select('same', 1)
                 if (c.key.op, c.key.n) == (op, SIZE) and c.ours is not None}
        if cells:
            out.append((op, [cells[t] for t in sort_types(cells)]))
    return out


def _columns(blocks):
    """Divides the blocks into two columns of about the same length."""
    heights = [len(cells) + 1.5 for _, cells in blocks]
    cut = min(range(len(blocks) + 1), key=lambda i: abs(
        sum(heights[:i]) - sum(heights[i:])))
    return [c for c in (blocks[:cut], blocks[cut:]) if c]


def _bar(cell, left, one, y, lost):
    if cell.duel is None:
        return [text(one + 6, y + 12, 'no peer has a right answer', 'start',
                     'tick')]
    ratio = cell.duel.ratio
    css = 'ahead' if ratio >= 1 else 'behind' if lost else 'level'
    end = left + (one - left) * min(ratio, MOST)
    return [rect(left, y + 3, end - left, ROW - 5, css=css),
            text(max(end, one) + 6, y + 12,
                 f'{ratio:.2f}x  {cell.duel.peer.impl}', 'start', 'tick')]


def make_picture(run, _library=None):
    """Bars: the fastest right peer's time over ours, by operator and type."""
    columns = _columns(_blocks(run))
    if not columns:
        return picture(10, 10, [], 'nothing measured')
    cells = [c for column in columns for _, block in column for c in block]
    with_peer = [c for c in cells if c.duel is not None]
    most = min(max([c.duel.ratio for c in with_peer] + [1]), MOST)
    behind = standings(with_peer)[2]
    height = TOP + ROW * max(sum(len(block) + 1.5 for _, block in column)
                             for column in columns) + 50
    parts = []
    for i, column in enumerate(columns):
        left, y = i * WIDTH + LABEL + 14, TOP
        one = left + ROOM / most
        parts.append(line(one, TOP, one, height - 54, 'mark'))
        parts.append(text(one, TOP - 4, 'as fast', 'middle', 'tick'))
        for op, block in column:
            parts.append(text(left - LABEL, y + 13, op, 'start', 'head'))
            y += ROW
            for cell in block:
                parts.append(text(left - 7, y + 12, cell.key.type, 'end'))
                parts += _bar(cell, left, one, y, cell in behind)
                y += ROW
            y += ROW / 2
    width = WIDTH * len(columns)
    title = (f'The fastest peer\'s time over lanewise\'s, n = {SIZE:,}, one '
             'thread: longer is better')
    card = (f'<rect x="0.5" y="0.5" width="{width - 1}" '
            f'height="{height - 1:.1f}" rx="8" class="card"/>')
    parts = [STYLE, card, text(14, 22, title, 'start', 'head')] + parts + [
        text(14, height - 30, 'Grey: level. The difference is within the noise'
             ', or both run at the speed of a copy. '
             f'Bars end at {MOST}x.', 'start', 'tick'),
        text(14, height - 13, run.machine, 'start', 'tick')]
    return picture(width, height, parts, title).replace(
        '<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + '\n'

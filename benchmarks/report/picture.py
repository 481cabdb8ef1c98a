# SPDX-License-Identifier: Apache-2.0
"""The picture of a run: a bar for each operator; and the card that all pictures are."""
from operators import folder_of
from rows import geometric_mean
from summary import standings
from svg import line, picture, rect, text

SIZE = 65536
WIDTH, TOP, ROW, LABEL, ROOM = 460, 44, 17, 124, 160
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


def card(width, height, title, parts, style=''):
    """An image of its own, with a title at the top."""
    frame = (f'<rect x="0.5" y="0.5" width="{width - 1}" '
             f'height="{height - 1:.1f}" rx="8" class="card"/>')
    head = [STYLE + style, frame, text(14, 22, title, 'start', 'head')]
    return picture(width, height, head + parts, title).replace(
        '<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ', 1) + '\n'


def _blocks(run):
    """[(folder, [(operator, its cells of all types)])] that the picture shows,
    without cells in which no peer is right."""
    folders = {}
    for cell in run.select('same', 1):
        if cell.key.n == SIZE and cell.duel is not None:
            own = folders.setdefault(folder_of(cell.key.op), {})
            own.setdefault(cell.key.op, []).append(cell)
    return [(folder, sorted(folders[folder].items()))
            for folder in sorted(folders)]


def columns(blocks):
    """Divides blocks, (title, bars), into two columns of about the same length."""
    heights = [len(bars) + 1.5 for _, bars in blocks]
    cut = min(range(len(blocks) + 1), key=lambda i: abs(
        sum(heights[:i]) - sum(heights[i:])))
    return [c for c in (blocks[:cut], blocks[cut:]) if c]


def _mean(cells):
    return geometric_mean(c.duel.ratio for c in cells)


def _bar(cells, left, one, y):
    ratio = _mean(cells)
    behind = standings(cells)[2]
    css = 'ahead' if ratio >= 1 else 'behind' if behind else 'level'
    end = left + (one - left) * min(ratio, MOST)
    slower = f', {len(behind)} slower' if behind else ''
    types = f'{len(cells)} types' if len(cells) > 1 else cells[0].key.type
    return [rect(left, y + 3, end - left, ROW - 5, css=css),
            text(max(end, one) + 6, y + 12, f'{ratio:.2f}x  {types}{slower}',
                 'start', 'tick')]


def make_picture(run, _library=None):
    """Bars: the fastest right peer's time over ours, by operator."""
    halves = columns(_blocks(run))
    if not halves:
        return picture(10, 10, [], 'nothing measured')
    means = [_mean(cells) for column in halves for _, block in column
             for _, cells in block]
    most = min(max(means + [1]), MOST)
    height = TOP + ROW * max(sum(len(block) + 1.5 for _, block in column)
                             for column in halves) + 50
    parts = []
    for i, column in enumerate(halves):
        left, y = i * WIDTH + LABEL + 14, TOP
        one = left + ROOM / most
        parts.append(line(one, TOP, one, height - 54, 'mark'))
        parts.append(text(one, TOP - 4, 'as fast', 'middle', 'tick'))
        for folder, block in column:
            parts.append(text(left - LABEL, y + 13, folder.replace('_', ' '),
                              'start', 'head'))
            y += ROW
            for op, cells in block:
                parts.append(text(left - 7, y + 12, op, 'end'))
                parts += _bar(cells, left, one, y)
                y += ROW
            y += ROW / 2
    title = (f'The fastest peer\'s time over lanewise\'s, n = {SIZE:,}, one '
             'thread: longer is better')
    parts += [
        text(14, height - 30, 'Geometric means over the types in which a peer '
             f'is right. Grey: level within noise. Bars end at {MOST}x.', 'start',
             'tick'),
        text(14, height - 13, run.machine, 'start', 'tick')]
    return card(WIDTH * len(halves), height, title, parts)

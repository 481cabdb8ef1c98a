# SPDX-License-Identifier: Apache-2.0
"""Charts as SVG text. Positions are in pixels. Colors are CSS classes of the
page."""
import math
from html import escape


def num(value):
    return f'{value:.1f}'.rstrip('0').rstrip('.')


def text(x, y, content, anchor='start', css='', color=''):
    style = f' fill="{color}"' if color else ''
    return (f'<text x="{num(x)}" y="{num(y)}" text-anchor="{anchor}" '
            f'class="{css}"{style}>{escape(str(content))}</text>')


def line(x1, y1, x2, y2, css):
    return (f'<line x1="{num(x1)}" y1="{num(y1)}" x2="{num(x2)}" '
            f'y2="{num(y2)}" class="{css}"/>')


def rect(x, y, width, height, color='', title='', css=''):
    tip = f'<title>{escape(title)}</title>' if title else ''
    fill = f' fill="{color}"' if color else ''
    return (f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" '
            f'height="{num(height)}"{fill} class="{css}" rx="2">{tip}</rect>')


def picture(width, height, parts, label):
    return (f'<svg viewBox="0 0 {num(width)} {num(height)}" '
            f'width="{num(width)}" height="{num(height)}" role="img" '
            f'aria-label="{escape(label)}">' + ''.join(parts) + '</svg>')


def mix(low, high, share):
    """A color between two colors, which are given as (r, g, b)."""
    return '#' + ''.join(f'{round(a + (b - a) * share):02x}'
                         for a, b in zip(low, high))


def ratio_color(ratio):
    """Red where a peer is faster, blue where we are faster, white between."""
    strength = min(1.0, abs(math.log2(ratio)) / 2)
    end = (38, 110, 190) if ratio >= 1 else (200, 60, 40)
    return mix((247, 247, 247), end, 0.12 + 0.88 * strength)


def ratio_ink(ratio):
    return '#fff' if abs(math.log2(ratio)) > 1.1 else '#1b1f24'


class LogAxes:
    """Axes with logarithmic x and y."""

    def __init__(self, width, height, x_range, y_range, left=44, bottom=30,
                 top=22, right=12):
        self.width, self.height = width, height
        self.left, self.bottom, self.top = left, bottom, top
        self.right = right
        self.x_range, self.y_range = x_range, y_range

    def x(self, value):
        low, high = map(math.log, self.x_range)
        room = self.width - self.left - self.right
        share = (math.log(value) - low) / (high - low or 1)
        return self.left + room * share

    def y(self, value):
        low, high = map(math.log, self.y_range)
        room = self.height - self.top - self.bottom
        share = (math.log(value) - low) / (high - low or 1)
        return self.height - self.bottom - room * share

    def frame(self, x_ticks, y_ticks, x_label, y_label):
        """Ticks are (value, text)."""
        floor, end = self.height - self.bottom, self.width - self.right
        parts = []
        for value, label in y_ticks:
            parts.append(line(self.left, self.y(value), end, self.y(value),
                              'grid'))
            parts.append(text(self.left - 5, self.y(value) + 3.5, label,
                              'end', 'tick'))
        for value, label in x_ticks:
            parts.append(line(self.x(value), floor, self.x(value), floor + 4,
                              'axis'))
            parts.append(text(self.x(value), floor + 15, label, 'middle',
                              'tick'))
        parts.append(line(self.left, floor, end, floor, 'axis'))
        parts.append(text(end, floor + 27, x_label, 'end', 'tick'))
        parts.append(text(4, self.top - 11, y_label, 'start', 'tick'))
        return parts

    def mark(self, value, label):
        """A vertical line with a label."""
        if not self.x_range[0] < value < self.x_range[1]:
            return []
        x = self.x(value)
        left = x > self.width - self.right - 20  # no room to the right
        return [line(x, self.top, x, self.height - self.bottom, 'mark'),
                text(x - 3 if left else x + 3, self.top + 8, label,
                     'end' if left else 'start', 'tick')]

    def curve(self, points, color, css='', title=''):
        """A curve through (x, y) values. A single point becomes a dot."""
        at = [(self.x(x), self.y(y)) for x, y in points]
        path = ' '.join(f'{num(x)},{num(y)}' for x, y in at)
        parts = [f'<polyline points="{path}" fill="none" stroke="{color}" '
                 f'class="curve {css}"><title>{escape(title)}</title>'
                 '</polyline>']
        if 'dashed' not in css:
            for (x, y), (_, value) in zip(at, points):
                parts.append(
                    f'<circle cx="{num(x)}" cy="{num(y)}" r="2.2" '
                    f'fill="{color}"><title>{escape(title)} {value:.3g}'
                    '</title></circle>')
        return parts


def decades(low, high):
    """The ticks 1, 2, 5, 10, ... within a range."""
    out = []
    power = 10 ** math.floor(math.log10(low))
    while power <= high:
        for digit in (1, 2, 5):
            if low <= digit * power <= high:
                out.append((digit * power, f'{digit * power:g}'))
        power *= 10
    return out if len(out) <= 8 else [t for t in out if t[1][0] == '1']


def label_room(labels):
    """The width to the left of a chart that has these labels there."""
    return 16 + 6.8 * max(map(len, labels), default=0)


def bars(rows, width, limit, unit, row_height=20, reference=None,
         behind_width=110):
    """Horizontal bars. A row is (label, value, color, text after the bar)."""
    label_width = label_room([label for label, *_ in rows])
    room = width - label_width - behind_width
    height = row_height * len(rows) + 8
    parts = []
    for i, (label, value, color, behind) in enumerate(rows):
        y = i * row_height + 4
        length = room * min(value, limit) / limit
        parts.append(text(label_width - 8, y + row_height * 0.65, label,
                          'end', 'label'))
        parts.append(rect(label_width, y + 2, max(length, 1), row_height - 5,
                          color, f'{label}: {behind}'))
        parts.append(text(label_width + length + 6, y + row_height * 0.65,
                          behind, 'start', 'tick'))
    if reference is not None:
        x = label_width + room * reference / limit
        parts.append(line(x, 0, x, height, 'mark'))
    return picture(width, height, parts, unit)

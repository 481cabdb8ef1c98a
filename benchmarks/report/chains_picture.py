# SPDX-License-Identifier: Apache-2.0
"""The picture of chains: a block for each, a bar for each way to compute it."""
from chains import EXP_LOOP, LOOP, STEPS, cells, is_one_step
from picture import ROW, TOP, card, columns
from rows import CHAIN, LIMITS, OURS
from svg import rect, text

SIZE = 65536
WIDTH, LABEL, ROOM = 460, 146, 150
MOST = 8  # times our time: longer bars are cut, so that short ones can be compared

WORDS = {
    'HardSwish': 'scale, shift, hard-swish, scale, shift: 8 operators',
    'MulAddRelu': 'Mul, Add, Relu',
    'SiLU': 'x * sigmoid(x): Mul, Exp, Add, Reciprocal, Mul',
    'GreaterWhere': 'x or x / 2: Mul, Greater, Where',
    'NormTail': 'the end of a normalization: Sub, Mul, Mul, Add',
    'ScaleMaskSoftmax': 'rows of 256: Mul, Add, Softmax',
    'AddLayerNorm': 'rows of 1,024: Add, LayerNormalization',
    'AddRmsNorm': 'rows of 1,024: Add, RMSNormalization',
}
LABELS = {
    OURS: 'lanewise, one call',
    STEPS: 'lanewise, a call each',
    LOOP: 'the compiler\'s loop',
    EXP_LOOP: 'a loop with libmvec',
    'onednn': 'oneDNN',
    'numba': 'Numba',
    'jax': 'JAX',
    'onnxruntime': 'ONNX Runtime',
    'numpy': 'NumPy',
    'numexpr': 'numexpr',
}
COPY = 'a copy'
STYLE = '''<style>.steps { fill: #79b0ea; } .copy { fill: #c9b458; }
@media (prefers-color-scheme: dark) { .steps { fill: #2a5a96; } .copy { fill: #8a7a2e; } }
</style>'''


def drawn(run):
    """The cells that the picture shows: of several operators, float32."""
    found = {c.key.op[len(CHAIN):]: c for c in cells(run)
             if (c.key.type, c.key.n) == ('f32', SIZE)
             and OURS in c.rows and not is_one_step(c)}
    return [found[name] for name in [*WORDS, *sorted(found.keys() - WORDS)] if name in found]


def _css(impl, row, own):
    if impl in (OURS, STEPS):
        return 'ahead' if impl == OURS else 'steps'
    return 'behind' if row.time / own.time < 1 - row.noise - own.noise else 'level'


def bars(cell):
    """[(label, row, class)]; of the two copies, the faster."""
    own = cell.rows[OURS]
    found = [(label, cell.rows[impl], _css(impl, cell.rows[impl], own))
             for impl, label in LABELS.items() if impl in cell.rows]
    copies = [cell.rows[impl] for impl in LIMITS if impl in cell.rows]
    return found + [(COPY, row, 'copy')
                    for row in sorted(copies, key=lambda r: r.time)[:1]]


def _block(rows, left, y):
    parts, own = [], rows[0][1]
    for label, row, css in rows:
        ratio = row.time / own.time
        length = ROOM * min(ratio, MOST) / MOST
        parts += [text(left - 7, y + 12, label, 'end'),
                  rect(left, y + 3, length, ROW - 5, css=css),
                  text(left + length + 6, y + 12,
                       f'{ratio:.2f}x, {row.time / SIZE:.3f} ns', 'start', 'tick')]
        y += ROW
    return parts


def make_picture(run):
    """Bars: the time of each way over that of one call of ours; '' without chains."""
    halves = columns([(c.key.op[len(CHAIN):], bars(c)) for c in drawn(run)])
    if not halves:
        return ''
    parts, lowest = [], 0
    for i, blocks in enumerate(halves):
        left, y = i * WIDTH + 14 + LABEL, TOP - 6
        for name, rows in blocks:
            parts.append(text(left - LABEL, y + 13, WORDS.get(name, name), 'start', 'head'))
            parts += _block(rows, left, y + ROW)
            y += ROW * (len(rows) + 1.5)
        lowest = max(lowest, y)
    title = (f'Chains of float32: time of an element, n = {SIZE:,}, one thread: '
             'shorter is better')
    below = ['Times of one call of lanewise, and ns. Orange: faster than lanewise beyond '
             f'noise. Bars end at {MOST}x.', run.machine]
    parts += [text(14, lowest + 12 + 17 * i, words, 'start', 'tick')
              for i, words in enumerate(below)]
    return card(WIDTH * 2, lowest + 42, title, parts, STYLE)

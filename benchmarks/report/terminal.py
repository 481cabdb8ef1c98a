# SPDX-License-Identifier: Apache-2.0
"""The report as text."""
import sys

import roofline
import whole_models
from goals import figures
from provider import SOURCES, print_provider, print_rows, source
from rows import short_count
from summary import forced_isas, judged_cells, scaling, standings


def _colors():
    if not sys.stdout.isatty():
        return {'good': '', 'bad': '', 'dim': '', 'bold': '', 'end': ''}
    return {'good': '\033[32m', 'bad': '\033[31m', 'dim': '\033[2m',
            'bold': '\033[1m', 'end': '\033[0m'}


def _number(value):
    """A number with three significant digits."""
    if value is None:
        return '-'
    return f'{value:.3f}' if value < 1 else f'{value:.3g}'


def _duel(run, cell, duel, color):
    """A line for one of our APIs and the peers that are called like the API."""
    n, api, peer = cell.key.n, duel.api, duel.peer
    line = (f'{api.impl:<8} {_number(api.time / n):>8} '
            f'{api.bandwidth:>6.1f} {roofline.share_text(run, cell, api):>7} '
            f'{100 * api.noise:>4.0f}%')
    if peer is not None:
        mark = 'good' if duel.ratio >= 1 else 'bad'
        counts = '*' if len(cell.duels) > 1 and duel == cell.duel else ' '
        line += (f'   {peer.impl:<13} {_number(peer.time / n):>8} '
                 f'{color[mark]}{duel.ratio:>6.2f}{color["end"]}{counts}')
    loose = [r for r in cell.peers(loose=True)
             if r.loose and cell.api(r) is api and r.time < api.time]
    if loose:
        line += '  ' if peer is not None else 42 * ' '
        line += (f'{loose[0].impl} {cell.against(loose[0]):.2f} '
                 f'({loose[0].loose})')
    return line


def print_cells(run):
    color = _colors()
    header = (f'{"n":>6} {"thr":>3} {"API":<8} {"ns/elem":>8} {"GB/s":>6} '
              f'{"of copy":>7} {"noise":>5}   {"fastest peer":<13} '
              f'{"ns/elem":>8} {"ratio":>6}   faster but loose')
    group = ''
    for key, cell in run.cells.items():
        if key.op == 'Copy' or cell.ours is None:
            continue
        if key.group != group:
            group = key.group
            print(f'\n{color["bold"]}{group}{color["end"]}')
            print(color['dim'] + header + color['end'])
        for duel in cell.duels:
            print(f'{short_count(key.n):>6} {key.threads:>3} '
                  + _duel(run, cell, duel, color))


def print_copies(run):
    rows = roofline.table(run)
    if rows:
        print('\nThe limit: copies of f32 in this run, GB/s read plus written, '
              'with plain stores and\nwith stores that bypass the caches. The '
              'caches are those of one core, as the machine\nreports them.')
    for name, *values in rows:
        print(f'  {name:<18}' + ''.join(f' {v:>8}' for v in values))


def print_isas(run):
    """Prints the times of forced instruction sets over the time of the best."""
    n, isas, cells = forced_isas(run)
    if not isas:
        return
    print(f'\nTime over the time on {run.own("isa")}, one thread, same, '
          f'n = {short_count(n)}')
    print(' ' * 24 + ''.join(f'{i.split("@")[1]:>12}' for i in isas))
    for cell in cells:
        line = ''.join(
            f'{cell.rows[i].time / cell.ours.time:>12.2f}'
            if i in cell.rows else 12 * ' ' for i in isas)
        print(f'{cell.key.op + "/" + cell.key.type:<24}{line}')


def _print_standing(title, cells, mark):
    color = _colors()
    if cells:
        print(f'\n{title}, worst first:')
    for cell in cells[:10]:
        duel = cell.duel
        print(f'  {color[mark]}{duel.ratio:5.2f}{color["end"]}  noise '
              f'{100 * duel.noise:3.0f} %  {cell.key.group} n:{cell.key.n}  '
              f'{duel.api.impl} against {duel.peer.impl}')
    if len(cells) > 10:
        print(f'  and {len(cells) - 10} more')


def print_models(run):
    found = whole_models.tables(run, most=5)
    if found:
        print('\nWhole models in ONNX Runtime, with the provider and without, in '
              f'turns: medians; lanewise\nis {SOURCES[source(run)]}. Elementwise: the share of the time without. '
              'Difference: of the answers, in steps of the '
              'type. Noise: of two sessions without')
    for title, rows in found:
        print(f'\n{title}')
        print_rows(rows)


def print_report(run, library):
    color = _colors()
    # A mean over fewer peers is another mean: the reader must know at once.
    if run.own('absent'):
        print(f'{color["bad"]}Absent peers:{color["end"]} {run.own("absent")}')
    print_cells(run)
    print_copies(run)
    print_isas(run)
    print_provider(run)
    print_models(run)
    print(f'\n{run.machine}; {run.date}')
    print('Peers: ' + run.own('peers', 'none'))
    if run.own('quick') == 'yes':
        print('A quick run: not all operators, types, sizes and patterns. '
              '--filter without --quick\nmeasures one operator in full; the run '
              'without both measures everything, in hours')
    for name, (ours, copy, _) in scaling(run).items():
        against = '' if copy is None else f', the copy {copy:.2f}x'
        print(f'{run.max_threads()} threads, {name} at 16 Mi: {ours:.2f}x'
              f'{against}')
    _, level, behind = standings(judged_cells(run))
    _print_standing('Slower than a peer', behind, 'bad')
    _print_standing('Level within the noise of both', level, 'dim')
    print()
    for figure in figures(run, library):
        mark = {None: '     ', True: color['good'] + ' met ' + color['end'],
                False: color['bad'] + ' MISS' + color['end']}[figure.met]
        bar = f'  ({figure.bar})' if figure.bar else ''
        print(f'{mark} {figure.title}: {figure.text}{bar}')

# SPDX-License-Identifier: Apache-2.0
"""The report as text."""
import sys

from rows import LIMITS, short_count
from summary import figures, forced_isas, lost_cells, scaling


def _colors():
    if not sys.stdout.isatty():
        return {'good': '', 'bad': '', 'dim': '', 'bold': '', 'end': ''}
    return {'good': '\033[32m', 'bad': '\033[31m', 'dim': '\033[2m',
            'bold': '\033[1m', 'end': '\033[0m'}


def _number(value):
    """Three digits that matter."""
    if value is None:
        return '-'
    return f'{value:.3f}' if value < 1 else f'{value:.3g}'


def print_cells(run):
    color = _colors()
    header = (f'{"n":>6} {"thr":>3} {"ns/elem":>8} {"GB/s":>6} {"of copy":>7} '
              f'{"noise":>5}   {"fastest peer":<13} {"ns/elem":>8} '
              f'{"ratio":>6}   faster but loose')
    group = ''
    for key, cell in run.cells.items():
        if key.op == 'Copy' or cell.ours is None:
            continue
        if key.group != group:
            group = key.group
            print(f'\n{color["bold"]}{group}{color["end"]}')
            print(color['dim'] + header + color['end'])
        ours = cell.ours
        share = '-' if cell.share is None else f'{100 * cell.share:.0f} %'
        line = (f'{short_count(key.n):>6} {key.threads:>3} '
                f'{_number(ours.time / key.n):>8} {ours.bandwidth:>6.1f} '
                f'{share:>7} {100 * ours.noise:>4.0f}%')
        best = cell.best_peer
        if best is not None:
            mark = 'good' if cell.ratio >= 1 else 'bad'
            line += (f'   {best.impl:<13} {_number(best.time / key.n):>8} '
                     f'{color[mark]}{cell.ratio:>6.2f}{color["end"]}')
        loose = [r for r in cell.peers(loose=True)
                 if r.loose and r.time < ours.time]
        if loose:
            line += '   ' if best is not None else 42 * ' '
            line += (f'{loose[0].impl} {loose[0].time / ours.time:.2f} '
                     f'({loose[0].loose})')
        print(line)


def print_copies(run):
    sizes = sorted({k.n for k in run.cells if k.op == 'Copy'})
    if not sizes:
        return
    print('\nThe limit: copying f32, GB/s read plus written')
    for threads in sorted({k.threads for k in run.cells}):
        for name in LIMITS:
            line = ''
            for n in sizes:
                found = [c.rows[name].bandwidth for k, c in run.cells.items()
                         if k.op == 'Copy' and (k.n, k.threads) == (n, threads)
                         and name in c.rows]
                line += f' {found[0]:>7.1f}' if found else 8 * ' '
            print(f'  {name:<6} {threads} thr {line}')
    print('  n' + 12 * ' ' + ''.join(f' {short_count(n):>7}' for n in sizes))


def print_isas(run):
    """Forced instruction sets: their time over the best one's."""
    n, isas, cells = forced_isas(run)
    if not isas:
        return
    print(f'\nTime over that of {run.own("isa")}, one thread, same, '
          f'n = {short_count(n)}')
    print(' ' * 24 + ''.join(f'{i.split("@")[1]:>12}' for i in isas))
    for cell in cells:
        line = ''.join(
            f'{cell.rows[i].time / cell.ours.time:>12.2f}'
            if i in cell.rows else 12 * ' ' for i in isas)
        print(f'{cell.key.op + "/" + cell.key.type:<24}{line}')


def print_report(run, library):
    color = _colors()
    print_cells(run)
    print_copies(run)
    print_isas(run)
    print(f'\n{run.own("cpu")}, {run.own("isa")}, lanewise '
          f'{run.own("version")}, {run.context.get("date", "")}')
    print('Peers: ' + run.own('peers', 'none'))
    if run.own('absent'):
        print('Absent: ' + run.own('absent'))
    for name, (threads, ours, copy) in scaling(run).items():
        against = '' if copy is None else f', the copy {copy:.2f}x'
        print(f'{threads} threads, {name} at 16 Mi: {ours:.2f}x{against}')
    lost = lost_cells(run)
    if lost:
        print('\nSlower than a peer, worst first:')
    for cell in lost[:10]:
        print(f'  {color["bad"]}{cell.ratio:5.2f}{color["end"]}  '
              f'{cell.key.group} n:{cell.key.n}  {cell.best_peer.impl}')
    if len(lost) > 10:
        print(f'  and {len(lost) - 10} more')
    print()
    for figure in figures(run, library):
        mark = {None: '     ', True: color['good'] + ' met ' + color['end'],
                False: color['bad'] + ' MISS' + color['end']}[figure.met]
        bar = f'  ({figure.bar})' if figure.bar else ''
        print(f'{mark} {figure.title}: {figure.text}{bar}')

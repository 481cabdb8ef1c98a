#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds this machine's tuning values and writes them as a tuning file.

Each value is found by measuring candidates side by side in one cell of the
benchmark program. What is gained is then measured on sizes in between.
"""
import argparse
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True

from rows import OURS, Run, geometric_mean, short_bytes  # noqa: E402

# Which kernel stands for a work class, as far as its operators are there.
PREFERRED = {'memory': 'Relu', 'division': 'Div', 'transcendental': 'Exp'}
NEVER = 1 << 46
ALWAYS = 1
# Less than this is not worth leaving the built-in value.
WORTH = 1.03
STREAM_SIZES = [1 << k for k in range(18, 25)]
SERIAL_SIZES = [1 << k for k in range(12, 21)]
CHUNK_SIZES = [1 << 21, 1 << 22, 1 << 23]
CHUNKS = [1 << k for k in range(16, 22)]
# Sizes that nothing was tuned on.
CHECK_SIZES = [24_000, 90_000, 350_000, 1_400_000, 5_600_000, 11_000_000]


class Bench:
    """The benchmark program, and the tuning files of its candidates."""

    def __init__(self, build, quick, folder):
        self.program = os.path.join(build, 'benchmarks', 'lanewise_benchmarks')
        self.folder = folder
        self.effort = (['--repetitions=5', '--min-time=0.003'] if quick else
                       ['--repetitions=9', '--min-time=0.01'])
        self.context = {}
        self.header = ''

    def look(self):
        """A tiny run, for what the program says of the machine."""
        self.measure({}, 'Relu', [64], 1)
        context = self.context
        self.header = (f'[cpu="{context["lanewise_cpu"]}" '
                       f'isa={context["lanewise_isa"]} '
                       f'version={context["lanewise_version"]}]')

    def write(self, path, values):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(self.header + '\n')
            for key, value in values.items():
                file.write(f'{key} {value}\n')
        return path

    def measure(self, candidates, ops, sizes, threads, types='f32'):
        """Runs the cells with each candidate {name: values} beside the default.

        Returns {(op, n): {name: median ns}} and the bytes {(op, n): bytes}.
        """
        files = [self.write(os.path.join(self.folder, name + '.txt'), values)
                 for name, values in candidates.items()]
        out = os.path.join(self.folder, 'tune.json')
        command = [self.program, '--no-peers', f'--json={out}',
                   f'--threads={threads}',
                   '--sizes=' + ','.join(map(str, sizes)),
                   f'--filter=^({ops})/({types})/same/{OURS}']
        if files:
            command.append('--tunings=' + ','.join(files))
        environment = {k: v for k, v in os.environ.items()
                       if k != 'LANEWISE_TUNING'}
        done = subprocess.run(command + self.effort, env=environment,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 3):
            sys.exit(f'tune: {" ".join(command)}\n{done.stderr}')
        run = Run(out)
        self.context = run.context
        times, moved = {}, {}
        for key, cell in run.cells.items():
            times[key.op, key.n] = {
                impl.removeprefix(OURS).removeprefix('+') or 'default': row.time
                for impl, row in cell.rows.items()}
            moved[key.op, key.n] = cell.ours.bytes
        return times, moved


def crossing(times, moved, op, low, high):
    """The bytes from which `high` beats `low` for good; None if never."""
    points = sorted((n for o, n in times if o == op))
    for i, n in enumerate(points):
        gains = [times[op, m][low] / times[op, m][high] for m in points[i:]]
        if gains[0] > WORTH and min(gains) > 0.97:
            if i == 0:
                return moved[op, n]
            # Between the last size that lost and the first that won.
            return (moved[op, points[i - 1]] * moved[op, n]) ** 0.5
    return None


def rounded(value):
    """A round number of KiB."""
    return max(1, round(value / 1024)) * 1024


def tune_streams(bench, op, threads):
    say(f'streaming stores, {op}, threads: {threads}')
    times, moved = bench.measure(
        {'never': {'stream_bytes': NEVER}, 'always': {'stream_bytes': ALWAYS}},
        op, STREAM_SIZES, threads)
    return crossing(times, moved, op, 'never', 'always')


def tune_serial(bench, work, op, threads):
    say(f'where threads pay, {op}')
    chunk = 64 * 1024
    times, moved = bench.measure(
        {'serial': {f'{work}.serial_bytes': NEVER},
         'parallel': {f'{work}.serial_bytes': ALWAYS,
                      f'{work}.chunk_bytes': chunk}},
        op, SERIAL_SIZES, threads)
    return crossing(times, moved, op, 'serial', 'parallel')


def tune_chunk(bench, work, op, threads, base):
    say(f'chunk size, {op}')
    candidates = {str(size): {**base, f'{work}.chunk_bytes': size}
                  for size in CHUNKS}
    times, _ = bench.measure(candidates, op, CHUNK_SIZES, threads)
    gains = {name: geometric_mean(t['default'] / t[name]
                                  for t in times.values() if name in t)
             for name in candidates}
    best = max(gains, key=gains.get)
    return int(best) if gains[best] > WORTH else None


def say(text):
    print('tune: ' + text, flush=True)


def show(bench, found, threads):
    """Measures the found values on sizes they were not found on."""
    say('checking on other sizes')
    worth = False
    for count in dict.fromkeys((1, threads)):
        ops = '|'.join(PREFERRED.values())
        times, _ = bench.measure({'tuned': found}, ops, CHECK_SIZES, count)
        print(f'\n{count} thread(s), built-in time over tuned time')
        print(f'{"":<8}' + ''.join(f'{n:>12,}' for n in CHECK_SIZES))
        gains = []
        for op in dict.fromkeys(o for o, _ in times):
            line = f'{op:<8}'
            for n in CHECK_SIZES:
                pair = times[op, n]
                gains.append(pair['default'] / pair['tuned'])
                line += f'{gains[-1]:>12.2f}'
            print(line)
        mean = geometric_mean(gains)
        worth |= mean > 1.005
        print(f'geometric mean {mean:.3f}, least {min(gains):.2f}')
    return worth


def main():
    parser = argparse.ArgumentParser(prog='scripts/tune', description=__doc__)
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--quick', action='store_true',
                        help='fewer repetitions, about 2 minutes')
    parser.add_argument('--output', metavar='FILE', default='lanewise.tuning',
                        help='replaced if it exists; default %(default)s')
    options = parser.parse_args()
    threads = os.cpu_count() or 1

    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.build, options.quick, folder)
        bench.look()
        works = dict(pair.split('=')
                     for pair in bench.context['lanewise_work'].split())
        classes = {w: op for w, op in PREFERRED.items() if works.get(op) == w}
        found, notes = {}, []

        # One value for all: where it pays for one thread and for all of them.
        at = [tune_streams(bench, classes['memory'], count)
              for count in dict.fromkeys((1, threads))]
        if None not in at:
            found['stream_bytes'] = rounded(max(at))
        else:
            # Nowhere up to the largest size that was tried, on some count.
            notes.append('stream_bytes: no size up to '
                         f'{short_bytes(8 * STREAM_SIZES[-1])} gains for good;'
                         ' built-in value kept')
        for work, op in classes.items():
            if threads == 1:
                notes.append('one thread: nothing to tune for more')
                break
            value = tune_serial(bench, work, op, threads)
            if value is None:
                notes.append(f'{work}.serial_bytes: threads gain nothing up to '
                             f'{SERIAL_SIZES[-1]:,} elements; kept')
            else:
                found[f'{work}.serial_bytes'] = rounded(value)
            chunk = tune_chunk(bench, work, op, threads, dict(found))
            if chunk is None:
                notes.append(f'{work}.chunk_bytes: no size gains '
                             f'{WORTH - 1:.0%}; kept')
            else:
                found[f'{work}.chunk_bytes'] = chunk

        print()
        for key, value in found.items():
            print(f'{key:<30} {value:>12}  ({short_bytes(value)})')
        for note in notes:
            print(note)
        if not found:
            say('the built-in values are as good; nothing written')
            return 0
        worth = show(bench, found, threads)
        bench.write(options.output, found)
        print(f'\n{options.output}: use it by LANEWISE_TUNING='
              f'{os.path.abspath(options.output)}')
        if not worth:
            say('it gains nothing on other sizes: better not use it')
        return 0


if __name__ == '__main__':
    sys.exit(main())

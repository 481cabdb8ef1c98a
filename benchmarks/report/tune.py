#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds this machine's tuning values and writes them into a tuning file.

To find a value, this program measures candidates side by side in one cell of
the benchmark program. Then it measures the gain on other sizes.
"""
import argparse
import math
import os
import subprocess
import sys
import tempfile
from typing import NamedTuple

sys.dont_write_bytecode = True

from rows import (OURS, Run, geometric_mean, short_bytes,  # noqa: E402
                  short_count)

# The kernel that represents a work class, if the build contains its operator.
PREFERRED = {'memory': 'Relu', 'division': 'Div', 'transcendental': 'Exp'}
NEVER = 1 << 46
ALWAYS = 1
# A smaller gain is not worth a change of the built-in value.
WORTH = 1.03
STREAM_SIZES = [1 << k for k in range(17, 25)]
SERIAL_SIZES = [1 << k for k in range(12, 21)]
# These include small sizes, and none is a multiple of a chunk: at such sizes,
# large chunks leave threads without work.
CHUNK_SIZES = [150_000, 400_000, 1_000_000, 3_000_000, 8_000_000]
CHUNKS = [1 << k for k in range(16, 22)]
# Sizes that are not used for tuning.
CHECK_SIZES = [24_000, 90_000, 350_000, 1_400_000, 5_600_000, 11_000_000]


class Point(NamedTuple):
    """A size, and the times of a call below and above a threshold."""
    bytes: int
    below: float
    above: float


class Bench:
    """The benchmark program, and the tuning files of the candidates."""

    def __init__(self, build, quick, folder):
        self.program = os.path.join(build, 'benchmarks', 'lanewise_benchmarks')
        self.folder = folder
        self.effort = (['--repetitions=5', '--min-time=0.003'] if quick else
                       ['--repetitions=9', '--min-time=0.01'])
        # A tiny run: the program describes the machine in its JSON.
        run = self.measure({}, 'Relu', [64], 1)
        self.header = (f'[cpu="{run.own("cpu")}" isa={run.own("isa")} '
                       f'version={run.own("version")}]')
        self.built_in = {key: int(value) for key, value in (
            pair.split('=') for pair in run.own('built_in').split())}
        works = dict(pair.split('=') for pair in run.own('work').split())
        self.classes = {work: op for work, op in PREFERRED.items()
                        if works.get(op) == work}

    def write(self, path, values):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(self.header + '\n')
            for key, value in values.items():
                file.write(f'{key} {value}\n')
        return path

    def measure(self, candidates, ops, sizes, threads):
        """Runs the cells with the default values and with each candidate.

        `candidates` is {name: values}; the rows of a candidate are
        lanewise+name.
        """
        files = [self.write(os.path.join(self.folder, name + '.txt'), values)
                 for name, values in candidates.items()]
        out = os.path.join(self.folder, 'tune.json')
        command = [self.program, '--no-peers', '--read-after',
                   f'--json={out}',
                   f'--threads={threads}',
                   '--sizes=' + ','.join(map(str, sizes)),
                   f'--filter=^({ops})/f32/same/{OURS}']
        if files:
            command.append('--tunings=' + ','.join(files))
        environment = {k: v for k, v in os.environ.items()
                       if k != 'LANEWISE_TUNING'}
        done = subprocess.run(command + self.effort, env=environment,
                              stderr=subprocess.PIPE, text=True)
        if done.returncode not in (0, 3):
            sys.exit(f'tune: {" ".join(command)}\n{done.stderr}')
        return Run(out)

    def points(self, what, op, sizes, threads, below, above):
        """A Point for each size. Prints the gains."""
        run = self.measure({'below': below, 'above': above}, op, sizes,
                           threads)
        points = [Point(cell.ours.bytes, cell.rows[OURS + '+below'].time,
                        cell.rows[OURS + '+above'].time)
                  for cell in run.select()]
        say(f'{what}, {op}, {threads} thread(s), gain by size: '
            + '  '.join(f'{short_bytes(p.bytes)} {p.below / p.above:.2f}'
                        for p in points))
        return points


def crossing(points):
    """The threshold, in bytes, that is best for all points together."""
    points = sorted(points)
    sizes = [p.bytes for p in points]
    gains = [math.log(p.below / p.above) for p in points]
    first = max(range(len(points) + 1), key=lambda i: sum(gains[i:]))
    if first == len(points):
        return sizes[-1]  # nothing larger was measured
    # Between the last size that lost and the first size that won.
    before = sizes[first - 1] if first else sizes[0] / 2
    return max(1, round((before * sizes[first]) ** 0.5 / 1024)) * 1024


def gained(points, old, new):
    """The mean gain of the points between the old and the new threshold."""
    low, high = sorted((old, new))
    gains = [p.below / p.above for p in points if low < p.bytes <= high]
    gain = geometric_mean(gains) or 1
    return gain if new < old else 1 / gain


def tune_streams(bench, work, op, threads, change):
    """Finds the size from which streaming stores pay, although the output is
    read next."""
    keys = {1: f'{work}.stream_bytes'}
    if threads > 1:
        keys[threads] = f'{work}.stream_parallel_bytes'
    for count, key in keys.items():
        points = bench.points('streaming stores', op, STREAM_SIZES, count,
                              {key: NEVER}, {key: ALWAYS})
        new = crossing(points)
        change(key, new, gained(points, bench.built_in[key], new))


def tune_threads(bench, work, op, threads, found, change):
    """Finds the size from which threads pay, then the size of each chunk."""
    key, chunk = f'{work}.serial_bytes', f'{work}.chunk_bytes'
    points = bench.points('threads', op, SERIAL_SIZES, threads, {key: NEVER},
                          {key: ALWAYS, chunk: 64 * 1024})
    new = crossing(points)
    change(key, new, gained(points, bench.built_in[key], new))

    candidates = {str(size): {**found, chunk: size} for size in CHUNKS}
    run = bench.measure(candidates, op, CHUNK_SIZES, threads)
    gains = {size: geometric_mean(
        cell.ours.time / cell.rows[f'{OURS}+{size}'].time
        for cell in run.select()) for size in CHUNKS}
    say(f'chunks, {op}, {threads} thread(s), gain by size: '
        + '  '.join(f'{short_bytes(s)} {g:.2f}' for s, g in gains.items()))
    best = max(gains, key=gains.get)
    change(chunk, best, gains[best])


def say(text):
    print('tune: ' + text, flush=True)


def check(bench, found, threads):
    """Measures the found values on sizes that were not used for tuning.

    Returns {op: gain}, and whether the mean gain is more than noise.
    """
    say('checking on sizes that were not used for tuning')
    gains, noises = {}, []
    for count in dict.fromkeys((1, threads)):
        run = bench.measure({'tuned': found}, '|'.join(bench.classes.values()),
                            CHECK_SIZES, count)
        print(f'{count} thread(s): time with the built-in values over time '
              f'with the found values\n{"":<8}'
              + ''.join(f'{short_count(n):>12}' for n in CHECK_SIZES))
        lines = {}
        for cell in run.select():
            tuned = cell.rows[OURS + '+tuned']
            gain = cell.ours.time / tuned.time
            gains.setdefault(cell.key.op, []).append(gain)
            noises.append(cell.ours.noise + tuned.noise)
            lines[cell.key.op] = lines.get(
                cell.key.op, f'{cell.key.op:<8}') + f'{gain:>12.2f}'
        print('\n'.join(lines.values()))
    every = sum(gains.values(), [])
    mean, noise = geometric_mean(every), sum(noises) / len(noises)
    print(f'geometric mean {mean:.3f}, least {min(every):.2f}; the noise of '
          f'one number is {100 * noise:.0f} %\n')
    return ({op: geometric_mean(g) for op, g in gains.items()},
            mean - 1 > noise / math.sqrt(len(every)))


def confirmed(bench, found, threads):
    """`found` without the work classes that lose on other sizes; {} if nothing
    gains."""
    while found:
        means, worth = check(bench, found, threads)
        losers = [work for work, op in bench.classes.items() if means[op] < 1
                  and any(key.startswith(work + '.') for key in found)]
        if not losers:
            return found if worth else {}
        for work in losers:
            say(f'{work}: slower on these sizes, so the built-in values stay')
            found = {key: value for key, value in found.items()
                     if not key.startswith(work + '.')}
    return found


def main():
    parser = argparse.ArgumentParser(prog='scripts/tune', description=__doc__)
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--quick', action='store_true',
                        help='fewer repetitions, about a minute')
    parser.add_argument('--output', metavar='FILE', default='lanewise.tuning',
                        help='written or replaced; default %(default)s')
    options = parser.parse_args()
    threads = os.cpu_count() or 1

    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.build, options.quick, folder)
        found, told = {}, []

        def change(key, new, gain):
            old = bench.built_in[key]
            if gain <= WORTH:
                told.append(f'{key:<30} {short_bytes(old):>8}, kept')
                return
            found[key] = new
            told.append(f'{key:<30} {short_bytes(new):>8}, was '
                        f'{short_bytes(old)}: gains {100 * (gain - 1):.0f} % '
                        'where the two values differ')

        for work, op in bench.classes.items():
            tune_streams(bench, work, op, threads, change)
            if threads > 1:
                tune_threads(bench, work, op, threads, found, change)
        print('\n' + '\n'.join(told) + '\n')
        found = confirmed(bench, found, threads)
        if not found:
            say('the built-in values are as good; no file is written')
            return 0
        bench.write(options.output, found)
        print(f'{options.output}: to use this file, set LANEWISE_TUNING='
              f'{os.path.abspath(options.output)}')
        return 0


if __name__ == '__main__':
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures and reports. scripts/bench runs this program after the build."""
import argparse
import os
import subprocess
import sys

sys.dont_write_bytecode = True

from against import print_changes  # noqa: E402
from library import build_seconds, library_figures  # noqa: E402
from page import make_page  # noqa: E402
from readme import make_picture, make_table  # noqa: E402
from rows import Run  # noqa: E402
from terminal import print_report  # noqa: E402

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))


def parse():
    parser = argparse.ArgumentParser(
        prog='scripts/bench',
        description='Measures every kernel against its peers on this machine. '
        'Names: <Op>/<dtype>/<pattern>/<impl>/n:<elements>/threads:<t>',
        epilog='Other arguments go to the benchmark program: --sizes=2048, '
        '--repetitions=9, --min-time=0.05, --list, --benchmark_...')
    parser.add_argument('--build', required=True, help=argparse.SUPPRESS)
    parser.add_argument('--quick', action='store_true',
                        help='fewer sizes and patterns')
    parser.add_argument('--filter', metavar='REGEX',
                        help='measure only the names that match')
    parser.add_argument('--threads', metavar='LIST',
                        help='such as 1,4,all; default 1,all')
    parser.add_argument('--isa', metavar='LIST',
                        help='also measure these instruction sets: AVX2,SSE4, '
                        'or all')
    parser.add_argument('--no-peers', action='store_true',
                        help='measure only lanewise and the machine\'s limits')
    parser.add_argument('--whole', action='store_true',
                        help='also measure how long a build from scratch '
                        'takes; the default without --quick and --filter')
    parser.add_argument('--json', metavar='FILE',
                        help='results in Google Benchmark\'s format; default '
                        '<build>/bench.json')
    parser.add_argument('--html', metavar='FILE',
                        help='one page with plots; default <build>/bench.html')
    parser.add_argument('--svg', metavar='FILE',
                        help='write a picture: lanewise and the fastest peers')
    parser.add_argument('--markdown', metavar='FILE',
                        help='write a table: the operators and the goals')
    parser.add_argument('--against', metavar='OLD.json',
                        help='print what changed since that run')
    parser.add_argument('--report', metavar='FILE.json',
                        help='measure nothing and report that run')
    return parser.parse_known_args()


def measure(options, rest):
    """Runs the benchmark program; returns its exit code."""
    command = [os.path.join(options.build, 'benchmarks', 'lanewise_benchmarks'),
               f'--json={options.json}']
    command += ['--quick'] if options.quick else []
    command += ['--no-peers'] if options.no_peers else []
    for name in ('filter', 'threads', 'isa'):
        if getattr(options, name):
            command.append(f'--{name}={getattr(options, name)}')
    if options.whole or not (options.quick or options.filter
                             or '--list' in rest):
        print('bench: building the library from scratch', flush=True)
        seconds = build_seconds(SOURCE)
        command.append(
            f'--benchmark_context=lanewise_build_seconds={seconds:.1f}')
    return subprocess.call(command + rest)


def main():
    options, rest = parse()
    options.json = options.json or os.path.join(options.build, 'bench.json')
    options.html = options.html or os.path.join(options.build, 'bench.html')
    old = Run(options.against) if options.against else None  # fail early
    code = 0
    if options.report:
        options.json = options.report
    else:
        code = measure(options, rest)
        # 3: an answer was wrong and not timed. The program has printed which.
        if code not in (0, 3) or '--list' in rest:
            return code
    run = Run(options.json)
    library = library_figures(run, options.build)
    print_report(run, library)
    files = [(options.html, make_page), (options.svg, make_picture),
             (options.markdown, make_table)]
    files = [(name, make) for name, make in files if name]
    for name, make in files:
        with open(name, 'w', encoding='utf-8') as file:
            file.write(make(run, library))
    if old is not None:
        print_changes(old, run)
    print('\n' + '\n'.join([options.json] + [name for name, _ in files]))
    return code


if __name__ == '__main__':
    sys.exit(main())

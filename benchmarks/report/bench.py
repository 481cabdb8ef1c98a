#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures and reports. scripts/bench runs this program after the build."""
import argparse
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True

from against import print_changes  # noqa: E402
from cpus import own_numbers  # noqa: E402
from documents import (MODELS, RESULTS, machines_table,  # noqa: E402
                       write_documents)
from goals import goals  # noqa: E402
from kept import keep_medians  # noqa: E402
from library import build_seconds, library_figures  # noqa: E402
from machines import make_comparison  # noqa: E402
from markdown import make_markdown  # noqa: E402
from page import make_page  # noqa: E402
from picture import make_picture  # noqa: E402
from provider import keep_gains, source  # noqa: E402
from rows import Run  # noqa: E402
from terminal import print_report  # noqa: E402
from whole_models import keep_models  # noqa: E402

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
                        help='operators of each kind and all chains, in '
                        'fewer types, sizes and patterns: measuring takes at '
                        'most 8 minutes on two cores, in addition to set-up and '
                        'build. The other operators: --filter without --quick, '
                        'or the full run, which takes hours')
    parser.add_argument('--filter', metavar='REGEX',
                        help='measure only the names that match')
    parser.add_argument('--threads', metavar='LIST',
                        help='such as 1,4,all; default 1,all')
    parser.add_argument('--isa', metavar='LIST',
                        help='also measure these instruction sets: AVX2,SSE4, '
                        'or all')
    parser.add_argument('--no-peers', action='store_true',
                        help='measure only lanewise and the machine\'s limits')
    parser.add_argument('--provider', action='store_true',
                        help='measure the execution provider: all types of '
                        'every operator, reductions alone, and models; keep the ratios of '
                        'the wheel in benchmarks/results/onnxruntime')
    parser.add_argument('--models', metavar='MODEL', nargs='*',
                        help='time whole models with the execution provider and '
                        'without: all, or those named; FILE.onnx:1x3x48x320 is '
                        'any model with one input')
    parser.add_argument('--tree', action='store_true',
                        help='in ONNX Runtime, measure the library that is built '
                        'in the tree instead of the wheel that users install; '
                        'such results are not kept')
    parser.add_argument('--wheel', metavar='PYTHON', help=argparse.SUPPRESS)
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
                        help='write a page: the operators, the goals, and the '
                        'cells where a peer is clearly faster')
    parser.add_argument('--against', metavar='OLD.json',
                        help='print what changed since that run')
    parser.add_argument('--keep', action='store_true',
                        help='keep the medians in benchmarks/results, write '
                        'this machine\'s page there, and README\'s table; with '
                        '--filter, the other kept cells of this CPU stay')
    parser.add_argument('--report', metavar='FILE.json', nargs='+',
                        help='measure nothing and report that run; of several '
                        'runs or kept results, one page that compares '
                        'machines')
    parser.add_argument('--readme', action='store_true',
                        help='measure nothing and write README\'s table and '
                        'the machines\' pages from benchmarks/results')
    return parser.parse_known_args()


def measure(options, rest):
    """Measures all that is asked for; returns the exit code."""
    if options.models is not None:
        return measure_inside(options, 'time_models.py', options.json, *options.models)
    partial = options.quick or options.filter or '--list' in rest
    command = [os.path.join(options.build, 'benchmarks', 'lanewise_benchmarks')]
    for name, value in (('cpu_numbers', own_numbers()),
                        ('as', os.environ.get('LANEWISE_MAX_ISA')),
                        ('provider', 'wheel' if options.wheel else 'tree')):
        if value:
            command.append(f'--benchmark_context=lanewise_{name}={value}')
    for name in ('threads', 'isa'):
        if getattr(options, name):
            command.append(f'--{name}={getattr(options, name)}')
    # The rows inside ONNX Runtime of the cells that match the user's filter.
    inside = command + ['--provider',
                        f'--filter=^(?=.*(?:{options.filter or ""}))'
                        r'.*/(onnxruntime|ort\+\w+)/']
    command += ['--quick'] if options.quick else []
    command += ['--no-peers'] if options.no_peers else []
    command += [f'--filter={options.filter}'] if options.filter else []
    if options.whole or not (partial or options.provider):
        print('bench: building the library from scratch', flush=True)
        seconds = build_seconds(SOURCE)
        command.append(
            f'--benchmark_context=lanewise_build_seconds={seconds:.1f}')
    environment = dict(os.environ)
    if options.wheel:  # the program's own library is that of the tree
        environment['LANEWISE_ORT_LIBRARY'] = installed(options.wheel)
    code = subprocess.call((inside if options.provider else command)
                           + [f'--json={options.json}'] + rest, env=environment)
    # Reductions alone know the filter, but neither sizes nor threads.
    restricted = options.quick or options.threads or any(
        word.startswith(('--sizes', '--list')) for word in rest)
    reductions = not restricted and (options.provider or not options.filter)
    if code == 1 and reductions and options.filter:
        # No cell of the program matches; those of reductions may.
        return measure_inside(options, 'time_reductions.py', options.json,
                              options.filter)
    # 3: an answer was wrong and not timed. The program has printed which.
    if code not in (0, 3) or options.no_peers:
        return code
    more = os.path.join(options.build, 'more.json')
    if not (partial or options.provider):
        subprocess.call(inside + [f'--json={more}'] + rest, env=environment)
        add_rows(more, options.json)
    programs = [['time_reductions.py', more, options.filter or '']] if reductions else []
    programs += [['time_models.py', more]] if not partial else []
    for program in programs:
        if measure_inside(options, *program) in (0, 3):
            add_rows(more, options.json)
    return code


def installed(python):
    """The library of the wheel that is installed in this Python's environment."""
    environment = {name: value for name, value in os.environ.items()
                   if name != 'LANEWISE_ORT_LIBRARY'}
    return subprocess.check_output(
        [python, '-c', 'import onnxruntime_ep_lanewise as lanewise\n'
         'print(lanewise.get_library_path())'], env=environment, text=True).strip()


def measure_inside(options, program, *rest):
    """Times nodes or whole models with and without the execution provider."""
    command = [os.path.join(SOURCE, 'benchmarks', 'models', program)]
    if options.wheel:
        return subprocess.call([options.wheel, *command, *rest])
    python = os.path.join(SOURCE, 'build', '_deps', 'peers-venv', 'bin',
                          'python3')
    library = os.path.join(options.build, 'runtime', 'onnxruntime',
                           'libonnxruntime_ep_lanewise.so')
    for name in (python, library):
        if not os.path.exists(name):
            print(f'bench: Not run: {program}, there is no {name}')
            return 1
    return subprocess.call([python, *command, '--tree', library, *rest])


def add_rows(path, to):
    """Adds what another JSON file lacks: rows, and what is known of models."""
    data = []
    for name in (path, to):
        with open(name, encoding='utf-8') as file:
            data.append(json.load(file))
    known = {entry['name'] for entry in data[1]['benchmarks']}
    data[1]['benchmarks'] += [entry for entry in data[0]['benchmarks']
                              if entry['name'] not in known]
    data[1].setdefault('models', []).extend(data[0].get('models', []))
    with open(to, 'w', encoding='utf-8') as file:
        json.dump(data[1], file, indent=1)


def keep_results(rest, run, library):
    """Keeps a run's medians; returns the files that it wrote."""
    partial = (run.own('filter') not in ('', '.')  # '.': all names
               or run.own('quick') == 'yes'
               or any(word.startswith('--sizes') for word in rest))
    path = keep_medians(run, RESULTS, partial, goals(run, library))
    return [path] + write_documents()


def write(name, text):
    with open(name, 'w', encoding='utf-8') as file:
        file.write(text)


def compare(options):
    """Reports several runs, or kept results."""
    runs = [Run(path) for path in options.report]
    print(machines_table(runs))
    write(options.html, make_comparison(runs))
    print(options.html)


def main():
    options, rest = parse()
    name = os.path.join(options.build,
                        'bench' if options.models is None else 'models')
    options.json = options.json or name + '.json'
    options.html = options.html or name + '.html'
    if options.readme:
        print('\n'.join(write_documents()))
        return 0
    if options.report and (len(options.report) > 1
                           or Run(options.report[0]).kept):
        compare(options)
        return 0
    old = Run(options.against) if options.against else None  # fail early
    code = 0
    if options.report:
        options.json = options.report[0]
    else:
        code = measure(options, rest)
        if code not in (0, 3) or '--list' in rest:
            return code
    run = Run(options.json)
    library = (library_figures(run, options.build)
               if options.models is None else [])
    print_report(run, library)
    files = [options.json]
    for name, make in ((options.html, make_page), (options.svg, make_picture),
                       (options.markdown, make_markdown)):
        if name:
            write(name, make(run, library))
            files.append(name)
    of_wheel = source(run) == 'wheel'
    if (options.provider or options.keep and run.models) and not of_wheel:
        print('\nNot kept: what ONNX Runtime did with the library of the tree')
    if options.provider and of_wheel:
        files += keep_gains(run, os.path.join(RESULTS, 'onnxruntime'))
    if options.keep and run.models and of_wheel:
        files.append(keep_models(run, MODELS))
    if options.keep:
        # A run of models or of the provider lacks most peers of a cell.
        whole = options.models is None and not options.provider
        files += keep_results(rest, run, library) if whole else write_documents()
    if old is not None:
        print_changes(old, run)
    print('\n' + '\n'.join(files))
    return code


if __name__ == '__main__':
    sys.exit(main())

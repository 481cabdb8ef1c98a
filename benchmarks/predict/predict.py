#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Predicts which way of division a CPU likes, by llvm-mca's models of CPUs.

llvm-mca counts the cycles of the loops in loops.cc. The measured times of the
same loops, benchmarks/predict/<cpu>.json, tell how far off the models are. A
preference within that error is none. scripts/predict runs this program.
"""
import argparse
import glob
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
from typing import NamedTuple

sys.dont_write_bytecode = True

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.dirname(os.path.dirname(HERE))
# A test names the Highway of its build. An installed one is found without a name.
HIGHWAY = os.environ.get('LANEWISE_HIGHWAY') or os.path.join(
    SOURCE, 'build', '_deps', 'highway')
sys.path.insert(0, os.path.join(SOURCE, 'benchmarks', 'report'))

from cpus import microarchitecture, own_name, own_numbers  # noqa: E402

ALTERNATIVES = {
    'x86_64': ('AVX2', 'AVX3', 'AVX3_DL', 'AVX3_SPR'),
    'aarch64': ('NEON_WITHOUT_AES', 'NEON', 'NEON_BF16', 'SVE', 'SVE2',
                'SVE_256', 'SVE2_128')}


class Cpu(NamedTuple):
    name: str
    model: str   # as llvm-mca calls the model
    target: str  # whose loops the CPU runs
    note: str = ''
    arch: str = 'x86_64'


_NO_DIVIDER = 'its own model starts a division in each cycle'
# Zen 4 and 5 run the loops of AVX3_DL here: their own target, AVX3_ZEN4, has
# one way only, and is otherwise nearly the same.
CPUS = (
    Cpu('Haswell', 'haswell', 'AVX2'),
    Cpu('Skylake', 'skylake', 'AVX2'),
    Cpu('Alder Lake', 'skylake', 'AVX2',
        f'borrows the model of Skylake, as {_NO_DIVIDER}'),
    Cpu('Zen 2', 'znver2', 'AVX2', 'its model has no float16 conversions'),
    Cpu('Zen 3', 'znver3', 'AVX2'),
    Cpu('Zen 5', 'znver5', 'AVX2',
        'limited to AVX2; its model has the divider of Zen 4'),
    Cpu('Skylake-X', 'skylake-avx512', 'AVX3'),
    Cpu('Ice Lake server', 'icelake-server', 'AVX3_DL'),
    Cpu('Sapphire Rapids', 'icelake-server', 'AVX3_SPR',
        f'borrows the model of Ice Lake server, as {_NO_DIVIDER}'),
    Cpu('Zen 4', 'znver4', 'AVX3_DL'),
    Cpu('Zen 5', 'znver5', 'AVX3_DL', 'its model has the divider of Zen 4'),
    Cpu('Neoverse N1', 'neoverse-n1', 'NEON', arch='aarch64'),
    Cpu('Neoverse V1', 'neoverse-v1', 'SVE_256', arch='aarch64'),
    Cpu('Neoverse V2', 'neoverse-v2', 'SVE2_128', arch='aarch64'),
)
BEGIN = re.compile(r'.*LLVM-MCA-BEGIN N_(\S+) (\S+) (\S+) (\d+)$')
# A jump, whether it always jumps, and its target.
JUMP = re.compile(r'\s+(?:(jmp|b)|j\w+|b\.\w+|cbn?z|tbn?z)\s+(?:.*,\s*)?'
                  r'(\.L\w+)$')
INSTRUCTION = re.compile(r'\s+[a-z]')
LONGEST = 500  # instructions between two markers
RESULT = re.compile(r'Code Region - (\S+) (\S+)\n\nIterations: +(\d+)\n'
                    r'Instructions: +(\d+)\nTotal Cycles: +(\d+)\n')


def find_mca():
    """The newest llvm-mca, or None."""
    found = [path for folder in os.environ.get('PATH', '').split(os.pathsep)
             for path in glob.glob(os.path.join(folder, 'llvm-mca*'))
             if re.fullmatch(r'llvm-mca(-\d+)?', os.path.basename(path))]
    # A plain name comes last: nobody knows how old it is.
    return max(found, default=None, key=lambda path: int(
        (re.findall(r'-(\d+)$', path) or [0])[0]))


def compile_loops(arch, output, *options):
    """Compiles loops.cc as the library is compiled. False without a compiler.
    Highway 1.2 has no AVX3_DL unless asked."""
    compiler = os.environ.get('CXX', 'g++') if arch == os.uname().machine \
        else f'{arch}-linux-gnu-g++'
    if shutil.which(compiler) is None:
        return False
    keep = '|'.join('HWY_' + name for name in ALTERNATIVES[arch] + (
        'SSE2', 'ALL_NEON', 'EMU128', 'SCALAR'))
    subprocess.run(
        [compiler, '-std=c++20', '-O3', '-ffp-contract=off', '-fno-math-errno',
         f'-DHWY_DISABLED_TARGETS=(~({keep}))', '-DHWY_WANT_AVX3_DL',
         f'-I{SOURCE}', f'-I{SOURCE}/include', '-isystem', HIGHWAY,
         os.path.join(HERE, 'loops.cc'), *options, '-o', output], check=True)
    return True


def hot_path(lines, labels, start):
    """The instructions from a marker to the next, where ordinary numbers go: of
    all ways through the code, the shortest of those with the fewest
    divisions."""
    found, waiting = [], [(start, [])]
    while waiting:
        i, path = waiting.pop()
        while (i < len(lines) and 'LLVM-MCA-END' not in lines[i]
               and len(path) < LONGEST):
            jump = JUMP.match(lines[i])
            if jump and jump[1]:
                i = labels[jump[2]]
                continue
            if jump:
                waiting.append((labels[jump[2]], list(path)))
            elif INSTRUCTION.match(lines[i]):
                path.append(lines[i])
            i += 1
        if i < len(lines) and len(path) < LONGEST:
            found.append(path)
    return min(found, key=lambda path: (sum('div' in line for line in path),
                                        len(path)))


def regions(arch):
    """{target: {(kernel, way): (elements, assembly)}}; {} without a compiler."""
    out = {}
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'loops.s')
        if not compile_loops(arch, path, '-S'):
            return out
        with open(path, encoding='utf-8') as file:
            lines = file.read().splitlines()
    labels = {line[:-1]: i for i, line in enumerate(lines)
              if line.startswith('.L') and line.endswith(':')}
    for i, line in enumerate(lines):
        found = BEGIN.match(line)
        if found:
            target, kernel, way, count = found.groups()
            out.setdefault(target, {})[kernel, way] = (
                int(count), '\n'.join(hot_path(lines, labels, i + 1)))
    return out


def predict(mca, cpu, loops):
    """{(kernel, way): cycles per element}; None if llvm-mca is too old."""
    comment = '//' if cpu.arch == 'aarch64' else '#'
    text = ''.join(f'{comment} LLVM-MCA-BEGIN {kernel} {way}\n{lines}\n'
                   f'{comment} LLVM-MCA-END\n'
                   for (kernel, way), (_, lines) in loops.items())
    run = subprocess.run(
        [mca, f'-mtriple={cpu.arch}-linux-gnu', f'-mcpu={cpu.model}',
         '-iterations=200'], input=text, capture_output=True, text=True,
        check=False)
    if run.returncode != 0 or 'not a recognized processor' in run.stderr:
        return None
    return {(kernel, way): int(cycles) / int(count) / loops[kernel, way][0]
            for kernel, way, count, _, cycles in RESULT.findall(run.stdout)}


def ratios(times):
    """{kernel: the time by multiplication over that by the divider}"""
    return {kernel: times[kernel, 'multiply'] / times[kernel, 'divide']
            for kernel, way in times if way == 'divide'}


# ---- Measured machines -------------------------------------------------------

def measure():
    """Times the loops on this machine and keeps the times."""
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, 'loops')
        targets = os.path.join(HIGHWAY, 'hwy', 'targets.cc')
        library = targets if os.path.exists(targets) else '-lhwy'
        if not compile_loops(os.uname().machine, program, library):
            sys.exit('predict: there is no compiler')
        lines = subprocess.run([program], check=True, capture_output=True,
                               text=True).stdout.splitlines()
    name, own = own_name(), microarchitecture(own_numbers())
    wanted = {cpu.target for cpu in CPUS if cpu.name == own}
    loops = [line.split() for line in lines]
    times = [dict(zip(('target', 'kernel', 'way', 'ns'),
                      (target[2:], kernel, way, float(time))))
             for target, kernel, way, time in loops
             if target[2:] in wanted or not wanted]
    path = os.path.join(HERE, re.sub(r'[^a-z0-9]+', '-', name.lower()) + '.json')
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'{{"cpu": {json.dumps(name)}, "cpu_numbers": '
                   f'{json.dumps(own_numbers())}, "times": [\n'
                   + ',\n'.join(map(json.dumps, times)) + '\n]}\n')
    print(path)


def compare_measured(predicted):
    """Prints how far off the models are; returns the worst factor."""
    worst = 1.0
    for path in sorted(glob.glob(os.path.join(HERE, '*.json'))):
        with open(path, encoding='utf-8') as file:
            data = json.load(file)
        name = microarchitecture(data['cpu_numbers'])
        for cpu, guess in predicted.items():
            times = {(time['kernel'], time['way']): time['ns']
                     for time in data['times']
                     if (cpu.name, cpu.target) == (name, time['target'])}
            if not times:
                continue
            print(f'\nMeasured on {data["cpu"]}, {cpu.target}: time by '
                  'multiplication over that by the divider')
            for kernel, real in sorted(ratios(times).items()):
                ratio = ratios(guess)[kernel]
                factor = math.exp(abs(math.log(ratio / real)))
                worst = max(worst, factor)
                print(f'  {kernel:<16} measured {real:5.2f}  predicted '
                      f'{ratio:5.2f}  off by {factor:.2f}x')
    return worst


# ---- The report --------------------------------------------------------------

def print_predictions(predicted, error):
    for cpu, times in predicted.items():
        note = f': {cpu.note}' if cpu.note else ''
        print(f'\n{cpu.name}, loops of {cpu.target}{note}')
        print('  cycles per element divide  multiply     ratio')
        for kernel, ratio in sorted(ratios(times).items()):
            likes = ('divide' if ratio > error else 'multiply'
                     if ratio < 1 / error else '-')
            print(f'  {kernel:<16} {times[kernel, "divide"]:8.3f} '
                  f'{times[kernel, "multiply"]:9.3f} {ratio:9.2f}  {likes}')


def main():
    parser = argparse.ArgumentParser(prog='scripts/predict',
                                     description=__doc__.split('\n')[0])
    parser.add_argument('--measure', action='store_true',
                        help='time the loops on this machine, and keep the '
                        'times in benchmarks/predict')
    options = parser.parse_args()
    if options.measure:
        measure()
        return 0
    mca = find_mca()
    if mca is None:
        print('predict: Not run: there is no llvm-mca', file=sys.stderr)
        return 77
    predicted = {}
    for arch in ALTERNATIVES:
        loops = regions(arch)
        for cpu in CPUS:
            if cpu.arch != arch:
                continue
            times = predict(mca, cpu, loops.get(cpu.target, {}))
            if times:
                predicted[cpu] = times
            else:
                print(f'predict: Not run: {cpu.name}, '
                      + ('llvm-mca has no such model' if loops
                         else f'there is no compiler for {arch}'))
    error = compare_measured(predicted)
    print(f'\nThe models were off by up to {error:.2f}x. A ratio nearer to 1 '
          'than that is no preference (-).')
    print_predictions(predicted, error)
    return 0


if __name__ == '__main__':
    sys.exit(main())

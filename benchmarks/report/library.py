# SPDX-License-Identifier: Apache-2.0
"""The size of the library, and how long a build takes."""
import os
import re
import shutil
import subprocess
import tempfile
import time

from figure import Figure
from rows import short_bytes

BUILD_JOBS = 2


def build_seconds(source):
    """The wall-clock time to configure and build the library alone, from
    scratch."""
    environment = {**os.environ, 'CCACHE_DISABLE': '1'}
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        for command in (
                # Empty launchers keep CMakeLists.txt from using ccache.
                ['cmake', '--preset', 'release', '-B', folder,
                 '-D', 'CMAKE_C_COMPILER_LAUNCHER=',
                 '-D', 'CMAKE_CXX_COMPILER_LAUNCHER=',
                 '-D', 'LANEWISE_BUILD_TESTS=OFF',
                 '-D', 'LANEWISE_BUILD_BENCHMARKS=OFF'],
                ['cmake', '--build', folder, '--target', 'lanewise',
                 '--parallel', str(BUILD_JOBS)]):
            subprocess.run(command, cwd=source, env=environment, check=True,
                           stdout=subprocess.DEVNULL)
        return time.monotonic() - start


def _stripped_size(archive):
    with tempfile.TemporaryDirectory() as folder:
        copy = os.path.join(folder, 'stripped.a')
        shutil.copy(archive, copy)
        subprocess.run(['strip', '--strip-unneeded', copy], check=True)
        return os.path.getsize(copy)


def _sizes_per_isa(archive):
    listing = subprocess.run(['nm', '-C', '-S', archive], check=True,
                             capture_output=True, text=True).stdout
    sizes = {}
    for line in listing.splitlines():
        match = re.match(r'\w+ (\w+) [tTrRvVwW] .*::N_(\w+)::', line)
        if match:
            size = int(match[1], 16)
            sizes[match[2]] = sizes.get(match[2], 0) + size
    return sizes


def _compile_seconds(build):
    """The sum of the compile times of the library's files, and their number,
    from Ninja's log."""
    times = {}
    with open(os.path.join(build, '.ninja_log'), encoding='utf-8') as log:
        for line in log:
            fields = line.rstrip('\n').split('\t')
            if len(fields) == 5 and re.match(
                    r'(kernels|runtime)/CMakeFiles/.*\.o$', fields[3]):
                times[fields[3]] = (int(fields[1]) - int(fields[0])) / 1000
    return sum(times.values()), len(times)


def library_figures(run, build):
    """Figures of size and build time, if the run or the machine has them."""
    out = []
    archive = os.path.join(build, 'liblanewise.a')
    try:
        size = _stripped_size(archive)
        out.append(Figure('the stripped archive, all instruction sets',
                          short_bytes(size), 'at most 6 MB', size <= 6 << 20))
        per_isa = ', '.join(f'{name} {short_bytes(size)}' for name, size in
                            sorted(_sizes_per_isa(archive).items()))
        out.append(Figure('code for each instruction set', per_isa))
    except (OSError, subprocess.CalledProcessError):
        pass
    clock = run.own('build_seconds')
    if clock:
        out.append(Figure(
            'building the library from scratch, '
            f'{BUILD_JOBS} jobs on {run.context.get("num_cpus", "?")} cores',
            f'{float(clock):.0f} s', 'at most 5 minutes',
            float(clock) <= 300))
        return out
    try:
        seconds, count = _compile_seconds(build)
        if count:
            out.append(Figure(
                f'sum of the last compile times of its {count} files '
                '(--whole measures a build from scratch)', f'{seconds:.0f} s'))
    except OSError:
        pass
    return out

# SPDX-License-Identifier: Apache-2.0
"""Reads the JSON of a run: cells, each with a row for each implementation."""
import copy
import json
import math
import re
import statistics
from typing import NamedTuple, Optional

from figure import Figure

NAME = re.compile(r'(?P<op>[^/]+)/(?P<type>[^/]+)/(?P<pattern>[^/]+)/'
                  r'(?P<impl>[^/]+)/n:(?P<n>\d+)/threads:(?P<threads>\d+)$')
OURS = 'lanewise'
DIRECT = 'direct'
FAST = 'lanewise+fast'
EXACT = 'lanewise+exact'
# What peers may err, in ULP, to be compared with the row of a grade; `lanewise` is
# the tight one. The names of cells of other grades end with the grade.
MOST_ULPS = {FAST: 4, OURS: 1, EXACT: 0.5001}
LIMITS = ('plain', 'stream')
# Our kernels inside a session of ONNX Runtime: compared with ONNX Runtime only.
IN_SESSION = 'ort+lanewise'
MODEL = 'Model'  # the operator in the names of rows of whole models
CHAIN = 'Chain.'  # how the names of chains begin
# Peers that take tensors, operators or sessions in each call, as our tensor API
# does. All other peers are functions on pointers, as our kernel API is.
CALLING = ('numpy', 'onednn', 'onnxruntime', 'ort+nxrt', 'torch', 'xnnpack')
UNITS = {'ns': 1, 'us': 1e3, 'ms': 1e6, 's': 1e9}
TYPE_ORDER = ('f32', 'f64', 'f16', 'bf16', 'i8', 'u8', 'i16', 'u16', 'i32',
              'u32', 'i64', 'u64')


class Key(NamedTuple):
    op: str
    type: str
    pattern: str
    n: int
    threads: int

    @property
    def group(self):
        return f'{self.op}/{self.type}/{self.pattern}'


class Row:
    """One implementation in one cell."""

    def __init__(self, impl, label, bytes_per_call):
        self.impl = impl
        self.loose = label[7:] if label.startswith('loose: ') else ''
        self.bytes = bytes_per_call
        self.ulps = 0  # the largest error that the run has met
        self.times = []  # of one call in ns; one for each repetition

    @property
    def time(self):
        return statistics.median(self.times)

    @property
    def noise(self):
        """Half of the interquartile range, as a share of the median."""
        if len(self.times) < 4:
            return 0.0
        low, _, high = statistics.quantiles(self.times, n=4)
        return (high - low) / 2 / self.time

    @property
    def bandwidth(self):
        return self.bytes / self.time  # bytes per ns are GB/s

    @property
    def is_own(self):
        return self.impl.startswith(OURS) or self.impl in (
            DIRECT, 'kernel', 'prepared', IN_SESSION)

    @property
    def is_peer(self):
        return not self.is_own and self.impl not in LIMITS


class KeptRow(Row):
    """A row of which only the median and the noise are known."""

    def __init__(self, impl, time, noise):
        super().__init__(impl, '', 0)
        self.times = [time]
        self._noise = noise

    @property
    def noise(self):
        return self._noise


class Duel(NamedTuple):
    """One of our APIs, and the fastest right peer that is called like it."""
    api: Row
    peer: Optional[Row]

    @property
    def ratio(self):
        """The peer's time over ours."""
        return self.peer.time / self.api.time

    @property
    def noise(self):
        return self.peer.noise + self.api.noise


class Cell:
    def __init__(self, key):
        self.key = key
        self.rows = {}

    @property
    def ours(self):
        return self.rows.get(OURS)

    def peers(self, loose=False):
        """The peers, fastest first. Loose peers only if `loose` is set."""
        rows = [r for r in self.rows.values()
                if r.is_peer and (loose or not r.loose)]
        return sorted(rows, key=lambda r: r.time)

    def of_grade(self, most_ulps):
        """The rows of peers and copies. A peer that errs more is loose."""
        rows = {}
        for name, row in self.rows.items():
            if row.is_own:
                continue
            rows[name] = copy.copy(row)
            if row.ulps > most_ulps and not row.loose:
                rows[name].loose = f'{row.ulps:.3g} ULP'
        return rows

    def api(self, peer):
        """Our row to compare the peer with: the API that is called like it."""
        return self.ours if peer.impl in CALLING else self.rows.get(
            DIRECT, self.ours)

    def against(self, peer):
        """The peer's time over the time of the API that it is compared with."""
        return peer.time / self.api(peer).time

    @property
    def duels(self):
        """A Duel for each of our APIs in this cell, the tensor API first."""
        apis = [self.rows[name] for name in (OURS, DIRECT)
                 if name in self.rows]
        peers = self.peers()
        return [Duel(api, next((p for p in peers if self.api(p) is api),
                                None)) for api in apis]

    @property
    def duel(self):
        """The Duel that counts: the one with the smallest ratio. None without a
        peer."""
        return min((d for d in self.duels if d.peer is not None),
                   key=lambda d: d.ratio, default=None)

    def share(self, row):
        """A row's speed over that of the fastest copy of as many bytes."""
        limits = [self.rows[name].time for name in LIMITS if name in self.rows]
        return min(limits) / row.time if limits else None


class Run:
    """All cells of a JSON file, and its context."""

    def __init__(self, path):
        with open(path, encoding='utf-8') as file:
            data = json.load(file)
        self.context = data['context']
        self.cells = {}
        self.kept = 'benchmarks' not in data  # kept.py wrote this file
        self.models = data.get('models', [])  # whole_models.py
        self.goals = [Figure(**goal) for goal in data.get('goals', [])]
        if self.kept:
            self._read_kept(data.get('cells', {}))
        else:
            self._read(data['benchmarks'])

    def _read_kept(self, groups):
        for group, sizes in groups.items():
            *names, threads = (group if '/threads:' in group
                               else group + '/threads:1').split('/')
            for n, times in sizes.items():
                key = Key(*names, int(n), int(threads[len('threads:'):]))
                noise = times.pop('noise') / 100
                self.cells[key] = cell = Cell(key)
                for impl, time in times.items():
                    cell.rows[impl] = KeptRow(impl, time, noise / 2)

    def _read(self, benchmarks):
        for entry in benchmarks:
            match = NAME.match(entry['name'])
            if (match is None or entry.get('error_occurred')
                    or entry.get('run_type') == 'aggregate'):
                continue
            key = Key(match['op'], match['type'], match['pattern'],
                      int(match['n']), int(match['threads']))
            cell = self.cells.setdefault(key, Cell(key))
            nanoseconds = entry['real_time'] * UNITS[entry['time_unit']]
            row = cell.rows.get(match['impl'])
            if row is None:
                moved = entry.get('bytes_per_second', 0) * nanoseconds / 1e9
                row = Row(match['impl'], entry.get('label', ''), round(moved))
                row.ulps = entry.get('max_ulp', 0)
                cell.rows[row.impl] = row
            row.times.append(nanoseconds)

        self._split_grades()

    def _split_grades(self):
        """Where engines of another grade have kernels of their own, the grade is a
        cell of its own. Each cell has the peers that err as little as ours."""
        for key, cell in list(self.cells.items()):
            grades = [] if key.op.startswith(CHAIN) else [
                name for name in (FAST, EXACT) if name in cell.rows]
            for name in grades:
                own = Cell(key._replace(op=key.op + name.removeprefix(OURS)))
                self.cells[own.key] = own
                own.rows = cell.of_grade(MOST_ULPS[name])
                own.rows[OURS] = copy.copy(cell.rows[name])
                own.rows[OURS].impl = OURS
            if grades:
                cell.rows = {**cell.rows, **cell.of_grade(MOST_ULPS[OURS])}

    def select(self, pattern=None, threads=None):
        """The cells of operators, without those of Copy, of chains and of whole
        models."""
        return [c for c in self.cells.values()
                if c.key.op not in ('Copy', MODEL)
                and not c.key.op.startswith(CHAIN)
                and pattern in (None, c.key.pattern)
                and threads in (None, c.key.threads)]

    def ops(self):
        return list(dict.fromkeys(c.key.op for c in self.select()))

    def max_threads(self):
        return max((k.threads for k in self.cells), default=1)

    def caches(self):
        """[('L1', bytes), ...] of one core."""
        return [(f'L{c["level"]}', c['size']) for c in
                self.context.get('caches', []) if c['type'] != 'Instruction']

    def own(self, name, default=''):
        """A value that the benchmark program wrote into the context."""
        return self.context.get('lanewise_' + name, default)

    @property
    def compiler(self):
        name = self.own('compiler')  # GCC writes only its number
        return f'{"GCC " if name[:1].isdigit() else ""}{name}'

    @property
    def date(self):
        return self.context.get('date', '')[:16].replace('T', ' ')

    @property
    def machine(self):
        """The machine, the library and the compiler, as a text."""
        return (f'{self.own("cpu")}, {self.own("isa")}, '
                f'{self.context.get("num_cpus", "?")} cores; lanewise '
                f'{self.own("version")}'
                + (f', {self.compiler}' if self.own('compiler') else ''))


def sort_types(types):
    def place(name):
        return (TYPE_ORDER.index(name) if name in TYPE_ORDER
                else len(TYPE_ORDER), name)
    return sorted(types, key=place)


def geometric_mean(values):
    values = list(values)
    if not values:
        return None
    return math.exp(sum(map(math.log, values)) / len(values))


def short_count(n):
    """65536 -> 64Ki, 2048 -> 2048."""
    for unit, size in (('Mi', 1 << 20), ('Ki', 1 << 10)):
        if n >= 8 * size // (8 if unit == 'Mi' else 1) and n % size == 0:
            return f'{n // size}{unit}'
    return str(n)


def short_bytes(n):
    for unit, size in (('GB', 1 << 30), ('MB', 1 << 20), ('KB', 1 << 10)):
        if n >= size:
            return f'{n / size:.3g} {unit}'
    return f'{n} B'

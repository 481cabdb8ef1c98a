# SPDX-License-Identifier: Apache-2.0
"""Whole models in ONNX Runtime, with the execution provider and without: tables,
the picture, and the results that the repository keeps.

A record is what is known of a model on some number of threads: what
models/time_models.py wrote, and times of one run in ns by implementation.
"""
import glob
import json
import os
from html import escape

from cpus import file_name, short_name
from figure import Figure
from picture import card
from provider import AGAIN, OWN, SOURCES, own_version, source
from rows import IN_SESSION as OURS
from rows import MODEL, Run
from svg import bars, line, ratio_color, rect, text
from turns import LEVEL, SAME, Interval, of_ratios, standing

ROW, LABEL, ROOM, TOP = 17, 190, 300, 44
BEHIND = 270  # room for the text behind a bar
MOST = 2  # longer bars are cut
OWN_STYLE = '''<style>.unsure { fill-opacity: 0.25; } .range { stroke: #1f2328; }
@media (prefers-color-scheme: dark) { .range { stroke: #f0f6fc; } }</style>'''
# What of a run's context is kept.
_CONTEXT = ('date', 'num_cpus', 'lanewise_cpu', 'lanewise_cpu_numbers',
            'lanewise_as', 'lanewise_isa', 'lanewise_version', 'lanewise_peers',
            'lanewise_provider')
# Results that differ in one of these do not mix.
_SAME = ('lanewise_isa', 'lanewise_version', 'lanewise_peers', 'lanewise_provider')


def records(run):
    """The records of a run, or of kept results."""
    cells = {(c.key.pattern, c.key.threads): c for c in run.cells.values()
             if c.key.op == MODEL}
    out = []
    for facts in run.models:
        cell = cells.get((facts['model'], facts['threads']))
        times = {row.impl: {'median': round(row.time), 'min': round(min(row.times)),
                            'noise': round(row.noise, 4)}
                 for row in cell.rows.values()} if cell else facts.get('times', {})
        out.append({**facts, 'times': times, **(_ratios(cell.rows) if cell else {})})
    return out


def _ratios(rows):
    """The ratio of both sessions, and that of two sessions without the provider."""
    return {name: list(of_ratios(rows[OWN].times, rows[impl].times))
            for name, impl in (('ratio', OURS), ('control', AGAIN))
            if OWN in rows and impl in rows}


def _ratio(record):
    """The time without the provider over the time with it, or None."""
    return Interval(*record['ratio']) if 'ratio' in record else None


def _control(record):
    return Interval(*record['control']) if 'control' in record else SAME


def _where(record):
    return standing(_ratio(record), _control(record))


def _of_minima(record):
    return (record['times'][OWN]['min'] / record['times'][OURS]['min']
            if 'ratio' in record else None)


def _noise(record):
    return f'{100 * _control(record).noise:.0f} %' if 'control' in record else '-'


def _standing(record, unit='x'):
    """A ratio, with its range if that is wide, or why there is none."""
    ratio = _ratio(record)
    if ratio is not None:
        wide = f' ({ratio})' if _where(record) == 'unsure' else ''
        return f'{ratio.median:.2f}{unit}{wide}'
    if record.get('absent'):
        return 'absent'
    if OURS in record['times']:
        return 'only with lanewise'
    return 'does not load'


def figures(run):
    found = [r for r in records(run) if 'ratio' in r]
    if not found:
        return []
    slowest = min(found, key=lambda r: _ratio(r).median)
    worst = 1 / _ratio(slowest).median
    lost = any(_where(r) == 'behind' and _ratio(r).high < 1 / 1.01 for r in found)
    return [Figure(
        'the slowest model with the provider over the same model without',
        f'{worst:.2f}x ({slowest["model"]})',
        f'at most 1.01x; its noise is {_noise(slowest)}',
        False if lost else None if worst > 1.01 else True)]


def _error(record, name):
    # Older records have the difference of the two answers only.
    return f'{record[name]:.1f}' if 'own_difference' in record else '-'


# ---- Tables: rows of texts, of which the first has the titles ---------------

def _ms(record, impl):
    times = record['times'].get(impl)
    if not times:
        return '-'
    casts = ' with casts' if impl in record.get('refused', {}) else ''
    return f'{times["median"] / 1e6:.3g}{casts}'


def _milliseconds(record):
    return f'{record["times"][OURS]["median"] / 1e6:.3g} ms'


def model_rows(run):
    rows = []
    for r in records(run):
        minima, share = _of_minima(r), r.get('elementwise_share')
        rows.append([
            r['model'], str(r['threads']), _ms(r, OWN), _ms(r, OURS),
            _standing(r, ''), '-' if minima is None else f'{minima:.2f}', _noise(r),
            '-' if share is None else f'{100 * share:.0f} %',
            f'{r["taken"]} of {r["nodes"]}' if 'taken' in r else '-',
            _error(r, 'difference') + ('' if r.get('right', True) else ' WRONG'),
            _error(r, 'own_difference')])
    return rows and [['model', 'threads', 'without, ms', 'with, ms', 'ratio',
                      'of minima', 'noise', 'elementwise', 'nodes taken',
                      'error', 'error without'], *rows]


def slower_rows(run, most=None):
    """Nodes that take longer with the provider. Those of one operator and size
    are one row."""
    rows = []
    for r in records(run):
        found = {}
        for group in r.get('slower', []):
            key = (group['op'], group['n'], group['provider'][:-17] or '-',
                   len(group['nodes']))
            found.setdefault(key, []).append(group)
        lines = []
        for (op, n, provider, size), groups in found.items():
            times = [sum(g[name] for g in groups)
                     for name in ('without_us', 'with_us')]
            lines.append((times[0] - times[1], [
                r['model'], str(r['threads']),
                op if size == 1 else f'{op} and {size - 1} more',
                str(len(groups)), f'{n:,}', provider,
                *(f'{t / len(groups):.1f}' for t in times),
                f'{times[1] - times[0]:.0f}', groups[0]['nodes'][0]]))
        rows += [texts for _, texts in sorted(lines)[:most]]
    return rows and [['model', 'threads', 'operator', 'nodes', 'elements',
                      'provider', 'without, us', 'with, us', 'lost in all',
                      'such as'], *rows]


def tables(run, most=None):
    return [(title, rows) for title, rows in (
        ('Models', model_rows(run)),
        ('Nodes that take longer with the provider', slower_rows(run, most)))
            if rows]


# ---- The picture ------------------------------------------------------------

def _bar(record, left, one, y):
    ratio = _ratio(record)
    if ratio is None:
        return [text(one + 6, y + 12, _standing(record), 'start', 'tick')]
    css = _where(record)
    if css == 'unsure':  # never as if level: the color of its side, but pale
        css = f'{"ahead" if ratio.median >= 1 else "behind"} unsure'
    low, end, high = (left + (one - left) * min(value, MOST) for value in ratio)
    threads = record['threads']
    return [rect(left, y + 3, end - left, ROW - 5, css=css),
            line(low, y + 8.5, high, y + 8.5, 'range'),
            text(max(high, one) + 6, y + 12,
                 f'{_standing(record)}, {threads} thread{"s" * (threads > 1)}, '
                 f'{_milliseconds(record)}', 'start', 'tick')]


def _below(run):
    """What must be known to read the picture, in lines."""
    casts = any('ratio' in r and r.get('refused') for r in records(run))
    return ('Lines: the range of the ratio. Grey: no difference of '
            f'{100 * LEVEL:.0f} %. Pale: the range is too wide to tell.',
            *(['bfloat16: nodes without a kernel are in float32, between casts.']
              if casts else []),
            f'{short_name(run)}; ONNX Runtime {own_version(run)}; lanewise '
            f'{run.own("version")} {SOURCES[source(run)]}')


def make_picture(run):
    """Bars: the time without the provider over the time with it."""
    found = [r for r in records(run) if r['times']]
    most = min(max([_ratio(r).high for r in found if 'ratio' in r] + [1.25]), MOST)
    left, parts, y = LABEL + 14, [], TOP
    one, last = left + ROOM / most, ''
    for record in found:
        if record['model'] != last:
            last, y = record['model'], y + 5
            parts.append(text(left - 7, y + 12, last, 'end'))
        parts += _bar(record, left, one, y)
        y += ROW
    width, height = left + ROOM + BEHIND, y + 23 + 17 * len(_below(run))
    title = ('Whole models: the time without lanewise over the time with lanewise, '
             'longer is better')
    head = [line(one, TOP, one, y + 6, 'mark'),
            text(one, TOP - 4, 'as fast', 'middle', 'tick')]
    below = [text(14, y + 27 + 17 * i, words, 'start', 'tick')
             for i, words in enumerate(_below(run))]
    return card(width, height, title, [*head, *parts, *below], OWN_STYLE)


def _chart(run):
    rows = [(f'{r["model"]}, {r["threads"]}', _ratio(r).median,
             ratio_color(_ratio(r).median), f'{_standing(r)}, {_milliseconds(r)}')
            for r in records(run) if 'ratio' in r]
    most = max([ratio for _, ratio, *_ in rows] + [1.25])
    return bars(rows, 720, most, 'ratios of models', reference=1,
                behind_width=210) if rows else ''


def section(run, make_table):
    """The section of the HTML page; '' without models."""
    found = tables(run)
    if not found:
        return ''
    return ('<h2>Models in ONNX Runtime</h2><p>Whole models with the nodes that the '
            'provider takes by default, and without the provider: medians, in turns. '
            'Above 1, the model with the provider is faster. Where the run cannot '
            'tell, the range of the ratio is in parentheses. <i>noise</i>: how far '
            'the ratio of two sessions without the provider may be from 1. '
            f'lanewise is {SOURCES[source(run)]}. <i>elementwise</i>: the share of all nodes’ time that elementwise nodes '
            'have without the provider. <i>error</i>: how far the answers are from '
            'the right ones, in steps of the type at the largest answer. <i>with casts</i>: '
            'nodes of bfloat16 for which the session has no kernel are computed in '
            'float32, between casts.</p>' + _chart(run)
            + ''.join(f'<h3>{escape(title)}</h3>{make_table(rows)}'
                      for title, rows in found))


# ---- The kept results -------------------------------------------------------

def keep_models(run, folder):
    """Merges the records of a run into the folder's file for this CPU, and returns
    the path. Records of models that were measured again replace the old ones."""
    if source(run) != 'wheel':
        raise ValueError('only results of the wheel are kept')
    path = os.path.join(folder, file_name(run) + '.json')
    context = {name: run.context[name] for name in _CONTEXT if name in run.context}
    new = [r for r in records(run) if not r.get('absent')]
    measured = {r['model'] for r in new}
    if os.path.exists(path):
        old = Run(path)
        if all(old.context.get(name) == context.get(name) for name in _SAME):
            found = [r for r in records(old) if r['model'] not in measured] + new
            order = {r['model']: None for r in records(old) + new}
            new = [r for model in order for r in found if r['model'] == model]
    os.makedirs(folder, exist_ok=True)
    lines = ',\n'.join(json.dumps({name: value for name, value in r.items()
                                   if name != 'slower'}) for r in new)
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'{{"context": {json.dumps(context, indent=1)},\n'
                   f'"models": [\n{lines}\n]}}\n')
    return path


def kept_models(folder):
    """{name of the CPU's file: the kept results as a run}"""
    return {os.path.basename(path)[:-len('.json')]: Run(path)
            for path in sorted(glob.glob(os.path.join(folder, '*.json')))}


def readme_rows(runs):
    """Rows of texts: a row for each model of a package, a column for each machine, on
    one thread and on all. Machines on which not the wheel was measured say so."""
    found = {}
    for name, run in runs.items():
        for r in records(run):
            if r['times'] and r['source'] != 'made':
                found.setdefault(r['model'], {}).setdefault(name, []).append(r)
    if not found:
        return []
    head = ['model', *(short_name(run) + ('' if source(run) == 'wheel' else
                                          f', {SOURCES[source(run)]}')
                       for run in runs.values())]
    return [head, *([model, *(_on_machine(own.get(name, [])) for name in runs)]
                    for model, own in found.items())]


def _on_machine(found):
    texts = list(dict.fromkeys(_standing(r) for r in found))
    if not found or _ratio(found[0]) is None:
        return ' '.join(texts) or '-'
    return ', '.join(_standing(r) for r in found)

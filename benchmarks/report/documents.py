#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is made from the kept results: README's table, and pages and pictures
for each machine.

  documents.py    fails if one of these files is not what the results say
"""
import os
import sys

sys.dont_write_bytecode = True

from chains_picture import drawn  # noqa: E402
from chains_picture import make_picture as chains_picture  # noqa: E402
from cpus import file_name, short_name  # noqa: E402
from kept import all_kept  # noqa: E402
from machines import table  # noqa: E402
from markdown import make_markdown, md_table  # noqa: E402
from operators import folder_of  # noqa: E402
from picture import make_picture  # noqa: E402
from provider import source  # noqa: E402
from python_package import kept_python  # noqa: E402
from python_package import make_markdown as python_page  # noqa: E402
from whole_models import kept_models, readme_rows  # noqa: E402
from whole_models import make_picture as models_picture  # noqa: E402

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
RESULTS = os.path.join(SOURCE, 'benchmarks', 'results')
MODELS = os.path.join(RESULTS, 'models')
PYTHON = os.path.join(RESULTS, 'python')
README = os.path.join(SOURCE, 'README.md')
BEGIN = '<!-- machines: scripts/bench --keep writes what follows -->\n'
END = '<!-- end of machines -->\n'
BEGIN_MODELS = '<!-- models: scripts/bench --models --keep writes what follows -->\n'
BEGIN_CHAINS = '<!-- chains: scripts/bench --keep writes what follows -->\n'
END_CHAINS = '<!-- end of chains -->\n'
END_MODELS = '<!-- end of models -->\n'


def _read(path):
    if not os.path.exists(path):
        return ''
    with open(path, encoding='utf-8') as file:
        return file.read()


GRADES = ('', 'fast', 'exact')


def machines_table(runs):
    """README's part: a row for each folder of operators, a column for each machine
    and grade; the machines are links to the pages."""
    if not runs:
        return 'No machine has been measured on this code yet.\n'
    texts = {tuple(name.replace('_', ' ').partition(', ')[::2]): row
             for name, *row in table(runs, name_of=folder_of)[1:]}
    columns = [(k, grade) for k in range(len(runs)) for grade in GRADES
               if any(row[k] != '-' for (_, own), row in texts.items() if own == grade)]

    def title(k, grade):
        page = f'benchmarks/results/{file_name(runs[k])}.md'
        return f'[{short_name(runs[k])}]({page})' if grade == '' else grade

    def text(folder, k, grade):
        row = texts.get((folder, grade))
        return row[k].removesuffix(' ahead') if row else '-'

    folders = dict.fromkeys(folder for folder, _ in texts)
    return '\n'.join(md_table(
        [['operators', *(title(*column) for column in columns)]]
        + [[folder, *(text(folder, *column) for column in columns)] for folder in folders]))


def models_table(models):
    """README's part about models; the machines are links to the pictures."""
    rows = readme_rows(models)
    if not rows:
        return ''
    rows[0][1:] = [f'[{machine}](benchmarks/results/models/{name}.svg)'
                   for machine, name in zip(rows[0][1:], models)]
    return ('The time of whole models without lanewise over their time with lanewise, on one '
            'thread and\non all ([how](benchmarks/README.md)):\n\n'
            + '\n'.join(md_table(rows)))


def chains_part(runs):
    """README's picture of chains: that of the last machine that has some."""
    found = [run for run in runs if drawn(run)]
    if not found:
        return ''
    return (f'![The time of chains of operators on a {short_name(found[-1])}]'
            f'(benchmarks/results/{file_name(found[-1])}.chains.svg)\n\n'
            'Chains: one call of lanewise for all operators, without a compiler; one call '
            'for each; and\nwhat else computes the same.\n\n')


def _between(text, begin, part, end):
    return text[:text.index(begin)] + begin + part + text[text.index(end):]


def documents():
    """{path: text}"""
    runs, models = all_kept(RESULTS), kept_models(MODELS)
    readme = _between(_read(README), BEGIN, machines_table(runs), END)
    readme = _between(readme, BEGIN_CHAINS, chains_part(runs), END_CHAINS)
    out = {README: _between(readme, BEGIN_MODELS, models_table(models), END_MODELS)}
    for name, run in models.items():
        out[os.path.join(MODELS, name) + '.svg'] = models_picture(run)
    for name, run in kept_python(PYTHON).items():
        out[os.path.join(PYTHON, name) + '.md'] = python_page(run)
    for run in runs:
        name = file_name(run)
        path = os.path.join(RESULTS, name)
        run.models = []
        if name in models:
            run.models = models[name].models
            run.context['lanewise_provider'] = source(models[name])
        out[path + '.md'] = make_markdown(run)
        out[path + '.svg'] = make_picture(run)
        if drawn(run):
            out[path + '.chains.svg'] = chains_picture(run)
    return out


def write_documents():
    """Writes all of them; returns their paths."""
    out = documents()
    for path, text in out.items():
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
    return list(out)


def main():
    stale = [os.path.relpath(path) for path, text in documents().items()
             if _read(path) != text]
    if stale:
        print('not what benchmarks/results says; scripts/bench --readme '
              'writes:', *stale, sep='\n', file=sys.stderr)
    return 1 if stale else 0


if __name__ == '__main__':
    sys.exit(main())

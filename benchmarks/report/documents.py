#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is made from the kept results: README's table, and a page and a picture
for each machine.

  documents.py    fails if one of these files is not what the results say
"""
import os
import sys

sys.dont_write_bytecode = True

from cpus import file_name  # noqa: E402
from kept import all_kept  # noqa: E402
from machines import table  # noqa: E402
from markdown import make_markdown, md_table  # noqa: E402
from picture import make_picture  # noqa: E402

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__))))
RESULTS = os.path.join(SOURCE, 'benchmarks', 'results')
README = os.path.join(SOURCE, 'README.md')
BEGIN = '<!-- machines: scripts/bench --keep writes what follows -->\n'
END = '<!-- end of machines -->\n'


def _read(path):
    if not os.path.exists(path):
        return ''
    with open(path, encoding='utf-8') as file:
        return file.read()


def machines_table(runs):
    """README's part: the table, whose titles are links to the pages."""
    if not runs:
        return 'No machine has been measured on this code yet.\n'
    rows = table(runs)
    rows[0][1:] = [f'[{title}](benchmarks/results/{file_name(run)}.md)'
                   for title, run in zip(rows[0][1:], runs)]
    return '\n'.join(md_table(rows))


def documents():
    """{path: text}"""
    runs = all_kept(RESULTS)
    readme = _read(README)
    out = {README: readme[:readme.index(BEGIN)] + BEGIN + machines_table(runs)
           + readme[readme.index(END):]}
    for run in runs:
        path = os.path.join(RESULTS, file_name(run))
        out[path + '.md'] = make_markdown(run)
        out[path + '.svg'] = make_picture(run)
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

# SPDX-License-Identifier: Apache-2.0
"""The folders of operators: kernels/<folder>/<word>.cc has the name of one."""
import functools
import glob
import os
import re

_KERNELS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(
    os.path.abspath(__file__)))), 'kernels')


@functools.cache
def _folders():
    out = {}
    for path in glob.glob(os.path.join(_KERNELS, '*', '*.cc')):
        with open(path, encoding='utf-8') as file:
            names = re.findall(r'\.name = "(\w+)"', file.read())
        out.update(dict.fromkeys(names, os.path.basename(os.path.dirname(path))))
    return out


def folder_of(op):
    """The folder that has an operator, and the grade of its cells, if it is not the
    usual one: 'exponential, fast'."""
    name, _, grade = op.partition('+')
    return ', '.join([_folders().get(name, 'others'), *filter(None, [grade])])

# SPDX-License-Identifier: Apache-2.0
"""How long the nodes of a session take, by ONNX Runtime's profiler."""
from __future__ import annotations

import difflib
import json
import math
import re
import statistics
from typing import NamedTuple

# Operators whose output has, at each place, a function of the inputs there. Those
# with a second name are ONNX Runtime's own.
ELEMENTWISE = set('''
    Abs Acos Acosh Add And Asin Asinh Atan Atanh BiasGelu BiasSplitGelu BitShift
    BitwiseAnd BitwiseNot BitwiseOr BitwiseXor Cast CastLike Ceil Celu Clip Cos Cosh
    Div Elu Equal Erf Exp FastGelu Floor Gelu Greater GreaterOrEqual HardSigmoid
    HardSwish IsInf IsNaN LeakyRelu Less LessOrEqual Log Max Mean Min Mish Mod Mul Neg
    Not Or PRelu Pow QuickGelu Reciprocal Relu Round Selu Shrink Sigmoid Sign Sin Sinh
    Softplus Softsign Sqrt Sub Sum SwiGLU Swish Tan Tanh ThresholdedRelu Where
    Xor'''.split())
CONTAINERS = {'If', 'Loop', 'Scan'}  # their time is that of their bodies
SUFFIX = '_kernel_time'
# ONNX Runtime numbers nodes that it adds anew in each session. Those of one operator
# and one size count as one node.
NUMBERED = re.compile(r'Reorder(In|Out)put(_token_\d+)?|.*_token_\d+')
# A node is slower if its median is longer by this factor and by this many us.
MARGIN, LEAST = 1.05, 0.3


class Node(NamedTuple):
    name: str
    op: str
    provider: str
    elements: int  # of the first output
    times: list[float]  # us of each run

    @property
    def median(self) -> float:
        # The profiler cuts times to whole us.
        return statistics.median_grouped(self.times, 1)

    def quartile(self, which: int) -> float:
        return statistics.quantiles(self.times, n=4)[which - 1]


def read(path: str, skip: int) -> list[Node]:
    """The nodes in the order in which they ran, without the first runs."""
    with open(path, encoding='utf-8') as file:
        events = json.load(file)
    runs = sorted((e['ts'], e['ts'] + e['dur']) for e in events
                  if e['name'] == 'model_run')[skip:]
    found: dict[str, Node] = {}
    events = sorted((e for e in events if e['name'].endswith(SUFFIX)
                     and e['args']['op_name'] not in CONTAINERS),
                    key=lambda e: e['ts'])
    run = 0
    for event in events:
        while run < len(runs) and event['ts'] > runs[run][1]:
            run += 1
        if run == len(runs) or event['ts'] < runs[run][0]:
            continue
        node = _node(event['name'][:-len(SUFFIX)], event['args'], len(runs))
        found.setdefault(node.name, node).times[run] += event['dur']
    return list(found.values())


def _node(name: str, facts: dict, runs: int) -> Node:
    shapes = [dims for output in facts.get('output_type_shape', [])
              for dims in output.values()]
    elements = math.prod(shapes[0]) if shapes else 0
    if NUMBERED.fullmatch(name):
        name = f'{facts["op_name"]} of {elements:,} elements'
    return Node(name, facts['op_name'], facts.get('provider', ''), elements,
                [0.0] * runs)


def elementwise_share(nodes: list[Node]) -> float:
    """The share of all nodes' time that elementwise nodes have."""
    total = sum(node.median for node in nodes)
    return sum(n.median for n in nodes if n.op in ELEMENTWISE) / (total or 1)


def groups(without: list[Node], with_: list[Node]
           ) -> list[tuple[list[Node], list[Node]]]:
    """Nodes that compute the same: of one name, or those that run between two
    nodes of one name and have names that only one of the sessions knows."""
    both = {node.name for node in without} & {node.name for node in with_}
    found = {n.name: ([n], []) for n in without if n.name in both}
    for node in with_:
        if node.name in both:
            found[node.name][1].append(node)
    out = list(found.values())
    # Fusions take the place of the nodes that they consist of.
    names = [[n.name for n in nodes] for nodes in (without, with_)]
    matcher = difflib.SequenceMatcher(None, *names, autojunk=False)
    for tag, i, j, k, end in matcher.get_opcodes():
        alone = ([n for n in without[i:j] if n.name not in both],
                 [n for n in with_[k:end] if n.name not in both])
        if tag != 'equal' and any(alone):
            out.append(alone)
    return out


def slower(without: list[Node], with_: list[Node]) -> list[dict]:
    """The groups that take longer with the provider, those that lose most first."""
    out = []
    for old, new in groups(without, with_):
        times = [sum(n.median for n in part) for part in (old, new)]
        surely = not len(old) == len(new) == 1 or (
            new[0].quartile(1) > old[0].quartile(3))
        if (new and surely and times[1] > times[0] * MARGIN
                and times[1] > times[0] + LEAST):
            out.append({'nodes': [n.name for n in new], 'op': new[0].op,
                        'provider': new[0].provider, 'n': new[0].elements,
                        'without_us': round(times[0], 1),
                        'with_us': round(times[1], 1)})
    return sorted(out, key=lambda g: g['without_us'] - g['with_us'])

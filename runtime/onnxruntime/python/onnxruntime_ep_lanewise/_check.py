# SPDX-License-Identifier: Apache-2.0
"""What the provider does with a model: each node of its operators and each chain,
taken or left and why, and the casts that ONNX Runtime adds with and without the
provider."""

from __future__ import annotations

import collections
import dataclasses
import json
import pathlib
import tempfile

from ._library import import_onnxruntime
from ._onnx_file import count_operators
from ._session import Option, append_to, assigned_nodes


@dataclasses.dataclass(frozen=True)
class Node:
    """A node of an operator that the provider knows."""

    graph: str
    node: str
    op: str
    domain: str
    opset: int
    type: str
    taken: bool
    reason: str


@dataclasses.dataclass(frozen=True)
class Chain:
    """Nodes that could run in one pass over memory. The names of its nodes, and of the
    values that it reads and writes."""

    graph: str
    chain: list[str]
    ops: list[str]
    inputs: list[str]
    constants: list[str]
    outputs: list[str]
    taken: bool
    saved_bytes: int
    added_reorders: int
    added_casts: int
    reason: str


@dataclasses.dataclass
class Report:
    """`problems` is empty if the provider runs what it took. The errors and the
    numbers of casts belong to sessions without and with the provider."""

    model: str
    nodes: list[Node] = dataclasses.field(default_factory=list)
    chains: list[Chain] = dataclasses.field(default_factory=list)
    problems: list[str] = dataclasses.field(default_factory=list)
    error_without: str | None = None
    casts_without: int | None = None
    casts_with: int | None = None

    @property
    def taken(self) -> int:
        return sum(node.taken for node in self.nodes)

    @property
    def casts_saved(self) -> int | None:
        """Negative if the provider adds casts; None if one session does not exist."""
        if self.casts_without is None or self.casts_with is None:
            return None
        return self.casts_without - self.casts_with

    def as_json(self) -> str:
        return json.dumps(
            {
                **dataclasses.asdict(self),
                "taken": self.taken,
                "left": len(self.nodes) - self.taken,
                "casts_saved": max(self.casts_saved or 0, 0),
                "casts_added": max(-(self.casts_saved or 0), 0),
            },
            indent=2,
        )

    def as_text(self) -> str:
        lines = [*map(_node_line, self.nodes), *map(_chain_line, self.chains)]
        return "\n".join([self._summary(), *lines, *self._footer()])

    def _summary(self) -> str:
        chains = [chain for chain in self.chains if chain.taken]
        inside = sum(len(chain.chain) for chain in chains)
        return (
            f"{self.model}: {self.taken} of {len(self.nodes)} nodes taken, {inside} of"
            f" them in {len(chains)} chains"
        )

    def _footer(self) -> list[str]:
        lines = []
        if self.error_without is not None:
            lines.append(f"onnxruntime alone refuses this model: {self.error_without}")
        if self.casts_saved is not None:
            kind = "saved" if self.casts_saved >= 0 else "added"
            lines.append(
                f"casts: {self.casts_without} without the provider, {self.casts_with}"
                f" with it: {abs(self.casts_saved)} {kind}"
            )
        return lines + [f"problem: {problem}" for problem in self.problems]


def check(model: str, options: dict[str, Option]) -> Report:
    """Makes sessions of the model, without and with the provider."""
    report = Report(model)
    with tempfile.TemporaryDirectory(prefix="lanewise") as folder:
        _without(report, pathlib.Path(folder))
        _with(report, pathlib.Path(folder), options)
    return report


def _without(report: Report, folder: pathlib.Path) -> None:
    ort = import_onnxruntime()
    options = _session_options(folder / "without.onnx")
    try:
        ort.InferenceSession(report.model, options, ["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's own types, which have no common base
        report.error_without = str(error)
    else:
        report.casts_without = count_operators(folder / "without.onnx")["Cast"]


def _with(report: Report, folder: pathlib.Path, options: dict[str, Option]) -> None:
    explained = folder / "explained.jsonl"
    try:
        session = _session(
            report.model, _session_options(), {**options, "explain": explained}
        )
        # ONNX Runtime writes no graph that has chains in it. As nodes, the chains
        # lead to the same casts.
        graph = folder / "with.onnx"
        _session(report.model, _session_options(graph), {**options, "chains": "nodes"})
    except Exception as error:  # as above
        report.problems.append(f"no session with the provider: {error}")
        session = None
    report.nodes, report.chains = _read(explained)
    if session is not None:
        report.casts_with = count_operators(graph)["Cast"]
        report.problems += _compare(
            collections.Counter(node.op for node in report.nodes if node.taken),
            collections.Counter(node.op_type for node in assigned_nodes(session)),
        )


def _session(model: str, session_options, options: dict[str, Option]):
    append_to(session_options, **options)
    # With fallback, errors of the provider would go unnoticed.
    return import_onnxruntime().InferenceSession(
        model, session_options, enable_fallback=0
    )


def _session_options(optimized: pathlib.Path | None = None):
    options = import_onnxruntime().SessionOptions()
    options.optimized_model_filepath = str(optimized or "")
    options.log_severity_level = 4
    return options


def _read(explained: pathlib.Path) -> tuple[list[Node], list[Chain]]:
    """ONNX Runtime may ask about a graph more than once. The last answer counts."""
    nodes: dict[tuple[str, str, str], Node] = {}
    chains: dict[tuple[str, ...], Chain] = {}
    if explained.exists():
        for line in explained.read_text(encoding="utf-8").splitlines():
            fields = json.loads(line)
            if "chain" in fields:
                chain = Chain(**fields)
                chains[(chain.graph, *chain.chain)] = chain
            else:
                node = Node(**fields)
                nodes[node.graph, node.node, node.op] = node
    return list(nodes.values()), list(chains.values())


def _compare(
    taken: collections.Counter[str], assigned: collections.Counter[str]
) -> list[str]:
    return [
        f"{op}: the provider took {taken[op]} nodes, onnxruntime gave it {assigned[op]}"
        for op in sorted({*taken, *assigned})
        if taken[op] != assigned[op]
    ]


def _node_line(node: Node) -> str:
    verb = "taken" if node.taken else "left "
    name = f" {node.node}" if node.node else ""
    return f"  {verb} {node.op}-{node.opset} {node.type}{name}: {node.reason}"


def _chain_line(chain: Chain) -> str:
    verb = "taken" if chain.taken else "left "
    members = ", ".join(map(" ".join, zip(chain.ops, chain.chain)))
    values = f"from {', '.join(chain.inputs)} to {', '.join(chain.outputs)}"
    return f"  {verb} chain of {members}; {values}: {chain.reason}"

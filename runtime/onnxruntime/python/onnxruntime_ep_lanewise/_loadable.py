# SPDX-License-Identifier: Apache-2.0
"""Makes bfloat16 models loadable: casts around the nodes that have no kernel."""

from __future__ import annotations

import dataclasses
import json
import os
import pathlib
from typing import Union

from ._cast_node import CastNode
from ._session import Option

Path = Union[str, "os.PathLike[str]"]


class MissingOnnxError(RuntimeError):
    """The package onnx is not installed."""


@dataclasses.dataclass
class Loadable:
    """What was done. `problems` is empty if ONNX Runtime loads the new model."""

    model: str
    out: str
    nodes: list[CastNode] = dataclasses.field(default_factory=list)
    casts: int = 0
    problems: list[str] = dataclasses.field(default_factory=list)

    def as_json(self) -> str:
        return json.dumps(dataclasses.asdict(self), indent=2)

    def as_text(self) -> str:
        done = f"{len(self.nodes)} nodes in float32, {self.casts} casts added"
        lines = [f"{self.out}: {done if self.nodes else 'unchanged'}"]
        for node in self.nodes:
            domain = f"{node.domain}." if node.domain else ""
            place = "" if node.graph == "main" else f" in {node.graph}"
            lines.append(f"  {domain}{node.op} {node.node}{place}")
        return "\n".join(lines + [f"problem: {problem}" for problem in self.problems])


def make_loadable(model: Path, out: Path, **options: Option) -> Loadable:
    """Writes a copy of a bfloat16 model that ONNX Runtime loads with the provider: the
    nodes that have no bfloat16 kernel compute in float32, between casts. A model that
    needs no casts is copied byte for byte. `options` are the provider's options.
    Needs the package onnx."""
    try:
        import onnx
    except ImportError as error:
        raise MissingOnnxError(
            "make_loadable needs the package onnx, which is not installed:"
            " pip install onnx"
        ) from error
    from ._external_data import copy_external
    from ._kinds import try_session
    from ._nodes import cast_nodes

    source, target = pathlib.Path(model), pathlib.Path(out)
    report = Loadable(str(model), str(out))
    content = source.read_bytes()
    parsed = onnx.load_model_from_string(content)
    session = try_session(source, options)
    if isinstance(session, Exception):
        parsed, report.nodes, report.casts = cast_nodes(parsed, options)
        if report.nodes:
            content = parsed.SerializeToString()
    copy_external(parsed, source.parent, target.parent)
    target.write_bytes(content)
    if isinstance(session, Exception):
        session = try_session(target, options)
    if isinstance(session, Exception):
        report.problems.append(f"onnxruntime does not load {out}: {session}")
    return report

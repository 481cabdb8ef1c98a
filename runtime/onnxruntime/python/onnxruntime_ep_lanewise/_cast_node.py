# SPDX-License-Identifier: Apache-2.0
"""What make_loadable tells of a node. Does not import onnx."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(frozen=True)
class CastNode:
    """A node that computes in float32, between casts. `graph` is "main", or the node
    and the attribute that hold the graph."""

    graph: str
    node: str
    op: str
    domain: str

# SPDX-License-Identifier: Apache-2.0
"""Sessions that use the provider, and the proof that they do."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Union

from ._library import EP_NAME, devices, import_onnxruntime, register

if TYPE_CHECKING:
    import onnxruntime

Option = Union[str, int, "os.PathLike[str]"]

# ONNX Runtime then remembers which provider has which node.
RECORD = "session.record_ep_graph_assignment_info"


class NotUsedError(RuntimeError):
    """A session runs no node with the provider."""


class NotRecordedError(RuntimeError):
    """A session did not record which provider has which node."""


def append_to(
    session_options: onnxruntime.SessionOptions, **options: Option
) -> onnxruntime.SessionOptions:
    """Makes sessions with these session options use the provider, and returns the
    session options. Registers the library. `options` are the provider's options, for
    example claim="all"."""
    register()
    ort = import_onnxruntime()
    session_options.add_provider_for_devices(devices(ort), _texts(options))
    session_options.add_session_config_entry(RECORD, "1")
    return session_options


def providers(**options: Option) -> list[Any]:
    """The value of `providers=` of an InferenceSession. Registers the library.
    Needs onnxruntime 1.25: older versions ignore providers from libraries there."""
    import_onnxruntime((1, 25))
    register()
    return [(EP_NAME, _texts(options)), "CPUExecutionProvider"]


def assert_used(session: onnxruntime.InferenceSession) -> int:
    """Returns how many nodes the provider has in this session. Raises NotUsedError if
    there are none, and NotRecordedError if the session cannot tell because its options
    did not come from append_to."""
    if EP_NAME not in session.get_providers():
        raise NotUsedError(
            f"the session has the providers {session.get_providers()}, not {EP_NAME}"
        )
    count = len(assigned_nodes(session))
    if count == 0:
        raise NotUsedError(f"no node of the model runs on {EP_NAME}")
    return count


def assigned_nodes(
    session: onnxruntime.InferenceSession,
) -> list[onnxruntime.OrtEpAssignedNode]:
    """The nodes that the provider has in this session."""
    try:
        subgraphs = session.get_provider_graph_assignment_info()
    except Exception as error:  # onnxruntime's own types, which have no common base
        raise NotRecordedError(
            "the session did not record which provider has which node; append_to sets"
            f" {RECORD}=1 ({error})"
        ) from error
    return [
        node
        for subgraph in subgraphs
        if subgraph.ep_name == EP_NAME
        for node in subgraph.get_nodes()
    ]


def _texts(options: dict[str, Option]) -> dict[str, str]:
    return {key: str(value) for key, value in options.items()}

# SPDX-License-Identifier: Apache-2.0
"""What is installed."""

from __future__ import annotations

import dataclasses
import importlib.metadata
from collections.abc import Callable

from ._library import devices, get_library_path, import_onnxruntime, register

PACKAGE = "onnxruntime-ep-lanewise"


@dataclasses.dataclass(frozen=True)
class BuildInfo:
    """The library as ONNX Runtime has loaded it."""

    version: str
    library: str
    instruction_set: str  # the one that is used on this machine
    instruction_sets: tuple[str, ...]  # those that this machine could use, best first
    threading: tuple[str, ...]  # the values of the option `threading`


def build_info() -> BuildInfo:
    """Asks the library. Registers it, because only a registered library answers."""
    library = register()
    (device,) = devices(import_onnxruntime())
    facts = device.ep_metadata
    return BuildInfo(
        version=facts["version"],
        library=library,
        instruction_set=facts["isa"],
        instruction_sets=tuple(facts["isas"].split()),
        threading=tuple(facts["threading"].split()),
    )


def describe() -> tuple[dict[str, object], bool]:
    """Facts for people, and whether the provider works here. The place of a missing
    fact has the error."""
    facts: dict[str, object] = {
        "package": _attempt(lambda: importlib.metadata.version(PACKAGE)),
        "onnxruntime": _attempt(lambda: import_onnxruntime((0, 0)).__version__),
        "library": _attempt(get_library_path),
    }
    info = _attempt(build_info)
    works = isinstance(info, BuildInfo)
    facts.update(dataclasses.asdict(info) if works else {"provider": info})
    return facts, works


def _attempt(ask: Callable[[], object]) -> object:
    try:
        return ask()
    except Exception as error:  # onnxruntime's own types have no common base
        return f"{type(error).__name__}: {error}"

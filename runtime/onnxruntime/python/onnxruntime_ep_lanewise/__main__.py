# SPDX-License-Identifier: Apache-2.0
"""The command `python -m onnxruntime_ep_lanewise`."""

from __future__ import annotations

import argparse
import json
import os
import sys

from ._bench import bench
from ._check import check
from ._description import describe
from ._loadable import MissingOnnxError, make_loadable


def main(arguments: list[str] | None = None) -> int:
    # Nobody expects a check to report to ONNX Runtime's makers.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    given = _parser().parse_args(arguments)
    options = dict(given.option)
    if given.check:
        report = check(given.check, options)
        print(report.as_json() if given.json else report.as_text())
        return 1 if report.problems else 0
    if given.make_loadable:
        try:
            made = make_loadable(*given.make_loadable, **options)
        except (MissingOnnxError, OSError) as error:
            print(error, file=sys.stderr)
            return 2
        print(made.as_json() if given.json else made.as_text())
        return 1 if made.problems else 0
    if given.bench:
        result = bench(
            given.bench, options, dict(given.dim), given.default_dim, given.seconds
        )
        print(result.as_json() if given.json else result.as_text())
        return 0
    facts, works = describe()
    if given.json:
        print(json.dumps(facts, indent=2))
    else:
        for name, fact in facts.items():
            print(f"{name}: {fact}")
    return 0 if works else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m onnxruntime_ep_lanewise",
        description="Describes the installation of the lanewise execution provider,"
        " or what the provider does with a model, or makes a model loadable.",
    )
    task = parser.add_mutually_exclusive_group()
    task.add_argument(
        "--check",
        metavar="MODEL",
        help="list each node of lanewise's operators, taken or left and why; the exit"
        " code is 1 if onnxruntime does not run with the provider what it took",
    )
    task.add_argument(
        "--bench",
        metavar="MODEL",
        help="time the model with and without the provider, on made-up inputs",
    )
    task.add_argument(
        "--make-loadable",
        nargs=2,
        metavar=("MODEL", "OUT"),
        help="write a bfloat16 model that onnxruntime loads: nodes that have no"
        " bfloat16 kernel compute in float32, between casts; needs the package onnx;"
        " the exit code is 1 if the new model does not load, 2 if there is none",
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--option",
        metavar="KEY=VALUE",
        type=_pair,
        action="append",
        default=[],
        help="an option of the provider, such as claim=all",
    )
    parser.add_argument(
        "--dim",
        metavar="NAME=SIZE",
        type=_size,
        action="append",
        default=[],
        help="with --bench: the size of a symbolic dim",
    )
    parser.add_argument(
        "--default-dim",
        metavar="SIZE",
        type=int,
        default=16,
        help="with --bench: the size of all other symbolic dims (%(default)s)",
    )
    parser.add_argument(
        "--seconds",
        type=float,
        default=3.0,
        help="with --bench: how long to measure (%(default)s)",
    )
    return parser


def _pair(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not name or not separator:
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name, value


def _size(text: str) -> tuple[str, int]:
    name, value = _pair(text)
    return name, int(value)


if __name__ == "__main__":
    sys.exit(main())

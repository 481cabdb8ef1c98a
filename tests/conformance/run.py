# SPDX-License-Identifier: Apache-2.0
"""Runs ONNX's own suite on a shared build of lanewise.

    prepare run.py LIBRARY

Cases come from the installed onnx package. More cases come from the folder that
LANEWISE_CONFORMANCE_DATA names, or from ../shared/conformance beside the checkout,
if there is such a folder. Exit code 77: not run.
"""

from __future__ import annotations

import collections
import os
import pathlib
import sys
from collections.abc import Iterable

import onnx

import cases
import oracle
from composed import COMPOSED
from functions import FUNCTIONS
from lanewise_ctypes import ABSENT, LanewiseError, Library, Tensor
from reductions import REDUCTIONS

# The number of cases in the folder: the cases of ONNX v1.1.0 to v1.22.0 that
# consist only of Div, Exp, Reciprocal, Relu and Reshape.
CASES_IN_FOLDER = 290
# The errors of floats in the files, in ULP: numpy computed them in float32, and
# PyTorch some of them.
FILE_ULP = {
    **dict.fromkeys(("HardSigmoid", "HardSwish", "Softsign", *FUNCTIONS), 4),
    **dict.fromkeys(REDUCTIONS, 4),
    **dict.fromkeys(COMPOSED, 1 << 14),  # small differences of large numbers
    "Exp": 2,
    "LeakyRelu": 1,
}

TOP = pathlib.Path(__file__).resolve().parents[2]


def run_case(
    library: Library, case: cases.Case, ran: collections.Counter
) -> str | None:
    """Runs the graph on each of its data sets. Returns what was wrong, or None."""
    if not case.data or not case.nodes:
        return "no data or no nodes"
    for given, expected in case.data:
        values: dict[str, Tensor] = {**case.constants, **dict(zip(case.inputs, given))}
        for node in case.nodes:
            inputs = [values[name] if name else ABSENT for name in node.inputs]
            wanted = [bool(name) for name in node.outputs]
            outs = library.run(node.op, case.opset, node.attributes, inputs, wanted)
            version = library.version(node.op, case.opset)
            fault = oracle.check_outputs(
                node.op, version, node.attributes, inputs, outs
            )
            if fault:
                return f"{node.op}: {fault}"
            values.update(zip(node.outputs, outs))
            ran[node.op, version, library.type_name(outs[0].type)] += 1
        ops = [node.op for node in case.nodes]
        ulp = sum(FILE_ULP.get(op, 0) for op in ops)
        for name, wanted in zip(case.outputs, expected, strict=True):
            if fault := oracle.check_expected(ops[-1], values[name], wanted, ulp):
                return fault
    return None


def run_all(
    library: Library, name: str, found: Iterable[cases.Case], ran: collections.Counter
) -> tuple[int, int]:
    """Runs all cases. Returns the number of cases and the number of failures."""
    total = failed = 0
    for case in found:
        total += 1
        try:
            fault = run_case(library, case, ran)
        except (LanewiseError, KeyError, ValueError) as error:
            fault = f"{type(error).__name__}: {error}"
        if fault:
            failed += 1
            print(f"FAILED {case.name}: {fault}")
    print(f"{name}: {total} cases, {failed} failed")
    return total, failed


def print_table(ran: collections.Counter) -> None:
    print("\nNodes run, by operator and version:")
    versions = sorted({(op, version) for op, version, _ in ran})
    for op, version in versions:
        types = sorted(
            (t, n) for (o, v, t), n in ran.items() if (o, v) == (op, version)
        )
        text = ", ".join(f"{name} {count}" for name, count in types)
        print(f"  {op + '-' + str(version):<14}{sum(n for _, n in types):>4}  {text}")


def data_folder() -> pathlib.Path | None:
    """The folder that is named, or the folder beside the checkout, or None."""
    if given := os.environ.get("LANEWISE_CONFORMANCE_DATA"):
        return pathlib.Path(given)
    beside = TOP.parent / "shared" / "conformance"
    return beside if beside.is_dir() else None


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    library = Library(sys.argv[1])
    print(f"{library.description()}; onnx {onnx.__version__}")
    ran: collections.Counter = collections.Counter()
    total, failed = run_all(library, "onnx package", cases.from_package(), ran)
    if total == 0:
        print("FAILED: the onnx package has no cases for these operators")
        failed += 1
    if folder := data_folder():
        count, wrong = run_all(library, str(folder), cases.from_folder(folder), ran)
        total, failed = total + count, failed + wrong
        if count < CASES_IN_FOLDER:
            missing = (
                f"{CASES_IN_FOLDER - count} of {CASES_IN_FOLDER} cases are missing"
            )
            print(f"{missing} in {folder}")
            failed += os.environ.get("CI") == "true"
    else:
        print(
            "not run: cases of ONNX's older releases (set LANEWISE_CONFORMANCE_DATA)"
        )
    print_table(ran)
    print(f"\n{total} cases, {sum(ran.values())} nodes, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: Apache-2.0
"""Turns kept results into rows for gains.cc.

    gains.py PROCESSOR RESULTS.json... > rows

A result is how long ONNX Runtime's CPU provider took, divided by how long
lanewise's provider took. Results of all CPUs of the processor's family, of all patterns
and of all sizes from 2,048 elements on become one row for each operator and type.
"""

import json
import math
import re
import sys

SMALLEST = 2048


def family(name: str) -> str:
    """Of a processor as CMake names it, or of an instruction set."""
    families = {
        "arm": "aarch64|arm64|neon|sve",
        "riscv": "riscv|rvv",
        "x86": "x86|amd64|i[3-6]86|avx|s?sse",
    }
    for known, names in families.items():
        if re.match(names, name, re.IGNORECASE):
            return known
    return name  # a family of its own: nothing was measured


def main(processor: str, *paths: str) -> None:
    ratios: dict[tuple[str, str], list[float]] = {}
    for path in paths:
        with open(path, encoding="utf-8") as file:
            result = json.load(file)
        if family(result["isa"]) != family(processor):
            continue
        for row in result["rows"]:
            if row["n"] >= SMALLEST:
                ratios.setdefault((row["op"], row["type"]), []).append(row["ratio"])
    for (op, name), all_ratios in sorted(ratios.items()):
        mean = math.exp(sum(map(math.log, all_ratios)) / len(all_ratios))
        worst = min(all_ratios)
        print(f'    {{"{op}", LW_{name.upper()}, {mean:.3f}, {worst:.3f}}},')


main(*sys.argv[1:])

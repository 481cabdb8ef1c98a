# SPDX-License-Identifier: Apache-2.0
"""The time of a model with and without the provider."""

from __future__ import annotations

import dataclasses
import itertools
import json
import pathlib
import statistics
import tempfile
import time
from collections.abc import Callable, Mapping
from typing import Any

from ._inputs import make_inputs
from ._library import import_onnxruntime
from ._session import Option, append_to

ROUNDS = 60
PROFILED_RUNS = 5


@dataclasses.dataclass(frozen=True)
class Result:
    """Seconds of one run: medians, and minima. Without the provider there may be an
    error instead. `quartiles` are those of the ratio of both in each turn, `noise` those
    of the ratio of two sessions without the provider. `elementwise_share` is the part
    of the nodes' time that nodes of lanewise's operators had without the provider."""

    model: str
    seconds_with: float
    seconds_with_least: float
    seconds_without: float | None
    seconds_without_least: float | None
    quartiles: tuple[float, float] | None
    noise: tuple[float, float] | None
    elementwise_share: float | None
    error_without: str | None

    @property
    def ratio(self) -> float | None:
        """The time without the provider over the time with it."""
        if self.seconds_without is None:
            return None
        return self.seconds_without / self.seconds_with

    def as_json(self) -> str:
        return json.dumps({**dataclasses.asdict(self), "ratio": self.ratio}, indent=2)

    def as_text(self) -> str:
        times = _times(self.seconds_with, self.seconds_with_least)
        lines = [f"{self.model}: {times} with the provider"]
        if self.seconds_without is None:
            lines.append(f"onnxruntime alone refuses this model: {self.error_without}")
        else:
            times = _times(self.seconds_without, self.seconds_without_least)
            share = f"{self.elementwise_share:.0%} of its nodes' time in elementwise ones"
            lines.append(f"{times} without it, {share}")
            lines.append(
                f"{self.ratio:.2f} times as fast with the provider"
                f" ({_range(self.quartiles)} in half of the turns; two sessions without:"
                f" {_range(self.noise)})"
            )
        return "\n".join(lines)


def _times(median: float, least: float | None) -> str:
    return f"{median * 1e6:.1f} us (at least {(least or 0) * 1e6:.1f})"


def _range(ends: tuple[float, float] | None) -> str:
    return " to ".join(f"{end:.2f}" for end in ends or ())


def bench(
    model: str,
    options: dict[str, Option],
    dims: Mapping[str, int],
    default_dim: int,
    seconds: float,
) -> Result:
    """Times both in turns, so that a change of the machine's speed hits both, and once
    more the one without the provider, which shows the noise."""
    with tempfile.TemporaryDirectory(prefix="lanewise") as name:
        folder = pathlib.Path(name)
        explained = folder / "explained.jsonl"
        session = _session(model, **{**options, "explain": explained})
        inputs = make_inputs(session.get_inputs(), dims, default_dim)
        sessions = [session]
        share = error_without = None
        try:
            sessions += [_session(model), _session(model)]
        except Exception as error:  # onnxruntime's types, which have no common base
            error_without = str(error)
        else:
            lines = map(json.loads, explained.read_text(encoding="utf-8").splitlines())
            operators = {line["op"] for line in lines if "op" in line}
            share = _share(model, folder, inputs, operators)
    calls = [lambda s=s: s.run_with_ort_values(None, inputs) for s in sessions]
    ours, *others = _rounds(calls, seconds / ROUNDS / len(calls))
    without: tuple[Any, ...] = (None, None, None, None)
    if others:
        own, again = others
        ranges = _quartiles(own, ours), _quartiles(own, again)
        without = (statistics.median(own), min(own), *ranges)
    return Result(
        model, statistics.median(ours), min(ours), *without, share, error_without
    )


def _quartiles(times: list[float], others: list[float]) -> tuple[float, float]:
    low, _, high = statistics.quantiles([a / b for a, b in zip(times, others)], n=4)
    return low, high


def _session(model: str, profile: pathlib.Path | None = None, **options: Option) -> Any:
    """With the provider if it has options."""
    ort = import_onnxruntime()
    session_options = ort.SessionOptions()
    session_options.log_severity_level = 4
    # After a run, threads would look for work for 40 ms and longer, and take a core from
    # the other session.
    session_options.add_session_config_entry("session.force_spinning_stop", "1")
    if profile is not None:
        session_options.enable_profiling = True
        session_options.profile_file_prefix = str(profile)
    if options:
        append_to(session_options, **options)
        return ort.InferenceSession(model, session_options, enable_fallback=0)
    return ort.InferenceSession(model, session_options, ["CPUExecutionProvider"])


def _share(
    model: str, folder: pathlib.Path, inputs: Mapping[str, Any], operators: set[str]
) -> float:
    """The share of these operators in the time of all nodes, by onnxruntime's
    profiler. Nodes with bodies are left out: the nodes in the bodies count."""
    session = _session(model, folder / "profile")
    session.run_with_ort_values(None, inputs)  # the first run allocates
    for _ in range(PROFILED_RUNS):
        session.run_with_ort_values(None, inputs)
    events = json.loads(pathlib.Path(session.end_profiling()).read_text("utf-8"))
    total = elementwise = 0
    for event in events:
        if not event["name"].endswith("_kernel_time"):
            continue
        operator = event["args"]["op_name"]
        if operator not in ("If", "Loop", "Scan"):
            total += event["dur"]
            elementwise += event["dur"] if operator in operators else 0
    return elementwise / total if total else 0.0


def _rounds(calls: list[Callable[[], object]], seconds: float) -> list[list[float]]:
    repeats = [_repeats(call, seconds) for call in calls]
    times: list[list[float]] = [[] for _ in calls]
    orders = itertools.cycle(itertools.permutations(range(len(calls))))
    for order in itertools.islice(orders, ROUNDS):
        for i in order:
            times[i].append(_time(calls[i], repeats[i]))
    return times


def _repeats(call: Callable[[], object], seconds: float) -> int:
    """How many calls fill the time. The first call allocates, so it does not count."""
    _time(call, 1)
    count = 1
    while (each := _time(call, count)) * count < seconds / 10:
        count *= 2
    return max(1, round(seconds / each))


def _time(call: Callable[[], object], count: int) -> float:
    start = time.perf_counter()
    for _ in range(count):
        call()
    return (time.perf_counter() - start) / count

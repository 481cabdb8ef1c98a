# SPDX-License-Identifier: Apache-2.0
"""The time of a model with and without the provider."""

from __future__ import annotations

import dataclasses
import json
import statistics
import time
from collections.abc import Callable, Mapping

from ._inputs import make_inputs
from ._library import import_onnxruntime
from ._session import Option, append_to

ROUNDS = 15


@dataclasses.dataclass(frozen=True)
class Result:
    """Medians in seconds. Without the provider there may be an error instead."""

    model: str
    seconds_with: float
    seconds_without: float | None
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
        lines = [f"{self.model}: {self.seconds_with * 1e6:.1f} us with the provider"]
        if self.seconds_without is None:
            lines.append(f"onnxruntime alone refuses this model: {self.error_without}")
        else:
            lines.append(f"{self.seconds_without * 1e6:.1f} us without it")
            lines.append(f"{self.ratio:.2f} times as fast with the provider")
        return "\n".join(lines)


def bench(
    model: str,
    options: dict[str, Option],
    dims: Mapping[str, int],
    default_dim: int,
    seconds: float,
) -> Result:
    """Times both in turns, so that a change of the machine's speed hits both."""
    ort = import_onnxruntime()
    plain, appended = ort.SessionOptions(), ort.SessionOptions()
    plain.log_severity_level = appended.log_severity_level = 4
    append_to(appended, **options)
    session = ort.InferenceSession(model, appended, enable_fallback=0)
    inputs = make_inputs(session.get_inputs(), dims, default_dim)
    calls = [lambda: session.run_with_ort_values(None, inputs)]
    error_without = None
    try:
        other = ort.InferenceSession(model, plain, ["CPUExecutionProvider"])
        calls.append(lambda: other.run_with_ort_values(None, inputs))
    except Exception as error:  # onnxruntime's own types, which have no common base
        error_without = str(error)
    medians = _medians(calls, seconds / ROUNDS / len(calls))
    return Result(model, medians[0], (medians + [None])[1], error_without)


def _medians(calls: list[Callable[[], object]], seconds: float) -> list[float]:
    repeats = [_repeats(call, seconds) for call in calls]
    rounds = [
        [_time(call, count) for call, count in zip(calls, repeats)]
        for _ in range(ROUNDS)
    ]
    return [statistics.median(times) for times in zip(*rounds)]


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

"""What all benchmarks share: a quiet server, interleaved rounds, medians, ratios.

The rule: a figure is a ratio of two things measured in turns in one run on one
server. Rates of their own mean nothing on another machine.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Mapping

from tests.support.server import RedisServer

__all__ = ["PAYLOAD", "RedisServer", "compare", "rate", "row"]

PAYLOAD = "x" * 70


def rate(count: int, work: Callable[[], object]) -> float:
    """Run `work`, which does `count` things; things a second."""
    start = time.perf_counter()
    work()
    return count / (time.perf_counter() - start)


def compare(rounds: int, contestants: Mapping[str, Callable[[], float]]) -> dict[str, float]:
    """Measure each contestant once a round, in turns; the median of each."""
    results: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(rounds):
        for name, measure in contestants.items():
            results[name].append(measure())
    return {name: statistics.median(values) for name, values in results.items()}


def row(what: str, ours: float, theirs: float, against: str, unit: str = "/s") -> None:
    """Print one line of the report."""
    ratio = ours / theirs if theirs else float("inf")
    print(
        f"{what:<44} {ours:>12,.2f} {theirs:>12,.2f} {unit:<4} x {ratio:6.2f}  of {against}",
        flush=True,
    )

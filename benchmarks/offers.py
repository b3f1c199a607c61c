"""Offers beside plain redis-py."""

from __future__ import annotations

from benchmarks import offer
from benchmarks.measure import Bench

NAME = "offers"


def run(bench: Bench) -> None:
    """Measure offers, synchronous and asynchronous."""
    offer.sync(bench.server, bench.rounds)
    offer.concurrent(bench.server, bench.rounds)

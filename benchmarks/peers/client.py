"""The producer's process: offers what a line of JSON on stdin says, and answers what it cost.

`python -m benchmarks.peers.client PEER` in the peer's environment; it imports nothing of the suite.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import random
import sys
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib import metadata
from typing import Any


@dataclass
class Order:
    """What to offer."""

    count: int
    """So many tasks, numbered from `first` on, or fewer: see `seconds`."""
    after: float
    """Due so many seconds after the offer or, with a span, after the first offer."""
    span: float = 0
    """Due at random within so many seconds, the same ones for every peer."""
    seconds: float = 60
    """Offer no longer than this."""
    first: int = 0


@dataclass
class Answer:
    """What was offered."""

    dues: list[float] = field(default_factory=list)
    seconds: float = 0
    cpu: float = 0


def tasks(order: Order, answer: Answer) -> Iterator[tuple[int, float]]:
    """Yield the tasks to offer; what the offers cost comes into the answer."""
    chance = random.Random(1)
    begin, start, cpu = time.time(), time.perf_counter(), time.process_time()
    for number in range(order.first, order.first + order.count):
        if time.perf_counter() - start > order.seconds:
            break
        since = begin if order.span else time.time()
        answer.dues.append(since + order.after + chance.random() * order.span)
        yield number, answer.dues[-1]
    answer.seconds = time.perf_counter() - start
    answer.cpu = time.process_time() - cpu


def _orders() -> Iterator[tuple[Order, Answer]]:
    print(metadata.version(sys.argv[1]), flush=True)  # it is ready
    for line in sys.stdin:
        answer = Answer()
        yield Order(**json.loads(line)), answer
        print(json.dumps(asdict(answer)), flush=True)


def _serve(producer: contextlib.AbstractContextManager[Any]) -> None:
    with producer as offer:
        for order, answer in _orders():
            for number, due in tasks(order, answer):
                offer(number, due)


async def _serve_async(producer: contextlib.AbstractAsyncContextManager[Any]) -> None:
    async with producer as offer:
        for order, answer in _orders():  # it waits between measurements only
            for number, due in tasks(order, answer):
                await offer(number, due)


def main(peer: str) -> None:
    """Serve until stdin ends."""
    producer = importlib.import_module(f"benchmarks.peers.apps.{peer}").producer()
    if isinstance(producer, contextlib.AbstractAsyncContextManager):
        asyncio.run(_serve_async(producer))
    else:
        _serve(producer)


if __name__ == "__main__":
    main(sys.argv[1])

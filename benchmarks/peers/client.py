"""The producer's process: it offers what a line of JSON on stdin orders, and returns the cost.

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
    """The tasks to offer."""

    count: int
    """The number of tasks, numbered from `first` on; fewer if `seconds` are over."""
    after: float
    """Seconds from the offer until a task is due; with a span, from the first offer."""
    span: float = 0
    """Seconds within which the tasks are due at random, the same ones for every peer."""
    seconds: float = 60
    """Offer no longer than these seconds."""
    first: int = 0


@dataclass
class Answer:
    """The offered tasks, and their cost."""

    dues: list[float] = field(default_factory=list)
    seconds: float = 0
    cpu: float = 0


def tasks(order: Order, answer: Answer) -> Iterator[tuple[int, float]]:
    """Yield the tasks to offer; add the cost of the offers to the answer."""
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
    print(metadata.version(sys.argv[1]), flush=True)  # the process is ready
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
        for order, answer in _orders():  # it waits only between measurements
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

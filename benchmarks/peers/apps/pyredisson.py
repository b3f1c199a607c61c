"""pyredisson: `python -m benchmarks.peers.apps.pyredisson WORKER` is a worker as in the README."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from benchmarks.peers.apps import side
from pyredisson import BlockingQueue, Consumer, Redisson
from pyredisson.codecs import StringCodec

QUEUE = "peers"


@contextmanager
def producer() -> Iterator[Callable[[int, float], object]]:
    """Offer with `offer(at=...)`; the transfer is the worker's."""
    with Redisson.from_url(side.URL) as redisson:
        queue = redisson.get_queue(QUEUE, codec=StringCodec())
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        yield lambda number, due: delayed.offer(str(number), at=side.moment(due))


def _take(tasks: BlockingQueue[str]) -> None:
    while True:
        side.received(int(tasks.take()))


def _acknowledge(consumer: Consumer[str]) -> None:
    for message in consumer:
        side.received(int(message.value))
        message.ack()


def main(worker: str) -> None:
    """Work until killed; `alone` also transfers, for other workers another process does that."""
    with Redisson.from_url(side.URL) as redisson:
        tasks = redisson.get_blocking_queue(QUEUE, codec=StringCodec())
        if worker == "consumer":
            _acknowledge(redisson.get_consumer(tasks, prefetch=100, transfer=False))
        if worker == "alone":
            redisson.get_delayed_queue(tasks)
        _take(tasks)


if __name__ == "__main__":
    main(sys.argv[1])

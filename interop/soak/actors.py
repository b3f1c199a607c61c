"""The actors, each a process: ``python -m interop.soak.actors KIND URL DIRECTORY NAME``."""

from __future__ import annotations

import itertools
import random
import sys
import time
from pathlib import Path

from redis.exceptions import RedisError

from interop.soak.notes import Notes
from pyredisson import (
    Backoff,
    Defer,
    DelayedQueue,
    Message,
    OfferError,
    PartialOfferError,
    Receipt,
    Redisson,
    UncertainOfferError,
    Worker,
)
from pyredisson.codecs import StringCodec

QUEUES = ("soak-a", "soak-b", "soak-c")
LEASE = 2.0
_PAUSE = 0.05


def _again(delayed: DelayedQueue[str], receipts: list[Receipt]) -> None:
    """Make sure that items are there, however long the server is away."""
    for receipt in receipts:
        while True:
            try:
                delayed.offer_again(receipt)
            except (RedisError, OfferError, OSError):
                time.sleep(_PAUSE)
            else:
                break


def _offer(delayed: DelayedQueue[str], values: list[str], chance: random.Random) -> None:
    try:
        if len(values) == 1:
            delayed.offer(values[0], delay=chance.uniform(0, 2))
        else:
            delayed.offer_many([(value, chance.uniform(0, 2)) for value in values])
    except UncertainOfferError as error:
        _again(delayed, [error.receipt])
    except PartialOfferError as error:
        _again(delayed, [*error.unknown.values(), *error.unstored.values()])


def produce(redisson: Redisson, notes: Notes, name: str) -> None:
    """Offer items, one by one and many at once, until it is killed."""
    chance = random.Random(name)
    queues = [redisson.get_queue(queue, StringCodec()) for queue in QUEUES]
    all_delayed = [redisson.get_delayed_queue(queue, transfer=False) for queue in queues]
    numbers = itertools.count()
    while True:
        delayed = chance.choice(all_delayed)
        count = chance.choice((1, 1, 1, 50, 300))
        values = [f"{name}-{next(numbers)}" for _ in range(count)]
        notes.put("i", *values)
        while True:
            try:
                _offer(delayed, values, chance)
            except (RedisError, OSError):  # nothing was stored
                time.sleep(_PAUSE)
            else:
                break
        notes.put("o", *values)
        time.sleep(count / 3000)


def work(redisson: Redisson, notes: Notes, name: str) -> int:
    """Handle items, most of them well."""
    chance = random.Random(name)

    def handle(message: Message[str]) -> None:
        notes.put("d", message.value)
        fate = chance.random()
        if fate < 0.02:
            notes.put("f", message.value)
            raise Defer(0.1)
        if fate < 0.05:
            notes.put("f", message.value)
            raise ValueError("again")
        if fate < 0.055:
            notes.put("x", message.value)
            raise LookupError("no good")
        notes.put("h", message.value)

    worker = Worker(
        redisson,
        [redisson.get_queue(queue, StringCodec()) for queue in QUEUES],
        handle,
        lease=LEASE,
        backoff=Backoff(first=0.1, limit=1),
        max_deliveries=1000,
        on_error={LookupError: "dead"},
        pass_message=True,
        fair=True,
    )
    return worker.run()


def main() -> None:
    """Be one of them."""
    kind, url, directory, name = sys.argv[1:]
    notes = Notes(Path(directory) / f"{name}.notes")
    while True:
        try:
            with Redisson.from_url(url, safety_interval=1, response_timeout=2) as redisson:
                if kind == "worker":
                    sys.exit(work(redisson, notes, name))
                produce(redisson, notes, name)
        except (RedisError, OSError):
            time.sleep(_PAUSE)  # the server was away at the first contact


if __name__ == "__main__":
    main()

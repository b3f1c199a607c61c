"""The actors, each a process: ``python -m interop.soak.actors`` with the arguments of `main`."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import os
import random
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

import redis.asyncio
from redis.exceptions import RedisClusterException, RedisError

from interop.soak.notes import Notes
from interop.soak.places import QUEUES, TICKS, Address
from pyredisson import (
    AsyncRedisson,
    AsyncWorker,
    Backoff,
    Consumer,
    Defer,
    DelayedQueue,
    Message,
    OfferError,
    PartialOfferError,
    Queue,
    Receipt,
    Redisson,
    UncertainOfferError,
    Worker,
)
from pyredisson.codecs import StringCodec

LEASE = 2.0
_PAUSE = 0.05
_MANY = 20_000
"""Producers wait while more items than this are ready, or the workers would never be done."""

_SETTINGS: dict[str, Any] = {"safety_interval": 1, "response_timeout": 2, "codec": StringCodec()}
_DOWN = (RedisError, RedisClusterException, OSError)


class Hands:
    """How a worker treats a message: most are handled well, and everything is noted."""

    def __init__(self, notes: Notes, name: str) -> None:
        self._notes = notes
        self._chance = random.Random(name)

    def fate(self, message: Any) -> str:
        """Note a delivery and its fate: a letter of the notes, or `F`, released with a delay."""
        chance, value = self._chance.random(), message.value
        fate = "F" if chance < 0.02 else "f" if chance < 0.05 else "x" if chance < 0.055 else "h"
        self._notes.put(("ad" if message.attempt == 1 else "d") + fate.lower(), value)
        return fate

    def handle(self, message: Any) -> None:
        """Handle a message as a worker does."""
        fate = self.fate(message)
        if fate == "F":
            self._notes.put("g", message.value)
            raise Defer(0.1)
        if fate == "f":
            raise ValueError("again")
        if fate == "x":
            raise LookupError("no good")

    def settle(self, message: Message[str]) -> list[Message[str]]:
        """Settle a message as a consumer does; return it if it is to be acknowledged."""
        fate = self.fate(message)
        if fate == "F":
            message.nack(0.1)
        elif fate == "f":
            message.nack()
        elif fate == "x":
            message.reject("no good")
        return [message] if fate == "h" else []


_WORKING: dict[str, Any] = {
    "lease": LEASE,
    "backoff": Backoff(first=0.1, limit=1),
    "max_deliveries": 1000,
    "on_error": {LookupError: "dead"},
    "pass_message": True,
    "fair": True,
}


def _again(delayed: DelayedQueue[str], receipt: Receipt) -> None:
    """Offer an item again until it is stored, however long the server is away."""
    while True:
        try:
            delayed.offer_again(receipt)
        except (*_DOWN, OfferError):
            time.sleep(_PAUSE)
        else:
            return


def _offer(delayed: DelayedQueue[str], values: list[str], chance: random.Random) -> list[Receipt]:
    """Offer; return the receipts of items that may not be stored."""
    try:
        if len(values) == 1:
            delayed.offer(values[0], delay=chance.uniform(0, 2))
        else:
            delayed.offer_many([(value, chance.uniform(0, 2)) for value in values])
    except UncertainOfferError as error:
        return [error.receipt]
    except PartialOfferError as error:
        return [*error.unknown.values(), *error.unstored.values()]
    return []


def _size(queues: list[Queue[str]]) -> int:
    """Return how many items are ready; 0 while the server is away."""
    try:
        return sum(queue.size() for queue in queues)
    except _DOWN:
        return 0


def produce(redisson: Redisson, notes: Notes, name: str, rate: float) -> None:
    """Offer items, one by one and many at once, until the process is killed."""
    chance = random.Random(name)
    queues = [redisson.get_queue(queue) for queue in QUEUES]
    all_delayed = [redisson.get_delayed_queue(queue, transfer=False) for queue in queues]
    numbers = itertools.count()
    while True:
        delayed = chance.choice(all_delayed)
        values = [f"{name}-{next(numbers)}" for _ in range(chance.choice((1, 1, 1, 50, 300)))]
        notes.put("i", *values)
        while True:
            try:
                uncertain = _offer(delayed, values, chance)
            except _DOWN:  # nothing was stored
                time.sleep(_PAUSE)
            else:
                break
        if uncertain:
            notes.put("u", *values)
            for receipt in uncertain:
                _again(delayed, receipt)
        notes.put("o", *values)
        time.sleep(len(values) / rate)
        while len(values) > 1 and _size(queues) > _MANY:
            time.sleep(0.5)


def work(redisson: Redisson, notes: Notes, name: str) -> int:
    """Handle items with threads."""
    queues = [redisson.get_queue(queue) for queue in QUEUES]
    return Worker(redisson, queues, Hands(notes, name).handle, **_WORKING).run()


async def work_async(address: Address, notes: Notes, name: str) -> int:
    """Handle items with asyncio; without Sentinels."""
    kinds: Any = redis.asyncio
    kind = kinds.RedisCluster if address.mode == "cluster" else kinds.Redis
    async with AsyncRedisson(kind.from_url(address.urls[0]), **_SETTINGS) as redisson:
        queues = [redisson.get_queue(queue) for queue in QUEUES]
        return await AsyncWorker(redisson, queues, Hands(notes, name).handle, **_WORKING).run()


def consume(redisson: Redisson, notes: Notes, name: str) -> int:
    """Take many from one queue, and acknowledge many at once, until SIGTERM."""
    hands, over = Hands(notes, name), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    queue = redisson.get_queue(random.Random(name).choice(QUEUES))
    consumer = redisson.get_consumer(queue, lease=LEASE, prefetch=40)
    while not over.is_set():
        try:
            messages = consumer.take_many(20, timeout=1)
            consumer.ack_many([done for each in messages for done in hands.settle(each)])
        except _DOWN:
            time.sleep(_PAUSE)
    return 0


def fork(redisson: Redisson, notes: Notes, name: str) -> int:
    """Take as `consume` does, and fork with messages in flight: the child takes and closes, too."""
    hands, over = Hands(notes, name), threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    queue = redisson.get_queue(random.Random(name).choice(QUEUES))
    with redisson.get_consumer(queue, lease=LEASE, prefetch=20) as consumer:
        while not over.is_set():
            try:
                messages = consumer.take_many(5, timeout=1)
                if messages and not (child := os.fork()):
                    _be_a_child(consumer, Hands(notes, f"{name}-{os.getpid()}"))
                consumer.ack_many([done for each in messages for done in hands.settle(each)])
                if messages:
                    os.waitpid(child, 0)
                time.sleep(_PAUSE)
            except _DOWN:
                time.sleep(_PAUSE)
    return 0


def _be_a_child(consumer: Consumer[str], hands: Hands) -> NoReturn:
    with contextlib.suppress(*_DOWN), consumer:
        messages = consumer.take_many(3, timeout=0.1)
        consumer.ack_many([done for each in messages for done in hands.settle(each)])
    os._exit(0)


def tick(redisson: Redisson, notes: Notes, name: str, rate: float) -> int:
    """Offer and handle items that are all equal; note how many are certain."""
    over, chance = threading.Event(), random.Random(name)
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    queue = redisson.get_queue(TICKS)
    delayed = redisson.get_delayed_queue(queue)
    consumer = redisson.get_consumer(queue, lease=LEASE, prefetch=50)
    while not over.is_set():
        with contextlib.suppress(*_DOWN):
            many = ["tick"] * chance.choice((1, 20, 200))
            notes.put("t", *(f"begun{n}" for n in range(len(many))))
            for receipt in _offer(delayed, many, chance):
                notes.put("t", "begun0")  # it is delivered twice if it is delivered before
                _again(delayed, receipt)
            notes.put("t", *(f"offered{n}" for n in range(len(many))))
            for _ in range(3):
                _handle_ticks(consumer, notes, chance)
            time.sleep(len(many) / rate)
    return 0


def _handle_ticks(consumer: Consumer[str], notes: Notes, chance: random.Random) -> None:
    messages = consumer.take_many(100, timeout=0.5)
    for message in messages[: len(messages) // 10]:
        message.nack(chance.choice((0, 0.1)))
    rest = messages[len(messages) // 10 :]
    notes.put("t", *(f"acking{n}" for n in range(len(rest))))
    done = consumer.ack_many(rest)
    notes.put("t", *(f"{'acked' if ours else 'late'}{n}" for n, ours in enumerate(done)))


def transfer(redisson: Redisson, _notes: Notes, _name: str) -> int:
    """Move due items, and release what ended processes left behind."""
    over = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: over.set())
    for queue in QUEUES:
        redisson.get_delayed_queue(redisson.get_queue(queue))
    over.wait()
    return 0


_OFFER = {"producer": produce, "ticker": tick}
_KINDS = {
    "worker": work,
    "async_worker": work,
    "consumer": consume,
    "forker": fork,
    "transferrer": transfer,
}


def main() -> None:
    """Run as one of the actors."""
    kind, where, directory, name, rate = sys.argv[1:]
    logging.basicConfig(level=logging.ERROR)
    logging.getLogger("pyredisson").addFilter(lambda line: "no good" not in line.getMessage())
    address, notes = Address.parse(where), Notes(Path(directory) / f"{name}.notes")
    while True:
        try:
            if kind == "async_worker" and address.mode != "sentinel":
                sys.exit(asyncio.run(work_async(address, notes, name)))
            with Redisson(address.client(), **_SETTINGS) as redisson:
                if kind in _OFFER:
                    sys.exit(_OFFER[kind](redisson, notes, name, float(rate)))
                sys.exit(_KINDS[kind](redisson, notes, name))
        except _DOWN:
            time.sleep(_PAUSE)  # the server was away at the first contact


if __name__ == "__main__":
    main()

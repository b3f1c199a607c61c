"""The producers of the part `offers`, each in a process of its own: redis-py and pyredisson.

The rule: a producer is a context. It yields a function that offers one text for some seconds, with
delays of 1 to 2 hours. The function returns how many offers it made, in how many seconds, with how
much CPU time.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any

import redis
import redis.asyncio

from benchmarks.measure import PAYLOAD
from pyredisson import AsyncRedisson, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.scripts import load

SCRIPT = load("delayed/offer")
MANY = 1000
DELAYS = [random.Random(1).uniform(3600, 7200) for _ in range(4096)]

Outcome = tuple[int, float, float]
"""How many offers, in how many seconds, with how many seconds of CPU time."""


def words(queue: str) -> tuple[Any, ...]:
    """Return the first words of EVALSHA: the script and its keys."""
    names = QueueNames.of(queue)
    return SCRIPT.sha, 4, names.name, names.timeout_set, names.delay_list, names.channel


def evalsha(client: Any, queue: str) -> Callable[[float], Any]:
    """Return the call that a user of redis-py would write."""
    first, payload = words(queue), PAYLOAD.encode()

    def offer(delay: float) -> Any:
        due = int((time.time() + delay) * 1000)
        return client.evalsha(*first, due, os.urandom(8), payload, b"Bc0Lc0")

    return offer


def _timed(work: Callable[[float], int], seconds: float) -> Outcome:
    """Run a function that works until a moment and returns how much it did."""
    cpu, start = time.process_time(), time.perf_counter()
    count = work(start + seconds)
    return count, time.perf_counter() - start, time.process_time() - cpu


def _one_by_one(offer: Callable[[float], object], end: float) -> int:
    delays = itertools.cycle(DELAYS)
    count = 0
    while time.perf_counter() < end:
        offer(next(delays))
        count += 1
    return count


@contextmanager
def _threads(offer: Callable[[float], object]) -> Iterator[Callable[[int, float], Outcome]]:
    """Offer in this thread, or in several others."""

    def work(threads: int, end: float) -> int:
        if threads == 1:
            return _one_by_one(offer, end)
        return sum(pool.map(lambda _: _one_by_one(offer, end), range(threads)))

    with ThreadPoolExecutor(32) as pool:
        yield lambda threads, seconds: _timed(partial(work, threads), seconds)


@contextmanager
def redis_py(url: str) -> Iterator[Callable[[int, float], Outcome]]:
    """Offer with `evalsha`, threads on one pool."""
    with redis.Redis.from_url(url) as client, _threads(evalsha(client, "bench")) as work:
        yield work


@contextmanager
def pyredisson(url: str, transfer: bool) -> Iterator[Callable[[int, float], Outcome]]:
    """Offer with one client, which has a transfer task of its own or none."""
    with Redisson.from_url(url) as redisson:
        queue = redisson.get_queue(f"bench-sync-{transfer}", codec=StringCodec())
        delayed = redisson.get_delayed_queue(queue, transfer=transfer)
        with _threads(lambda delay: delayed.offer(PAYLOAD, delay)) as work:
            yield work


@contextmanager
def many(url: str) -> Iterator[Callable[[bool, float], Outcome]]:
    """Offer lists of 1,000, or one iterator, with `offer_many`."""
    with Redisson.from_url(url) as redisson:
        queue = redisson.get_queue("bench-many", codec=StringCodec())
        delayed = redisson.get_delayed_queue(queue)
        items = [(PAYLOAD, delay) for delay in DELAYS[:MANY]]

        def lists(end: float) -> int:
            count = 0
            while time.perf_counter() < end:
                count += len(delayed.offer_many(items))
            return count

        def iterator(end: float) -> int:
            lists = itertools.takewhile(
                lambda _: time.perf_counter() < end, itertools.repeat(items)
            )
            return delayed.offer_many(itertools.chain.from_iterable(lists), receipts=False)

        yield lambda stream, seconds: _timed(iterator if stream else lists, seconds)


@contextmanager
def pipelines(url: str) -> Iterator[Callable[[float], Outcome]]:
    """Offer in pipelines of 1,000 with redis-py."""
    with redis.Redis.from_url(url) as client:
        pipeline = client.pipeline(transaction=False)
        offer = evalsha(pipeline, "bench")

        def work(end: float) -> int:
            count = 0
            while time.perf_counter() < end:
                for delay in DELAYS[:MANY]:
                    offer(delay)
                count += len(pipeline.execute())
            return count

        yield partial(_timed, work)


@asynccontextmanager
async def _redis_asyncio(url: str) -> AsyncIterator[Callable[[float], Awaitable[object]]]:
    async with redis.asyncio.Redis.from_url(url, max_connections=500) as client:
        yield evalsha(client, "bench")


@asynccontextmanager
async def _pyredisson_asyncio(url: str) -> AsyncIterator[Callable[[float], Awaitable[object]]]:
    async with AsyncRedisson.from_url(url) as redisson:
        queue = redisson.get_queue("bench-async", codec=StringCodec())
        delayed = redisson.get_delayed_queue(queue)
        yield lambda delay: delayed.offer(PAYLOAD, delay)


@contextmanager
def asynchronous(
    url: str, ours: bool, loop: Callable[[], asyncio.AbstractEventLoop] | None
) -> Iterator[Callable[[int, float], Outcome]]:
    """Offer from several tasks of one event loop."""
    opened = (_pyredisson_asyncio if ours else _redis_asyncio)(url)

    async def tasks(offer: Callable[[float], Awaitable[object]], number: int, end: float) -> int:
        delays = itertools.cycle(DELAYS)

        async def one_by_one() -> int:
            count = 0
            while time.perf_counter() < end:
                await offer(next(delays))
                count += 1
            return count

        return sum(await asyncio.gather(*(one_by_one() for _ in range(number))))

    with asyncio.Runner(loop_factory=loop) as runner:
        offer = runner.run(opened.__aenter__())
        yield lambda number, seconds: _timed(
            lambda end: runner.run(tasks(offer, number, end)), seconds
        )
        runner.run(opened.__aexit__(None, None, None))

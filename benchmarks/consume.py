"""Taking the elements of a list: one by one, with several threads, many at once.

Each contestant is a process of its own. The time runs from its first take to its last.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import redis

from benchmarks.measure import PAYLOAD, Bench
from pyredisson import AsyncRedisson, Redisson
from pyredisson.codecs import StringCodec

NAME = "consume"
QUEUE = "bench-consume"
AT_ONCE = 100

Seconds = float


def run(bench: Bench) -> None:
    """Measure one consumer, then eight threads."""
    count = 4_000 if bench.quick else 20_000
    ours = bench.child(_ours, bench.server.url)
    theirs = bench.child(_redis_py, bench.server.port)
    many = f"poll({AT_ONCE}, timeout=5)"
    rates: dict[str, Callable[[], float]] = {
        "BLPOP by redis-py": lambda: _rate(bench, count, lambda: theirs(count, 1)),
        "take()": lambda: _rate(bench, count, lambda: ours("take", count, 1)),
        "await take()": lambda: _rate(bench, count, lambda: ours("await", count, 1)),
        many: lambda: _rate(bench, count * 10, lambda: ours("poll", count * 10, 1)),
    }
    if bench.java is not None:
        rates["Java: poll"] = lambda: _rate(bench, count, lambda: _java(bench, count, 1))
    found = bench.interleave(rates, what="consume")
    bench.record(NAME, "one consumer: items", found, unit="/s", reference="BLPOP by redis-py")
    rates = {
        "BLPOP by redis-py": lambda: _rate(bench, count, lambda: theirs(count, 8)),
        "take()": lambda: _rate(bench, count, lambda: ours("take", count, 8)),
    }
    if bench.java is not None:
        rates["Java: poll"] = lambda: _rate(bench, count, lambda: _java(bench, count, 8))
    found = bench.interleave(rates, what="consume, 8 threads")
    bench.record(NAME, "8 threads: items", found, unit="/s", reference="BLPOP by redis-py")


def _rate(bench: Bench, count: int, work: Callable[[], Seconds]) -> float:
    with redis.Redis(port=bench.server.port) as client:
        client.delete(QUEUE)
        for _ in range(0, count, 1000):
            client.rpush(QUEUE, *[PAYLOAD] * 1000)
    return count / work()


def _java(bench: Bench, count: int, threads: int) -> Seconds:
    queue = bench.java.blocking_queue(QUEUE, codec="String")
    done = queue.draining(60, count, threads).result(90).result
    return float(done["end"] - done["start"]) / 1000


def by_threads(
    count: int,
    threads: int,
    take: Callable[[int], object],
) -> Seconds:
    """Let each thread take its share; return the seconds."""
    workers = [threading.Thread(target=take, args=(count // threads,)) for _ in range(threads)]
    begin = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    return time.perf_counter() - begin


@contextlib.contextmanager
def _ours(url: str) -> Iterator[Callable[[str, int, int], Seconds]]:
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue(QUEUE)

        def take(count: int) -> None:
            for _ in range(count):
                queue.take()

        def poll(count: int) -> None:
            left = count
            while left:
                left -= len(queue.poll(min(AT_ONCE, left), timeout=5))

        def work(how: str, count: int, threads: int) -> Seconds:
            if how == "await":
                return asyncio.run(_take_async(url, count))
            return by_threads(count, threads, take if how == "take" else poll)

        yield work


async def _take_async(url: str, count: int) -> Seconds:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue(QUEUE)
        await queue.size()
        begin = time.perf_counter()
        for _ in range(count):
            await queue.take()
        return time.perf_counter() - begin


@contextlib.contextmanager
def _redis_py(port: int) -> Iterator[Callable[[int, int], Seconds]]:
    with redis.Redis(port=port) as client:
        blpop: Any = client.blpop

        def take(count: int) -> None:
            for _ in range(count):
                blpop([QUEUE], timeout=5)

        yield lambda count, threads: by_threads(count, threads, take)

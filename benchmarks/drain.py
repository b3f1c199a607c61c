"""10,000 due items: the time from making the delayed queue until the last one is taken.

One process transfers and takes, as one JVM does; the consumers already wait. In a second case the
transfer has a process of its own. Its start is not counted, because it transfers another queue
before.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import redis

from benchmarks.measure import PAYLOAD, Bench
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.entry import pack
from pyredisson.protocol.kernel.names import QueueNames

NAME = "drain"
QUEUE = "bench-drain"

Seconds = float


def run(bench: Bench) -> None:
    """Measure with one consumer and with eight."""
    count = 2_000 if bench.quick else 10_000
    here = bench.child(_ours, bench.server.url, False)
    apart = bench.child(_ours, bench.server.url, True)
    for threads in (1, 8):
        rates: dict[str, Callable[[], float]] = {
            "take()": lambda n=threads: _rate(bench, count, lambda: here(count, n)),  # type: ignore[misc]  # mypy does not see the default
            "take(), transfer_process": lambda n=threads: _rate(  # type: ignore[misc]  # as above
                bench, count, lambda: apart(count, n)
            ),
        }
        if bench.java is not None:
            rates["Java"] = lambda n=threads: _rate(bench, count, lambda: _java(bench, count, n))  # type: ignore[misc]  # as above
        found = bench.interleave(rates, what=f"drain, {threads} consumers")
        case = "one consumer: items" if threads == 1 else f"{threads} threads: items"
        bench.record(NAME, case, found, unit="/s", reference="Java")


def _rate(bench: Bench, count: int, work: Callable[[], Seconds]) -> float:
    names = QueueNames.of(QUEUE)
    with redis.Redis(port=bench.server.port) as client:
        client.flushdb()
        pipeline: Any = client.pipeline(transaction=False)
        for number in range(count):
            entry = pack(number.to_bytes(8, "big"), PAYLOAD.encode())
            pipeline.zadd(names.timeout_set, {entry: 1_600_000_000_000 + number})
            pipeline.rpush(names.delay_list, entry)
        pipeline.execute()
    return count / work()


def _java(bench: Bench, count: int, threads: int) -> Seconds:
    queue = bench.java.blocking_queue(QUEUE, codec="String")
    taking = queue.draining(60, count, threads)
    with redis.Redis(port=bench.server.port) as client:
        _until_all_wait(client, threads)
    begin = time.time()
    delayed = bench.java.delayed_queue(QUEUE, codec="String").open()
    try:
        last: int = max(queue.drained(taking).at)
        return last / 1000 - begin
    finally:
        delayed.destroy()


@contextlib.contextmanager
def _ours(url: str, apart: bool) -> Iterator[Callable[[int, int], Seconds]]:
    connected = Redisson.from_url(url, codec=StringCodec(), transfer_process=apart)
    with connected as redisson, redis.Redis.from_url(url) as client:
        queue = redisson.get_blocking_queue(QUEUE)
        other = redisson.get_blocking_queue(f"{QUEUE}-other")
        redisson.get_delayed_queue(other).offer("", 0)
        other.take()

        def take(count: int) -> None:
            for _ in range(count):
                queue.take()

        def work(count: int, threads: int) -> Seconds:
            takers = [
                threading.Thread(target=take, args=(count // threads,)) for _ in range(threads)
            ]
            for taker in takers:
                taker.start()
            _until_all_wait(client, threads)
            begin = time.perf_counter()
            delayed = redisson.get_delayed_queue(queue)
            for taker in takers:
                taker.join()
            seconds = time.perf_counter() - begin
            delayed.destroy()
            return seconds

        yield work


def _until_all_wait(client: Any, takers: int) -> None:
    while client.info("clients")["blocked_clients"] < takers:
        time.sleep(0.01)

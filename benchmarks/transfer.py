"""Moving 10,000 due items, and how late items are, beside a Java Redisson on the same server."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from typing import Any

import redis

from benchmarks.measure import PAYLOAD, Bench, RedisServer, compare, row
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.names import QueueNames
from pyredisson.protocol.objects.member import pack

NAME = "transfer"
ITEMS = 10_000
PER_SECOND = 100
SECONDS = 5


def _fill(client: redis.Redis, name: str, *, shuffled: bool) -> None:
    """Store due items; `shuffled`: due in another order than they were offered in."""
    names = QueueNames.of(name)
    order = list(range(ITEMS))
    if shuffled:
        random.Random(1).shuffle(order)
    pipeline: Any = client.pipeline(transaction=False)
    for number, due in enumerate(order):
        member = pack(number.to_bytes(8, "big"), f"{number} {PAYLOAD}".encode())
        pipeline.zadd(names.timeout_set, {member: 1_600_000_000_000 + due})
        pipeline.rpush(names.delay_list, member)
    pipeline.execute()


def _drained(client: redis.Redis, name: str, start: Callable[[], Any]) -> float:
    """Start a transfer task; items a second until all have been moved."""
    begin = time.perf_counter()
    start()
    length: Any = client.llen
    while length(name) < ITEMS:
        time.sleep(0.001)
    return ITEMS / (time.perf_counter() - begin)


def drain(server: RedisServer, rounds: int, java: Any) -> None:
    """From the making of the handle until the last of the due items has been moved."""
    with redis.Redis(port=server.port) as client, Redisson.from_url(server.url) as redisson:

        def python(shuffled: bool) -> float:
            client.flushdb()
            _fill(client, "bench-drain", shuffled=shuffled)
            queue = redisson.get_queue("bench-drain", codec=StringCodec())
            handles: list[Any] = []
            found = _drained(
                client, "bench-drain", lambda: handles.append(redisson.get_delayed_queue(queue))
            )
            handles[0].destroy()
            return found

        def java_side(shuffled: bool) -> float:
            client.flushdb()
            _fill(client, "bench-drain", shuffled=shuffled)
            delayed = java.delayed_queue("bench-drain", codec="String")
            found = _drained(client, "bench-drain", delayed.open)
            delayed.destroy()
            return found

        for shuffled, words in ((False, "due in the order of the offers"), (True, "random delays")):
            contestants = {"ours": lambda s=shuffled: python(s)}
            if java is not None:
                contestants["theirs"] = lambda s=shuffled: java_side(s)
            medians = compare(rounds, contestants)
            if java is not None:
                row(f"transfer of {ITEMS:,}, {words}", medians["ours"], medians["theirs"], "Java")
        client.flushdb()


def _lateness(redisson: Redisson, name: str, take: Callable[[], str | None]) -> list[float]:
    """Offer items due at random moments within some seconds; how late each was taken, in ms."""
    queue = redisson.get_queue(name, codec=StringCodec())
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    generator = random.Random(2)
    due = {}
    for number in range(PER_SECOND * SECONDS):
        receipt = delayed.offer(str(number), delay=1 + generator.random() * SECONDS)
        due[str(number)] = receipt.due_ms
    late = []
    while due:
        value = take()
        if value is not None:
            late.append(time.time() * 1000 - due.pop(value))
    return late


def _percentile(values: list[float], part: float) -> float:
    return sorted(values)[min(int(len(values) * part), len(values) - 1)]


def lateness(server: RedisServer, java: Any) -> None:
    """100 items a second; transferred by Python or by Java, always taken here with BLPOP."""
    found = {}
    with Redisson.from_url(server.url) as redisson:
        queue = redisson.get_blocking_queue("bench-late", codec=StringCodec())
        handle = redisson.get_delayed_queue(queue)
        found["ours"] = _lateness(redisson, "bench-late", lambda: queue.poll(timeout=5))
        handle.destroy()
        if java is not None:
            delayed = java.delayed_queue("bench-late", codec="String").open()
            found["theirs"] = _lateness(redisson, "bench-late", lambda: queue.poll(timeout=5))
            delayed.destroy()
    for words, part in (("median", 0.5), ("99th percentile", 0.99)):
        ours = _percentile(found["ours"], part)
        theirs = _percentile(found["theirs"], part) if "theirs" in found else float("nan")
        row(f"lateness at {PER_SECOND} items/s, {words}", ours, theirs, "Java", "ms")
    assert statistics.fmean(found["ours"]) > 0


def run(bench: Bench) -> None:
    """Measure the drain of due items, and lateness."""
    drain(bench.server, bench.rounds, bench.java)
    lateness(bench.server, bench.java)

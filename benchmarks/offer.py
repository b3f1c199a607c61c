"""Offers one by one, beside a plain `evalsha` of the same script with redis-py."""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from typing import Any

import redis
import redis.asyncio

from benchmarks.measure import PAYLOAD, RedisServer, compare, rate, row
from pyredisson import AsyncRedisson, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.names import QueueNames
from pyredisson.protocol.scripts import load

COUNT = 3000
IN_FLIGHT = 50
NAMES = QueueNames.of("bench")
KEYS = (NAMES.name, NAMES.timeout_set, NAMES.delay_list, NAMES.channel)


def _words() -> tuple[Any, ...]:
    due = int(time.time() * 1000) + 3_600_000
    return (
        load("delayed_queue/offer").sha,
        4,
        *KEYS,
        due,
        os.urandom(8),
        PAYLOAD.encode(),
        "Bc0Lc0",
    )


def sync(server: RedisServer, rounds: int) -> None:
    """One thread, one offer after the other."""
    with redis.Redis(port=server.port) as plain, Redisson.from_url(server.url) as redisson:
        queue = redisson.get_queue("bench", codec=StringCodec())
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        plain.script_load(load("delayed_queue/offer").text)
        evalsha: Any = plain.evalsha

        def theirs() -> None:
            for _ in range(COUNT):
                evalsha(*_words())

        def ours() -> None:
            for _ in range(COUNT):
                delayed.offer(PAYLOAD, delay=3600)

        medians = compare(
            rounds,
            {"theirs": lambda: rate(COUNT, theirs), "ours": lambda: rate(COUNT, ours)},
        )
        plain.flushdb()
    row("offer, sync, one by one", medians["ours"], medians["theirs"], "redis-py evalsha")


async def _concurrently(server: RedisServer, rounds: int) -> None:
    plain = redis.asyncio.Redis(port=server.port)
    await plain.script_load(load("delayed_queue/offer").text)
    evalsha: Any = plain.evalsha
    async with AsyncRedisson.from_url(server.url) as redisson:
        queue = redisson.get_queue("bench", codec=StringCodec())
        delayed = redisson.get_delayed_queue(queue, transfer=False)

        async def theirs() -> None:
            for _ in range(COUNT // IN_FLIGHT):
                await evalsha(*_words())

        async def ours() -> None:
            for _ in range(COUNT // IN_FLIGHT):
                await delayed.offer(PAYLOAD, delay=3600)

        rates: dict[Any, list[float]] = {theirs: [], ours: []}
        for _ in range(rounds):
            for work, found in rates.items():
                start = time.perf_counter()
                await asyncio.gather(*(work() for _ in range(IN_FLIGHT)))
                found.append(COUNT / (time.perf_counter() - start))
        await plain.flushdb()
    await plain.aclose()
    ours_rate, theirs_rate = (statistics.median(rates[work]) for work in (ours, theirs))
    row(f"offer, async, {IN_FLIGHT} at once", ours_rate, theirs_rate, "redis.asyncio evalsha")


def concurrent(server: RedisServer, rounds: int) -> None:
    """Fifty tasks of one event loop."""
    asyncio.run(_concurrently(server, rounds))

"""Maps beside redis-py's hashes and Java's, hits of local copies, decisions of a rate limiter."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import redis

from benchmarks.measure import Bench
from pyredisson import RateType, Redisson
from pyredisson.codecs import StringCodec

NAME = "objects"
JAVA: dict[str, tuple[tuple[Any, ...], ...]] = {
    "a value of a map: read": (("get", "key"),),
    "a value of a map: written": (("fastPut", "key", "value"), ("put", "key", "value")),
    "a rate limiter: decisions": (("tryAcquire",),),
}
"""The calls of Java."""


def run(bench: Bench) -> None:
    """Measure with one client of each library, in this process and one thread."""
    count = 2_000 if bench.quick else 20_000
    client: Any = bench.stack.enter_context(
        redis.Redis(port=bench.server.port, decode_responses=True)
    )
    redisson = bench.stack.enter_context(Redisson.from_url(bench.server.url, codec=StringCodec()))
    stock = redisson.get_map("bench:map", StringCodec())
    copies = redisson.get_local_cached_map("bench:map", StringCodec())
    limiter = redisson.get_rate_limiter("bench:limiter")
    limiter.set_rate(RateType.OVERALL, 10**9, 1)
    stock.put("key", "value")
    copies.get("key")
    for case, calls, unit, reference in (
        (
            "a value of a map: read",
            {
                "redis-py, HGET": lambda: client.hget("bench:map", "key"),
                "pyredisson, get": lambda: stock.get("key"),
            },
            "/s",
            "redis-py, HGET",
        ),
        (
            "a value of a map: written",
            {
                "redis-py, HSET": lambda: client.hset("bench:map", "key", "value"),
                "pyredisson, fast_put": lambda: stock.fast_put("key", "value"),
                "pyredisson, put": lambda: stock.put("key", "value"),
            },
            "/s",
            "redis-py, HSET",
        ),
        (
            "a rate limiter: decisions",
            {
                "redis-py, INCR": lambda: client.incr("bench:number"),
                "pyredisson, try_acquire": limiter.try_acquire,
            },
            "/s",
            "redis-py, INCR",
        ),
    ):
        contestants = {name: _rate(call, count) for name, call in calls.items()}
        if bench.java is not None:
            one = (
                bench.java.get("map", "bench:map", codec="String")
                if "map" in case
                else bench.java.get("rate_limiter", "bench:limiter")
            )
            contestants |= {
                f"Java, {words[0]}": _of_java(one, count, words) for words in JAVA[case]
            }
        found = bench.interleave(contestants, what=case)
        bench.record(NAME, case, found, unit=unit, reference=reference)
    hits = bench.interleave(
        {"pyredisson": _microseconds(lambda: copies.get("key"), 10 * count)}, what="local copies"
    )
    bench.record(NAME, "a local copy: a hit", hits, unit="us")


def _of_java(one: Any, count: int, words: tuple[Any, ...]) -> Callable[[], float]:
    return lambda: count / float(one.repeat(count, words))


def _rate(call: Callable[[], Any], count: int) -> Callable[[], float]:
    return lambda: count / _seconds(call, count)


def _microseconds(call: Callable[[], Any], count: int) -> Callable[[], float]:
    return lambda: _seconds(call, count) / count * 1e6


def _seconds(call: Callable[[], Any], count: int) -> float:
    begin = time.perf_counter()
    for _ in range(count):
        call()
    return time.perf_counter() - begin

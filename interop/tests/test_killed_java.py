"""`kill -9` of Java while it and Python use the same objects at the same time.

What a killed holder has is free when its lease ends. Java's watchdog and its waits in a fair lock
are set to 1 s here. Before and after the kill, nothing is lost and no lock has two holders.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from interop.peer.redisson import JavaClient
from interop.tests.support.fleet import own_peer
from pyredisson import Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.maps.names import CacheNames
from tests.support.twins import Started, start, until

MANY = 10**6
SETTINGS = {"lockWatchdogTimeout": 1_000, "fairLockWaitTimeout": 1_000}
"""Milliseconds, so that a test does not wait for Redisson's 30 s and 5 min."""
CACHE = CacheNames.of("cache")


def use(java: JavaClient) -> None:
    """Let threads of Java use each object all the time."""
    for thread in range(2):
        for kind in ("lock", "fair_lock"):
            one = java.get(kind, kind, handle=str(thread))
            one.repeating(MANY, ("lock",), ("unlock",))
    pool = java.get("permit_expirable_semaphore", "pool")
    pool.repeating(MANY, ("tryAcquire", 1_000, 500, "MILLISECONDS"))
    java.get("count_down_latch", "latch").repeating(MANY, ("countDown",))
    java.get("map_cache", "cache").repeating(
        MANY,
        ("put", "both", "java", 1, "MINUTES"),
        ("fastRemove", "both"),
        ("put", "java", "v", 500, "MILLISECONDS"),
    )


def test_killed_under_load(url: str, raw: Any) -> None:
    killed, turns = threading.Event(), {"lock": 0, "fair_lock": 0}
    client = Redisson.from_url(url, codec=StringCodec(), lock_watchdog_timeout=1)
    with own_peer() as peer, client as redisson:
        pool = redisson.get_permit_expirable_semaphore("pool")
        pool.try_set_permits(2)
        latch, cache = redisson.get_count_down_latch("latch"), redisson.get_map_cache("cache")
        latch.try_set_count(MANY)

        def locked(kind: str) -> None:
            """Count turns by a counter that is not atomic; some of them after the kill."""
            lock, after = getattr(redisson, f"get_{kind}")(kind), 0
            while after < 5:
                with lock:
                    count = int(raw.get(f"count:{kind}") or 0)
                    turns[kind] += 1
                    after += killed.is_set()
                    raw.set(f"count:{kind}", count + 1)

        def leased() -> None:
            after = 0
            while after < 5:
                with pool.permit(lease=60):
                    assert raw.zcard("{pool}:timeout") <= 2
                    after += killed.is_set()

        def cached() -> None:
            number = 0
            while not killed.is_set():
                cache.put(f"python:{number}", "v", ttl=60)
                cache.put("both", "python", ttl=60)
                number += 1
            assert cache.size() >= number

        calls: list[Callable[[], Any]] = [leased, cached, *(lambda k=k: locked(k) for k in turns)]
        with peer.client(url, codec="String", settings=SETTINGS) as java:
            use(java)
            until(lambda: raw.llen("redisson_lock_queue:{fair_lock}") >= 1, "Java is busy")
            started: list[Started[Any]] = [start(call) for call in (*calls, calls[2], calls[3])]
            until(lambda: min(turns.values()) > 5 and latch.get_count() < MANY - 50, "all are")
            waiter = start(latch.wait)
            peer.kill()
            killed.set()
        began = time.monotonic()
        for each in started:
            each.result(60)
        assert time.monotonic() - began < 40, "those that wait go on when the leases have ended"
        for kind, count in turns.items():
            assert int(raw.get(f"count:{kind}") or 0) == count
        until(lambda: pool.available_permits() == 2, "its permits are free")
        assert 0 < latch.get_count() < MANY
        assert not waiter.done
        raw.set("latch", 1)
        latch.count_down()
        assert waiter.result()
        until(lambda: cache.get("java") is None, "its entry has ended")
        assert set(raw.zrange(CACHE.expires, 0, -1)) <= set(raw.hkeys("cache"))

"""Locks beside redis-py's and Java's: acquire and release, hand-over, and 1,000 held locks."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import redis

from benchmarks.measure import Bench
from pyredisson import Redisson

NAME = "locks"
HELD = 1_000


def run(bench: Bench) -> None:
    """Measure with one client of each library, in this process."""
    count = 300 if bench.quick else 3_000
    redisson = bench.stack.enter_context(
        Redisson.from_url(bench.server.url, lock_watchdog_timeout=3)
    )
    client = bench.stack.enter_context(redis.Redis(port=bench.server.port))
    locks: dict[str, Callable[[], Any]] = {
        "redis-py": lambda: client.lock("bench", timeout=30),
        "pyredisson": lambda: redisson.get_lock("bench"),
        "pyredisson, fenced": lambda: redisson.get_fenced_lock("bench"),
        "pyredisson, fair": lambda: redisson.get_fair_lock("bench"),
        "pyredisson, spin": lambda: redisson.get_spin_lock("bench"),
    }
    for case, measure, unit in (
        ("a free lock: acquired and released", _pairs, "/s"),
        ("a waiter: hand-over", _hand_over, "ms"),
    ):
        number = count if measure is _pairs else count // 30
        contestants = {name: _call(measure, make, number) for name, make in locks.items()}
        if bench.java is not None:
            contestants |= _of_java(bench.java, measure, number)
        found = bench.interleave(contestants, what=case)
        bench.record(NAME, case, found, unit=unit, reference="redis-py")
    calls, spent = _renewals(redisson, client)
    bench.record(NAME, f"{HELD} held locks: scripts in an interval", {"pyredisson": calls}, unit="")
    bench.record(NAME, f"{HELD} held locks: server's time a lock", {"pyredisson": spent}, unit="us")


def _call(
    measure: Callable[[Callable[[], Any], int], float], make: Callable[[], Any], count: int
) -> Callable[[], float]:
    return lambda: measure(make, count)


def _of_java(
    java: Any, measure: Callable[..., float], count: int
) -> dict[str, Callable[[], float]]:
    locks = {kind: java.get(kind, "bench") for kind in ("lock", "fair_lock")}
    if measure is _pairs:
        calls = {
            kind: lambda lock=lock: count / lock.repeat(count, ("lock",), ("unlock",))
            for kind, lock in locks.items()
        }
    else:
        calls = {
            kind: lambda lock=lock: lock.hand_over(count) / count * 1000
            for kind, lock in locks.items()
        }
    return {"Java": calls["lock"], "Java, fair": calls["fair_lock"]}


def _pairs(make: Callable[[], Any], count: int) -> float:
    lock = make()
    begin = time.perf_counter()
    for _ in range(count):
        with lock:
            pass
    return count / (time.perf_counter() - begin)


def _hand_over(make: Callable[[], Any], count: int) -> float:
    """Return the mean milliseconds from a release until the waiter has the lock."""
    total = 0.0
    for _ in range(count):
        acquired: list[float] = []

        def wait(acquired: list[float] = acquired) -> None:
            with make():
                acquired.append(time.perf_counter())

        waiter = threading.Thread(target=wait)
        with make():
            waiter.start()
            time.sleep(0.02)
            released = time.perf_counter()
        waiter.join()
        total += acquired[0] - released
    return total / count * 1000


def _renewals(redisson: Redisson, client: Any) -> tuple[float, float]:
    """Return the scripts in a renewal's interval, and the server's microseconds per lock."""
    locks = [redisson.get_lock(f"held {number}") for number in range(HELD)]
    for lock in locks:
        lock.lock()
    client.config_resetstat()
    time.sleep(4.2)
    stats = client.info("commandstats")["cmdstat_evalsha"]
    for lock in locks:
        lock.unlock()
    return stats["calls"] / 4, stats["usec"] / 4 / HELD

"""Clocks that are wrong by minutes: that of a Java machine, and that of Python.

Redisson writes and compares times of its own machine, so a wrong clock ends leases early or late,
also those of others. pyredisson uses the server's time. With any clocks, a lock has one holder, no
permit is lost, and times that Python writes are right for Python.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from interop.peer import JavaPeer
from interop.peer.redisson import JavaClient
from interop.tests.support.fleet import own_peer
from pyredisson import RateType, Redisson
from pyredisson.codecs import StringCodec
from tests.support.clock import Clock
from tests.support.twins import start, until

AHEAD, BEHIND = 300.0, -300.0
QUEUE = "redisson_lock_queue:{job}"
LEASES = "{pool}:timeout"

PROGRAM = """
import json, sys, time
from pyredisson import RateType, Redisson
from pyredisson.codecs import StringCodec
with Redisson.from_url(sys.argv[1]) as redisson:
    limiter = redisson.get_rate_limiter("api")
    limiter.set_rate(RateType.OVERALL, 3, 60)
    pool = redisson.get_permit_expirable_semaphore("pool")
    pool.try_set_permits(2)
    cache = redisson.get_map_cache("c", StringCodec())
    cache.put("python", "v", ttl=60)
    lock = redisson.get_fair_lock("job")
    permit = pool.acquire(lease=60)
    done = [limiter.try_acquire(2), lock.try_lock(lease=60), cache.get("java")]
    print(json.dumps([permit, time.time(), done]))
"""


@pytest.fixture(scope="module")
def wrong(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[JavaPeer, Clock]]:
    """A JVM, and its clock."""
    clock = Clock(tmp_path_factory.mktemp("clock"))
    with own_peer(environment=clock.environment) as peer:
        yield peer, clock


@pytest.fixture(params=[AHEAD, BEHIND], ids=["ahead", "behind"])
def step(request: pytest.FixtureRequest, wrong: tuple[JavaPeer, Clock]) -> float:
    peer, clock = wrong
    clock.step(request.param)
    assert abs(peer.now() / 1000 - time.time() - request.param) < 60
    return float(request.param)


@pytest.fixture
def client(wrong: tuple[JavaPeer, Clock], step: float, url: str) -> Iterator[JavaClient]:
    with wrong[0].client(url, codec="String") as client:
        yield client


@pytest.fixture
def redisson(url: str) -> Iterator[Redisson]:
    with Redisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


def test_rate_limiter_with_a_wrong_clock_of_java(
    redisson: Redisson, client: JavaClient, step: float, raw: Any
) -> None:
    """A Java ahead frees Python's permits, and blocks its own for long.

    A Java behind blocks none of Python's permits.
    """
    ours, theirs = redisson.get_rate_limiter("api"), client.get("rate_limiter", "api")
    ours.set_rate(RateType.OVERALL, 3, 60)
    assert ours.try_acquire(2)
    assert theirs.call("availablePermits") == (3 if step > 0 else 1)
    while theirs.call("tryAcquire"):
        pass
    assert ours.available_permits() == (0 if step > 0 else 1)
    assert ours.try_acquire() is (step < 0)
    assert not ours.try_acquire()
    assert raw.get("{api}:value") == b"0"
    ours.set_rate(RateType.OVERALL, 3, 60)  # this helps after a clock was ahead
    assert ours.try_acquire(3)


def test_permits_with_a_wrong_clock_of_java(
    redisson: Redisson, client: JavaClient, step: float, raw: Any
) -> None:
    """A lease that Java ends early is lost for its holder; the number of permits stays."""
    ours = redisson.get_permit_expirable_semaphore("pool")
    theirs = client.get("permit_expirable_semaphore", "pool")
    ours.try_set_permits(2)
    mine, his = ours.acquire(lease=60), theirs.call("tryAcquire", 0, 10, "SECONDS")
    left = raw.zscore(LEASES, bytes.fromhex(his)) / 1000 - time.time()
    assert step - 50 < left < step + 70, "as Java wrote it"
    assert theirs.call("availablePermits") == (1 if step > 0 else 0)
    assert ours.available_permits() == 1, "ahead it has taken ours; behind its own has ended"
    assert theirs.call("tryRelease", his) is (step > 0)
    assert ours.try_release(mine) is (step < 0)
    assert ours.available_permits() == theirs.call("availablePermits") == 2
    assert (raw.get("pool"), raw.zcard(LEASES)) == (b"2", 0)


def test_fair_lock_with_a_wrong_clock_of_java(
    redisson: Redisson, client: JavaClient, raw: Any
) -> None:
    """Waiters may consider each other dead and lose their places. Each gets the lock, and alone."""
    lock = client.get("fair_lock", "job")
    turns: list[str] = []
    raw.set("count", "0")

    def turn(name: str) -> None:
        turns.append(name)
        count = int(raw.get("count"))
        time.sleep(0.02)
        raw.set("count", count + 1)

    def ours() -> None:
        with redisson.get_fair_lock("job"):
            turn("python")

    def theirs(number: int) -> None:
        lock.call("lockAsync", number)
        turn("java")
        lock.call("unlockAsync", number)

    with redisson.get_fair_lock("job"):
        started = [start(partial(theirs, 1)), start(ours), start(partial(theirs, 2)), start(ours)]
        until(lambda: raw.llen(QUEUE) >= 2, "they wait")
    for each in started:
        each.result(60)
    assert (sorted(turns), raw.get("count")) == (["java", "java", "python", "python"], b"4")
    assert raw.exists("job", QUEUE) == 0


def test_caches_with_a_wrong_clock_of_java(
    redisson: Redisson, client: JavaClient, step: float
) -> None:
    """Python reads its own entries for their time, and Java's until the time that Java wrote."""
    ours, theirs = redisson.get_map_cache("c"), client.get("map_cache", "c")
    mine, his = redisson.get_set_cache("s"), client.get("set_cache", "s")
    ours.put("python", "v", ttl=60)
    theirs.call("put", "java", "v", 60, "SECONDS")
    mine.add("python", ttl=60)
    his.call("add", "java", 60, "SECONDS")
    assert (ours.get("python"), ours.get("java")) == ("v", "v" if step > 0 else None)
    assert (mine.contains("python"), mine.contains("java")) == (True, step > 0)
    left = ours.remain_time_to_live("python")
    assert left is not None
    assert left <= timedelta(seconds=60)
    assert theirs.call("get", "python") == (None if step > 0 else "v")
    assert his.call("contains", "python") is (step < 0)
    assert ours.get("python") == "v", "a read of Java's removes nothing"


@pytest.mark.parametrize("offset", [AHEAD, BEHIND])
def test_a_wrong_clock_of_python(
    offset: float, wrong: tuple[JavaPeer, Clock], url: str, raw: Any, tmp_path: Path
) -> None:
    """Nothing changes, neither for Python nor for Java."""
    peer, java_s = wrong
    java_s.step(0)
    clock = Clock(tmp_path)
    clock.step(offset)
    environment = {**os.environ, **clock.environment}
    with peer.client(url, codec="String") as java:
        cache = java.get("map_cache", "c")
        cache.call("put", "java", "v", 60, "SECONDS")
        words = [sys.executable, "-c", PROGRAM, url]
        done = subprocess.run(words, env=environment, check=True, capture_output=True, text=True)
        permit, its_time, steps = json.loads(done.stdout)
        assert abs(its_time - time.time() - offset) < 60
        assert steps == [True, True, "v"]
        assert java.get("rate_limiter", "api").call("availablePermits") == 1
        assert cache.call("get", "python") == "v"
        assert 0 < cache.call("remainTimeToLive", "python") <= 60_000
        assert java.get("permit_expirable_semaphore", "pool").call("availablePermits") == 1
        assert not java.get("fair_lock", "job").call("tryLock")
    assert abs(raw.zscore(LEASES, bytes.fromhex(permit)) / 1000 - time.time() - 60) < 50
    assert 0 < raw.pttl("job") <= 60_000

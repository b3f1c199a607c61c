"""RFairLock beside Java's: one queue, in the order in which the clients came."""

from __future__ import annotations

import time
from functools import partial
from typing import Any

import pytest

from interop.tests.conftest import Clients
from pyredisson import Redisson
from tests.support.faults_tools import calls, settled
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.19.3")
CHANNELS = "redisson_lock__channel:{job}:*"
QUEUE, ENDS = "redisson_lock_queue:{job}", "redisson_lock_timeout:{job}"


@pytest.mark.parametrize("release", RELEASES)
def test_both_take_turns(java_client: Clients, server: RedisServer, raw: Any, release: str) -> None:
    """Java and Python wait in turn. Each is woken when the holder before it releases the lock.

    The first wait of a JVM makes its listener's class between its attempt and adding the listener.
    Java misses a message in that time (RedissonLock.lockAsync).
    """
    java = java_client(release).get("fair_lock", "job")
    turns: list[str] = []
    with Redisson.from_url(server.url) as redisson:
        lock = redisson.get_fair_lock("job")
        lock.lock()

        def ours(number: int) -> None:
            with lock:
                turns.append(f"python {number}")

        def theirs(number: int) -> None:
            java.call("lockAsync", number)
            turns.append(f"java {number}")
            java.call("unlockAsync", number)

        started = []
        for number in range(6):
            turn = ours if number % 2 else theirs
            started.append(start(partial(turn, number)))
            until(lambda: raw.llen(QUEUE) == len(started), "it waits")
        assert raw.zcard(ENDS) == 6
        assert not java.call("tryLock")
        until(lambda: len(raw.pubsub_channels(CHANNELS)) == 6, "all have subscribed")
        until(settled(lambda: calls(server, "eval")), "Java has asked again")
        lock.unlock()
        began = time.monotonic()
        for each in started:
            each.result(60)
        assert time.monotonic() - began < 20, "they were woken"
        names = ["java", "python"]
        assert turns == [f"{names[number % 2]} {number}" for number in range(6)]
        assert not raw.keys()


@pytest.mark.parametrize("release", RELEASES)
def test_java_waits_for_python_and_leaves(
    java_client: Clients, url: str, raw: Any, release: str
) -> None:
    java = java_client(release).get("fair_lock", "job")
    with Redisson.from_url(url) as redisson:
        lock, other = redisson.get_fair_lock("job"), redisson.get_fair_lock("job")
        lock.lock()
        theirs = java.background("tryLock", 1, 5, "SECONDS")
        until(lambda: raw.llen(QUEUE) == 1, "Java waits")
        ours = start(other.lock)
        until(lambda: raw.llen(QUEUE) == 2, "ours waits behind it")
        assert not theirs.result().value.plain()
        until(lambda: raw.llen(QUEUE) == raw.zcard(ENDS) == 1, "Java has left")
        assert not start(lambda: other.try_lock(0.2)).result()
        theirs = java.background("lockAsync", 7)
        until(lambda: raw.llen(QUEUE) == 2, "Java waits behind ours")
        lock.unlock()
        ours.result()
        assert raw.llen(QUEUE) == 1
        assert java.call("forceUnlock")
        theirs.result()
        assert java.call("isLocked")
        java.call("unlockAsync", 7)
        assert not raw.keys()


@pytest.mark.parametrize("release", RELEASES)
def test_python_outlasts_a_dead_waiter_of_java(
    java_client: Clients, server: RedisServer, raw: Any, release: str
) -> None:
    """Python waits until the dead waiter's time is over, without a script in a loop."""
    java = java_client(release).get("fair_lock", "job")
    with Redisson.from_url(server.url) as redisson:
        lock = redisson.get_fair_lock("job")
        with lock:
            pass
        java.call("lockAsync", 7)
        seconds, micros = raw.time()
        raw.rpush(QUEUE, "gone:1")
        raw.zadd(ENDS, {"gone:1": seconds * 1000 + micros // 1000 + 1_500})
        java.call("unlockAsync", 7)
        with Monitor(server) as monitor:
            assert lock.acquire(timeout=30)
        scripts = [each for each in monitor.commands if each.name.upper() == "EVALSHA"]
        assert len(scripts) < 10
        lock.unlock()
        assert not raw.keys()

"""RSemaphore and RCountDownLatch beside Java's: the same keys and messages, no permit too many."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
import redis

from interop.tests.conftest import Clients
from pyredisson import Redisson
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.19.3")
POOL, GO = "redisson_sc:{pool}", "redisson_countdownlatch__channel__{go}"


def scripted(server: RedisServer, call: Callable[[], Any]) -> list[str]:
    """Return what scripts did in a call."""
    with Monitor(server) as monitor:
        call()
    words = [[each.decode() for each in c.arguments] for c in monitor.commands if c.by_script]
    return [" ".join([each[0].lower(), *each[1:]]) for each in words]


def listening(raw: Any, channel: str) -> None:
    """Wait until a waiter listens, which is after its first attempt."""
    until(lambda: raw.pubsub_numsub(channel)[0][1] > 0, "somebody waits")
    time.sleep(0.1)


@pytest.mark.parametrize("release", RELEASES)
def test_the_same_commands_of_a_semaphore(
    java_client: Clients, server: RedisServer, raw: redis.Redis, release: str
) -> None:
    java = java_client(release).get("semaphore", "pool")
    with Redisson.from_url(server.url) as redisson:
        ours = redisson.get_semaphore("pool")
        steps: list[tuple[Callable[[], Any], Callable[[], Any]]] = [
            (lambda: ours.try_set_permits(3), lambda: java.call("trySetPermits", 3)),
            (lambda: ours.try_set_permits(5), lambda: java.call("trySetPermits", 5)),
            (lambda: ours.try_acquire(2), lambda: java.call("tryAcquire", 2)),
            (lambda: ours.try_acquire(2), lambda: java.call("tryAcquire", 2)),
            (lambda: ours.release(2), lambda: java.call("release", 2)),
        ]
        found: list[list[Any]] = [[], []]
        for side in (0, 1, 0):  # the first time loads scripts
            raw.delete("pool")
            found[side] = [scripted(server, step[side]) for step in steps]
        assert found[0] == found[1]
        assert found[0][-1] == ["incrby pool 2", f"publish {POOL} 3"]
        for side in (0, 1):
            raw.set("pool", 3)
            add = (lambda: ours.add_permits(2), lambda: java.call("addPermits", 2))[side]
            assert scripted(server, add)[-1] == f"publish {POOL} 5"
            drained = (ours.drain_permits, lambda: java.call("drainPermits"))[side]()
            assert (drained, raw.get("pool")) == (5, b"0")
        assert ours.available_permits() == java.call("availablePermits") == 0


@pytest.mark.parametrize("release", RELEASES)
def test_each_wakes_the_other(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    java = java_client(release).get("semaphore", "pool")
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_semaphore("pool")
        waiting = java.background("acquire")
        listening(raw, POOL)
        ours.release()
        waiting.result()
        ours_waits = start(lambda: ours.acquire(2))
        listening(raw, POOL)
        java.call("release", 2)
        ours_waits.result()
        assert raw.get("pool") == b"0"


@pytest.mark.parametrize("release", RELEASES)
def test_permits_are_conserved(
    java_client: Clients, server: RedisServer, raw: redis.Redis, release: str
) -> None:
    client = java_client(release)
    with Redisson.from_url(server.url) as redisson:
        redisson.get_semaphore("pool").try_set_permits(2)

        def python_turn() -> None:
            semaphore = redisson.get_semaphore("pool")
            for _ in range(25):
                with semaphore:
                    pass

        def java_turn() -> None:
            semaphore = client.get("semaphore", "pool", handle=uuid4().hex)
            for _ in range(25):
                semaphore.call("acquire")
                semaphore.call("release")

        with Monitor(server) as monitor:
            for turn in [start(turn) for turn in (java_turn, python_turn) for _ in range(3)]:
                turn.result(120)
    changes = [c.name for c in monitor.commands if c.by_script and c.name in ("DECRBY", "INCRBY")]
    held = most = 0
    for name in changes:
        held += 1 if name == "DECRBY" else -1
        most = max(most, held)
    assert (len(changes), most, held) == (300, 2, 0)
    assert raw.get("pool") == b"2"


@pytest.mark.parametrize("release", RELEASES)
def test_the_same_commands_of_a_latch(
    java_client: Clients, server: RedisServer, raw: redis.Redis, release: str
) -> None:
    """Python leaves a missing latch alone, and wakes the waiters of a latch that it deletes."""
    java = java_client(release).get("count_down_latch", "go")
    with Redisson.from_url(server.url) as redisson:
        ours = redisson.get_count_down_latch("go")
        ours.try_set_count(1)
        ours.count_down()
        expected = ["exists go", "set go 2", f"publish {GO} 1"]
        assert scripted(server, lambda: ours.try_set_count(2)) == expected
        raw.delete("go")
        assert scripted(server, lambda: java.call("trySetCount", 2)) == expected
        assert scripted(server, lambda: java.call("countDown")) == ["decr go"]
        assert ours.get_count() == java.call("getCount") == 1
        opened = ["del go", f"publish {GO} 0"]
        assert scripted(server, ours.count_down)[-2:] == opened
        java.call("trySetCount", 1)
        assert scripted(server, lambda: java.call("countDown"))[-2:] == opened


@pytest.mark.parametrize("release", RELEASES)
def test_a_latch_opens_once_for_all(
    java_client: Clients, server: RedisServer, raw: redis.Redis, release: str
) -> None:
    client = java_client(release)
    with Redisson.from_url(server.url) as redisson:
        ours = redisson.get_count_down_latch("go")
        ours.try_set_count(40)
        waiting = client.get("count_down_latch", "go", handle="waits").background("await")
        ours_waits = start(ours.wait)
        listening(raw, GO)

        def java_turn() -> None:
            latch = client.get("count_down_latch", "go", handle=uuid4().hex)
            for _ in range(10):
                latch.call("countDown")

        def python_turn() -> None:
            for _ in range(10):
                ours.count_down()

        with Monitor(server) as monitor:
            for turn in [start(turn) for turn in (java_turn, python_turn) for _ in range(2)]:
                turn.result(60)
        assert ours_waits.result()
        waiting.result()
    messages = [c.arguments[2] for c in monitor.commands if c.name == "PUBLISH"]
    assert messages == [b"0"]
    assert not raw.exists("go")


@pytest.mark.parametrize("release", RELEASES)
def test_a_deleted_latch_wakes_java(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    """Java's own delete() leaves its waiters waiting."""
    java = java_client(release).get("count_down_latch", "go")
    with Redisson.from_url(url) as redisson:
        ours = redisson.get_count_down_latch("go")
        java.call("trySetCount", 1)
        waiting = java.background("await")
        listening(raw, GO)
        assert ours.delete()
        waiting.result()
        java.call("trySetCount", 1)
        ours_waits = start(ours.wait)
        listening(raw, GO)
        assert java.call("delete")
        assert ours_waits.result()

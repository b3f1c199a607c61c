"""RFencedLock, RSpinLock and RMultiLock beside Java's."""

from __future__ import annotations

import time

import pytest
import redis

from interop.tests.conftest import Clients
from interop.tests.test_lock import scripted
from pyredisson import Redisson
from tests.support.server import RedisServer
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.19.3")
TOKEN = "redisson_lock_token:{job}"


@pytest.mark.parametrize("release", RELEASES)
def test_the_commands_of_a_fenced_lock(
    java_client: Clients, server: RedisServer, release: str
) -> None:
    """They are the same; within its script Java increases the token first."""
    java = java_client(release).get("fenced_lock", "job")
    with Redisson.from_url(server.url) as redisson:
        lock = redisson.get_fenced_lock("job")
        with lock:
            pass
        locked = scripted(server, lock.lock)
        refused = scripted(server, lambda: java.call("tryLock"))
        released = scripted(server, lock.unlock)
        assert sorted(scripted(server, lambda: java.call("lock"))) == sorted(locked)
        assert scripted(server, lock.try_lock) == refused
        assert scripted(server, lambda: java.call("forceUnlock")) == released[1:]
        assert f"incr {TOKEN}" in locked


@pytest.mark.parametrize("release", RELEASES)
def test_tokens_of_both_grow(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    java = java_client(release).get("fenced_lock", "job")
    with Redisson.from_url(url) as redisson:
        lock = redisson.get_fenced_lock("job")
        assert lock.lock_and_get_token() == 1
        assert java.call("getToken") == 1
        waiting = java.background("lockAndGetToken")
        time.sleep(0.2)
        lock.unlock()
        assert waiting.result().value.plain() == 2
        assert lock.get_token() == 2
        ours = start(lock.lock_and_get_token)
        time.sleep(0.2)
        assert not ours.done
        assert java.call("forceUnlock")
        assert ours.result() == 3
        assert raw.get(TOKEN) == b"3"


@pytest.mark.parametrize("release", RELEASES)
def test_a_spin_lock(java_client: Clients, server: RedisServer, release: str) -> None:
    java = java_client(release).get("spin_lock", "job")
    with Redisson.from_url(server.url) as redisson:
        lock = redisson.get_spin_lock("job")
        with lock:
            pass
        locked = scripted(server, lock.lock)
        assert scripted(server, lambda: java.call("tryLock"))[-1] == "pttl job"
        waiting = java.background("tryLock", 20, 5, "SECONDS")
        time.sleep(0.2)
        released = scripted(server, lock.unlock)
        assert waiting.result().value.plain()
        assert {"hexists job OWNER", "del job"} <= set(released)
        assert not any("publish" in each for each in released)
        assert scripted(server, lambda: java.call("forceUnlock"))[0] == "del job"
        assert java.call("tryLock")
        ours = start(lock.lock)  # polls, so its commands may come before Java's
        time.sleep(0.1)
        assert not ours.done
        assert java.call("forceUnlock")
        ours.result()
        assert java.call("isLocked")
        lock.force_unlock()
        assert scripted(server, lambda: java.call("lock")) == locked


@pytest.mark.parametrize("release", RELEASES)
def test_a_multi_lock_of_locks_that_java_has(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    client = java_client(release)
    first, second = client.get("lock", "a"), client.get("lock", "b")
    with Redisson.from_url(url) as redisson:
        both = redisson.get_multi_lock(redisson.get_lock("b"), redisson.get_lock("a"))
        assert second.call("tryLock", 0, 60, "SECONDS")
        assert not both.try_lock(0.1)
        assert not first.call("isLocked")
        waiting = start(both.lock)
        until(lambda: first.call("isLocked"), "it has the first one")
        assert second.call("forceUnlock")
        waiting.result()
        assert first.call("isLocked")
        assert second.call("isLocked")
        assert not second.call("tryLock")
        raw.delete("a", "b")


@pytest.mark.parametrize("release", RELEASES)
def test_multi_locks_of_both(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    """Both have one holder. A client that does not get all locks leaves none locked."""
    client = java_client(release)
    theirs, third = client.get("multi_lock", "c,a,b"), client.get("lock", "c")
    with Redisson.from_url(url) as redisson:
        names = ("b", "a", "c")
        ours = redisson.get_multi_lock(*(redisson.get_lock(name) for name in names))
        with ours:
            assert not theirs.call("tryLockAsync", 100, 60_000, "MILLISECONDS", 1)
            assert raw.exists(*names) == 3
            waiting = theirs.background("tryLockAsync", 20, 60, "SECONDS", 2)
            time.sleep(0.2)
        assert waiting.result().value.plain()
        assert not ours.try_lock()
        assert not ours.try_lock(0.2)
        assert raw.exists(*names) == 3
        waits = start(ours.lock)
        time.sleep(0.1)
        assert not waits.done
        theirs.call("unlockAsync", 2)
        waits.result()
        assert not theirs.call("tryLockAsync", 0, 60_000, "MILLISECONDS", 3)
        raw.delete(*names)
        assert third.call("tryLockAsync", 0, 60, "SECONDS", 9)
        for fails in (
            lambda: ours.try_lock(0.1),
            lambda: theirs.call("tryLockAsync", 100, 60_000, "MILLISECONDS", 4),
        ):
            assert not fails()
            until(lambda: raw.exists(*names) == 1, "it has released the others")
        third.call("unlockAsync", 9)
        assert theirs.call("tryLockAsync", 1, 60, "SECONDS", 5)
        theirs.call("unlockAsync", 5)
        assert ours.try_lock()
        assert raw.exists(*names) == 3

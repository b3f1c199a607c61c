"""RLock beside Java's: the same commands and keys, and one holder at a time across both."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
import redis

from interop.peer.wire import JavaError
from interop.tests.conftest import Clients
from pyredisson import Redisson
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.19.3")
CHANNEL = "redisson_lock__channel:{job}"


LOCKED = ("exists job", "hincrby job OWNER 1", "pexpire job 30000")
REFUSED = ("exists job", "hexists job OWNER", "pttl job")
RELEASED = ("hexists job OWNER", "del job", f"publish {CHANNEL} 0")
"""Java also counts down. Here a repeated release must count once, so the script compares."""


def scripted(server: RedisServer, call: Callable[[], Any]) -> tuple[str, ...]:
    """Return what scripts did in a call, without the latch of Java's unlock."""
    with Monitor(server) as monitor:
        call()
    words = [
        " ".join(each.decode() for each in command.arguments)
        for command in monitor.commands
        if command.by_script
    ]
    found = [re.sub(r"[0-9a-f-]{36}:\d+", "OWNER", each) for each in words if "latch" not in each]
    return tuple(each.replace("PUBLISH", "publish") for each in found)


@pytest.mark.parametrize("release", RELEASES)
def test_the_same_commands(java_client: Clients, server: RedisServer, release: str) -> None:
    java = java_client(release).get("lock", "job")
    with Redisson.from_url(server.url) as redisson:
        lock = redisson.get_lock("job")
        lock.lock()
        lock.unlock()  # the scripts are loaded, the key's type is known
        assert scripted(server, lock.lock) == LOCKED
        assert scripted(server, lambda: java.call("tryLock")) == REFUSED
        assert scripted(server, lock.unlock) == RELEASED
        assert scripted(server, lambda: java.call("lock")) == LOCKED
        assert scripted(server, lock.try_lock) == REFUSED
        java.call("forceUnlock")


@pytest.mark.parametrize("release", RELEASES)
def test_java_waits_for_python(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release).get("lock", "job")
    with Redisson.from_url(url) as redisson:
        lock = redisson.get_lock("job")
        lock.lock()
        assert java.call("isLocked")
        assert not java.call("tryLock", 0, 5, "SECONDS")
        waiting = java.background("tryLock", 20, 5, "SECONDS")
        time.sleep(0.3)
        lock.unlock()
        released = time.monotonic()
        assert waiting.result().value.plain()
        assert time.monotonic() - released < 20, "it was woken, and did not wait for the lease"
        assert not lock.try_lock()
        assert java.call("forceUnlock")
        assert lock.try_lock()
        lock.unlock()


@pytest.mark.parametrize("release", RELEASES)
def test_python_waits_for_java(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release).get("lock", "job")
    with Redisson.from_url(url) as redisson:
        assert java.call("tryLock", 0, 60, "SECONDS")
        lock = redisson.get_lock("job")
        assert not lock.try_lock()
        waiting = start(lock.lock)
        time.sleep(0.3)
        assert not waiting.done
        assert java.call("forceUnlock")
        waiting.result()
        assert java.call("isLocked")


@pytest.mark.parametrize("release", RELEASES)
def test_lock_has_one_holder_among_threads_and_java(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    """No increment of Java or Python is lost, although the counter is not atomic."""
    client = java_client(release)
    java, bucket = client.get("lock", "job"), client.get("bucket", "count", codec="String")
    done = threading.Event()

    def java_turn() -> None:
        for _ in range(40):
            assert java.call("tryLock", 60, 60, "SECONDS")
            bucket.call("set", str(int(bucket.call("get")) + 1))
            java.call("forceUnlock")
        done.set()

    raw.set("count", "0")
    with Redisson.from_url(url) as redisson:

        def python_turn() -> None:
            lock = redisson.get_lock("job")
            for _ in range(100):
                with lock:
                    raw.set("count", int(raw.get("count") or 0) + 1)

        turns = [start(java_turn), *(start(python_turn) for _ in range(4))]
        for each in turns:
            each.result(120)
    until(done.is_set, "Java is done")
    assert raw.get("count") == b"440"
    assert not raw.exists("job")


@pytest.mark.parametrize(("release", "holds"), [("4.7.0", b"1"), ("3.19.3", b"2")])
def test_a_server_that_answers_java_late(
    java_client: Clients, url: str, raw: Any, release: str, holds: bytes
) -> None:
    """Java 4.7.0 has the lock and does not know it; 3.19.3 sends again, and has it twice.

    So the lock stays until the lease ends. Python's waiter then gets it.
    """
    java = java_client(release).get("lock", "job")
    assert java.call("tryLockAsync", 0, 60, "SECONDS", 1)
    java.call("unlockAsync", 1)
    raw.execute_command("CLIENT", "PAUSE", "4000", "WRITE")
    if release == "3.19.3":
        assert java.call("tryLockAsync", 0, 60, "SECONDS", 2)
        java.call("unlockAsync", 2)
        holds = b"%d" % (int(holds) - 1)
    else:
        with pytest.raises(JavaError, match="response timeout"):
            java.call("tryLockAsync", 0, 60, "SECONDS", 2)
    until(lambda: raw.hvals("job") == [holds], "it stays locked")
    raw.pexpire("job", 300)
    with Redisson.from_url(url) as redisson:
        assert redisson.get_lock("job").try_lock(30)

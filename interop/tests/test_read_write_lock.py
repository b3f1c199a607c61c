"""RReadWriteLock beside Java's: the same hash, strings and messages, and both wake each other."""

from __future__ import annotations

import re
import time
from functools import partial
from typing import Any

import pytest
import redis

from interop.peer import JavaClient
from interop.peer.redisson import JavaObject
from interop.tests.conftest import Clients
from interop.tests.test_lock import scripted
from pyredisson import Redisson
from tests.support.server import RedisServer
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.19.3")
CHANNEL = "redisson_rwlock:{job}"


def state(raw: Any) -> dict[str, Any]:
    """Return all keys, with another word for the owners."""
    found: dict[str, Any] = {}
    for key in raw.scan_iter():
        value = raw.hgetall(key) if raw.type(key) == b"hash" else raw.get(key)
        texts = (key, *([*value, *value.values()] if isinstance(value, dict) else [value]))
        words = [re.sub(r"[0-9a-f-]{36}:\d+", "OWNER", each.decode()) for each in texts]
        found[words[0]] = sorted(words[1:])
    return found


def pair(client: JavaClient) -> list[JavaObject]:
    """Return Java's read lock and write lock."""
    kinds = ("readLock", "writeLock")
    return [client.get(f"read_write_lock.{kind}", "job") for kind in kinds]


@pytest.mark.parametrize("release", RELEASES)
def test_the_same_commands_and_keys(
    java_client: Clients, server: RedisServer, raw: redis.Redis, release: str
) -> None:
    """Python also reads the time to live, and all readers of a lock at once."""
    client = java_client(release)
    with Redisson.from_url(server.url) as redisson:
        lock = redisson.get_read_write_lock("job")
        for kind, one in (("readLock", lock.read_lock()), ("writeLock", lock.write_lock())):
            java = client.get(f"read_write_lock.{kind}", "job")
            with one:
                pass
            ours, mine = list(scripted(server, one.lock)), state(raw)
            message = f"publish {CHANNEL} {0 if kind == 'readLock' else 1}"
            assert message in scripted(server, one.unlock)
            assert not raw.keys()
            theirs = scripted(server, partial(java.call, "lockAsync", 7))
            assert state(raw) == mine
            ours = [each for each in ours if not each.startswith("pttl")]
            assert ours == [
                each.replace("hset job OWNER ", "hincrby job OWNER ") for each in theirs
            ]
            assert message in scripted(server, partial(java.call, "unlockAsync", 7))
            assert not raw.keys()


@pytest.mark.parametrize("release", RELEASES)
def test_both_wait_for_each_other(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    client = java_client(release)
    read, write = (
        client.get(f"read_write_lock.{kind}", "job") for kind in ("readLock", "writeLock")
    )
    with Redisson.from_url(url) as redisson:
        lock = redisson.get_read_write_lock("job")
        with lock.read_lock():
            assert read.call("tryLockAsync", 7)
            assert read.call("isLocked")
            assert not write.call("tryLock")
            assert not start(lock.write_lock().try_lock).result()
            writing = write.background("lockAsync", 8)
            time.sleep(0.2)
            read.call("unlockAsync", 7)
        writing.result()
        assert write.call("isLocked")
        assert not lock.read_lock().try_lock()
        reading = [start(lock.read_lock().lock) for _ in range(3)]
        time.sleep(0.2)
        write.call("unlockAsync", 8)
        for each in reading:
            each.result()
        writer = start(lock.write_lock().lock)
        time.sleep(0.2)
        assert not writer.done
        assert read.call("forceUnlock")
        writer.result()
        assert write.call("forceUnlock")
        assert not raw.hgetall("job")


@pytest.mark.parametrize("release", RELEASES)
def test_a_reader_in_java_is_woken_when_a_writer_reads_on(
    java_client: Clients, url: str, release: str
) -> None:
    read = java_client(release).get("read_write_lock.readLock", "job")
    with Redisson.from_url(url) as redisson:
        lock = redisson.get_read_write_lock("job")
        with lock.write_lock():
            lock.read_lock().lock()
            reading = read.background("tryLock", 25, 5, "SECONDS")
            time.sleep(0.3)
            released = time.monotonic()
        assert reading.result().value.plain()
        assert time.monotonic() - released < 15, "it did not wait for the end of the lease"
        lock.read_lock().unlock()


@pytest.mark.parametrize("release", RELEASES)
def test_a_writer_in_java_that_reads_on(java_client: Clients, url: str, release: str) -> None:
    """Java publishes no message for that; Python asks every second."""
    client = java_client(release)
    read, write = (
        client.get(f"read_write_lock.{kind}", "job") for kind in ("readLock", "writeLock")
    )
    with Redisson.from_url(url) as redisson:
        lock = redisson.get_read_write_lock("job")
        write.call("lockAsync", 7)
        read.call("lockAsync", 7)
        reading = start(lock.read_lock().lock)
        time.sleep(0.2)
        assert not reading.done
        write.call("unlockAsync", 7)
        reading.result(15)
        assert not start(lock.write_lock().try_lock).result()
        read.call("unlockAsync", 7)
        assert lock.read_lock().is_locked()
        assert lock.read_lock().force_unlock()


@pytest.mark.parametrize("release", RELEASES)
def test_readers_see_what_one_writer_left(
    java_client: Clients, url: str, raw: redis.Redis, release: str
) -> None:
    """Writers of both languages increase two keys, which readers never see unequal.

    Java waits for one second at a time, because it misses a release between its attempt and the
    reply.
    """
    client = java_client(release)
    write, bucket = (
        client.get("read_write_lock.writeLock", "job"),
        client.get("bucket", "a", codec="String"),
    )
    other = client.get("bucket", "b", codec="String")
    raw.mset({"a": "0", "b": "0"})

    def java_turns() -> None:
        for thread in range(25):
            attempt = partial(write.call, "tryLockAsync", 1, 60, "SECONDS", thread)
            until(attempt, "Java has it", 60)
            bucket.call("set", str(int(bucket.call("get")) + 1))
            other.call("set", str(int(other.call("get")) + 1))
            write.call("unlockAsync", thread)

    with Redisson.from_url(url) as redisson:
        lock = redisson.get_read_write_lock("job")

        def python_turns() -> None:
            for _ in range(40):
                with lock.write_lock():
                    count = int(raw.get("a") or 0) + 1
                    raw.set("a", count)
                    raw.set("b", count)

        def readers() -> None:
            for _ in range(40):
                with lock.read_lock():
                    assert raw.get("a") == raw.get("b")

        turns = [start(each) for each in (java_turns, python_turns, python_turns, readers, readers)]
        for each in turns:
            each.result(120)
    assert raw.get("a") == raw.get("b") == b"105"
    assert not raw.exists("job")

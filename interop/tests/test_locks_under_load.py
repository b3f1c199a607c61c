"""One lock for threads, tasks, processes and Java at once never has two holders.

Each turn reads a counter and writes it again, which is not atomic, so two holders would lose a
turn. Some holders are killed while they have the lock; one is stopped until its lease has ended.
`PYREDISSON_ACQUISITIONS=10000` makes that number of turns, of all kinds of locks together, instead
of 400.
"""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaObject
from interop.tests.conftest import Clients
from pyredisson import AsyncRedisson, FencedLock, Lock, Redisson
from tests.support.twins import start, until

TURNS = int(os.environ.get("PYREDISSON_ACQUISITIONS", "400"))
KINDS = ("lock", "fenced_lock", "fair_lock", "spin_lock", "read_write_lock")
PATIENCE = 60 + TURNS / 10

PROGRAM = """
import sys, time
import redis
from pyredisson import Redisson
from interop.tests.test_locks_under_load import count_turn, lock_of
url, kind, turns, hold = sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4])
with Redisson.from_url(url) as redisson, redis.Redis.from_url(url) as raw:
    lock = lock_of(redisson, kind)
    for _ in range(turns):
        with lock:
            count_turn(raw, lock)
    if hold:
        lock.lock(lease=hold)
        print("locked", flush=True)
        time.sleep(60)
"""


def lock_of(redisson: Any, kind: str) -> Any:
    """Return the lock of a kind; for a read-write lock, the write lock."""
    lock = getattr(redisson, f"get_{kind}")("job")
    return lock.write_lock() if kind == "read_write_lock" else lock


def count_turn(raw: Any, lock: Lock | None = None) -> None:
    """Count a turn, and check that the token of its holder is the largest one so far."""
    count = int(raw.get("count") or 0)
    if isinstance(lock, FencedLock):
        assert lock.token > int(raw.get("fence") or 0)
        raw.set("fence", lock.token)
    raw.set("count", count + 1)


def threads_turns(redisson: Redisson, raw: Any, kind: str, turns: int) -> None:
    lock: Lock = lock_of(redisson, kind)
    for _ in range(turns):
        with lock:
            count_turn(raw, lock)


def tasks_turns(url: str, raw: Any, kind: str, turns: int) -> None:
    async def task(redisson: AsyncRedisson) -> None:
        lock = lock_of(redisson, kind)
        for _ in range(turns):
            async with lock:
                count = int(raw.get("count") or 0)
                await asyncio.sleep(0)
                raw.set("count", count + 1)

    async def main() -> None:
        async with AsyncRedisson.from_url(url) as redisson:
            await asyncio.gather(*(task(redisson) for _ in range(4)))

    asyncio.run(main())


def javas_turns(java: JavaObject, raw: Any, turns: int) -> None:
    for thread in range(turns):
        # Java misses a release between its attempt at a write lock and the reply
        attempt = partial(java.call, "tryLockAsync", 1, 60, "SECONDS", thread)
        until(attempt, "Java has it", 60)
        count_turn(raw)
        java.call("unlockAsync", thread)


@contextmanager
def process(url: str, kind: str, turns: int, hold: float) -> Iterator[subprocess.Popen[bytes]]:
    """Run a process that takes turns, then holds the lock until it is killed or its lease ends."""
    words = [sys.executable, "-c", PROGRAM, url, kind, str(turns), str(hold)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as started:
        try:
            yield started
        finally:
            started.kill()


def killed_holders(url: str, kind: str, turns: int) -> None:
    for how in (signal.SIGKILL, signal.SIGSTOP):
        with process(url, kind, turns, 0.5) as started:
            assert started.stdout is not None
            assert started.stdout.readline() == b"locked\n"
            started.send_signal(how)
            time.sleep(0.1)


@pytest.mark.timeout(2 * PATIENCE)
@pytest.mark.parametrize("kind", KINDS)
def test_never_two_holders(java_client: Clients, url: str, raw: redis.Redis, kind: str) -> None:
    getter = "read_write_lock.writeLock" if kind == "read_write_lock" else kind
    java, share = java_client("4.7.0").get(getter, "job"), math.ceil(TURNS / len(KINDS) / 8)
    with Redisson.from_url(url) as redisson:
        actors: list[Callable[[], None]] = [
            *[partial(threads_turns, redisson, raw, kind, share) for _ in range(3)],
            partial(tasks_turns, url, raw, kind, share // 2),
            partial(javas_turns, java, raw, share),
            partial(killed_holders, url, kind, share),
        ]
        for each in [start(actor) for actor in actors]:
            each.result(PATIENCE)
    until(lambda: not raw.exists("job"), "the lease of the last one that was killed has ended")
    assert int(raw.get("count") or 0) == 3 * share + 4 * (share // 2) + share + 2 * share
    assert set(raw.keys()) <= {b"count", b"fence", b"redisson_lock_token:{job}"}


def test_frozen_holder_has_a_smaller_token_after_its_lease(url: str, raw: redis.Redis) -> None:
    """So what the frozen holder still writes can be rejected."""
    with Redisson.from_url(url) as redisson, process(url, "fenced_lock", 1, 0.3) as frozen:
        assert frozen.stdout is not None
        assert frozen.stdout.readline() == b"locked\n"
        frozen.send_signal(signal.SIGSTOP)
        lock = redisson.get_fenced_lock("job")
        with lock:
            assert lock.token == 3

"""Each kind of lock does in Redis what Redisson 3.27.2 did when it was recorded."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaClient
from interop.tests.support.recorded import recorded
from interop.tests.support.trace import Run
from interop.tests.test_lock import scripted
from interop.tests.test_read_write_lock import state
from pyredisson import Redisson
from tests.support.server import RedisServer

EQUAL = ("lock", "fenced_lock", "spin_lock")
"""Kinds whose scripts execute the same commands, except that Python compares where Java counts.

For all kinds the keys and the messages are equal.
"""
KINDS = (*EQUAL, "fair_lock", "read_write_lock.readLock", "read_write_lock.writeLock")
Call = Callable[[], Any]


def steps(server: RedisServer, lock: Call, other: Call, unlock: Call, other_unlocks: Call) -> Run:
    """One client locks, another one tries to, and the holders release the lock."""
    commands: list[str] = []
    states: dict[str, Any] = {}
    acquired: list[Any] = []
    with redis.Redis(port=server.port) as raw:
        raw.flushall()
        for name, call in (
            ("locked", lock),
            ("tried", lambda: acquired.append(other())),
            ("unlocked", unlock),
            ("released", lambda: acquired[0] and other_unlocks()),
        ):
            done = scripted(server, call)
            commands += [f"{name}: {each}" for each in done]
            states[name] = {key: value for key, value in state(raw).items() if "latch" not in key}
    return Run(commands, states, acquired[0], [])


def in_java(client: JavaClient, server: RedisServer, kind: str) -> Run:
    call = client.get(kind, "job").call
    locks = (("lockAsync", 7), ("tryLockAsync", 8), ("unlockAsync", 7), ("unlockAsync", 8))
    return steps(server, *(partial(call, *each) for each in locks))


@pytest.mark.parametrize("kind", KINDS)
def test_lock_does_what_redisson_3_27_2_did(server: RedisServer, kind: str) -> None:
    java = recorded(kind)
    assert java
    with Redisson.from_url(server.url) as redisson:
        first, second = (_lock(redisson, kind) for _ in range(2))
        python = steps(server, first.lock, second.try_lock, first.unlock, second.unlock)
    assert (python.keys, python.result) == (java.keys, java.result)
    wanted = "" if kind in EQUAL else ": publish "
    of_python, of_java = (
        sorted(each for each in run.commands if wanted in each and not each.endswith(" -1"))
        for run in (python, java)
    )
    assert of_python == of_java


def _lock(redisson: Redisson, kind: str) -> Any:
    getter, _, part = kind.partition(".")
    lock = getattr(redisson, f"get_{getter}")("job")
    return getattr(lock, part.replace("Lock", "_lock"))() if part else lock

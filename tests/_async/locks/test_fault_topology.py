"""Locks with holders and waiters while a slot moves or another server becomes the master."""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from redis.asyncio import RedisCluster
from redis.asyncio.sentinel import Sentinel

from pyredisson import AsyncLock, AsyncRedisson
from tests._async.topology.test_fault_slot import migrate, on_its_way
from tests.support.faults_tools import replicate
from tests.support.topology import RedisCluster as Servers
from tests.support.topology import SentinelGroup
from tests.support.twins import AsyncStarted, aside_async, sleep_async, until_async

KINDS: dict[str, Callable[[AsyncRedisson, str], AsyncLock]] = {
    "lock": lambda redisson, name: redisson.get_lock(name),
    "fenced": lambda redisson, name: redisson.get_fenced_lock(name),
    "fair": lambda redisson, name: redisson.get_fair_lock(name),
    "read": lambda redisson, name: redisson.get_read_write_lock(name).read_lock(),
    "write": lambda redisson, name: redisson.get_read_write_lock(name).write_lock(),
}


@pytest.fixture
async def of_cluster(cluster: Servers) -> AsyncIterator[AsyncRedisson]:
    """A client of the cluster."""
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(client, lock_watchdog_timeout=6) as redisson,
    ):
        yield redisson


@pytest.fixture
async def of_sentinels(sentinels: SentinelGroup) -> AsyncIterator[AsyncRedisson]:
    """A client of the master that the Sentinels name."""
    kind: Any = Sentinel  # not annotated in redis-py
    watchers = kind(sentinels.addresses)
    client = watchers.master_for(sentinels.service_name)
    async with AsyncRedisson(client, response_timeout=2) as redisson:
        yield redisson
    await client.aclose()
    for watcher in watchers.sentinels:
        await watcher.aclose()


class Held:
    """A held lock of each kind, and a waiter for each. A writer waits for the read lock."""

    def __init__(self, redisson: AsyncRedisson, tag: str) -> None:
        self._redisson = redisson
        self._names = {kind: f"{{{tag}}}{kind}" for kind in KINDS}
        self._locks = [make(redisson, self._names[kind]) for kind, make in KINDS.items()]
        self._waiters: list[AsyncStarted[bool]] = []

    async def acquire(self) -> None:
        """Hold all of them, and wait for all of them."""
        for lock in self._locks:
            await lock.lock()
        for kind, name in self._names.items():
            make = KINDS["write" if kind == "read" else kind]
            self._waiters.append(AsyncStarted(make(self._redisson, name).acquire))
        await sleep_async(0.2)

    async def release(self) -> None:
        """Check that all locks are still held. Each waiter gets its lock after the release."""
        for lock, waiter in zip(self._locks, self._waiters, strict=True):
            assert await lock.is_held()
            assert not lock.lost
            assert not waiter.done
            await lock.unlock()
            assert await waiter.result()


async def test_locks_stay_held_while_slot_moves(
    cluster: Servers, of_cluster: AsyncRedisson
) -> None:
    tag = "slot_async"
    held = Held(of_cluster, tag)
    await held.acquire()
    with on_its_way(cluster, tag.encode()) as (source, target):
        keys = [key.decode() for key in source.run("KEYS", f"*{tag}*")]
        assert len(keys) > len(KINDS)
        migrate(source, target, *keys)
        await sleep_async(2.2)
    await held.release()


async def test_locks_stay_held_after_failover(
    sentinels: SentinelGroup, of_sentinels: AsyncRedisson, caplog: pytest.LogCaptureFixture
) -> None:
    """A lock that was replicated is also held on the new master."""
    held = Held(of_sentinels, "job")
    await held.acquire()
    replicate(sentinels.master, sentinels.servers)
    await aside_async(sentinels.failover)
    await until_async(lambda: "is now the master" in caplog.text, "the client knows it, too")
    await held.release()

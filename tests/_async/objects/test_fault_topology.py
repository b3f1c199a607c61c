"""Waiters and listeners of objects survive a slot that moves and a failover."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from redis.asyncio import RedisCluster
from redis.asyncio.sentinel import Sentinel

from pyredisson import AsyncRedisson, RateType
from pyredisson.codecs import StringCodec
from tests._async.topology.test_fault_slot import migrate, on_its_way
from tests.support.faults_tools import replicate
from tests.support.topology import RedisCluster as Servers
from tests.support.topology import SentinelGroup
from tests.support.twins import AsyncStarted, aside_async, sleep_async, until_async


@pytest.fixture
async def of_cluster(cluster: Servers) -> AsyncIterator[AsyncRedisson]:
    """A client of the cluster."""
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(client, codec=StringCodec()) as redisson,
    ):
        yield redisson


@pytest.fixture
async def of_sentinels(sentinels: SentinelGroup) -> AsyncIterator[AsyncRedisson]:
    """A client of the master that the Sentinels name."""
    kind: Any = Sentinel  # not annotated in redis-py
    watchers = kind(sentinels.addresses)
    client = watchers.master_for(sentinels.service_name)
    async with AsyncRedisson(client, codec=StringCodec(), response_timeout=2) as redisson:
        yield redisson
    await client.aclose()
    for watcher in watchers.sentinels:
        await watcher.aclose()


class Used:
    """Objects of each family, with their values, waiters and listeners."""

    def __init__(self, redisson: AsyncRedisson, tag: str) -> None:
        def name(kind: str) -> str:
            return f"{{{tag}}}{kind}"

        self.semaphore = redisson.get_semaphore(name("semaphore"))
        self.permits = redisson.get_permit_expirable_semaphore(name("permits"))
        self.latch = redisson.get_count_down_latch(tag)  # its channel has braces of its own
        self.limiter = redisson.get_rate_limiter(name("limiter"))
        self.cache = redisson.get_map_cache(name("cache"))
        self.local = redisson.get_local_cached_map(name("local"))
        self.bloom = redisson.get_bloom_filter(name("bloom"))
        self.topic = redisson.get_topic(name("topic"))
        self.reliable = redisson.get_reliable_topic(name("reliable"))
        self.heard: list[str] = []
        self.waiting: list[AsyncStarted[Any]] = []

    async def begin(self) -> None:
        """Store a value in each object, start the waiters, and add the listeners."""
        await self.semaphore.try_set_permits(0)
        await self.permits.try_set_permits(1)
        self.permit = await self.permits.acquire()
        await self.latch.try_set_count(1)
        await self.limiter.try_set_rate(RateType.OVERALL, 2, 600)
        assert await self.limiter.try_acquire(2)
        await self.cache.put("k", "v", ttl=600)
        await self.local.put("k", "v")
        assert await self.local.get("k") == "v"
        await self.bloom.try_init(1000, 0.01)
        await self.bloom.add("v")
        await self.topic.add_listener(lambda message: self.heard.append(message.value))
        await self.reliable.add_listener(lambda message: self.heard.append(message.value), "s")
        for wait in (self.semaphore.acquire, self.permits.acquire, self.latch.wait):
            self.waiting.append(AsyncStarted(wait))
        await sleep_async(0.2)

    async def end(self) -> None:
        """Check that all values are stored.

        Each waiter continues, and each listener is notified.
        """
        assert not any(each.done for each in self.waiting)
        await self.semaphore.release()
        await self.permits.release(self.permit)
        await self.latch.count_down()
        for each in self.waiting:
            await each.result()
        assert not await self.limiter.try_acquire()
        assert await self.cache.get("k") == "v"
        assert await self.bloom.contains("v")
        await self.local.put("k", "w")
        assert await self.local.get("k") == "w"
        await self.reliable.publish("reliable")
        await until_async(lambda: "reliable" in self.heard, "the reliable topic's listener hears")

        async def heard() -> bool:
            await self.topic.publish("topic")
            await sleep_async(0.1)
            return "topic" in self.heard

        for _ in range(100):
            if await heard():
                break
        assert "topic" in self.heard


async def test_objects_work_while_slot_moves(cluster: Servers, of_cluster: AsyncRedisson) -> None:
    tag = "objects_async"
    used = Used(of_cluster, tag)
    await used.begin()
    with on_its_way(cluster, tag.encode()) as (source, target):
        keys = [key.decode() for key in source.run("KEYS", f"*{tag}*")]
        assert len(keys) >= 10
        migrate(source, target, *keys)
        await sleep_async(2.2)
    await used.end()


async def test_objects_work_after_failover(
    sentinels: SentinelGroup, of_sentinels: AsyncRedisson, caplog: pytest.LogCaptureFixture
) -> None:
    used = Used(of_sentinels, "objects")
    await used.begin()
    replicate(sentinels.master, sentinels.servers)
    await aside_async(sentinels.failover)
    # a command in flight at that time raises UncertainError
    await until_async(lambda: "is now the master" in caplog.text, "the client knows it, too")
    await used.end()

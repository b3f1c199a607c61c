"""A master that Sentinels name; what happens in a failover is the fault tests' matter."""

from typing import Any

import redis
from redis.asyncio.sentinel import Sentinel

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.state import shape
from tests.support.topology import SentinelGroup

STRINGS = StringCodec()


async def test_a_sentinels_master_is_a_client_like_any(sentinels: SentinelGroup) -> None:
    make: Any = Sentinel
    sentinel = make(sentinels.addresses, decode_responses=True)
    client: redis.asyncio.Redis = sentinel.master_for(sentinels.service_name)
    async with AsyncRedisson(client) as redisson:
        queue = redisson.get_blocking_queue("q", codec=STRINGS)
        delayed = redisson.get_delayed_queue(queue)
        await delayed.offer("a", delay=0.1)
        await delayed.offer("b", delay=0.2)
        await delayed.offer("later", delay=3600)
        assert [await queue.take(), await queue.take()] == ["a", "b"]
        assert await delayed.read_all() == ["later"]
    assert await client.ping()
    assert set(shape(sentinels.master.client())) == {
        "redisson_delay_queue:{q}",
        "redisson_delay_queue_timeout:{q}",
    }
    await client.aclose()
    await client.connection_pool.disconnect()
    for one in sentinel.sentinels:
        await one.aclose()

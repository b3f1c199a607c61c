"""RIdGenerator on a real server: each id is returned once, and one request fetches many ids."""

from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, InvalidNameError, KeyTypeError, ReplyError
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy
from tests.support.topology import RedisCluster
from tests.support.twins import AsyncStarted, close_cluster_async


async def test_ids_come_from_blocks(redisson: AsyncRedisson, raw: Any) -> None:
    ids, other = redisson.get_id_generator("g"), redisson.get_id_generator("g")
    assert await ids.try_init(100, 2)
    assert not await ids.try_init(5, 5)
    assert [await ids.next_id() for _ in range(3)] == [100, 101, 102]
    assert await other.next_id() == 104
    assert await ids.next_id() == 103
    assert raw.mget("g", "{g}:allocation") == [b"106", b"2"]
    await ids.expire(60)
    assert raw.ttl("g") > 0
    assert raw.ttl("{g}:allocation") > 0
    await ids.rename("h")
    assert await ids.next_id() == 106
    assert await ids.delete()
    assert raw.keys() == []


async def test_generator_works_without_init(redisson: AsyncRedisson, raw: Any) -> None:
    ids = redisson.get_id_generator("g")
    assert [await ids.next_id() for _ in range(5001)] == list(range(1, 5002))
    assert raw.mget("g", "{g}:allocation") == [b"10001", b"5000"]
    assert repr(ids) == f"<{type(ids).__name__} 'g'>"


async def test_ids_beyond_the_integers_of_a_double(redisson: AsyncRedisson, raw: Any) -> None:
    ids = redisson.get_id_generator("g")
    await ids.try_init(2**53 + 1, 2)
    assert [await ids.next_id() for _ in range(4)] == list(range(2**53 + 1, 2**53 + 5))
    await ids.delete()
    await ids.try_init(2**63 - 3, 2)
    other = redisson.get_id_generator("g")
    assert await other.next_id() == 2**63 - 3
    with pytest.raises(ReplyError, match="overflow"):
        await redisson.get_id_generator("g").next_id()
    assert raw.get("g") == b"9223372036854775807"


async def test_simultaneous_callers_get_different_ids(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """Each id is returned once, and waiting callers share a block."""
    ids = redisson.get_id_generator("g")
    await ids.try_init(1, 1000)

    async def turn() -> list[int]:
        return [await ids.next_id() for _ in range(100)]

    turns = [AsyncStarted(turn) for _ in range(20)]
    found = [each for one in turns for each in await one.result()]
    assert sorted(found) == list(range(1, 2001))
    assert raw.get("g") == b"2001"


async def test_wrong_content_of_allocation_key_raises(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.set("{g}:allocation", "0")
    with pytest.raises(ReplyError, match="not a size of blocks"):
        await redisson.get_id_generator("g").next_id()
    raw.rpush("{h}:allocation", "a")
    with pytest.raises(KeyTypeError, match="allocation"):
        await redisson.get_id_generator("h").next_id()
    assert not raw.exists("g", "h")


async def test_a_lost_reply_leaves_a_gap(proxy: FaultProxy, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        ids = redisson.get_id_generator("g")
        await ids.try_init(1, 2)
        assert [await ids.next_id() for _ in range(2)] == [1, 2]
        proxy.lose_reply_to(load("counters/allocate_ids").sha.encode())
        assert await ids.next_id() == 5
        assert raw.get("g") == b"7"


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client) as redisson:
        assert await redisson.get_id_generator("ids").next_id() == 1
        with pytest.raises(InvalidNameError, match="one slot"):
            redisson.get_id_generator("a{b")
        assert await redisson.get_atomic_long("n").increment_and_get() == 1
    await close_cluster_async(client)

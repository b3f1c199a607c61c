"""Redis 6.0: offers, transfers and takes work; other calls raise before they write anything.

`scripts/test-matrix host redis-6.0` runs it, and names the server.
"""

import os
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from tests.conftest import OLD_SERVER
from tests.support.server import RedisServer

OLD = r" needs Redis 6\.2 or newer; this is 6\.0\.\d+: "


@pytest.fixture(scope="module")
def old_server() -> Iterator[RedisServer]:
    server = RedisServer()
    server.binary = os.environ[OLD_SERVER]
    with server:
        yield server


@pytest.fixture
def raw(old_server: RedisServer) -> Iterator[Any]:
    with old_server.client() as client:
        client.flushall()
        yield client


@pytest.fixture
async def redisson(old_server: RedisServer) -> AsyncIterator[AsyncRedisson]:
    async with AsyncRedisson.from_url(old_server.url, codec=StringCodec()) as redisson:
        yield redisson


async def test_redis_60_offers_transfers_and_takes(redisson: AsyncRedisson, raw: Any) -> None:
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await delayed.offer("a", delay=0.05)
    await delayed.offer_many([("b", 0.1), ("c", 0.15)])
    receipt = await delayed.offer("d", delay=60, dedup="key")
    assert await delayed.reschedule(receipt, 50) is not None
    assert await delayed.cancel(receipt)
    assert await delayed.check() == []
    assert [await queue.take(), await queue.poll(timeout=5)] == ["a", "b"]
    assert await queue.poll(5, timeout=5) == ["c"]
    assert await queue.poll(5, timeout=0.2) == []
    assert raw.keys("redisson*") == []


async def test_redis_60_rejects_calls_that_need_62(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "a")
    before = raw.keys()
    queue = redisson.get_blocking_queue("q")
    consumer = redisson.get_consumer(queue, transfer=False)
    with pytest.raises(redis.ResponseError, match="consumers and workers of 'q'" + OLD):
        await consumer.take()
    with pytest.raises(redis.ResponseError, match="consumers and workers of 'q'" + OLD):
        await AsyncWorker(redisson, queue, print).run()
    window = redisson.get_group_window(queue, size=2, max_wait=9)
    with pytest.raises(redis.ResponseError, match="group windows of 'q'" + OLD):
        await window.offer("k", "v")
    with pytest.raises(redis.ResponseError, match="the pause of .*" + OLD):
        await queue.pause()
    with pytest.raises(redis.ResponseError, match="LPOP of 'q'" + OLD):
        await queue.poll_first_from_any(0.1, "r")
    with pytest.raises(redis.ResponseError, match=OLD):
        await queue.copy("r")
    assert raw.keys() == before
    assert raw.lrange("q", 0, -1) == [b"a"]


async def test_redis_60_checks_and_rejects_a_repair(redisson: AsyncRedisson, raw: Any) -> None:
    """A check works; a repair raises and changes nothing."""
    raw.rpush("pyredisson_arriving:{q}", "a")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    assert len(await delayed.check()) == 1
    with pytest.raises(redis.ResponseError, match=r"checks and repairs|consumers and workers"):
        await delayed.repair(dry_run=False)
    assert raw.keys() == [b"pyredisson_arriving:{q}"]

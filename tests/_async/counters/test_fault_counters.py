"""Counters when replies are lost: a change is sent once, and the caller gets UncertainError."""

import time
from collections.abc import AsyncIterator

import pytest
import redis

from pyredisson import AsyncRedisson, ServerTimeoutError, UncertainError
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted


@pytest.fixture
async def client(proxy: FaultProxy) -> AsyncIterator[AsyncRedisson]:
    """A client behind a proxy."""
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url) as redisson:
        yield redisson


async def test_a_lost_reply_of_an_atomic_long(
    client: AsyncRedisson, proxy: FaultProxy, raw: redis.Redis
) -> None:
    number = client.get_atomic_long("n")
    await number.increment_and_get()
    proxy.lose_reply_to(b"INCR")
    with pytest.raises(UncertainError, match="no reply to INCR of 'n'"):
        await number.increment_and_get()
    assert raw.get("n") == b"2"
    await number.compare_and_set(2, 3)
    proxy.lose_reply_to(load("counters/compare_and_set").sha.encode())
    with pytest.raises(UncertainError):
        await number.compare_and_set(3, 4)
    proxy.lose_reply_to(b"GET")
    assert await number.get() == 4


async def test_flushed_scripts_are_loaded_again(client: AsyncRedisson, raw: redis.Redis) -> None:
    number = client.get_atomic_long("n")
    for value in range(3):
        raw.script_flush()
        assert await number.compare_and_set(value, value + 1)


async def test_waits_for_id_block_of_frozen_server_fail_together(
    own_server: RedisServer,
) -> None:
    async with AsyncRedisson.from_url(own_server.url, response_timeout=1) as redisson:
        ids = redisson.get_id_generator("ids")
        await ids.try_init(1, 1)
        begun = time.monotonic()
        own_server.pause()
        try:
            waiting = [AsyncStarted(ids.next_id) for _ in range(20)]
            for each in waiting:
                with pytest.raises(ServerTimeoutError):
                    await each.result()
        finally:
            own_server.resume()
        assert time.monotonic() - begun < 15, "one after the other they need 20 s and more"
        found = [await ids.next_id() for _ in range(20)]
        assert sorted(set(found)) == found

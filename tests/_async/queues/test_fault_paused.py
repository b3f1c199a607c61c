"""A server that delays all writes for a while, for an operator or a planned failover."""

from typing import Any

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.server import RedisServer
from tests.support.twins import interrupt_async


async def test_a_wait_that_is_held_can_be_interrupted(server: RedisServer, raw: Any) -> None:
    """Redis up to 7.0 crashes if a client unblocks such a wait."""
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        assert await queue.poll() is None
        raw.client_pause(700, all=False)
        assert await interrupt_async(queue.take, 0.2) == []
        raw.client_unpause()
        assert await queue.add("x")
        assert await queue.take() == "x"

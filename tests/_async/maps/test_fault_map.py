"""A map whose replies are lost: a read is repeated, and a write runs at most once."""

from collections.abc import AsyncIterator

import pytest
import redis

from pyredisson import AsyncMap, AsyncRedisson, UncertainError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy


@pytest.fixture
async def behind(proxy: FaultProxy) -> AsyncIterator[AsyncMap[str, str]]:
    """A map behind a proxy. Its script is loaded, and the client knows the type of its key."""
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url) as redisson:
        behind = redisson.get_map("m", StringCodec())
        await behind.put("a", "1")
        yield behind


async def test_lost_reply_repeats_read_but_not_write(
    behind: AsyncMap[str, str], proxy: FaultProxy, raw: redis.Redis
) -> None:
    """Redisson repeats the put, and returns its own new value as the previous value."""
    proxy.lose_reply_to(b"HGET")
    assert await behind.get("a") == "1"
    proxy.lose_reply_to(load("maps/put").sha.encode())
    with pytest.raises(UncertainError, match="no reply to put of 'm'"):
        await behind.put("a", "2")
    assert raw.hget("m", "a") == b"2"
    proxy.lose_reply_to(b"HINCRBYFLOAT")
    with pytest.raises(UncertainError, match="no reply to HINCRBYFLOAT of 'm'"):
        await behind.add_and_get("n", 5)
    assert raw.hget("m", "n") == b"5"

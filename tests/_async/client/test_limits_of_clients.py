"""`max_connections` of an injected client has no effect, and one warning says so."""

import logging
from typing import Any

import pytest
import redis.asyncio

from pyredisson import AsyncRedisson
from pyredisson._transport.settings import log_limit
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import close_cluster_async


@pytest.fixture
def warnings(caplog: pytest.LogCaptureFixture) -> Any:
    """Return the warnings about limits that were logged so far."""
    log_limit.cache_clear()
    caplog.set_level(logging.WARNING, logger="pyredisson")
    return lambda: [each.message for each in caplog.records if "max_connections" in each.message]


async def test_max_connections_logs_one_warning(server: RedisServer, warnings: Any) -> None:
    client: Any = redis.asyncio.Redis.from_url(server.url, max_connections=2)
    for _ in range(2):
        async with AsyncRedisson(client) as redisson:
            assert await redisson.get_queue("q").size() == 0
    (warning,) = warnings()
    assert warning.startswith("max_connections=2 of the redis-py client has no effect: ")


async def test_client_without_max_connections_logs_no_warning(
    server: RedisServer, warnings: Any
) -> None:
    pool: Any = redis.asyncio.BlockingConnectionPool.from_url(server.url)
    for client in (redis.asyncio.Redis.from_url(server.url), redis.asyncio.Redis.from_pool(pool)):
        async with client, AsyncRedisson(client) as redisson:
            assert await redisson.get_queue("q").size() == 0
    assert warnings() == []


async def test_max_connections_of_a_cluster_client_logs_one_warning(
    cluster: RedisCluster, warnings: Any
) -> None:
    for limit in ({"max_connections": 3}, {}):
        client: Any = redis.asyncio.RedisCluster.from_url(cluster.url, **limit)
        async with AsyncRedisson(client) as redisson:
            assert await redisson.get_queue("q").size() == 0
        await close_cluster_async(client)
    assert len(warnings()) == 1

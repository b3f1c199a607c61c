"""Makes redis-py clients from URLs, for the command line.

The rule: the functions translate the errors that redis-py raises in them. The transfer process uses
`translating` for its own client.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import redis
from redis.asyncio.sentinel import Sentinel as AsyncSentinel
from redis.connection import SSLConnection
from redis.exceptions import RedisClusterException, RedisError
from redis.sentinel import Sentinel

from pyredisson._transport.connections import (
    AsyncRedis,
    AsyncRedisCluster,
    Redis,
    RedisCluster,
    hide_arguments,
)
from pyredisson._transport.errors import ServerConnectionError, ServerError, translated
from pyredisson._transport.settings import parsed_url
from pyredisson.protocol.kernel.cluster import Remap

SENTINEL_PORT = 26379


@contextmanager
def translating() -> Iterator[None]:
    """Translate redis-py's errors to pyredisson's, without the arguments of AUTH and HELLO."""
    try:
        yield
    except RedisClusterException as error:
        hide_arguments(error)
        cause = error.__cause__
        if not isinstance(cause, RedisError):
            raise ServerError(*error.args) from error
        down = translated(cause)
        down.__cause__ = cause
        raise ServerConnectionError(*error.args) from down
    except RedisError as error:
        hide_arguments(error)
        raise translated(error) from error


def client_from_url(url: str, *, cluster: bool, remap: Remap) -> Redis | RedisCluster:
    """Make a client; only a cluster client uses `remap`, and only it connects at once."""
    make: Any = partial(RedisCluster.from_url, address_remap=remap) if cluster else Redis.from_url
    with translating():
        client: Redis | RedisCluster = make(url)
    return client


def async_client_from_url(
    url: str, *, cluster: bool, remap: Remap
) -> AsyncRedis | AsyncRedisCluster:
    """Make a client for asyncio, without connecting it; only a cluster client uses `remap`.

    Raises:
        ValueError: the URL has an option that redis-py's cluster client does not have.
    """
    make: Any = AsyncRedis.from_url
    if cluster:
        make = partial(AsyncRedisCluster.from_url, address_remap=remap)
    with translating():
        try:
            client: AsyncRedis | AsyncRedisCluster = make(url)
        except TypeError as error:  # a cluster client has fewer options
            raise ValueError(f"redis-py rejects an option of the URL: {error}") from error
    return client


def master_from_urls(sentinels: list[str], url: str, name: str) -> Redis:
    """Make a client of the master that Sentinels call `name`.

    Args:
        sentinels: the URLs of the Sentinels; their default port is 26379.
        url: has the settings of the connections to the master. Its host and port are not used.
        name: the master's name.
    """
    client: Redis = _master(Sentinel, Redis, sentinels, url, name)
    return client


def async_master_from_urls(sentinels: list[str], url: str, name: str) -> AsyncRedis:
    """Make a client for asyncio, as `master_from_urls` does for threads."""
    client: AsyncRedis = _master(AsyncSentinel, AsyncRedis, sentinels, url, name)
    return client


def _master(manager_of: Any, client_of: Any, sentinels: list[str], url: str, name: str) -> Any:
    settings = parsed_url(url)
    tls = settings.pop("connection_class", None) is SSLConnection
    for each in ("host", "port"):
        settings.pop(each, None)
    manager = manager_of([])
    manager.sentinels = [
        client_of.from_url(each, port=int(parsed_url(each).get("port", SENTINEL_PORT)))
        for each in sentinels
    ]
    return manager.master_for(name, ssl=tls, **settings)


def server_info(settings: dict[str, Any]) -> dict[str, Any]:
    """Return the section "server" of INFO, from the server that `settings` reach."""
    make: Any = redis.ConnectionPool
    pool = make(**settings)
    try:
        with translating():
            found: Any = Redis(connection_pool=pool).info("server")
            return dict(found)
    finally:
        pool.disconnect()


def subscribers(client: Redis | RedisCluster, channel: str) -> int:
    """Return the number of subscribers of a channel, in a cluster on all nodes together."""
    everywhere = {"target_nodes": "all"} if isinstance(client, RedisCluster) else {}
    with translating():
        return sum(count for _, count in client.pubsub_numsub(channel, **everywhere))

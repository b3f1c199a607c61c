"""Clients of redis-py, made from URLs: for the command line and the transfer process.

The rule: what redis-py raises while it makes or uses such a client is our error here, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import redis
from redis.connection import SSLConnection, parse_url
from redis.exceptions import RedisClusterException, RedisError
from redis.sentinel import Sentinel

from pyredisson._transport.connections import Redis, RedisCluster
from pyredisson._transport.errors import ServerConnectionError, ServerError, translated

SENTINEL_PORT = 26379


@contextmanager
def translating() -> Iterator[None]:
    """Raise what redis-py raises as our error."""
    try:
        yield
    except RedisClusterException as error:
        cause = error.__cause__
        if not isinstance(cause, RedisError):
            raise ServerError(*error.args) from error
        down = translated(cause)
        down.__cause__ = cause
        raise ServerConnectionError(*error.args) from down
    except RedisError as error:
        raise translated(error) from error


def client_from_url(url: str, *, cluster: bool) -> Redis | RedisCluster:
    """Make a client; only a cluster's connects."""
    make: Any = RedisCluster if cluster else Redis
    with translating():
        client: Redis | RedisCluster = make.from_url(url)
    return client


def parsed_url(url: str) -> dict[str, Any]:
    """Return the settings that a URL means."""
    parse: Any = parse_url  # not annotated in redis-py, as Sentinel is not
    return dict(parse(url))


def master_from_urls(sentinels: list[str], url: str, name: str) -> Redis:
    """Make the client of a master that Sentinels name, with a URL's settings."""
    settings = parsed_url(url)
    tls = settings.pop("connection_class", None) is SSLConnection
    for each in ("host", "port"):
        settings.pop(each, None)
    make: Any = Sentinel
    manager = make([])
    manager.sentinels = [
        Redis.from_url(each, port=int(parsed_url(each).get("port", SENTINEL_PORT)))
        for each in sentinels
    ]
    client: Redis = manager.master_for(name, ssl=tls, **settings)
    return client


def server_info(settings: dict[str, Any]) -> dict[str, Any]:
    """Ask the server at some settings for its INFO."""
    make: Any = redis.ConnectionPool
    pool = make(**settings)
    try:
        with translating():
            told: Any = Redis(connection_pool=pool).info("server")
            return dict(told)
    finally:
        pool.disconnect()


def subscribers(client: Redis | RedisCluster, channel: str) -> int:
    """Count who listens to a channel, on all nodes."""
    everywhere = {"target_nodes": "all"} if isinstance(client, RedisCluster) else {}
    with translating():
        return sum(count for _, count in client.pubsub_numsub(channel, **everywhere))

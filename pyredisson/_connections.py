"""redis-py's connections in both worlds, as twin names: `x_async` and `x`, `AsyncX` and `X`.

The rule of `_compat` holds here, too.  All that reaches into redis-py below its
clients is in this module.
"""

from __future__ import annotations

import asyncio
import contextlib
import select
from typing import Any

import redis
import redis.asyncio
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson._compat import Interrupts

Connection = Any  # redis-py's connections, of several classes and both worlds

AsyncRedis = redis.asyncio.Redis
Redis = redis.Redis
AsyncRedisCluster = redis.asyncio.RedisCluster
RedisCluster = redis.RedisCluster

wanted_async = "AsyncRedisson takes redis.asyncio.Redis or redis.asyncio.RedisCluster"
wanted = "Redisson takes redis.Redis or redis.RedisCluster"


async def read_async(connection: Connection, seconds: float) -> Any:
    """Read one reply; after a timeout or a cancellation it can be read again."""
    try:
        async with asyncio.timeout(seconds):
            return await connection.read_response(disable_decoding=True, disconnect_on_error=False)
    except TimeoutError as error:
        raise RedisTimeoutError(f"no reply within {seconds:g} s") from error


def read(connection: Connection, seconds: float) -> Any:
    """Read one reply; the seconds are those that the connection was made with."""
    return connection.read_response(disable_decoding=True, disconnect_on_error=False)


async def wait_async(connection: Connection, seconds: float) -> Any:
    """Read a reply that may take long; `RedisTimeoutError` when none has begun by then."""
    return await read_async(connection, seconds)


def wait(connection: Connection, seconds: float) -> Any:
    """Read a reply that may take long; `RedisTimeoutError` when none has begun by then."""
    if not connection.can_read(0):
        with Interrupts.open():
            ready = _readable(connection, seconds)
        if not ready:
            raise RedisTimeoutError(f"no reply within {seconds:g} s")
    return connection.read_response(disable_decoding=True, disconnect_on_error=False)


def _readable(connection: Connection, seconds: float) -> bool:
    sock = connection._sock
    if sock is None:
        raise RedisConnectionError("the connection is closed")
    if hasattr(select, "poll"):
        poll = select.poll()
        poll.register(sock, select.POLLIN)
        return bool(poll.poll(seconds * 1000))
    return bool(select.select([sock], [], [], seconds)[0])  # Windows


async def connect_async(connection: Connection, seconds: float) -> None:
    """Open a connection, the whole handshake within the seconds."""
    try:
        async with asyncio.timeout(seconds):
            await connection.connect()
    except TimeoutError as error:
        raise RedisTimeoutError(f"no connection within {seconds:g} s") from error


def connect(connection: Connection, seconds: float) -> None:
    """Open a connection; each step within the seconds that it was made with."""
    connection.connect()


def usable_async(connection: Connection) -> bool:
    """Tell whether an idle connection is still open, without a round trip."""
    if not connection.is_connected:
        return False
    reader = connection._reader
    if reader._loop is not asyncio.get_running_loop():
        return False
    return not reader.at_eof() and reader.exception() is None  # the latter after a reset


def usable(connection: Connection) -> bool:
    """Tell whether an idle connection is still open, without a round trip."""
    if connection._sock is None:
        return False
    try:
        return not _readable(connection, 0) or not connection.can_read(0)
    except (RedisConnectionError, OSError, ValueError):
        return False


async def disconnect_async(connection: Connection) -> None:
    """Close a connection without waiting for the other side."""
    writer = connection._writer
    with contextlib.suppress(Exception):
        await connection.disconnect(nowait=True)
    if writer is not None and writer._loop.is_closed():  # one asyncio.run after the other
        _close_without_loop(writer.transport)


def _close_without_loop(transport: Any) -> None:
    """Do what a transport left to a loop that has ended; else its socket stays open."""
    tls = getattr(transport, "_ssl_protocol", None)
    with contextlib.suppress(Exception):
        (tls._transport if tls else transport)._call_connection_lost(None)


def disconnect(connection: Connection) -> None:
    """Close a connection."""
    with contextlib.suppress(Exception):
        connection.disconnect()


def socket_timeout_async(seconds: float) -> float | None:
    """Return the timeout that a connection is made with: none, each read has its own."""
    return None


def socket_timeout(seconds: float) -> float | None:
    """Return the timeout that a connection is made with."""
    return seconds


def cluster_settings_async(client: Any) -> tuple[Any, dict[str, Any], list[tuple[str, int]]]:
    """Return connection class, settings and first nodes of a cluster client."""
    nodes = list(client.nodes_manager.startup_nodes.values())
    addresses = [(node.host, int(node.port)) for node in nodes]
    return nodes[0].connection_class, dict(nodes[0].connection_kwargs), addresses


def cluster_settings(client: Any) -> tuple[Any, dict[str, Any], list[tuple[str, int]]]:
    """Return connection class, settings and first nodes of a cluster client."""
    nodes = list(client.nodes_manager.startup_nodes.values())
    pool = client.get_redis_connection(nodes[0]).connection_pool
    addresses = [(node.host, int(node.port)) for node in nodes]
    return pool.connection_class, dict(pool.connection_kwargs), addresses

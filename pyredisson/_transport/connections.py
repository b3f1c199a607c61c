"""Opens, reads, writes and closes redis-py's connections.

The names are pairs, as in `_runtime/concurrency`: `x_async` and `x`, `AsyncX` and `X`. Only this
module and `direct_io` use private attributes of redis-py's connections.
"""

from __future__ import annotations

import asyncio
import contextlib
import select
import socket
import ssl
from collections.abc import Callable
from functools import partial
from typing import Any

import redis
import redis.asyncio
from hiredis import Reader, pack_command
from redis.asyncio.connection import AbstractConnection as AsyncBase
from redis.asyncio.connection import SSLConnection as AsyncTls
from redis.asyncio.sentinel import SentinelManagedConnection as AsyncManaged
from redis.connection import AbstractConnection as Base
from redis.connection import SSLConnection as Tls
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError
from redis.sentinel import SentinelManagedConnection as Managed

from pyredisson._runtime.concurrency import in_slices
from pyredisson._runtime.interrupts import Interrupts
from pyredisson._transport.errors import (
    connection_error,
    error_reply,
    last_reply,
    timeout_error,
    translated,
)
from pyredisson.protocol.kernel.command import Arg, Operation, Packed
from pyredisson.server_errors import ServerError

_MORE = object()
Connection = Any  # redis-py's sync and async connections have no common annotated class

AsyncRedis = redis.asyncio.Redis
Redis = redis.Redis
AsyncRedisCluster = redis.asyncio.RedisCluster
RedisCluster = redis.RedisCluster

wanted_async = "AsyncRedisson takes redis.asyncio.Redis or redis.asyncio.RedisCluster"
wanted = "Redisson takes redis.Redis or redis.RedisCluster"


def packed(words: tuple[Arg, ...], *, asking: bool = False) -> bytes:
    """Return a command encoded for Redis, with ASKING in front of it if `asking`."""
    encoded: Any = words
    for word in words:  # hiredis crashes if a signal handler raises in its encoding of an int
        if isinstance(word, int):
            encoded = tuple([b"%d" % each if isinstance(each, int) else each for each in words])
            break
    command: bytes = pack_command(encoded)
    return b"*1\r\n$6\r\nASKING\r\n" + command if asking else command


def request_of(operation: Operation[Any] | Packed[Any]) -> bytes:
    """Return the encoded request of an operation."""
    if operation.packer is not None:
        return operation.packed()
    return packed(operation.request())


class AsyncLine:
    """Reads an open connection with redis-py, and writes to redis-py's asyncio stream."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, data: bytes) -> None:
        """Start to send packed commands.

        redis-py's own method would close the connection if the caller is cancelled.
        """
        if self._connection._writer is None:
            raise connection_error("the connection is closed")
        self._connection._writer.write(data)

    async def send(self, data: bytes) -> None:
        """Send packed commands."""
        self.put(data)
        await self.drain()

    async def drain(self) -> None:
        """Wait until the write buffer has room.

        Raises:
            ReplyError: the server closed the connection, because it could not read a request.
            ServerConnectionError: the connection broke.
        """
        try:
            if self._connection._writer is not None:
                await self._connection._writer.drain()
        except OSError as error:
            replies = Reader(replyError=error_reply, notEnoughData=_MORE)
            replies.feed(bytes(getattr(self._connection._reader, "_buffer", b"")))
            broken = connection_error(f"the request could not be sent: {error}")
            raise last_reply(replies, _MORE) or broken from error

    async def read(self, seconds: float) -> Any:
        """Read one reply; after a timeout or a cancellation, another `read` returns this reply."""
        connection = self._connection
        try:
            async with asyncio.timeout(seconds):
                if isinstance(connection, AsyncManaged):  # its own method would hide READONLY
                    return await AsyncBase.read_response(
                        connection, disable_decoding=True, disconnect_on_error=False
                    )
                return await connection.read_response(
                    disable_decoding=True, disconnect_on_error=False
                )
        except TimeoutError as error:
            raise timeout_error(f"no reply within {seconds:g} s") from error
        except RedisError as error:
            raise translated(error) from error

    async def wait(self, seconds: float) -> Any:
        """Read a slow reply; if none comes in `seconds`, raise ServerTimeoutError."""
        return await self.read(seconds)

    def usable(self) -> bool:
        """Return, without a round trip, whether this connection is open in the running loop."""
        if not self._connection.is_connected:
            return False
        reader, writer = self._connection._reader, self._connection._writer
        if reader._loop is not asyncio.get_running_loop() or writer.is_closing():
            return False
        return not reader.at_eof() and reader.exception() is None  # a reset sets one


class Line:
    """An open connection that redis-py reads and writes."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def swap(self, data: bytes) -> Any:
        """Send one request and read its reply."""
        self.put(data)
        return self.read(0)

    def ask(self, data: bytes, seconds: float) -> Any:
        """Send one request and read its reply, which may take long."""
        self.put(data)
        return self.wait(seconds)

    def send(self, data: bytes) -> None:
        """Send packed commands."""
        try:
            self._connection.send_packed_command([data], check_health=False)
        except RedisError as error:
            raise translated(error) from error

    put = send

    def drain(self) -> None:
        """Do nothing: `send` has sent everything."""

    def read(self, seconds: float) -> Any:
        """Read one reply; the connection's own timeout applies, not `seconds`."""
        connection = self._connection
        read = connection.read_response
        if isinstance(connection, Managed):  # its own method would hide READONLY
            read = partial(Base.read_response, connection)
        try:
            return read(disable_decoding=True, disconnect_on_error=False)
        except RedisError as error:
            raise translated(error) from error

    def wait(self, seconds: float) -> Any:
        """Read a slow reply; if none begins in `seconds`, raise ServerTimeoutError."""
        if not self._can_read():
            with Interrupts.open():
                ready = self._readable(seconds)
            if not ready:
                raise timeout_error(f"no reply within {seconds:g} s")
        return self.read(seconds)

    def usable(self) -> bool:
        """Return, without a round trip, whether this connection is idle and open."""
        try:
            return not self._readable(0) or not self._can_read()
        except (ServerError, OSError, ValueError):
            return False

    def _can_read(self) -> bool:
        try:
            return bool(self._connection.can_read(0))
        except RedisError as error:
            raise translated(error) from error

    def _readable(self, seconds: float) -> bool:
        if self._connection._sock is None:
            raise connection_error("the connection is closed")
        return bool(readable(self._connection._sock)(seconds * 1000))


def readable(sock: Any) -> Callable[[float], object]:
    """Return a function that waits until the socket is readable, or has an error.

    The returned function takes the maximum wait in milliseconds. After this time it returns a false
    value.
    """
    if not hasattr(select, "poll"):  # Windows
        wait = partial(select.select, [sock], [], [])
        return lambda milliseconds: in_slices(lambda seconds: wait(seconds)[0], milliseconds / 1000)
    poll = select.poll()
    poll.register(sock, select.POLLIN)
    return poll.poll


async def connect_async(connection: Connection, seconds: float) -> None:
    """Open a connection; `seconds` limits all steps together."""
    try:
        async with asyncio.timeout(seconds) as scope:
            connection.opening = scope
            await connection.connect()
    except TimeoutError as error:
        raise timeout_error(f"no connection within {seconds:g} s") from error
    except RedisError as error:
        _explain(error, tls=isinstance(connection, AsyncTls))
        raise translated(error) from error
    finally:
        connection.opening = None


def connect(connection: Connection, seconds: float) -> None:
    """Open a connection; `seconds`, or a shorter timeout of the connection, limits each step."""
    names = ("socket_connect_timeout", "socket_timeout")
    found = {name: getattr(connection, name, 0) for name in names}
    longer = {name: own for name, own in found.items() if own is None or own > seconds}
    for name in longer:
        setattr(connection, name, seconds)
    try:
        connection.connect()
    except RedisError as error:
        _explain(error, tls=isinstance(connection, Tls))
        raise translated(error) from error
    finally:
        for name, own in longer.items():
            setattr(connection, name, own)
    if "socket_timeout" in longer:
        connection._sock.settimeout(connection.socket_timeout)
        connection._parser._socket_timeout = connection.socket_timeout  # `can_read` restores it


_OVER_TLS = "over TLS"


def hide_arguments(error: BaseException) -> None:
    """Remove a command's arguments from the texts of an error, and of the errors in its chain.

    A server that does not have AUTH or HELLO repeats the arguments of the command in its error. One
    of them is a password.
    """
    at = ", with args beginning with"
    error.args = tuple(
        [each.partition(at)[0] if isinstance(each, str) else each for each in error.args]
    )
    for each in {error.__cause__, error.__context__}:
        if each is not None:
            hide_arguments(each)


def _explain(error: RedisError, *, tls: bool) -> None:
    """Hide the arguments in an error, and add the reason or the possible cause of a TLS failure.

    With TLS 1.3 a server checks the client's certificate after the client's handshake. A server
    that rejects this certificate closes the connection, and gives no reason. If the client rejects
    the server's certificate, redis-py 5.0 omits the reason, which `ssl` has.
    """
    hide_arguments(error)
    text, cause = str(error), error.__cause__ or error.__context__
    if isinstance(cause, ssl.SSLError) and str(cause.strerror) not in text:
        error.args = (f"{text} {cause.strerror}",)
    elif tls and type(error) is RedisConnectionError and " connecting to " not in text:
        error.args = (
            f"{text}; {_OVER_TLS}: the server may require a client certificate, or a different one "
            "(ssl_certfile, ssl_keyfile)",
        )


def refuses_tls(error: BaseException) -> bool:
    """Return whether TLS is the certain or probable cause of a failed connection."""
    cause = error.__cause__ or error.__context__
    return (
        isinstance(error, ssl.SSLError)
        or _OVER_TLS in str(error)
        or (cause is not None and refuses_tls(cause))
    )


async def disconnect_async(connection: Connection) -> None:
    """Close a connection without waiting for the server."""
    writer = connection._writer
    with contextlib.suppress(Exception):
        await connection.disconnect(nowait=True)
    if writer is None:
        return
    if isinstance(connection, AsyncTls) and not writer._loop.is_closed():
        writer.transport.abort()  # sends close_notify; the server's is not awaited
    leave_loop(writer, writer.transport)


def leave_loop(writer: Any, transport: Any) -> None:
    """Finish closing a closed transport whose event loop does not run in this thread.

    If that loop is closed, close the socket. Otherwise, only shut the socket down. If the loop runs
    in this thread, do nothing, because the loop closes the socket.
    """
    if writer._loop.is_closed():  # for example one asyncio.run after another
        close_without_loop(transport)
    elif writer._loop is not asyncio._get_running_loop():
        with contextlib.suppress(Exception):  # that loop may run again, or never
            transport.get_extra_info("socket").shutdown(socket.SHUT_RDWR)


def close_without_loop(transport: Any) -> None:
    """Close the socket of a transport whose loop is closed: such a loop does not close it."""
    tls = getattr(transport, "_ssl_protocol", None)
    with contextlib.suppress(Exception):
        (tls._transport if tls else transport)._call_connection_lost(None)


def disconnect(connection: Connection) -> None:
    """Close a connection."""
    with contextlib.suppress(Exception):
        connection.disconnect()


async def abort_async(connection: Connection) -> None:
    """Wake the caller that opens or reads a connection, and make the connection unusable."""
    if (scope := getattr(connection, "opening", None)) is not None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            scope.reschedule(0)
    else:
        await disconnect_async(connection)


def abort(connection: Connection) -> None:
    """Wake the thread that reads a connection, and make the connection unusable.

    The woken thread closes the connection. If the calling thread closed it, redis-py would
    reconnect in the woken thread.
    """
    sock = connection._sock
    if sock is not None:
        with contextlib.suppress(OSError):
            sock.shutdown(socket.SHUT_RDWR)


def socket_timeout_async(seconds: float) -> float | None:
    """Return None, for no `socket_timeout`: each read of the connection has its own timeout."""
    return None


def socket_timeout(seconds: float) -> float | None:
    """Return the `socket_timeout` for a new connection, in seconds."""
    return seconds

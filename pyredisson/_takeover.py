"""Connections that redis-py has opened, read and written without it.

redis-py does what is difficult (TLS, credentials, Sentinel, the database), and costs more than
the server where thousands of requests a second pass. The rule: what is not as this module knows
it is `UnsentError` before anything is sent, and redis-py reads and writes as ever.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any

from hiredis import Reader
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import InvalidResponse
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson._connections import Connection, close_without_loop, read

_NIL = b"$-1\r\n"
_ENOUGH = 65536


class UnsentError(RedisConnectionError):
    """A request was not sent: the connection is closed, or redis-py has another inside."""


def swap(connection: Connection, data: bytes) -> Any:
    """Send a request and read its reply, most of them with no more than two system calls.

    Raises:
        UnsentError: it cannot be sent like that.
    """
    try:
        sock, feed = connection._sock, connection._parser._reader.feed
    except AttributeError as error:
        raise UnsentError(f"redis-py has another inside: {error}") from error
    if sock is None:
        raise UnsentError("the connection is closed")
    try:
        sock.sendall(data)
        came = sock.recv(_ENOUGH)
    except TimeoutError as error:
        raise RedisTimeoutError("no reply in time") from error
    except OSError as error:
        raise RedisConnectionError(f"the connection broke: {error}") from error
    if came == _NIL:
        return None
    if not came:
        raise RedisConnectionError("the server closed the connection")
    feed(came)
    return read(connection, 0)


@dataclass(slots=True)
class Taken:
    """What is left of a connection of redis-py: its transport, and what reads replies."""

    transport: Any
    replies: Reader
    stream: Any
    """asyncio's writer of before: it would close the transport when nothing keeps it."""

    def close(self) -> None:
        """Close it, also where its loop has ended."""
        with contextlib.suppress(Exception):  # the loop is closed, or TLS has ended without a word
            self.transport.close()
            if self.transport.get_extra_info("ssl_object") is not None:
                self.transport.abort()  # it has said goodbye, and would wait for the other's
        if self.stream._loop.is_closed():
            close_without_loop(self.transport)


def taken_over(connection: Connection, protocol: asyncio.Protocol, more: object) -> Taken:
    """Let a protocol read and write an open connection in redis-py's place, which forgets it.

    Args:
        connection: an open one on which nothing is outstanding.
        protocol: what hears of bytes and of the end from now on.
        more: what `replies.gets()` gives while a reply is incomplete.

    Raises:
        UnsentError: redis-py has another inside than this module knows.
    """
    try:
        stream, came = connection._writer, connection._reader
        read_before, parse_error = came._buffer or came.at_eof(), connection._parser.parse_error
        take = stream.transport.set_protocol
    except AttributeError as error:
        raise UnsentError(f"redis-py has another inside: {error}") from error
    if read_before:
        raise UnsentError("bytes have come that redis-py has not read")
    replies = Reader(protocolError=InvalidResponse, replyError=parse_error, notEnoughData=more)
    take(protocol)
    connection._reader = connection._writer = None
    return Taken(stream.transport, replies, stream)

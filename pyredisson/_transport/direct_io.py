"""Reads and writes the sockets of connections that redis-py has opened, without redis-py.

redis-py opens each connection: TLS, credentials, Sentinel, the database. With thousands of requests
a second, redis-py's reads and writes take more time than the server. The rule: a connection whose
internals are unknown here is left to redis-py's I/O, before anything is sent (`UnsentError`).
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import select
import socket
import ssl
import struct
from dataclasses import dataclass
from typing import Any

from hiredis import ProtocolError, Reader

from pyredisson._runtime.interrupts import Interrupts
from pyredisson._transport.connections import AsyncLine, Connection, Line, leave_loop, readable
from pyredisson._transport.errors import (
    UnsentError,
    connection_error,
    error_reply,
    last_reply,
    timeout_error,
)

log = logging.getLogger("pyredisson")

_MORE = object()
_NIL = b"$-1\r\n"
_READ_BYTES = 65536
_INFO = (socket.IPPROTO_TCP, getattr(socket, "TCP_INFO", 0), 136)
_RECEIVED = struct.Struct("B127xQ")
"""Linux's `tcp_info`: the state of the connection, and the number of received bytes."""
_ESTABLISHED = 1
_CLOSED = "the server closed the connection"


class SocketLine:
    """A thread's connection with direct I/O on its socket.

    On a plain socket, most requests need two system calls: one sends, one receives the reply.

    Args:
        connection: an open redis-py connection without outstanding replies.
        timeout: seconds that each system call of a send, and each wait for more bytes in `read` and
            `swap`, may take. With TLS, the timeout of the socket applies instead.

    Raises:
        UnsentError: the internals of redis-py are unknown here, or the connection has bytes that
            redis-py has not parsed.
    """

    __slots__ = (
        *("_connection", "_kernel", "_kernel_timeout", "_poll", "_received", "_recv", "_replies"),
        *("_sendall", "_sock", "_timeout"),
    )

    def __init__(self, connection: Connection, timeout: float) -> None:
        try:
            sock, parser = connection._sock, connection._parser
            unread = parser._reader.has_data()
        except AttributeError as error:
            raise UnsentError(f"unknown internals of redis-py: {error}") from error
        if unread:
            raise UnsentError("the connection has bytes that redis-py has not read")
        self._connection = connection
        self._timeout = timeout
        self._sock, self._recv, self._sendall = sock, sock.recv, sock.sendall
        self._poll = readable(sock)
        self._replies = Reader(replyError=error_reply, notEnoughData=_MORE)
        self._kernel = _wait_in_kernel(sock, timeout)
        self._kernel_timeout = timeout
        self._received = 0 if self._poll(0) else _bytes_received(sock)

    def swap(self, data: bytes) -> Any:
        """Send one request and read its reply: `send` and `read` in one call."""
        try:
            self._sendall(data)
            if self._kernel_timeout != self._timeout:
                self._set_kernel_timeout(self._timeout)
            received = self._recv(_READ_BYTES)
        except OSError as error:
            raise self._broken(error) from error
        self._received += len(received)
        if received == _NIL:
            return None
        if not received:
            raise connection_error(_CLOSED)
        self._replies.feed(received)
        return self.read(0)

    def send(self, data: bytes) -> None:
        """Send packed commands."""
        try:
            self._sendall(data)
        except OSError as error:
            raise self._broken(error) from error

    put = send

    def drain(self) -> None:
        """Do nothing: `send` has sent everything."""

    def read(self, seconds: float) -> Any:
        """Read one reply; the timeout of `__init__` applies, not `seconds`."""
        while (reply := self._reply()) is _MORE:
            self._replies.feed(self._more())
        return reply

    def wait(self, seconds: float) -> Any:
        """Read a reply that may take long.

        Raises:
            ServerTimeoutError: no bytes came for `seconds`.
        """
        while (reply := self._reply()) is _MORE:
            (self._feed_within if self._kernel else self._feed_polled)(seconds)
        return reply

    def ask(self, data: bytes, seconds: float) -> Any:
        """Send one request and read its reply, which may take long."""
        if self._kernel:
            self._feed_within(seconds, data)
        else:
            self.send(data)
        reply = self._reply()
        return self.wait(seconds) if reply is _MORE else reply

    def _feed_polled(self, seconds: float) -> None:
        with Interrupts.open():
            ready = self._poll(seconds * 1000)
        if not ready:
            raise timeout_error(f"no reply within {seconds:g} s")
        self._replies.feed(self._more())

    def _feed_within(self, seconds: float, request: bytes = b"") -> None:
        """Wait in `recv`, without a `poll` before it.

        Each system call releases the GIL. If another thread computes, this thread may then wait
        5 ms for the GIL. No Python bytecode runs between `recv` and the storing of the bytes in
        `received`. Therefore an interruption within `Interrupts.open` loses no bytes.
        """
        received: list[bytes] = []
        try:
            if request:
                self._sendall(request)
            if seconds != self._kernel_timeout:
                self._set_kernel_timeout(seconds)
            try:
                if Interrupts.active is None:  # `open` would do nothing
                    received.extend(map(self._recv, (_READ_BYTES,)))
                else:
                    with Interrupts.open():
                        received.extend(map(self._recv, (_READ_BYTES,)))
            finally:
                for data in received:
                    self._replies.feed(data)
                    self._received += len(data)
        except BlockingIOError as error:
            raise timeout_error(f"no reply within {seconds:g} s") from error
        except OSError as error:
            raise self._broken(error) from error
        if received == [b""]:
            raise connection_error(_CLOSED)

    def _set_kernel_timeout(self, seconds: float) -> None:
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(seconds))
        self._kernel_timeout = seconds

    def _reply(self) -> Any:
        try:
            reply = self._replies.gets()
        except ProtocolError as error:
            raise connection_error(f"the server sent an invalid reply: {error}") from error
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _more(self) -> bytes:
        try:
            if self._kernel and self._kernel_timeout != self._timeout:
                self._set_kernel_timeout(self._timeout)
            received: bytes = self._recv(_READ_BYTES)
        except OSError as error:
            raise self._broken(error) from error
        if not received:
            raise connection_error(_CLOSED)
        self._received += len(received)
        return received

    def _broken(self, error: OSError) -> Exception:
        if isinstance(error, TimeoutError | BlockingIOError):  # SO_RCVTIMEO causes the latter
            return timeout_error(f"no reply within {self._timeout:g} s")
        if isinstance(error, ConnectionError | ssl.SSLEOFError):
            with contextlib.suppress(OSError):
                while received := self._recv(_READ_BYTES):
                    self._replies.feed(received)
        broken = connection_error(f"the connection broke: {error}")
        return last_reply(self._replies, _MORE) or broken

    def usable(self) -> bool:
        """Return whether this connection is open and has no unread bytes, without a round trip.

        The kernel's byte count is compared first, because `poll` releases the GIL.
        """
        if self._connection._sock is not self._sock:
            return False
        try:
            if self._received and _bytes_received(self._sock) == self._received:
                return True
            return not self._poll(0) or self._has_tls_only()
        except (OSError, ValueError):
            return False

    def _has_tls_only(self) -> bool:
        """Return whether the unread bytes have no data yet.

        They are TLS records without data, such as a session ticket, or an incomplete record.
        """
        if not isinstance(self._sock, ssl.SSLSocket):
            return False
        self._sock.settimeout(0)
        try:
            self._recv(1)
        except ssl.SSLWantReadError:
            return True
        finally:
            self._sock.settimeout(self._timeout)
        return False


def _wait_in_kernel(sock: Any, seconds: float) -> bool:
    """Set the timeouts of a plain socket in the kernel; return False if that is not possible.

    With `sock.settimeout`, Python would call `poll` before each send and each read.
    """
    if sock.__class__.__module__ != "socket" or not hasattr(select, "poll"):
        return False  # TLS, sockets of gevent and similar libraries, Windows
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(seconds))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(seconds))
    except OSError:  # timeval has another layout
        return False
    sock.settimeout(None)
    return True


def _bytes_received(sock: Any) -> int:
    """Return how many bytes a connection has received; 0 if it is closed, or this is unknown."""
    try:
        state, received = _RECEIVED.unpack(sock.getsockopt(*_INFO))
    except (OSError, struct.error):  # a Unix socket, or not Linux
        return 0
    return received if state == _ESTABLISHED else 0


def _timeval(seconds: float) -> bytes:
    """Return a timeout as the kernel's timeval; at least 1 µs, because 0 means no timeout."""
    return struct.pack("ll", *divmod(max(int(seconds * 1_000_000), 1), 1_000_000))


def line_async(connection: Connection, timeout: float) -> AsyncLine:
    """Return an object that reads and writes an open connection."""
    return AsyncLine(connection)


def line(connection: Connection, timeout: float) -> SocketLine | Line:
    """Return an object that reads and writes an open connection, by direct I/O if possible."""
    try:
        return SocketLine(connection, timeout)
    except UnsentError as error:
        log_fallback(str(error))
        return Line(connection)


@functools.cache
def log_fallback(reason: str) -> None:
    """Log that redis-py does the I/O, once for each reason."""
    log.debug("redis-py reads the replies: %s", reason)


@dataclass(slots=True)
class DetachedConnection:
    """A transport that was detached from redis-py, and a parser for its replies."""

    transport: Any
    replies: Reader
    stream: Any
    """The former asyncio writer, kept because its garbage collection closes the transport."""

    def close(self) -> None:
        """Close the transport, also if its loop is closed."""
        with contextlib.suppress(Exception):  # the loop is closed, or TLS ended without a notice
            self.transport.close()
            if self.transport.get_extra_info("ssl_object") is not None:
                self.transport.abort()  # close_notify is sent; do not wait for the server's
        leave_loop(self.stream, self.transport)

    def abort(self) -> None:
        """Close the transport and discard unsent data, also if its loop is closed."""
        with contextlib.suppress(Exception):
            self.transport.abort()
        leave_loop(self.stream, self.transport)


def taken_over(
    connection: Connection, protocol: asyncio.Protocol, more: object
) -> DetachedConnection:
    """Detach the transport of an open connection from redis-py, and connect a protocol to it.

    Args:
        connection: an open redis-py connection without outstanding replies.
        protocol: receives all further bytes, and the end of the connection.
        more: the value that `gets()` of the new parser returns while a reply is incomplete.

    Raises:
        UnsentError: the internals of redis-py are unknown here, the connection has bytes that
            redis-py has not read, or the server has closed the connection.
    """
    try:
        stream, reader = connection._writer, connection._reader
        unread_or_closed = reader._buffer or reader.at_eof()
        set_protocol = stream.transport.set_protocol
    except AttributeError as error:
        raise UnsentError(f"unknown internals of redis-py: {error}") from error
    if unread_or_closed:
        raise UnsentError("the connection is closed, or has bytes that redis-py has not read")
    replies = Reader(replyError=error_reply, notEnoughData=more)
    set_protocol(protocol)
    connection._reader = connection._writer = None
    return DetachedConnection(stream.transport, replies, stream)

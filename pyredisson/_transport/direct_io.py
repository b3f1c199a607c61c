"""Connections that redis-py has opened, read and written without it.

redis-py does what is difficult (TLS, credentials, Sentinel, the database), and costs more than
the server where thousands of requests a second pass. The rule: what is not as this module knows
it is `UnsentError` before anything is sent, and redis-py reads and writes as ever.
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
    timeout_error,
)

log = logging.getLogger("pyredisson")

_MORE = object()
_NIL = b"$-1\r\n"
_ENOUGH = 65536
_INFO = (socket.IPPROTO_TCP, getattr(socket, "TCP_INFO", 0), 136)
_RECEIVED = struct.Struct("B127xQ")
"""Linux's `tcp_info`: the state, and how many bytes have come."""
_ESTABLISHED = 1
_CLOSED = "the server closed the connection"


class SocketLine:
    """A thread's connection, read and written by its socket: most replies take two system calls.

    Args:
        connection: an open one on which nothing is outstanding.
        timeout: seconds that sending and each wait for more may take.

    Raises:
        UnsentError: redis-py has another inside than this module knows.
    """

    __slots__ = (
        *("_connection", "_kernel", "_patience", "_poll", "_received", "_recv", "_replies"),
        *("_sendall", "_sock", "_timeout"),
    )

    def __init__(self, connection: Connection, timeout: float) -> None:
        try:
            sock, parser = connection._sock, connection._parser
            read_before = parser._reader.has_data()
        except AttributeError as error:
            raise UnsentError(f"redis-py has another inside: {error}") from error
        if read_before:
            raise UnsentError("bytes have come that redis-py has not read")
        self._connection = connection
        self._timeout = timeout
        self._sock, self._recv, self._sendall = sock, sock.recv, sock.sendall
        self._poll = readable(sock)
        self._replies = Reader(replyError=error_reply, notEnoughData=_MORE)
        self._kernel = _wait_in_kernel(sock, timeout)
        self._patience = timeout
        self._received = 0 if self._poll(0) else _bytes_received(sock)

    def swap(self, data: bytes) -> Any:
        """Send one request and read its reply: `send` and `read` in one piece."""
        try:
            self._sendall(data)
            if self._patience != self._timeout:
                self._have_patience(self._timeout)
            came = self._recv(_ENOUGH)
        except OSError as error:
            raise self._broken(error) from error
        self._received += len(came)
        if came == _NIL:
            return None
        if not came:
            raise connection_error(_CLOSED)
        self._replies.feed(came)
        return self.read(0)

    def send(self, data: bytes) -> None:
        """Send commands that are packed."""
        try:
            self._sendall(data)
        except OSError as error:
            raise self._broken(error) from error

    put = send

    def drain(self) -> None:
        """Nothing to do: it was sent."""

    def read(self, seconds: float) -> Any:
        """Read one reply; the seconds are those that the line was made with."""
        while (reply := self._reply()) is _MORE:
            self._replies.feed(self._more())
        return reply

    def wait(self, seconds: float) -> Any:
        """Read a reply that may take long; `ServerTimeoutError` when nothing comes for so long."""
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
        """Wait in `recv` alone: beside a thread that computes, each call may cost 5 ms.

        No step of Python is between the bytes and the list, so an interruption loses none.
        """
        came: list[bytes] = []
        try:
            if request:
                self._sendall(request)
            if seconds != self._patience:
                self._have_patience(seconds)
            try:
                if Interrupts.active is None:  # as everywhere but in the main thread
                    came.extend(map(self._recv, (_ENOUGH,)))
                else:
                    with Interrupts.open():
                        came.extend(map(self._recv, (_ENOUGH,)))
            finally:
                for data in came:
                    self._replies.feed(data)
                    self._received += len(data)
        except BlockingIOError as error:
            raise timeout_error(f"no reply within {seconds:g} s") from error
        except OSError as error:
            raise self._broken(error) from error
        if came == [b""]:
            raise connection_error(_CLOSED)

    def _have_patience(self, seconds: float) -> None:
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(seconds))
        self._patience = seconds

    def _reply(self) -> Any:
        try:
            reply = self._replies.gets()
        except ProtocolError as error:
            raise connection_error(f"what came is no reply: {error}") from error
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _more(self) -> bytes:
        try:
            if self._kernel and self._patience != self._timeout:
                self._have_patience(self._timeout)
            came: bytes = self._recv(_ENOUGH)
        except OSError as error:
            raise self._broken(error) from error
        if not came:
            raise connection_error(_CLOSED)
        self._received += len(came)
        return came

    def _broken(self, error: OSError) -> Exception:
        if isinstance(error, TimeoutError | BlockingIOError):  # the latter by the kernel's timeout
            return timeout_error(f"no reply within {self._timeout:g} s")
        return connection_error(f"the connection broke: {error}")

    def usable(self) -> bool:
        """Tell whether it is idle and still open, without a round trip.

        The kernel's count is asked first: with `poll`, another thread gets Python's lock.
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
        """Tell whether what came is TLS's own, such as a ticket for the next session."""
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
    """Let the kernel time what a plain socket does; Python would ask it before each call."""
    if sock.__class__.__module__ != "socket" or not hasattr(select, "poll"):
        return False  # TLS, gevent's and its like, Windows
    try:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, _timeval(seconds))
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVTIMEO, _timeval(seconds))
    except OSError:  # where a timeval is something else
        return False
    sock.settimeout(None)
    return True


def _bytes_received(sock: Any) -> int:
    """Return how many bytes have come on an open connection; 0 where that is not known."""
    try:
        state, received = _RECEIVED.unpack(sock.getsockopt(*_INFO))
    except (OSError, struct.error):  # a Unix socket, another system
        return 0
    return received if state == _ESTABLISHED else 0


def _timeval(seconds: float) -> bytes:
    """Return a timeout for the kernel; 0 would be for ever."""
    return struct.pack("ll", *divmod(max(int(seconds * 1_000_000), 1), 1_000_000))


def line_async(connection: Connection, timeout: float) -> AsyncLine:
    """Return what reads and writes an open connection."""
    return AsyncLine(connection)


def line(connection: Connection, timeout: float) -> SocketLine | Line:
    """Return what reads and writes an open connection."""
    try:
        return SocketLine(connection, timeout)
    except UnsentError as error:
        tell_slow(str(error))
        return Line(connection)


@functools.cache
def tell_slow(why: str) -> None:
    """Say once in this process that redis-py reads and writes."""
    log.debug("replies are read by redis-py: %s", why)


@dataclass(slots=True)
class DetachedConnection:
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
        leave_loop(self.stream, self.transport)

    def abort(self) -> None:
        """Close it without sending what is left, whatever became of its loop."""
        with contextlib.suppress(Exception):
            self.transport.abort()
        leave_loop(self.stream, self.transport)


def taken_over(
    connection: Connection, protocol: asyncio.Protocol, more: object
) -> DetachedConnection:
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
        read_before = came._buffer or came.at_eof()
        take = stream.transport.set_protocol
    except AttributeError as error:
        raise UnsentError(f"redis-py has another inside: {error}") from error
    if read_before:
        raise UnsentError("bytes have come that redis-py has not read")
    replies = Reader(replyError=error_reply, notEnoughData=more)
    take(protocol)
    connection._reader = connection._writer = None
    return DetachedConnection(stream.transport, replies, stream)

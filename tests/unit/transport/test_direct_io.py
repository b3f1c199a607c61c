"""Reads from a thread's connection: by redis-py, and directly from its socket."""

from __future__ import annotations

import ctypes
import os
import select
import signal
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import pytest
import redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import NoScriptError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson._runtime.interrupts import Interrupts
from pyredisson._transport.connections import Line
from pyredisson._transport.direct_io import SocketLine
from pyredisson._transport.errors import UnsentError
from tests.support.tls import Certificates

LONG = 30.0
"""Seconds after which a wait counts as hanging."""


class InterruptError(Exception):
    """The error that the handler of these tests raises instead of KeyboardInterrupt."""


Plain: Any = redis.Connection
"""redis-py's methods have no annotations."""


def silent_one(timeout: float = LONG) -> Any:
    """Return an open connection that receives only the bytes that the test sends to its `other`."""
    connection = Plain(socket_timeout=timeout, protocol=2)
    connection._sock, connection.other = socket.socketpair()
    connection._sock.settimeout(timeout)
    connection._parser.on_connect(connection)
    return connection


def secured(connection: Any, certificates: Certificates) -> None:
    """Switch both ends of the connection to TLS."""
    here = ssl.create_default_context(cafile=certificates.path("ca.pem"))
    here.load_cert_chain(certificates.path("client.pem"), certificates.path("client.key"))
    there: list[ssl.SSLSocket] = []

    def accept() -> None:
        context = certificates.server_context
        there.append(context.wrap_socket(connection.other, server_side=True))

    thread = threading.Thread(target=accept)
    thread.start()
    connection._sock = here.wrap_socket(connection._sock, server_hostname="127.0.0.1")
    thread.join(LONG)
    connection.other = there[0]


def lose(connection: Any) -> None:
    """Close the connection as a network failure does."""
    connection._sock.close()
    connection._sock = None


LINES: list[Callable[[Any], Any]] = [Line, lambda silent: SocketLine(silent, LONG)]


@pytest.fixture
def silent() -> Iterator[Any]:
    connection = silent_one()
    yield connection
    connection.disconnect()
    connection.other.close()


@pytest.fixture(params=LINES, ids=["redis-py", "socket"])
def line(silent: Any, request: pytest.FixtureRequest) -> Any:
    return request.param(silent)


@pytest.fixture
def handler() -> Iterator[None]:
    def interrupt(number: int, frame: FrameType | None) -> None:
        raise InterruptError(number)

    before = signal.signal(signal.SIGINT, interrupt)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("handler")
def test_ctrl_c_ends_a_wait_before_anything_is_read(silent: Any, line: Any) -> None:
    timer = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    try:
        with pytest.raises(InterruptError), Interrupts():  # noqa: PT012 - not before that
            timer.start()
            line.wait(LONG)
    finally:
        timer.join(LONG)
    silent.other.send(b"+reply\r\n")
    assert line.wait(LONG) == b"reply"


@pytest.mark.usefixtures("handler")
def test_ctrl_c_at_the_moment_of_the_reply_does_not_lose_it(silent: Any) -> None:
    """The handler may run at the first step of Python after `recv`: the reply is safe by then."""
    line = SocketLine(silent, LONG)
    interrupted = 0

    libc = ctypes.PyDLL(None)  # which keeps the GIL, so that both happen before `recv` returns

    def answer() -> None:
        time.sleep(0.002)  # the main thread waits by then
        libc.send(silent.other.fileno(), b"+there\r\n", 8, 0)
        libc.kill(os.getpid(), int(signal.SIGINT))

    for _ in range(30):
        thread = threading.Thread(target=answer)
        replies = []
        try:
            with Interrupts():
                thread.start()
                replies.append(line.wait(LONG))
                thread.join(LONG)
        except InterruptError:
            interrupted += 1
            thread.join(LONG)
        assert replies or line.wait(LONG) == b"there"
    assert interrupted


def test_request_after_a_wait_has_the_usual_timeout() -> None:
    silent = silent_one(0.05)
    line = SocketLine(silent, 0.05)
    silent.other.send(b":1\r\n")
    assert line.wait(LONG) == 1
    with pytest.raises(RedisTimeoutError, match=r"within 0\.05 s"):
        line.swap(b"PING\r\n")
    silent.disconnect()
    silent.other.close()


def test_a_wait_of_no_time_is_not_one_for_ever(line: Any) -> None:
    with pytest.raises(RedisTimeoutError):
        line.wait(0.0)


def test_a_socket_with_another_recv_is_asked_first(silent: Any) -> None:
    """TLS reads by other rules, and green threads wait in another way."""

    class Green(socket.socket):
        pass

    silent._sock, kept = Green(fileno=os.dup(silent._sock.fileno())), silent._sock
    kept.close()
    silent._sock.settimeout(LONG)
    line = SocketLine(silent, LONG)
    with pytest.raises(RedisTimeoutError):
        line.wait(0.01)
    silent.other.send(b"+reply\r\n")
    assert line.wait(LONG) == b"reply"


def test_a_wait_ends_with_the_reply(silent: Any, line: Any) -> None:
    silent.other.send(b"+reply\r\n")
    assert line.wait(LONG) == b"reply"


def test_a_wait_without_a_reply_reads_nothing(silent: Any, line: Any) -> None:
    """A later wait can read the reply."""
    with pytest.raises(RedisTimeoutError, match=r"no reply within 0\.01 s"):
        line.wait(0.01)
    silent.other.send(b"+late\r\n")
    assert line.wait(LONG) == b"late"


def test_a_wait_on_a_closed_connection(silent: Any, line: Any) -> None:
    silent.other.close()
    with pytest.raises(RedisConnectionError):
        line.wait(LONG)
    lose(silent)
    assert not line.usable()


def test_a_wait_on_a_connection_that_redis_py_has_closed(silent: Any) -> None:
    lose(silent)
    line = Line(silent)
    silent.can_read = lambda timeout=0, **_: False
    with pytest.raises(RedisConnectionError, match="closed"):
        line.wait(LONG)


def test_an_idle_connection_is_usable_until_something_comes(silent: Any, line: Any) -> None:
    assert line.usable()
    silent.other.send(b"+stray\r\n")
    assert not line.usable()


def test_an_idle_connection_is_usable_until_it_is_closed(silent: Any, line: Any) -> None:
    silent.other.close()
    assert not line.usable()


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        (b"$-1\r\n", None),
        (b":7\r\n", 7),
        (b"*2\r\n$1\r\na\r\n*1\r\n:1\r\n", [b"a", [1]]),
        (b"$100000\r\n" + b"x" * 100_000 + b"\r\n", b"x" * 100_000),
    ],
)
def test_a_reply_in_pieces(silent: Any, line: Any, reply: bytes, value: Any) -> None:
    def answer() -> None:
        assert silent.other.recv(100) == b"PING\r\n"
        for start in range(0, len(reply), max(len(reply) // 7, 1)):
            silent.other.sendall(reply[start : start + max(len(reply) // 7, 1)])

    thread = threading.Thread(target=answer)
    thread.start()
    assert line.swap(b"PING\r\n") == value
    thread.join(LONG)
    assert line.usable()


def test_an_error_reply_is_redis_py_s(silent: Any, line: Any) -> None:
    silent.other.send(b"-NOSCRIPT No matching script\r\n")
    with pytest.raises(NoScriptError):
        line.swap(b"PING\r\n")
    assert line.usable()


@pytest.mark.parametrize("broken", [b"no RESP\r\n", b""])
def test_invalid_reply_ends_the_connection(silent: Any, broken: bytes) -> None:
    line = SocketLine(silent, LONG)
    silent.other.send(broken)
    silent.other.shutdown(socket.SHUT_WR)
    with pytest.raises(RedisConnectionError):
        line.swap(b"PING\r\n")


@pytest.mark.parametrize("size", [10, 100_000_000])
def test_a_server_that_takes_or_says_nothing(size: int) -> None:
    """The kernel applies the timeout; nothing else would end a send or a read."""
    silent = silent_one(0.05)
    line = SocketLine(silent, 0.05)
    with pytest.raises(RedisTimeoutError, match=r"within 0\.05 s"):
        line.swap(b"x" * size)
    silent.disconnect()
    silent.other.close()


def test_a_connection_that_is_closed_under_a_request(silent: Any) -> None:
    line = SocketLine(silent, LONG)
    lose(silent)
    with pytest.raises(RedisConnectionError, match="broke"):
        line.swap(b"PING\r\n")


def test_unread_bytes_in_redis_py_are_an_error(silent: Any) -> None:
    silent._parser._reader.feed(b"+stray\r\n")
    with pytest.raises(UnsentError, match="not read"):
        SocketLine(silent, LONG)


def test_unknown_internals_are_an_error_before_sending(silent: Any) -> None:
    del silent._parser
    with pytest.raises(UnsentError, match="unknown internals"):
        SocketLine(silent, LONG)
    silent._parser = Plain()._parser


def test_tls_session_tickets_leave_a_connection_usable(
    silent: Any, certificates: Certificates
) -> None:
    """A server sends tickets for the next session at the end of the handshake."""
    secured(silent, certificates)
    line = SocketLine(silent, LONG)
    assert select.select([silent._sock], [], [], LONG)[0]
    assert line.usable()
    silent.other.send(b"+reply\r\n")
    assert line.swap(b"PING\r\n") == b"reply"
    assert line.usable()
    silent.other.send(b"+stray\r\n")
    assert not line.usable()


def test_a_server_that_says_nothing_over_tls(silent: Any, certificates: Certificates) -> None:
    secured(silent, certificates)
    silent._sock.settimeout(0.05)
    line = SocketLine(silent, 0.05)
    with pytest.raises(RedisTimeoutError):
        line.swap(b"PING\r\n")
    with pytest.raises(RedisTimeoutError):
        line.wait(0.05)
    silent.other.close()
    assert not line.usable()

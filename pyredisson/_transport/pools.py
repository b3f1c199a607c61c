"""The pools of one server's connections: `Pool` for threads, `AsyncPool` for asyncio.

The rule: if a caller is cancelled before its reply comes, the other callers still get theirs. With
asyncio, callers share one pipelined connection per server. A thread has a connection for each call.
The docstring of `_transport` has the reason.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from pyredisson._runtime.concurrency import StateLock, monotonic, running_loop
from pyredisson._runtime.interrupts import in_main_thread
from pyredisson._transport.connections import packed, request_of
from pyredisson._transport.direct_io import log_fallback
from pyredisson._transport.errors import UnsentError, alike, connection_error, timeout_error
from pyredisson._transport.pipeline import SharedPipeline, retrieve
from pyredisson.protocol.kernel.capabilities import LONG
from pyredisson.protocol.kernel.command import Arg, Operation, Packed
from pyredisson.server_errors import (
    ERROR_REPLIES,
    LOST,
    ReplyError,
    ServerError,
    ServerTimeoutError,
)

PING = packed(("PING",))

UNSENT: Any = object()
"""Returned in place of a reply if the caller must use the link's slow path (`_async/link`)."""

__all__ = ["UNSENT", "AsyncExchange", "AsyncPool", "Exchange", "Pool"]


class AsyncExchange(Protocol):
    """One request and its reply. After the reply, the caller can send another request."""

    run: bytes | None
    """The server's run ID, or None if it is not known."""

    @property
    def client_id(self) -> int | None:
        """The connection's ID for CLIENT UNBLOCK, or None if it is not known."""

    async def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send `ahead` unless it is empty, then ASKING if `asking`, then `words`."""

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read the reply; an `interruptible` read that was interrupted can be repeated."""

    def begin_no_wait(self) -> None:
        """Begin no further wait at the server, so that the caller gets its reply soon."""

    async def done(self) -> None:
        """Release the connection after the reply."""

    async def drop(self) -> None:
        """End the exchange without its reply, which cannot come or is not needed."""


class Exchange(Protocol):
    """One request and its reply. After the reply, the caller can send another request."""

    run: bytes | None
    """The server's run ID, or None if it is not known."""

    @property
    def client_id(self) -> int | None:
        """The connection's ID for CLIENT UNBLOCK, or None if it is not known."""

    def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send `ahead` unless it is empty, then ASKING if `asking`, then `words`."""

    def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read the reply; an `interruptible` read that was interrupted can be repeated."""

    def begin_no_wait(self) -> None:
        """Begin no further wait at the server, so that the caller gets its reply soon."""

    def done(self) -> None:
        """Release the connection after the reply."""

    def drop(self) -> None:
        """End the exchange without its reply, which cannot come or is not needed."""


class Pool:
    """The pool of a server that threads use: each call has a connection of its own."""

    def __init__(self, server: Any, timeout: float) -> None:
        self._server = server

    def exchange(self, seconds: float | None = None) -> Exchange:
        """Return an exchange on an idle connection, or on a new one that opens within `seconds`."""
        exchange: Exchange = self._server.exclusive(seconds)
        return exchange

    def request(self, operation: Operation[Any] | Packed[Any]) -> Any:
        """Return the raw reply to an operation; raise UnsentError if no open connection is idle."""
        conn = self._server.idle()
        if conn is None:
            raise UnsentError("no connection is open")
        try:
            reply = conn.line.swap(request_of(operation))
        except BaseException as error:
            if isinstance(error, ReplyError):
                self._server.release(conn)
            else:
                conn.close()
            raise
        self._server.release(conn)
        return reply

    def pop(self, request: bytes, seconds: float, in_flight: Any) -> Any:
        """Send a blocking command on an idle connection, and return the raw reply.

        Return `UNSENT` in the main thread, after an error reply, or if no connection with a known
        client ID is idle. During the wait, and if the wait raises, `in_flight` has the exchange.
        """
        server = self._server
        exchange = None if in_main_thread() else server.exchange_for_wait()
        if exchange is None:
            return UNSENT
        conn = exchange.conn
        in_flight.server, in_flight.exchange = server, exchange
        server.add_wait(exchange)
        try:
            reply = in_flight.reply = conn.line.ask(request, seconds)
        except ERROR_REPLIES:  # the command took no element
            reply = UNSENT
        in_flight.exchange = None
        try:
            exchange.done()
        except BaseException:  # the thread was interrupted; `in_flight` has the reply
            conn.used = 0.0
            exchange.drop()
            raise
        return reply

    def leave(self, *, end: bool) -> None:
        """Do nothing: this pool holds no connection; `server` holds the idle ones."""


class AsyncPool:
    """The pool of a server that asyncio uses: requests share one connection, except long ones."""

    def __init__(self, server: Any, timeout: float) -> None:
        self._server = server
        self._timeout = timeout
        self._state = StateLock()
        self._pipeline: _Shared | None = None
        self.request: Callable[[Operation[Any] | Packed[Any]], asyncio.Future[Any]] = _not_open
        """Sends an operation. If nothing was sent, the call or its future raises UnsentError."""
        self._opening: asyncio.Task[_Shared] | None = None
        self._ended = False

    async def exchange(self, seconds: float | None = None) -> AsyncExchange:
        """Return an exchange on the shared connection; if necessary, open it within `seconds`."""
        pipeline = self._pipeline
        if pipeline is None or not pipeline.usable() or pipeline.rests():
            pipeline = await self._opened(seconds)
            if not pipeline.usable():
                raise connection_error("the connection was closed as soon as it was open")
        return _Pipelined(pipeline, self._alone)

    async def _alone(self) -> _Shared:
        """Open a connection for one request; raise UnsentError if that is not possible."""
        try:
            return _shared(await self._server.connect(), self._timeout, last=True)
        except LOST as error:
            raise UnsentError(str(error)) from error

    async def pop(self, request: bytes, seconds: float, in_flight: Any) -> Any:
        """Return `UNSENT`: blocking commands do not use the shared connection."""
        return UNSENT

    async def _opened(self, seconds: float | None) -> _Shared:
        """Open one connection for all waiting callers; if another caller has failed, try again."""
        loop = running_loop()
        if self._opening is not None and self._opening.get_loop() is loop:
            with contextlib.suppress(ServerError, OSError):
                return await asyncio.shield(self._opening)
        if self._opening is None or self._opening.get_loop() is not loop:
            self._opening = loop.create_task(self._open(seconds))
            self._opening.add_done_callback(self._after)
        return await asyncio.shield(self._opening)

    async def _open(self, seconds: float | None) -> _Shared:
        if (pipeline := self._pipeline) is not None and pipeline.usable():
            if await self._answers_ping(pipeline):
                return pipeline
            await self._server.leave()  # the other idle connections are probably closed, too
        await self.leave(end=self._ended)
        pipeline = _shared(await self._server.connect(seconds), self._timeout, last=self._ended)
        if not self._ended:
            await self._use(pipeline)
        return pipeline

    async def _answers_ping(self, pipeline: _Shared) -> bool:
        """Return whether a PING gets a reply: a lost idle connection can still look open."""
        try:
            async with asyncio.timeout(self._server.ping_timeout):
                await pipeline.put(PING, 1)
        except ERROR_REPLIES:
            return True
        except (ServerError, OSError):
            return False
        return True

    async def _use(self, pipeline: _Shared | None) -> None:
        """Replace the shared connection, and retire the old one, also of another event loop."""
        with self._state.held:
            before, self._pipeline = self._pipeline, pipeline
            self.request = pipeline.request if isinstance(pipeline, SharedPipeline) else _not_open
        if before is not None:
            await before.retire()

    def _after(self, opening: asyncio.Task[_Shared]) -> None:
        if self._opening is opening:
            self._opening = None
        if not opening.cancelled():
            opening.exception()  # marks it as retrieved; the waiting callers raise it

    async def leave(self, *, end: bool) -> None:
        """Stop using the shared connection, which then closes after its last reply.

        If `end`, a later request, such as the release of messages, gets a connection that closes
        after its reply.
        """
        self._ended = end
        await self._use(None)


def _not_open(operation: Operation[Any] | Packed[Any]) -> asyncio.Future[Any]:
    """Raise `UnsentError`; then the link's slow path opens a connection."""
    raise UnsentError("no shared connection is open")


class _Pipeline:
    """Replaces `SharedPipeline` if redis-py must read the replies."""

    def __init__(self, conn: Any, timeout: float, *, last: bool) -> None:
        self._conn = conn
        self._timeout = timeout
        self._loop = asyncio.get_running_loop()
        self._due: deque[tuple[asyncio.Future[Any], float]] = deque()
        self._reader: asyncio.Task[None] | None = None
        self._last_reply = monotonic()
        self._doubted = False
        self._retired = last
        self.run: bytes | None = None
        """The server's run ID; None until it is requested, or if the server does not return it."""

    def usable(self) -> bool:
        """Return whether the running loop can send a request on this connection."""
        return self._loop is asyncio.get_running_loop() and bool(self._conn.usable())

    def rests(self) -> bool:
        """Return whether the connection needs a PING before use, because it was idle for long."""
        if not self._doubted and not self._due:
            self._doubted = monotonic() - self._last_reply > self._conn.ping_after
        return self._doubted

    def put(self, data: bytes, replies: int) -> asyncio.Future[Any]:
        """Start to send packed requests, and return the future of the last reply."""
        self._conn.put(data)
        deadline = monotonic() + self._timeout
        for _ in range(replies):
            future: asyncio.Future[Any] = self._loop.create_future()
            future.add_done_callback(retrieve)
            self._due.append((future, deadline))
        if self._reader is None:
            self._reader = self._loop.create_task(self._read())
        return future

    async def drain(self) -> None:
        """Wait until the write buffer has room."""
        await self._conn.drain()

    async def _read(self) -> None:
        """Read replies until none is outstanding."""
        try:
            while self._due:
                future, deadline = self._due[0]
                try:
                    reply = await self._conn.wait(max(deadline - monotonic(), 0.001))
                except ERROR_REPLIES as error:
                    self._due.popleft()
                    if not future.done():
                        future.set_exception(error)
                else:
                    self._due.popleft()
                    if not future.done():
                        future.set_result(reply)
                self._conn.used = self._last_reply = monotonic()
                self._doubted = False
        except Exception as error:
            await self._broken(error)
        except BaseException:
            await self._broken(connection_error("the event loop has ended"))
            raise
        finally:
            self._reader = None
        if self._retired:
            await self._conn.close()

    async def _broken(self, error: Exception) -> None:
        """Close the connection, and give each caller without a reply an error object of its own."""
        due, self._due = self._due, deque()
        await self._conn.close()
        if not isinstance(error, ServerTimeoutError):
            error = connection_error(str(error))
        for future, _ in due:
            if not future.done():
                future.set_exception(alike(error))

    async def unused(self) -> None:
        """Close the connection if it was opened for one request only: this request was not sent."""
        if self._retired:
            await self.retire()

    async def retire(self) -> None:
        """Close the connection after its last reply."""
        self._retired = True
        if self._reader is None or self._loop.is_closed():
            await self._conn.close()


_Shared = SharedPipeline | _Pipeline


def _shared(conn: Any, timeout: float, *, last: bool) -> _Shared:
    """Return a shared connection, with redis-py's I/O if redis-py's internals are unknown."""
    try:
        return SharedPipeline(conn, timeout, last=last)
    except UnsentError as error:
        log_fallback(str(error))
        return _Pipeline(conn, timeout, last=last)


class _Pipelined:
    """One request on the shared connection; a long request has a connection of its own."""

    __slots__ = ("_alone", "_pipeline", "_reply")
    client_id = None

    @property
    def run(self) -> bytes | None:
        """The server's run ID, or None if it is not known."""
        return self._pipeline.run

    @run.setter
    def run(self, run: bytes | None) -> None:
        self._pipeline.run = run

    def __init__(self, pipeline: _Shared, alone: Callable[[], Awaitable[_Shared]]) -> None:
        self._pipeline = pipeline
        self._alone = alone
        self._reply: asyncio.Future[Any] | None = None

    async def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send `ahead` unless it is empty, then ASKING if `asking`, then `words`."""
        first = packed(ahead) if ahead else b""
        data = first + packed(words, asking=asking)
        if len(data) >= LONG:  # the server may close the connection of such a request
            self._pipeline = await self._alone()
        self._reply = self._pipeline.put(data, 1 + asking + bool(ahead))
        await self._pipeline.drain()

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Wait for the reply; the pipeline's timeout applies, too."""
        if self._reply is None:
            raise connection_error("the caller was interrupted before its request was sent")
        try:
            async with asyncio.timeout(seconds):
                return await (asyncio.shield(self._reply) if interruptible else self._reply)
        except TimeoutError as error:
            raise timeout_error(f"no reply within {seconds:g} s") from error

    def begin_no_wait(self) -> None:
        """Do nothing: the shared connection has no blocking commands."""

    async def done(self) -> None:
        """Do nothing: the shared connection stays open."""

    async def drop(self) -> None:
        """Abandon the reply, which the pipeline still reads. If nothing was sent, call `unused`."""
        if self._reply is None:
            await self._pipeline.unused()

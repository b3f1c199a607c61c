"""The quick lanes, for what does not wait on the server, as twin names of both worlds.

The rule: whoever leaves before his reply abandons the reply and nothing else. With
asyncio all callers share one pipelined connection to a server; a thread has a connection
for each call, which is faster than any sharing of one (docs/architecture.md).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from pyredisson._runtime.concurrency import monotonic, running_loop
from pyredisson._runtime.interrupts import in_main_thread
from pyredisson._transport.connections import packed
from pyredisson._transport.direct_io import tell_slow
from pyredisson._transport.errors import UnsentError, alike, connection_error
from pyredisson._transport.pipeline import SharedPipeline
from pyredisson.protocol.delayed.offer_packer import OfferPacker
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.command import Arg
from pyredisson.server_errors import ERROR_REPLIES, ReplyError, ServerError, ServerTimeoutError

PING = packed(("PING",))

UNSENT: Any = object()
"""What stands for a reply where only the long way can tell."""

__all__ = ["UNSENT", "AsyncExchange", "AsyncPool", "Exchange", "Pool"]


class AsyncExchange(Protocol):
    """One request and its reply; another one may follow."""

    run: bytes | None
    """The server's process, as far as it is known."""

    @property
    def client_id(self) -> int | None:
        """The connection's number for CLIENT UNBLOCK."""

    async def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send a command, with `asking` ASKING before it, and another one `ahead` of it."""

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read the reply; an interruptible read can be repeated after an interruption."""

    def begin_no_wait(self) -> None:
        """Send nothing more that waits: the caller is to have its reply soon."""

    async def done(self) -> None:
        """The reply is read."""

    async def drop(self) -> None:
        """The connection broke, or nobody wants the reply."""


class Exchange(Protocol):
    """One request and its reply; another one may follow."""

    run: bytes | None
    """The server's process, as far as it is known."""

    @property
    def client_id(self) -> int | None:
        """The connection's number for CLIENT UNBLOCK."""

    def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send a command, with `asking` ASKING before it, and another one `ahead` of it."""

    def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Read the reply; an interruptible read can be repeated after an interruption."""

    def begin_no_wait(self) -> None:
        """Send nothing more that waits: the caller is to have its reply soon."""

    def done(self) -> None:
        """The reply is read."""

    def drop(self) -> None:
        """The connection broke, or nobody wants the reply."""


class Pool:
    """A connection of its own for each call."""

    def __init__(self, server: Any, timeout: float) -> None:
        self._server = server

    def exchange(self) -> Exchange:
        """Return an exchange on an idle connection, or on a new one."""
        exchange: Exchange = self._server.exclusive()
        return exchange

    def offer(self, offers: OfferPacker, receipt: Receipt) -> Any:
        """Store an item; `UnsentError` when no idle connection is open."""
        wire = self._server.idle()
        if wire is None:
            raise UnsentError("no connection is open")
        try:
            reply = wire.line.swap(offers.one(receipt))
        except BaseException as error:
            if isinstance(error, ReplyError):
                self._server.release(wire)
            else:
                wire.close()
            raise
        self._server.release(wire)
        return reply

    def pop(self, request: bytes, seconds: float, transit: Any) -> Any:
        """Wait for an element on an idle connection; `UNSENT` when none is open.

        Meanwhile the transit has the exchange, as in `Link.arrival`.
        """
        server = self._server
        exchange = None if in_main_thread() else server.waiting()
        if exchange is None:
            return UNSENT
        wire = exchange.wire
        transit.server, transit.exchange = server, exchange
        server.begins_wait(exchange)
        try:
            reply = transit.reply = wire.line.ask(request, seconds)
        except ERROR_REPLIES:  # it took nothing
            reply = UNSENT
        transit.exchange = None
        try:
            exchange.done()
        except BaseException:  # the thread was interrupted; the reply is in the transit
            wire.used = 0.0
            exchange.drop()
            raise
        return reply

    def leave(self, *, end: bool) -> None:
        """Nothing to do: the server has the idle connections."""


class AsyncPool:
    """One pipelined connection for all that is under way at the same time."""

    def __init__(self, server: Any, timeout: float) -> None:
        self._server = server
        self._timeout = timeout
        self._pipeline: _Shared | None = None
        self.offer: Callable[[OfferPacker, Receipt], asyncio.Future[Any]] = _not_open
        """Begin to store an item; `UnsentError`, also in the future, when nothing was sent."""
        self._opening: asyncio.Task[_Shared] | None = None
        self._ended = False

    async def exchange(self) -> AsyncExchange:
        """Return an exchange on the shared connection, opened where that is needed."""
        pipeline = self._pipeline
        if pipeline is None or not pipeline.usable() or pipeline.rests():
            pipeline = await self._opened()
            if not pipeline.usable():
                raise connection_error("the connection was closed as soon as it was open")
        return _Pipelined(pipeline)

    async def pop(self, request: bytes, seconds: float, transit: Any) -> Any:
        """Return `UNSENT`: what waits is not on the shared connection."""
        return UNSENT

    async def _opened(self) -> _Shared:
        """Open a connection, once for all who wait for it.

        Who joined an attempt that began before and fails tries again: what ended it may be over.
        """
        loop = running_loop()
        if self._opening is not None and self._opening.get_loop() is loop:
            with contextlib.suppress(ServerError, OSError):
                return await asyncio.shield(self._opening)
        if self._opening is None or self._opening.get_loop() is not loop:
            self._opening = loop.create_task(self._open())
            self._opening.add_done_callback(self._after)
        return await asyncio.shield(self._opening)

    async def _open(self) -> _Shared:
        if (pipeline := self._pipeline) is not None and pipeline.usable():
            if await self._woken(pipeline):
                return pipeline
            await self._server.leave()  # those that have rested as long are not open either
        await self.leave(end=self._ended)
        pipeline = _shared(await self._server.connect(), self._timeout, last=self._ended)
        if not self._ended:
            self._use(pipeline)
        return pipeline

    async def _woken(self, pipeline: _Shared) -> bool:
        """Tell whether a connection is open that has rested: not all that is closed shows it."""
        try:
            async with asyncio.timeout(self._server.patience):
                await pipeline.put(PING, 1)
        except ERROR_REPLIES:
            return True
        except (ServerError, OSError):
            return False
        return True

    def _use(self, pipeline: _Shared | None) -> None:
        self._pipeline = pipeline
        self.offer = pipeline.offer if isinstance(pipeline, SharedPipeline) else _not_open

    def _after(self, opening: asyncio.Task[_Shared]) -> None:
        if self._opening is opening:
            self._opening = None
        if not opening.cancelled():
            opening.exception()  # those who wait have it, or have left

    async def leave(self, *, end: bool) -> None:
        """Send nothing more on the connection of now; it closes after its last reply.

        After the end, whoever still has something to give back gets a connection
        that closes after that.
        """
        self._ended = end
        pipeline = self._pipeline
        self._use(None)
        if pipeline is not None:
            await pipeline.retire()


def _not_open(offers: OfferPacker, receipt: Receipt) -> asyncio.Future[Any]:
    """Refuse an offer: the long way opens a connection."""
    raise UnsentError("no connection is open that sends offers together")


class _Pipeline:
    """A connection whose replies come in the order of the requests."""

    def __init__(self, wire: Any, timeout: float, *, last: bool) -> None:
        self._wire = wire
        self._timeout = timeout
        self._loop = asyncio.get_running_loop()
        self._due: deque[tuple[asyncio.Future[Any], float]] = deque()
        self._reader: asyncio.Task[None] | None = None
        self._heard = monotonic()
        self._doubted = False
        self._retired = last
        self.run: bytes | None = None
        """The server's process, where it was asked for and says so."""

    def usable(self) -> bool:
        """Tell whether a request can be sent on this connection, by this loop."""
        return self._loop is asyncio.get_running_loop() and bool(self._wire.usable())

    def rests(self) -> bool:
        """Tell whether it has rested so long that it is to be asked whether it is open."""
        if not self._doubted and not self._due:
            self._doubted = monotonic() - self._heard > self._wire.rest
        return self._doubted

    def put(self, data: bytes, replies: int) -> asyncio.Future[Any]:
        """Begin to send requests; the future of the last one's reply."""
        self._wire.put(data)
        deadline = monotonic() + self._timeout
        for _ in range(replies):
            future: asyncio.Future[Any] = self._loop.create_future()
            future.add_done_callback(_retrieve)
            self._due.append((future, deadline))
        if self._reader is None:
            self._reader = self._loop.create_task(self._read())
        return future

    async def drain(self) -> None:
        """Wait until what was put can be sent."""
        await self._wire.drain()

    async def _read(self) -> None:
        """Hand out replies until none is due."""
        try:
            while self._due:
                future, deadline = self._due[0]
                try:
                    reply = await self._wire.wait(max(deadline - monotonic(), 0.001))
                except ERROR_REPLIES as error:
                    self._due.popleft()
                    if not future.done():
                        future.set_exception(error)
                else:
                    self._due.popleft()
                    if not future.done():
                        future.set_result(reply)
                self._heard, self._doubted = monotonic(), False
        except Exception as error:
            await self._broken(error)
        except BaseException:
            await self._broken(connection_error("the event loop ends"))
            raise
        finally:
            self._reader = None
        if self._retired:
            await self._wire.close()

    async def _broken(self, error: Exception) -> None:
        """All that is due is lost, each with an error of its own."""
        due, self._due = self._due, deque()
        await self._wire.close()
        if not isinstance(error, ServerTimeoutError):
            error = connection_error(str(error))
        for future, _ in due:
            if not future.done():
                future.set_exception(alike(error))

    async def unused(self) -> None:
        """Nothing was sent after all: a connection for that alone closes."""
        if self._retired:
            await self.retire()

    async def retire(self) -> None:
        """Close once nothing is due."""
        self._retired = True
        if self._reader is None or self._loop.is_closed():
            await self._wire.close()


def _retrieve(future: asyncio.Future[Any]) -> None:
    """An error that nobody waits for any more is no news."""
    if not future.cancelled():
        future.exception()


_Shared = SharedPipeline | _Pipeline


def _shared(wire: Any, timeout: float, *, last: bool) -> _Shared:
    """Return the connection that callers share, below redis-py where its inside is as known."""
    try:
        return SharedPipeline(wire, timeout, last=last)
    except UnsentError as error:
        tell_slow(str(error))
        return _Pipeline(wire, timeout, last=last)


class _Pipelined:
    """One request on the shared connection."""

    __slots__ = ("_pipeline", "_reply")
    client_id = None

    @property
    def run(self) -> bytes | None:
        """The server's process, as far as it is known."""
        return self._pipeline.run

    @run.setter
    def run(self, run: bytes | None) -> None:
        self._pipeline.run = run

    def __init__(self, pipeline: _Shared) -> None:
        self._pipeline = pipeline
        self._reply: asyncio.Future[Any] | None = None

    async def send(
        self, words: tuple[Arg, ...], *, asking: bool = False, ahead: tuple[Arg, ...] = ()
    ) -> None:
        """Send a command, with `asking` ASKING before it, and another one `ahead` of it."""
        first = packed(ahead) if ahead else b""
        data = first + packed(words, asking=asking)
        self._reply = self._pipeline.put(data, 1 + asking + bool(ahead))
        await self._pipeline.drain()

    async def reply(self, seconds: float, *, interruptible: bool = False) -> Any:
        """Wait for the reply, as long as the server answers at all."""
        if self._reply is None:
            raise connection_error("interrupted before it was sent")
        return await (asyncio.shield(self._reply) if interruptible else self._reply)

    def begin_no_wait(self) -> None:
        """Nothing to do: nothing waits here."""

    async def done(self) -> None:
        """Nothing to do: the connection goes on."""

    async def drop(self) -> None:
        """Leave: a reply that nobody wants is read all the same."""
        if self._reply is None:
            await self._pipeline.unused()

"""One server: its connections and its clock.

The rule: an operation that blocks at the server or is durable gets a connection of its own. All
other operations use the pool (`pyredisson/_transport/pools.py`), which differs between threads and
asyncio.
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Callable
from typing import Any, TypeAlias

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.exchanges import AsyncConfirmed, AsyncExclusive
from pyredisson._async.waits.unblocking import unblocked_async
from pyredisson._runtime.concurrency import monotonic, process, sleep_async
from pyredisson._transport.errors import connection_error, taken_over_error
from pyredisson._transport.pools import PING, AsyncExchange, AsyncPool
from pyredisson._transport.settings import PING_AFTER
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.command import Arg, Operation
from pyredisson.server_errors import ERROR_REPLIES, ReplyError, ServerError

log = logging.getLogger("pyredisson")

_MAX_IDLE = 64
_UNBLOCKS = 10
_SAMPLES = 3
_WAKES = 1.0
_SURE = 3
"""The smallest `_apart` that shows that a proxy sends waits on another connection.

`_apart` starts at 1. If a script that took a wait's element was sent after the wait's reply, 1 is
added. If this script was sent in the wait's write, `_apart` becomes 0.
"""
_JUST_NOW = 0.00005
"""Seconds after a reply during which a connection counts as open without a check.

The check is a system call. A caller that sends again within this time has a request under way
nearly all the time. If the connection breaks, it probably breaks during such a request.
"""
_EXACT = 0.0002
"""Seconds that a reply to TIME may take. After a slower reply TIME is sent again.

TIME is sent at most `_SAMPLES` times, and the fastest reply is used. Until the next sample, due
items may be late by the round trip of that reply.
"""

Maker: TypeAlias = Callable[[], AsyncServerConnection]
"""Makes a connection that is not yet open."""


class AsyncServer:
    """The connections to one server, and its clock.

    Args:
        make: returns a connection that is not yet open.
        timeout: seconds that a reply may take.
        ping_after: seconds of idleness after which a connection is checked with PING before use.
    """

    def __init__(self, make: Maker, timeout: float, ping_after: float = PING_AFTER) -> None:
        self._make = make
        self._timeout = timeout
        self._ping_after = ping_after
        self.ping_timeout = min(timeout, _WAKES)
        """The longest wait for the reply to a PING on an idle connection, in seconds."""
        self._idle: deque[AsyncServerConnection] = deque()
        self.pool = AsyncPool(self, timeout)
        self._ended = False
        self._opened = 0
        self._open_waits: set[AsyncExclusive] = set()
        self.add_wait, self.remove_wait = self._open_waits.add, self._open_waits.discard
        """Register, and remove, an exchange whose wait `send_away` must end."""
        self.is_waiting = self._open_waits.__contains__
        self._apart = 1
        self._listening: set[AsyncServerConnection] = set()
        self.demoted = False
        """Whether another server has taken over. Writes that this server still accepts are lost."""
        self.clock = ServerClock()
        self._eviction_checked = False

    def taken_over(self) -> ServerError | None:
        """Return the error that replaces a reply if this server is demoted, else None."""
        return taken_over_error() if self.demoted else None

    # -------------------------------------------------------------- exchanges

    async def exchange(
        self, operation: Operation[Any] | None = None, seconds: float | None = None
    ) -> AsyncExchange:
        """Return an exchange of the kind that the operation needs.

        If `operation` is None, the exchange is for one short command. Each step may take `seconds`,
        by default the response timeout. A durable write always uses that default. If an error is
        raised, nothing of the operation was sent; CLIENT ID, INFO or PING may have been sent.
        """
        if operation is not None and operation.durable is not None:
            return AsyncConfirmed(self, await self._own_conn(), operation.durable)
        if operation is None or operation.waits is None:
            return await self.pool.exchange(seconds)
        exchange = await self.exclusive(seconds)
        try:
            if exchange.client_id is None:
                await exchange.conn.learn_client_id(seconds)
        except ReplyError:
            await exchange.done()
            raise
        except BaseException:
            await exchange.drop()
            raise
        self.add_wait(exchange)
        return exchange

    async def exclusive(self, seconds: float | None = None) -> AsyncExclusive:
        """Return an exchange with its own connection; a new connection opens within `seconds`."""
        return AsyncExclusive(self, await self._own_conn(seconds))

    async def _own_conn(self, seconds: float | None = None) -> AsyncServerConnection:
        while conn := self._pop():
            if conn.usable() and (
                monotonic() - conn.used < self._ping_after or await self._answers(conn, seconds)
            ):
                return conn
            await conn.close()
        return await self.connect(seconds)

    async def _answers(self, conn: AsyncServerConnection, seconds: float | None) -> bool:
        """Return whether an idle connection answers a PING; a closed connection may look open.

        Without an answer, close all idle connections: the server has probably closed them. An error
        reply is an answer.
        """
        try:
            conn.put(PING)
            await conn.drain()
            await conn.wait(min(self.ping_timeout, seconds or self.ping_timeout))
        except ERROR_REPLIES:
            return True
        except (ServerError, OSError):
            await self.leave()
            return False
        except BaseException:
            await conn.close()
            raise
        return True

    def idle(self) -> AsyncServerConnection | None:
        """Return the connection that was released last, if it can be used without a check by PING.

        Otherwise return None, also if no connection is idle.
        """
        try:
            conn = self._idle.pop()
        except IndexError:
            return None
        idle_for = monotonic() - conn.used
        if idle_for < _JUST_NOW and conn.process == process():
            return conn
        if idle_for < self._ping_after and conn.usable():
            return conn
        self._idle.append(conn)  # `exclusive` checks or closes this connection
        return None

    def exchange_for_wait(self) -> AsyncExclusive | None:
        """Return an exchange for a wait, on a connection that `idle` returns.

        Return None if `idle` returns None, or if the id of the connection is not known. The caller
        must pass the exchange to `add_wait`, and later to `remove_wait`.
        """
        conn = self.idle()
        if conn is None or conn.client_id is None:
            self._idle.extend(() if conn is None else (conn,))
            return None
        exchange: AsyncExclusive | None = conn.exclusive
        if exchange is None:
            exchange = conn.exclusive = AsyncExclusive(self, conn)
        return exchange

    def can_wait_now(self) -> bool:
        """Return whether `exchange_for_wait` would return an exchange."""
        exchange = self.exchange_for_wait()
        if exchange is not None:
            self._idle.append(exchange.conn)
        return exchange is not None

    async def call(self, *words: Arg) -> Any:
        """Send one short command to this server, and return its reply."""
        return (await self._timed_call(words))[1]

    async def _timed_call(self, words: tuple[Arg, ...]) -> tuple[float, Any]:
        """Send a command; return the monotonic time just before that, and the reply.

        If a connection must be opened, the time is taken after the opening.
        """
        exchange = await self.exchange()
        sent = monotonic()
        try:
            await exchange.send(words)
            reply = await exchange.reply(self._timeout)
        except ReplyError:  # the connection is intact
            await exchange.done()
            raise
        except BaseException:
            await exchange.drop()
            raise
        await exchange.done()
        return sent, reply

    @property
    def together(self) -> bool:
        """Whether the last script that took a wait's element was sent in the wait's write."""
        return self._apart == 0

    @property
    def splits(self) -> bool:
        """Whether a proxy is known to send waits on another connection."""
        return self._apart >= _SURE

    def note_take(self, *, apart: bool) -> None:
        """Note that a script took a wait's element; `apart`: it was sent after the wait's reply."""
        self._apart = self._apart + 1 if apart else 0

    async def unblock(self, blocked: AsyncExchange) -> bool:
        """End a blocked command by CLIENT UNBLOCK; return whether CLIENT UNBLOCK was sent."""
        blocked.begin_no_wait()
        if blocked.client_id is None or blocked.run is None:
            return False
        exchange = await (self.exclusive() if self._ended else self.exchange())
        try:
            answered = await unblocked_async(
                exchange, blocked.client_id, blocked.run, self._timeout
            )
        except ReplyError:
            await exchange.done()
            raise
        except BaseException:
            await exchange.drop()
            raise
        await exchange.done()
        return answered

    async def listen(self) -> AsyncServerConnection:
        """Open a connection for a subscription; `hang_up` closes the connection."""
        conn = await self.connect()
        self._listening.add(conn)
        if self.demoted:
            await self.hang_up(conn)
            raise connection_error("the server is no longer the master")
        return conn

    async def hang_up(self, conn: AsyncServerConnection) -> None:
        """Close the connection of a subscription."""
        self._listening.discard(conn)
        await conn.close()

    async def connect(self, seconds: float | None = None) -> AsyncServerConnection:
        """Open a new connection, which may lead to another server than earlier connections."""
        conn = self._make()
        conn.ping_after = self._ping_after
        try:
            await conn.connect(seconds)
        except BaseException:
            await conn.close()
            raise
        self.clock.invalidate()
        self._opened += 1
        return conn

    # -------------------------------------------------------------- the clock

    async def learn_time(self, ahead: float = 0.0) -> None:
        """Send TIME, if the last sample is stale or will be stale in `ahead` seconds."""
        if not self.clock.stale(monotonic() + ahead):
            return
        if not self._eviction_checked:
            await _check_eviction_async(self)
            self._eviction_checked = True
        samples, moves = list[tuple[float, float, float, float]](), self.clock.moves
        for _ in range(_SAMPLES):
            opened = self._opened
            try:
                sent, (seconds, micros) = await self._timed_call(("TIME",))
            except (ServerError, OSError):
                if not samples:
                    raise
                break  # the next operation raises the error
            came = monotonic()
            if self._opened != opened:  # earlier samples may be of another server
                samples.clear()
            samples.append((came - sent, sent, came, int(seconds) * 1000 + int(micros) / 1000))
            if came - sent < _EXACT:
                break
        if not self.clock.sample(*min(samples)[1:], moves):
            await self.learn_time(ahead)

    # -------------------------------------------------------------- the end

    async def release(self, conn: AsyncServerConnection) -> None:
        """Keep a connection without outstanding replies, or close it if 64 others are idle."""
        conn.used = monotonic()
        if len(self._idle) < _MAX_IDLE:
            self._idle.append(conn)
        else:
            await conn.close()
        if self._ended:  # checked last: another thread may have ended the server just now
            await self.leave()

    async def send_away(self) -> None:
        """End all waits and subscriptions at this server; their callers use the next master."""
        await self.end_subscriptions()
        try:
            for _ in range(_UNBLOCKS):  # a command that is not yet blocked cannot be unblocked
                for exchange in self._own_waits():
                    await self.unblock(exchange)
                if not self._own_waits():
                    break
                await sleep_async(0.05)
        except (ServerError, OSError):
            pass  # each wait then lasts until its slice ends: 2 s at most (`waits`)
        finally:
            await self.end()

    async def end_subscriptions(self) -> None:
        """End all subscriptions at this server; their tasks subscribe again."""
        for conn in list(self._listening):
            await conn.abort()

    def _own_waits(self) -> list[AsyncExclusive]:
        return [each for each in tuple(self._open_waits) if each.conn.process == process()]

    def busy(self) -> bool:
        """Return whether any wait or subscription is open at this server."""
        return bool(self._listening or self._own_waits())

    async def leave(self) -> None:
        """Close the idle connections, and send no further request on the shared connection."""
        await self.pool.leave(end=self._ended)
        while conn := self._pop():
            await conn.close()

    async def end(self) -> None:
        """Close the idle connections now, and the others when they are released."""
        self._ended = True
        await self.leave()

    def _pop(self) -> AsyncServerConnection | None:
        try:  # a check before would be a race: threads share the connections
            return self._idle.pop()
        except IndexError:
            return None


async def _check_eviction_async(server: AsyncServer) -> None:
    """Log that the server evicts keys when its memory is full, if INFO shows it."""
    from pyredisson.protocol.kernel.eviction import QUESTION, evicting  # noqa: PLC0415 - seldom

    reply = None
    with contextlib.suppress(ReplyError):  # no permission for INFO
        reply = await server.call(*QUESTION)
    if policy := evicting(reply):
        log.warning(
            "the server evicts keys when its memory is full (maxmemory-policy %s), and can "
            "delete queues and pending items; set maxmemory-policy to noeviction",
            policy,
        )

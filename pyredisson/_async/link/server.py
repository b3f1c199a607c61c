"""One server: the lanes to it, and what its clock shows.

What waits on the server, and what is durable, gets a connection to itself; all else goes the quick
lane (`pyredisson/_transport/pools.py`), which is another thing in each world.
"""

from __future__ import annotations

import contextlib
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.exchanges import AsyncConfirmed, AsyncExclusive
from pyredisson._async.waits.unblocking import unblocked_async
from pyredisson._runtime.concurrency import monotonic, process, sleep_async
from pyredisson._transport.errors import connection_error
from pyredisson._transport.pools import PING, AsyncExchange, AsyncPool
from pyredisson._transport.settings import REST
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.command import Arg, Operation
from pyredisson.protocol.kernel.eviction import LOOK, evicting
from pyredisson.server_errors import ERROR_REPLIES, ReplyError, ServerError

log = logging.getLogger("pyredisson")

_MAX_IDLE = 64
_UNBLOCKS = 10
_SAMPLES = 3
_WAKES = 1.0
_SURE = 3
"""So often in a row a script has to run before the wait that is sent ahead of it."""
_JUST_NOW = 0.00005
"""Seconds for which a reply shows that a connection is open, instead of a look at it, which is a
system call. Who sends again so soon has a request under way nearly all the time, and so probably
also when the connection breaks."""
_EXACT = 0.0002
"""Seconds that the server's answer to TIME may take, else it is asked again: by so long all that
falls due may be late until the next look at its clock."""


class AsyncServer:
    """The connections to one server, and its clock.

    Args:
        wires: makes a connection, not yet open.
        timeout: seconds that a reply may take.
        rest: seconds of rest after which a connection is asked whether it is open.
    """

    def __init__(
        self, wires: Callable[[], AsyncServerConnection], timeout: float, rest: float = REST
    ) -> None:
        self._wires = wires
        self._timeout = timeout
        self._rest = rest
        self.patience = min(timeout, _WAKES)
        """Seconds that a connection has to answer that has rested."""
        self._idle: deque[AsyncServerConnection] = deque()
        self.quick = AsyncPool(self, timeout)
        self._ended = False
        self._opened = 0
        self._waiting: set[AsyncExclusive] = set()
        self.begins_wait, self.no_more_waits = self._waiting.add, self._waiting.discard
        """An exchange is to be unblocked when the server is demoted; it has its reply, or none."""
        self.awaits = self._waiting.__contains__
        self._apart = 1
        self._listening: set[AsyncServerConnection] = set()
        self.demoted = False
        """Another server has taken over: what this one acknowledges is lost."""
        self.clock = ServerClock()
        self._looked = False

    # -------------------------------------------------------------- exchanges

    async def exchange(
        self, operation: Operation[Any] | None = None, seconds: float | None = None
    ) -> AsyncExchange:
        """Return a way to send one short command, or what the operation needs.

        What waits has so many seconds for each step to it. Errors mean that nothing was sent.
        """
        if operation is not None and operation.durable is not None:
            return AsyncConfirmed(self, await self._own_wire(), operation.durable)
        if operation is None or operation.waits is None:
            return await self.quick.exchange()
        exchange = await self.exclusive(seconds)
        try:
            if exchange.client_id is None:
                await exchange.wire.learn_client_id(seconds)
        except ReplyError:
            await exchange.done()
            raise
        except BaseException:
            await exchange.drop()
            raise
        self.begins_wait(exchange)
        return exchange

    async def exclusive(self, seconds: float | None = None) -> AsyncExclusive:
        """Return an exchange with a connection to itself, which opens within so many seconds."""
        return AsyncExclusive(self, await self._own_wire(seconds))

    async def _own_wire(self, seconds: float | None = None) -> AsyncServerConnection:
        while wire := self._pop():
            if wire.usable() and (
                monotonic() - wire.used < self._rest or await self._woken(wire, seconds)
            ):
                return wire
            await wire.close()
        return await self.connect(seconds)

    async def _woken(self, wire: AsyncServerConnection, seconds: float | None) -> bool:
        """Tell whether a connection is open that has rested: not all that is closed shows it.

        Where it is not, those that have rested as long are not either.
        """
        try:
            wire.put(PING)
            await wire.drain()
            await wire.wait(min(self.patience, seconds or self.patience))
        except ERROR_REPLIES:
            return True
        except (ServerError, OSError):
            await self.leave()
            return False
        except BaseException:
            await wire.close()
            raise
        return True

    def idle(self) -> AsyncServerConnection | None:
        """Return an idle connection that is open."""
        try:
            wire = self._idle.pop()
        except IndexError:
            return None
        rested = monotonic() - wire.used
        if rested < _JUST_NOW and wire.process == process():
            return wire
        if rested < self._rest and wire.usable():
            return wire
        self._idle.append(wire)  # `exclusive` asks it, or closes it
        return None

    def waiting(self) -> AsyncExclusive | None:
        """Return a way to wait on an idle connection whose number is known, if one is open.

        It is to be told to `begins_wait`, and to `no_more_waits`.
        """
        wire = self.idle()
        if wire is None or wire.client_id is None:
            self._idle.extend(() if wire is None else (wire,))
            return None
        exchange: AsyncExclusive | None = wire.waits
        if exchange is None:
            exchange = wire.waits = AsyncExclusive(self, wire)
        return exchange

    def at_hand(self) -> bool:
        """Tell whether there is such a connection."""
        exchange = self.waiting()
        if exchange is not None:
            self._idle.append(exchange.wire)
        return exchange is not None

    async def call(self, *words: Arg) -> Any:
        """Send one short command to this very server, and read its reply."""
        return (await self._timed_call(words))[1]

    async def _timed_call(self, words: tuple[Arg, ...]) -> tuple[float, Any]:
        """Return when it was sent, on a connection that was open by then, and the reply."""
        exchange = await self.exchange()
        sent = monotonic()
        try:
            await exchange.send(words)
            reply = await exchange.reply(self._timeout)
        except ReplyError:  # still in step with its replies
            await exchange.done()
            raise
        except BaseException:
            await exchange.drop()
            raise
        await exchange.done()
        return sent, reply

    @property
    def together(self) -> bool:
        """Whether a script that was sent behind a wait has run after it."""
        return self._apart == 0

    @property
    def splits(self) -> bool:
        """Whether a proxy gives what waits a connection of its own."""
        return self._apart >= _SURE

    def took(self, *, apart: bool) -> None:
        """A script has taken what a wait has brought; `apart` when it had to be asked again."""
        self._apart = self._apart + 1 if apart else 0

    async def unblock(self, blocked: AsyncExchange) -> bool:
        """Tell the server to answer a blocked connection now; False when it is not told."""
        blocked.begin_no_wait()
        if blocked.client_id is None or blocked.run is None:
            return False
        exchange = await (self.exclusive() if self._ended else self.exchange())
        try:
            told = await unblocked_async(exchange, blocked.client_id, blocked.run, self._timeout)
        except ReplyError:
            await exchange.done()
            raise
        except BaseException:
            await exchange.drop()
            raise
        await exchange.done()
        return told

    async def listen(self) -> AsyncServerConnection:
        """Open a connection for a subscription; `hang_up` closes it."""
        wire = await self.connect()
        self._listening.add(wire)
        if self.demoted:
            await self.hang_up(wire)
            raise connection_error("the server is the master no more")
        return wire

    async def hang_up(self, wire: AsyncServerConnection) -> None:
        """Close the connection of a subscription."""
        self._listening.discard(wire)
        await wire.close()

    async def connect(self, seconds: float | None = None) -> AsyncServerConnection:
        """Open a new connection; what answers may be another server than before."""
        wire = self._wires()
        wire.rest = self._rest
        try:
            await wire.connect(seconds)
        except BaseException:
            await wire.close()
            raise
        self.clock.invalidate()
        self._opened += 1
        return wire

    # -------------------------------------------------------------- the clock

    async def learn_time(self, ahead: float = 0.0) -> None:
        """Ask the server for its time when the last answer is too old, or will be soon."""
        if not self.clock.stale(monotonic() + ahead):
            return
        if not self._looked:
            await self._look_for_eviction()
        samples: list[tuple[float, float, float]] = []
        for _ in range(_SAMPLES):
            opened = self._opened
            try:
                sent, (seconds, micros) = await self._timed_call(("TIME",))
            except (ServerError, OSError):
                if not samples:
                    raise
                break  # whoever comes next hears of it
            received = monotonic()
            if self._opened != opened:  # those before may be another server's
                samples.clear()
            samples.append((received - sent, sent, int(seconds) * 1000 + int(micros) / 1000))
            if received - sent < _EXACT:
                break
        took, sent, server_ms = min(samples)
        self.clock.sample(sent, sent + took, server_ms)

    async def _look_for_eviction(self) -> None:
        """Say once that the server drops keys when its memory is full, where it tells us."""
        reply = None
        with contextlib.suppress(ReplyError):  # no right to ask
            reply = await self.call(*LOOK)
        self._looked = True
        if policy := evicting(reply):
            log.warning(
                "the server evicts keys when its memory is full (maxmemory-policy %s): then "
                "queues and pending items vanish; let it be noeviction",
                policy,
            )

    # -------------------------------------------------------------- the end

    async def release(self, wire: AsyncServerConnection) -> None:
        """Take back a connection on which nothing is outstanding."""
        wire.used = monotonic()
        if len(self._idle) < _MAX_IDLE:
            self._idle.append(wire)
        else:
            await wire.close()
        if self._ended:  # asked last: another thread may have ended the server just now
            await self.leave()

    async def send_away(self) -> None:
        """Let those who wait or listen here go to the server that has taken over."""
        for wire in list(self._listening):
            await wire.abort()
        try:
            for _ in range(_UNBLOCKS):  # who is about to wait is not to be unblocked yet
                for exchange in self._waits():
                    await self.unblock(exchange)
                if not self._waits():
                    break
                await sleep_async(0.05)
        except (ServerError, OSError):
            pass  # it then ends with its slice
        finally:
            await self.end()

    def _waits(self) -> list[AsyncExclusive]:
        return [each for each in tuple(self._waiting) if each.wire.process == process()]

    def busy(self) -> bool:
        """Tell whether anybody waits or listens here."""
        return bool(self._listening or self._waits())

    async def leave(self) -> None:
        """Use the connections of now for nothing new: they may lead to another server."""
        await self.quick.leave(end=self._ended)
        while wire := self._pop():
            await wire.close()

    async def end(self) -> None:
        """Close the idle connections, and each of the others when it comes back."""
        self._ended = True
        await self.leave()

    def _pop(self) -> AsyncServerConnection | None:
        try:  # to look first whether there is one would be no promise: threads share the wires
            return self._idle.pop()
        except IndexError:
            return None

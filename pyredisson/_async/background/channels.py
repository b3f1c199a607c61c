"""One subscription connection for all the channels that a client hears.

It only brings hints: what it says makes a job run earlier, and what it
misses costs time, never an item.  The rule: a connection that says nothing
is asked with PING, and one that leaves a PING unanswered is replaced; that
PING is refused is an answer, too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

from pyredisson._async.link.capabilities import refused
from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.topology.topology import AsyncTopology
from pyredisson._runtime.concurrency import AsyncEvent, AsyncLock, monotonic
from pyredisson._transport.errors import connection_error, reply_error
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.capabilities import AGAIN
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.server_errors import (
    LOST,
    NoPermissionError,
    ReplyError,
    ServerError,
    ServerTimeoutError,
)

log = logging.getLogger("pyredisson")

_CHUNK = 500
_CUTS = 3
"""So often SUBSCRIBE ends a connection of a server that answers else, as some proxies do."""
_SHOWN = 3
"""Channels that a warning names."""
_NOT_NEEDED = ("'ping'", "'unsubscribe'")
"""Commands whose refusal does no harm, as most servers name them."""


class AsyncChannels:
    """Keeps the wanted channels subscribed and reports what comes.

    Args:
        topology: where to connect.
        on_subscribed: called with a channel each time the server confirms it.
        on_message: called with a channel and the payload.
        ping_after: seconds of silence after which the connection is asked.
        answer_within: seconds that the answer may take.
    """

    def __init__(
        self,
        topology: AsyncTopology,
        on_subscribed: Callable[[str], None],
        on_message: Callable[[str, bytes], None],
        ping_after: float,
        answer_within: float,
    ) -> None:
        self._topology = topology
        self._on_subscribed = on_subscribed
        self._on_message = on_message
        self._ping_after = ping_after
        self._answer_within = answer_within
        self._wanted: set[str] = set()
        self._asked: set[str] = set()
        self._changed = False
        self._wire: AsyncServerConnection | None = None
        self._sending = AsyncLock()
        self._wakeup = AsyncEvent()
        self._closing = False
        self._idle = False
        self.confirmed: set[str] = set()
        self.sessions = 0
        self._cut = 0
        self._outages = Outages()

    def want(self, channel: str) -> None:
        """Add a channel; `settle` makes it so."""
        self._wanted.add(channel)
        self._changed = True

    def unwant(self, channel: str) -> None:
        """Give up a channel; `settle` makes it so."""
        self._wanted.discard(channel)
        self._changed = True

    async def settle(self) -> None:
        """Ask the server for what is wanted and not yet asked for, and the reverse."""
        if not self._changed:
            return
        wire = self._wire
        if wire is None:
            if self._idle:  # else it is connecting, or pausing for a reason
                self._wakeup.set()
            return
        async with self._sending:
            self._changed = False
            before, self._asked = (
                self._asked,
                set(self._wanted),
            )  # first: the answer may come at once
            for word, channels in (
                ("SUBSCRIBE", sorted(self._asked - before)),
                ("UNSUBSCRIBE", sorted(before - self._asked)),
            ):
                for start in range(0, len(channels), _CHUNK):
                    await wire.send(word, *channels[start : start + _CHUNK])

    async def work(self) -> None:
        """Serve until `close`: connect, listen, and connect again after whatever happens."""
        backoff = Backoff()
        while not self._closing:
            self._idle = True
            if not self._wanted:
                await self._wakeup.wait(60.0)
                continue
            self._idle = False
            sessions = self.sessions
            try:
                await self._session()
            except Exception as error:
                if self._closing:
                    return
                if isinstance(error, ReplyError) and refused(error):
                    self._refused(error)
                    backoff = Backoff(AGAIN, AGAIN)
                else:
                    self._lost(error)
            if self._closing:
                return
            if self.sessions > sessions:
                backoff = Backoff()
            await self._wakeup.wait(backoff.pause())

    def _refused(self, error: ReplyError) -> None:
        news = self._outages.begins("refused", monotonic())
        needed = [f"&{channel}" for channel in sorted(self._wanted)]
        needed[_SHOWN:] = ["…"] if len(needed) > _SHOWN else []
        right = f"; it needs +subscribe {' '.join(needed)}"
        log.log(
            logging.WARNING if news else logging.DEBUG,
            "SUBSCRIBE is refused (%s): transfer tasks only look, every %g s (safety_interval)%s",
            error,
            self._ping_after,
            right if isinstance(error, NoPermissionError) else "",
        )

    def _lost(self, error: Exception) -> None:
        news = self._outages.begins("lost", monotonic())
        level = logging.INFO if news else logging.DEBUG
        log.log(level, "the subscription is lost (%s): transfer tasks poll until it is back", error)

    def _back(self) -> None:
        now = monotonic()
        if (seconds := self._outages.ended("refused", now)) is not None:
            log.warning("SUBSCRIBE is allowed again after %.1f s", seconds)
        if (seconds := self._outages.ended("lost", now)) is not None:
            log.info("the subscription is back after %.1f s", seconds)

    async def _session(self) -> None:
        server, sessions = await self._topology.any_server(), self.sessions
        try:
            await self._serve(server)
        except LOST as error:
            await self._topology.lost(server)
            heard = self.sessions > sessions
            self._cut = 0 if heard or not await _answers(server) else self._cut + 1
            if self._cut < _CUTS:
                raise
            raise reply_error("it ends the connection, and others are answered") from error

    async def _serve(self, server: AsyncServer) -> None:
        wire = await server.listen()
        try:
            self._asked, self._changed = set(), True
            self._wire = wire
            await self.settle()
            await self._listen(wire)
        finally:
            self._wire = None
            self.confirmed.clear()
            await server.hang_up(wire)

    async def _listen(self, wire: AsyncServerConnection) -> None:
        silent = False
        while not self._closing:
            try:
                message = await wire.wait(self._answer_within if silent else self._ping_after)
            except ServerTimeoutError:
                if silent:
                    raise connection_error("a PING was left unanswered") from None
                silent = True
                await self._ping(wire)
            except ReplyError as error:
                if not refused(error) or not self._is_harmless(error):
                    raise
                silent = False
            else:
                silent = False
                self._dispatch(message)

    def _is_harmless(self, error: ReplyError) -> bool:
        """Tell whether something else than SUBSCRIBE is refused."""
        subscribed = self._asked <= self.confirmed
        return subscribed or any(word in str(error).lower() for word in _NOT_NEEDED)

    async def _ping(self, wire: AsyncServerConnection) -> None:
        async with self._sending:
            await wire.send("PING")

    def _dispatch(self, message: Any) -> None:
        if not isinstance(message, list) or len(message) != 3:
            return  # the answer to a PING
        kind, channel = bytes(message[0]), bytes(message[1] or b"").decode("utf-8", "replace")
        if kind == b"message":
            self._on_message(channel, message[2])
        elif kind == b"subscribe":
            if channel not in self.confirmed:
                if not self.confirmed:
                    self.sessions += 1
                    self._back()
                self.confirmed.add(channel)
            self._on_subscribed(channel)
        elif kind == b"unsubscribe":
            self.confirmed.discard(channel)

    async def close(self) -> None:
        """Let `work` end soon."""
        self._closing = True
        self._wakeup.set()
        wire = self._wire
        if wire is not None:
            await wire.abort()  # wakes the listener, who closes it


async def _answers(server: AsyncServer) -> bool:
    """Tell whether a server answers anything."""
    try:
        await server.call("PING")
    except ReplyError:
        return True
    except (ServerError, OSError):
        return False
    return True

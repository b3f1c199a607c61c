"""A connection for subscriptions to ordinary channels; the base of the other connections.

Messages are hints: a message makes a job run earlier. A lost message costs time, never an item. The
rule: a silent connection is checked with PING, and replaced if no reply comes. An error reply
counts as a reply. If a command is rejected because of one of its channels, each channel gets a
command of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pyredisson._async.background.unanswered import Unanswered
from pyredisson._async.link.capabilities import refused
from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.topology.topology import AsyncTopology
from pyredisson._runtime.concurrency import AsyncEvent, AsyncLock, AsyncTask, monotonic
from pyredisson._transport.errors import connection_error, reply_error
from pyredisson.errors import ClosedError
from pyredisson.protocol.kernel.backoff import Pauses
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
"""The most channels that one command names."""
_CUTS = 3
"""If this many connections in a row end at SUBSCRIBE, while the server answers PING, that counts as
a rejection. Some proxies reject a command in this way."""
_SHOWN = 3
"""The most channels that a warning names."""
_MESSAGES = (b"message", b"smessage")
_CONFIRMED = (b"subscribe", b"ssubscribe", b"psubscribe")
_ENDED = (b"unsubscribe", b"sunsubscribe", b"punsubscribe")


class AsyncChannels:
    """Keeps the wanted ordinary channels subscribed at one server, and reports their messages.

    Args:
        topology: finds the server.
        on_subscribed: called with a channel each time the server confirms its subscription.
        on_message: called with the subscribed channel or pattern, the message's channel, payload.
        ping_after: seconds of silence after which a PING is sent.
        answer_within: seconds that the reply to the PING may take.
    """

    word = "SUBSCRIBE"
    """The command that subscribes. `settle` derives the name of the command that unsubscribes."""

    def __init__(
        self,
        topology: AsyncTopology,
        on_subscribed: Callable[[str], None],
        on_message: Callable[[str, str, bytes], None],
        ping_after: float,
        answer_within: float,
    ) -> None:
        self._topology = topology
        self._on_subscribed = on_subscribed
        self._on_message = on_message
        self._ping_after = ping_after
        self._answer_within = answer_within
        self._wanted: set[str] = set()
        self._requested: set[str] = set()
        self._leaving: list[str] = []
        self._unanswered = Unanswered()
        self._forbidden: dict[str, Exception] = {}
        self._newly_forbidden: list[str] = []
        self._ask_again_at = 0.0
        self._changed = False
        self._conn: AsyncServerConnection | None = None
        self._sending = AsyncLock()
        self._wakeup = AsyncEvent()
        self._closing = False
        self._idle = False
        self.confirmed: set[str] = set()
        self.sessions = 0
        self.failure: Exception | None = None
        """The error of the last attempt; None before an error and after any confirmation."""
        self._tried: set[str] = set()
        """The channels that `failure` concerns; without channels that were added again since."""
        self._cut = 0
        self._outages = Outages()
        self.task: AsyncTask | None = None

    # -------------------------------------------------------------- its task

    def start(self, life: AsyncLifetime) -> AsyncTask:
        """Start the task and return it."""
        self.task = life.begin(self.work, "pyredisson subscription")
        return self.task

    @property
    def alive(self) -> bool:
        """Whether its task runs in this process and event loop."""
        return self.task is not None and self.task.alive

    async def stop(self, seconds: float) -> None:
        """Wait up to `seconds` for the end of the task, after `close`; see `AsyncTask.stop`."""
        if self.task is not None:
            await self.task.stop(seconds)

    # -------------------------------------------------------------- channels

    def want(self, channel: str) -> None:
        """Add a channel; `settle` subscribes to it."""
        self._tried.discard(channel)
        self._wanted.add(channel)
        self._try_again(channel)

    def unwant(self, channel: str) -> None:
        """Remove a channel; `settle` unsubscribes from it."""
        self._wanted.discard(channel)
        self._try_again(channel)

    def _try_again(self, channel: str) -> None:
        self._forbidden.pop(channel, None)
        self._changed = True
        if isinstance(self.failure, ReplyError):  # maybe the server rejects one channel only
            self._wakeup.set()

    def failure_of(self, channel: str) -> Exception | None:
        """Return why a channel is not subscribed; None if no failure followed its addition."""
        return self._forbidden.get(channel) or (self.failure if channel in self._tried else None)

    async def settle(self) -> None:
        """Subscribe to new channels and unsubscribe from removed ones."""
        if not self._changed:
            return
        conn = self._conn
        if conn is None:
            if self._idle:  # otherwise the task connects, or pauses after an error
                self._wakeup.set()
            return
        async with self._sending:
            self._changed = False
            before = self._requested
            self._requested = self._wanted - self._forbidden.keys()  # before a reply can come
            self.confirmed &= self._requested
            reverse = self.word.replace("SUB", "UNSUB")
            self._leaving += sorted(before - self._requested)  # in the order of the replies
            for word, channels in (
                (self.word, sorted(self._requested - before)),
                (reverse, sorted(before - self._requested)),
            ):
                for some in self._sent_together(channels):
                    await self._send(conn, word, some)

    async def _send(self, conn: AsyncServerConnection, word: str, channels: Iterable[str]) -> None:
        self._unanswered.add(word, channels)
        await conn.send(word, *channels)

    def _sent_together(self, channels: list[str]) -> Iterator[list[str]]:
        """Split channels into groups that one command may name."""
        for start in range(0, len(channels), _CHUNK):
            yield channels[start : start + _CHUNK]

    async def work(self) -> None:
        """Connect and listen until `close`; connect again after any error but ClosedError."""
        backoff = Pauses()
        while not self._closing:
            self._idle = True
            if not self._wanted:
                await self._wakeup.wait(60.0)
                continue
            self._idle = False
            sessions, self._requested = self.sessions, set(self._wanted)
            try:
                await self._session()
            except ClosedError:
                return
            except Exception as error:
                if self._closing:
                    return
                self._tried, self.failure = self._requested & self._wanted, error
                if isinstance(error, ReplyError) and refused(error):
                    self._rejected(error, self._wanted)
                    backoff = Pauses(AGAIN, AGAIN)
                else:
                    self._lost(error)
            if self._closing:
                return
            if self.sessions > sessions:
                backoff = Pauses()
            await self._wakeup.wait(backoff.pause())

    def _rejected(self, error: ReplyError, named: Iterable[str], *, is_new: bool = False) -> None:
        is_new = self._outages.begins("rejected", monotonic()) or is_new
        level = logging.WARNING if is_new else logging.DEBUG
        self._log_rejected(level, error, _permissions(error, self.word, named))

    def _log_rejected(self, level: int, error: ReplyError, permissions: str) -> None:
        log.log(
            level,
            "SUBSCRIBE is rejected (%s): transfer tasks poll every %g s (safety_interval)%s",
            error,
            self._ping_after,
            permissions,
        )

    def _lost(self, error: Exception) -> None:
        level = logging.INFO if self._outages.begins("lost", monotonic()) else logging.DEBUG
        log.log(level, "a subscription is lost (%s): jobs poll until it is back", error)

    def _log_recovery(self) -> None:
        now = monotonic()
        if not self._forbidden and (seconds := self._outages.ended("rejected", now)) is not None:
            log.warning("%s is allowed again after %.1f s", self.word, seconds)
        if (seconds := self._outages.ended("lost", now)) is not None:
            log.info("a subscription is back after %.1f s", seconds)

    async def _session(self) -> None:
        server, sessions = await self._topology.any_server(), self.sessions
        try:
            await self._serve(server)
        except LOST as error:
            await self._topology.lost(server)
            confirmed = self.sessions > sessions
            self._cut = 0 if confirmed or not await _answers(server) else self._cut + 1
            if self._cut < _CUTS:
                raise
            raise reply_error(
                "the server ends the connection, and answers other commands"
            ) from error

    async def _serve(self, server: AsyncServer) -> None:
        conn = await server.listen()
        try:
            self._requested, self._leaving, self._changed = set(), [], True
            self._unanswered.clear()
            self._ask_again_at = 0.0
            self._conn = conn
            await self.settle()
            await self._listen(conn)
        finally:
            self._conn = None
            self.confirmed.clear()
            await server.hang_up(conn)

    async def _listen(self, conn: AsyncServerConnection) -> None:
        silent = False
        while not self._closing:
            if self._forbidden and monotonic() >= self._ask_again_at:
                await self._subscribe_each(conn, {*self._forbidden})
            pause = min(self._ping_after, AGAIN) if self._forbidden else self._ping_after
            pinged, silent = silent, False
            try:
                message = await conn.wait(self._answer_within if pinged else pause)
            except ServerTimeoutError:
                if pinged:
                    raise connection_error("no reply to PING") from None
                silent = True
                await self._ping(conn)
                await self._topology.look()
            except ReplyError as error:
                await self._on_error(conn, error)
            else:
                self._dispatch(message)

    async def _on_error(self, conn: AsyncServerConnection, error: ReplyError) -> None:
        """Handle an error reply, which belongs to the first command without a reply.

        Raises:
            ReplyError: `error`, unless it rejects single channels, a PING or an unsubscription.
        """
        word, channels = self._unanswered.pop() or (self.word, set())
        if word != self.word and refused(error):
            if channels:
                self._leaving.clear()
        elif not isinstance(error, NoPermissionError) or "channel" not in str(error).lower():
            raise error
        elif len(channels) > 1:
            await self._subscribe_each(conn, channels & self._requested)
        else:
            self._forbid(channels, error)

    async def _subscribe_each(self, conn: AsyncServerConnection, channels: set[str]) -> None:
        self._ask_again_at = monotonic() + AGAIN
        async with self._sending:
            channels &= self._wanted
            self._requested |= channels
            for channel in sorted(channels):
                await self._send(conn, self.word, (channel,))

    def _forbid(self, channels: set[str], error: ReplyError) -> None:
        for channel in channels & self._wanted:
            if channel not in self._forbidden:
                self._newly_forbidden.append(channel)
            self._forbidden[channel] = error
        self._requested -= channels
        self._ask_again_at = monotonic() + AGAIN
        if self._newly_forbidden and self._unanswered.next_word != self.word:
            named, self._newly_forbidden = self._newly_forbidden, []
            self._rejected(error, named, is_new=True)

    async def _ping(self, conn: AsyncServerConnection) -> None:
        async with self._sending:
            await self._send(conn, "PING", ())

    def _dispatch(self, message: Any) -> None:
        if not isinstance(message, list) or len(message) != 3:
            self._unanswered.note("")  # the reply to a PING
            return
        kind, channel = bytes(message[0]), bytes(message[1] or b"").decode("utf-8", "replace")
        if kind in _MESSAGES:
            self._on_message(channel, channel, message[2])
        elif kind in _CONFIRMED:
            self._unanswered.note(channel)
            self.failure = None
            self._forbidden.pop(channel, None)
            if channel in self._leaving:
                return  # the command that unsubscribes it is already sent
            if channel not in self.confirmed:
                self.sessions += not self.confirmed
                self.confirmed.add(channel)
                self._log_recovery()
            self._on_subscribed(channel)
        elif kind in _ENDED:
            self._unanswered.note(channel)
            self.confirmed.discard(channel)
            if channel in self._leaving:
                self._leaving.remove(channel)
            elif channel in self._requested:
                self._on_unsubscribed(channel)

    def _on_unsubscribed(self, channel: str) -> None:
        """Handle a subscription that the server ended; servers do this to sharded channels only."""

    async def close(self) -> None:
        """Make `work` end soon."""
        self._closing = True
        self._wakeup.set()
        conn = self._conn
        if conn is not None:
            await conn.abort()  # wakes the listening task, which closes `conn`


def _permissions(error: ReplyError, word: str, channels: Iterable[str]) -> str:
    """Return the end of a log line: the permissions that the Redis user needs.

    Return "" if the error is not about permissions.
    """
    if not isinstance(error, NoPermissionError):
        return ""
    named = [f"&{channel}" for channel in sorted(channels)]
    named[_SHOWN:] = ["…"] if len(named) > _SHOWN else []
    return f"; it needs +{word.lower()} {' '.join(named)}"


async def _answers(server: AsyncServer) -> bool:
    """Return whether a server answers a PING; an error reply is an answer, too."""
    try:
        await server.call("PING")
    except ReplyError:
        return True
    except (ServerError, OSError):
        return False
    return True

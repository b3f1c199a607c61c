"""The copies of one local cached map, and the messages that keep them fresh.

The rule: a copy is the server's value as of the last message, or is not used.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from math import inf
from typing import Generic, Literal, TypeVar

from pyredisson._async.background.interfaces import AsyncChannelListener, AsyncPeriodicJob
from pyredisson._async.background.kernel import AsyncBackground
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import AsyncEvent, StateLock, monotonic
from pyredisson.errors import DecodeError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.highway_hash import hash_bytes
from pyredisson.protocol.local_maps.copies import MISSING, Copies, Limits, Read
from pyredisson.protocol.local_maps.map import LocalMapProtocol
from pyredisson.protocol.local_maps.messages import (
    Clear,
    Disable,
    Enable,
    Invalidate,
    Message,
    Update,
    parse,
)
from pyredisson.server_errors import LOST

K = TypeVar("K")
V = TypeVar("V")

Reconnect = Literal["clear", "load", "none"]
_CHECK = 10.0
"""Seconds between two looks at the subscription, with "load"."""
_MARGIN = 60.0
"""Seconds before the last such look from which on messages may be missing."""
_LOG_MS = 600_000
"""Milliseconds after which the log of changes may lack some."""
_RETRY = 1.0


class AsyncPlainTopic(AsyncChannelListener):
    """Receives what is published by PUBLISH in a cluster: by old releases, and transactions."""

    def __init__(self, copies: AsyncLocalCopies[K, V]) -> None:
        self.channels = copies.channels
        self._copies = copies

    def on_subscribed(self, channel: str) -> None:
        """Handle a new subscription as one of the other kind."""
        self._copies.on_subscribed(channel)

    def on_message(self, channel: str, payload: bytes) -> None:
        """Handle a message as one of the other kind."""
        self._copies.on_message(channel, payload)


class AsyncLocalCopies(AsyncPeriodicJob, AsyncChannelListener, Generic[K, V]):
    """The copies of one map object; it listens from the first `begin` on.

    Args:
        background: listens, and answers messages.
        protocol: the operations of the map.
        limits: the bounds of the copies.
        reconnection_strategy: what happens when the subscription is back: "clear" drops all copies,
            "load" those that the log of changes names; "none" uses copies also meanwhile.
        clustered: whether there are two kinds of channels.
    """

    sharded = True

    def __init__(
        self,
        background: AsyncBackground,
        protocol: LocalMapProtocol[K, V],
        limits: Limits,
        reconnection_strategy: Reconnect,
        *,
        clustered: bool,
    ) -> None:
        self.key = protocol.name
        self._topic = protocol.topic
        self.channels = (self._topic,)
        self._background, self._is_subscribed = background, background.is_subscribed
        self._protocol = protocol
        self._reconnect = reconnection_strategy
        self._copies: Copies[K, V] = Copies(limits)
        self._timed = limits.timed
        self._plain = AsyncPlainTopic(self) if clustered else None
        self._acquired = False
        self._lock = StateLock()
        self._outbox: deque[Operation[None]] = deque()
        self._paused_until = -inf
        self._session = 0
        self._unchecked = False
        self._looked = self._good = -inf
        self.subscribed = AsyncEvent()

    def __repr__(self) -> str:
        return f"local copies of map {self.key!r}"

    # -------------------------------------------------------------- copies

    def get(self, field: bytes) -> V | None:
        """Return the copy of an encoded key, or `MISSING`."""
        if self._reconnect != "none" and (self._unchecked or not self._listens()):
            return MISSING  # type: ignore[no-any-return]  # fits any type
        if not self._timed:  # without a lock, which takes as long as all the rest
            return self._copies.get(field, 0.0)
        with self._lock.held:
            return self._copies.get(field, monotonic())

    def _listens(self) -> bool:
        return self._is_subscribed(self._topic, sharded=True) and (
            self._plain is None or self._is_subscribed(self._topic)
        )

    def open(self) -> None:
        """Start to listen."""
        if not self._acquired:
            self._background.acquire(self, lambda: self)
            if (plain := self._plain) is not None:
                self._background.acquire(plain, lambda: plain)
            self._acquired = True

    def close(self) -> None:
        """Listen no longer, and drop all copies."""
        self._acquired = False  # first: else, after Ctrl-C, it never listens again
        self._background.end(self)
        if self._plain is not None:
            self._background.end(self._plain)
        self.clear()

    def begin(self, fields: Iterable[bytes]) -> Read:
        """Note that keys are about to be read; without a subscription they will not be kept."""
        self.open()
        with self._lock.held:
            return self._copies.begin(fields if self._listens() else ())

    def end(self, read: Read, found: Mapping[bytes, tuple[K, V | None]]) -> None:
        """Keep what was read, by encoded key, unless it was dropped meanwhile."""
        with self._lock.held:
            self._copies.end(read, found, monotonic())

    @property
    def version(self) -> int | None:
        """Changes when something is dropped; None without a subscription."""
        return self._copies.version if self._listens() else None

    def keep(self, version: int | None, found: Mapping[bytes, tuple[K, V]]) -> None:
        """Keep what was read since `version`, by encoded key, unless anything was dropped."""
        with self._lock.held:
            if version is not None and version == self._copies.version:
                for field, entry in found.items():
                    self._copies.put(field, hash_bytes(field), *entry, monotonic())

    def drop(self, hashes: Iterable[bytes] | None) -> None:
        """Drop keys, None for all."""
        if hashes is None:
            return self.clear()
        with self._lock.held:
            return self._copies.drop(hashes)

    def clear(self) -> None:
        """Drop all copies."""
        with self._lock.held:
            self._copies.clear()

    def items(self) -> dict[K, V]:
        """Return the keys and values that have copies."""
        with self._lock.held:
            return self._copies.items(monotonic())

    # -------------------------------------------------------------- messages

    def on_subscribed(self, channel: str) -> None:
        """Handle a new subscription: messages may have been lost before it."""
        with self._lock.held:
            self._session += 1
            if self._reconnect == "clear":
                self._copies.clear()
            else:
                self._copies.interrupt()
            self._unchecked = self._reconnect == "load" and len(self._copies) > 0
            self._looked = -inf
        self.subscribed.set()

    def on_message(self, channel: str, payload: bytes) -> None:
        """Apply a message; drop everything if it cannot be read."""
        try:
            message = parse(payload)
        except ValueError:
            message = Clear("")
        if message is not None:
            with self._lock.held:
                self._outbox.extend(self._apply(message, monotonic()))

    def _apply(self, message: Message, now: float) -> Iterator[Operation[None]]:
        """Apply a message; return what to answer."""
        match message:
            case Clear():
                self._copies.clear()
                if message.request:
                    yield self._protocol.answer(message.request)
            case Invalidate():
                self._copies.drop(message.hashes)
            case Update():
                for entry in message.entries:
                    self._update(entry, now)
            case Disable():
                self._copies.disable(message.hashes, now, message.seconds)
                yield self._protocol.acknowledge(message.request)
            case Enable():
                self._copies.enable(message.hashes)

    def _update(self, entry: tuple[bytes, bytes], now: float) -> None:
        field, digest = entry[0], hash_bytes(entry[0])
        wanted = self._protocol.sync_strategy == "update" or self._copies.has(field)
        self._copies.drop([digest])
        if wanted and self._listens():
            try:
                key, value = self._protocol.read_entry(entry)
            except DecodeError:
                return  # `get` raises it
            self._copies.put(field, digest, key, value, now)

    # -------------------------------------------------------------- background work

    def time_passed(self, seconds: float) -> None:
        """Let copies grow older; drop all if everything begins anew."""
        with self._lock.held:
            self._copies.age(seconds)

    def wait_seconds(self) -> float:
        """Return the seconds until there is something to answer or to check."""
        now = monotonic()
        if self._outbox or self._unchecked:
            return max(self._paused_until - now, 0.0)
        return max(self._looked + _CHECK - now, 0.0) if self._reconnect == "load" else inf

    def skipped(self) -> None:
        """Try again soon."""
        self._paused_until = monotonic() + _RETRY

    async def run(self, link: AsyncLink) -> None:
        """Answer messages; with "load" check which copies are still right."""
        try:
            while self._outbox:
                await self._answer(link, self._outbox.popleft())
            if self._unchecked:
                await self._check(link)
        except BaseException:
            self.skipped()
            raise
        self._looked = monotonic()
        if not self._unchecked and self._listens():
            self._good = self._looked

    async def _answer(self, link: AsyncLink, answer: Operation[None]) -> None:
        try:
            await link.request(answer)
        except LOST:
            self._outbox.appendleft(answer)
            raise

    async def _check(self, link: AsyncLink) -> None:
        session, clock = self._session, await link.clock(self.key)
        since = int(clock.earliest_ms(self._good - _MARGIN))
        changes = await link.request(self._protocol.changes(since))
        with self._lock.held:
            if session != self._session:
                return  # once more
            if changes.hashes is None or changes.now_ms - since > _LOG_MS:
                self._copies.clear()
            else:
                self._copies.drop(changes.hashes)
            self._unchecked = False

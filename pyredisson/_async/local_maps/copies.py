"""The local copies of one map's values, and the messages that keep the copies up to date.

The rule: a message about a key drops or replaces the copy of this key. While messages may be lost,
no copies are used, except with the strategy "none".
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
"""Seconds between two checks of the subscription, with "load"."""
_MARGIN = 60.0
"""Messages of this many seconds before the last good check may be missing, too."""
_LOG_MS = 600_000
"""Changes older than this number of milliseconds may be missing in the log of changes."""
_RETRY = 1.0


class AsyncPlainTopic(AsyncChannelListener):
    """Receives what old releases and transactions of Redisson send by PUBLISH in a cluster."""

    def __init__(self, copies: AsyncLocalCopies[K, V]) -> None:
        self.channels = copies.channels
        self._copies = copies

    def on_subscribed(self, channel: str) -> None:
        """Pass a new subscription to the copies."""
        self._copies.on_subscribed(channel)

    def on_message(self, channel: str, payload: bytes) -> None:
        """Pass a message to the copies."""
        self._copies.on_message(channel, payload)


class AsyncLocalCopies(AsyncPeriodicJob, AsyncChannelListener, Generic[K, V]):
    """The local copies of one map object; the first `open` or `begin` subscribes to the topic.

    Args:
        background: runs the subscription, and sends answers to messages.
        protocol: the operations of the map.
        limits: the bounds of the copies.
        reconnection_strategy: what happens when a lost subscription is restored. "clear" drops all
            copies. "load" drops the copies that the log of changes names. "none" drops no copies;
            then copies are used also while the subscription is lost.
        clustered: whether messages may come by PUBLISH and by SPUBLISH.
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
        """Return the copy of an encoded key, or `MISSING` if there is none that can be used.

        None is the copy of a key that the map does not have.
        """
        if self._reconnect != "none" and (self._unchecked or not self._listens()):
            return MISSING  # type: ignore[no-any-return]  # fits any type
        if not self._timed:  # without the lock, which would double the time
            return self._copies.get(field, 0.0)
        with self._lock.held:
            return self._copies.get(field, monotonic())

    def _listens(self) -> bool:
        return self._is_subscribed(self._topic, sharded=True) and (
            self._plain is None or self._is_subscribed(self._topic)
        )

    def open(self) -> None:
        """Begin the subscription, if `open` has not done so before."""
        if not self._acquired:
            self._background.acquire(self, lambda: self)
            if (plain := self._plain) is not None:
                self._background.acquire(plain, lambda: plain)
            self._acquired = True

    def close(self) -> None:
        """End the subscription, and drop all copies."""
        self._acquired = False  # first: after a Ctrl-C below, `open` must subscribe again
        self._background.end(self)
        if self._plain is not None:
            self._background.end(self._plain)
        self.clear()

    def begin(self, fields: Iterable[bytes]) -> Read:
        """Note that keys are about to be read; if not subscribed, `end` will keep no copies."""
        self.open()
        with self._lock.held:
            return self._copies.begin(fields if self._listens() else ())

    def end(self, read: Read, found: Mapping[bytes, tuple[K, V | None]]) -> None:
        """Keep the values that were read, except those of keys that were dropped since `begin`.

        `found` has keys and values by encoded key.
        """
        with self._lock.held:
            self._copies.end(read, found, monotonic())

    @property
    def version(self) -> int | None:
        """A number that changes with each drop; None without a subscription."""
        return self._copies.version if self._listens() else None

    def keep(self, version: int | None, found: Mapping[bytes, tuple[K, V]]) -> None:
        """Keep values, by encoded key; do nothing if `version` is None or has changed meanwhile."""
        with self._lock.held:
            if version is not None and version == self._copies.version:
                for field, entry in found.items():
                    self._copies.put(field, hash_bytes(field), *entry, monotonic())

    def drop(self, hashes: Iterable[bytes] | None) -> None:
        """Drop the copies of keys, by the hashes of the encoded keys; None drops all copies."""
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
        """Apply a message; drop all copies if the message cannot be read."""
        try:
            message = parse(payload)
        except ValueError:
            message = Clear("")
        if message is not None:
            with self._lock.held:
                self._outbox.extend(self._apply(message, monotonic()))

    def _apply(self, message: Message, now: float) -> Iterator[Operation[None]]:
        """Apply a message; yield the operations that answer it."""
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
                return  # the next `get` reads the value and raises the error
            self._copies.put(field, digest, key, value, now)

    # -------------------------------------------------------------- background work

    def time_passed(self, seconds: float) -> None:
        """Make copies older; infinite seconds drop all copies."""
        with self._lock.held:
            self._copies.age(seconds)

    def wait_seconds(self) -> float:
        """Return the seconds until `run` has to send an answer or to check; `inf` for no run."""
        now = monotonic()
        if self._outbox or self._unchecked:
            return max(self._paused_until - now, 0.0)
        return max(self._looked + _CHECK - now, 0.0) if self._reconnect == "load" else inf

    def skipped(self) -> None:
        """Let the next run wait for `_RETRY` seconds."""
        self._paused_until = monotonic() + _RETRY

    async def run(self, link: AsyncLink) -> None:
        """Answer messages. With "load", drop copies that a lost message would have dropped."""
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
                return  # a newer subscription: the next run checks
            if changes.hashes is None or changes.now_ms - since > _LOG_MS:
                self._copies.clear()
            else:
                self._copies.drop(changes.hashes)
            self._unchecked = False

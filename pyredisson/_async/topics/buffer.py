"""The buffer of one listener: messages, and notes that messages are or may be missing.

The rule: a full buffer drops its oldest message and counts it. The kernel never waits
for a listener.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable

from pyredisson._async.background.interfaces import AsyncChannelListener
from pyredisson._runtime.concurrency import AsyncEvent, StateLock
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.topics.message import MissedMessages

log = logging.getLogger("pyredisson")

Received = tuple[str, bytes]
"""A channel and the bytes of a message."""


class AsyncBuffer(AsyncChannelListener):
    """A channel listener that keeps messages until its program takes them.

    Args:
        name: the channel, or the pattern.
        limit: the most messages that the buffer keeps; None for no limit.
        only_sharded: whether messages come by SPUBLISH.
        patterns: whether `name` is a pattern.
        abandoned: returns whether the program has dropped the object that reads this buffer.
        release: ends the subscription.
    """

    inherited = False

    def __init__(
        self,
        name: str,
        limit: int | None,
        *,
        only_sharded: bool,
        patterns: bool,
        abandoned: Callable[[], bool],
        release: Callable[[], None],
    ) -> None:
        self.channels = (name,)
        self.sharded = self.only_sharded = only_sharded
        self.patterns = patterns
        self.subscribed = False
        self.closed = False
        self.event = AsyncEvent()
        self._limit = limit
        self._abandoned = abandoned
        self._release = release
        self._items: deque[Received | MissedMessages] = deque()
        self._missed: MissedMessages | None = None
        self._slow = False
        self._lock = StateLock()

    def on_subscribed(self, channel: str) -> None:
        """Note that the channel is subscribed. If it was already, messages may be missing."""
        if self.subscribed:
            self._put(MissedMessages(channel))
            log.warning(
                "messages of topic %r may be missing: the subscription was interrupted",
                channel,
                extra=about(channel),
            )
        self.subscribed = True
        self.event.set()

    def on_message(self, channel: str, payload: bytes) -> None:
        """Keep a message, or end the subscription if the program has dropped the reader."""
        if self._abandoned():
            self.close()
        else:
            self._put((channel, payload))
            self.event.set()

    def _put(self, item: Received | MissedMessages) -> None:
        with self._lock.held:
            self._items.append(item)
            if self._limit is None or len(self._items) <= self._limit:
                return
            dropped = 0 if self._missed is None else self._missed.dropped
            dropped += not isinstance(self._items.popleft(), MissedMessages)
            self._missed = MissedMessages(self.channels[0], dropped)
            was_slow, self._slow = self._slow, True
        if not was_slow:
            log.warning(
                "a listener of topic %r is too slow: its buffer of %d messages is full, and drops "
                "the oldest",
                self.channels[0],
                self._limit,
                extra=about(self.channels[0]),
            )

    def take(self) -> Received | MissedMessages | None:
        """Remove and return the next message, or a note that messages before it may be missing.

        Returns:
            None if the buffer is empty.
        """
        with self._lock.held:
            if self._missed is not None:
                missed, self._missed = self._missed, None
                return missed
            if self._items:
                return self._items.popleft()
            self._slow = False
            return None

    def close(self) -> None:
        """End the subscription, and wake the reader."""
        self.closed = True
        self._release()
        self.event.set()

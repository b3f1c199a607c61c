"""Keeps one subscriber of a reliable topic alive, while its program handles messages.

The rule: a subscriber is renewed three times in its time to live, also during a long call of a
listener.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson._async.background.interfaces import AsyncPeriodicJob
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import AsyncEvent, AsyncTask, monotonic
from pyredisson.protocol.kernel.due import whole_ms
from pyredisson.protocol.topics.reliable_topic import ReliableTopicProtocol

_RETRY = 1.0
"""The longest pause in seconds before a failed renewal is repeated."""


class AsyncSubscriber(AsyncPeriodicJob):
    """A subscriber of a reliable topic.

    Args:
        protocol: the operations of the topic.
        name: the subscriber's name.
        ttl: the seconds after which the subscriber expires without a renewal.
        abandoned: returns whether the program has dropped the object that reads the messages.
        end: ends the renewal of this object, and not of a later one with the same name.
    """

    inherited = False

    def __init__(
        self,
        protocol: ReliableTopicProtocol[Any],
        name: str,
        ttl: float,
        abandoned: Callable[[], bool],
        end: Callable[[AsyncSubscriber], None],
    ) -> None:
        self.key = protocol.name
        self.name = name
        self.ttl_ms = whole_ms(ttl, "ttl")
        self.gone = self.closed = self.removed = False
        self.event = AsyncEvent()
        self.task: AsyncTask | None = None
        """The task or thread that calls the listener; None if a loop takes the messages."""
        self._protocol = protocol
        self._abandoned = abandoned
        self._end = end
        self._next = monotonic() + ttl / 3

    def __repr__(self) -> str:
        return f"renewal of subscriber {self.name!r} of topic {self.key!r}"

    def wait_seconds(self) -> float:
        """Return the seconds until the next renewal."""
        return max(self._next - monotonic(), 0.0)

    def skipped(self) -> None:
        """Try again soon."""
        self._next = monotonic() + min(_RETRY, self.ttl_ms / 10_000)

    async def run(self, link: AsyncLink) -> None:
        """Renew the subscriber, and note if it was removed; close it if its reader was dropped."""
        if self.closed or self._abandoned():
            self.close()
            return
        self.skipped()  # if this fails
        self.gone |= not await link.request(self._protocol.renew(self.name, self.ttl_ms))
        self._next = monotonic() + self.ttl_ms / 3000

    def close(self) -> None:
        """End the renewal. The listener ends after the message that it handles."""
        self.closed = True
        self._end(self)
        self.event.set()

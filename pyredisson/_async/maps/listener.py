"""Calls a function with the events of a map cache.

The rule: clients publish events only while the map has an option for it. Redisson's `delete` of a
map removes the option. So each listener sets the option again every 5 seconds.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

from pyredisson._async.background.interfaces import AsyncChannelListener, AsyncPeriodicJob
from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import AsyncEvent, monotonic
from pyredisson._support.error_text import END_OF_PROGRAM, text_of
from pyredisson.errors import DecodeError
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.maps.cache import MapCacheProtocol
from pyredisson.protocol.maps.events import EntryEvent

log = logging.getLogger("pyredisson")

_PAUSE = 5.0
"""Seconds after which the option is set again."""


class AsyncEntryListener(AsyncChannelListener, AsyncPeriodicJob):
    """One listener of one map.

    Args:
        protocol: the map's operations.
        events: the events that the function is called with.
        listener: the function.
    """

    inherited = False
    sharded = True

    def __init__(
        self,
        protocol: MapCacheProtocol[Any, Any],
        events: Sequence[str],
        listener: Callable[[EntryEvent[Any, Any]], Any],
    ) -> None:
        self.key = protocol.name
        self._events = {protocol.names.channel(event): event for event in events}
        self.channels = tuple(self._events)
        self.confirmed = AsyncEvent()
        """Set when all channels are subscribed."""
        self._missing = set(self.channels)
        self._protocol = protocol
        self._listener = listener
        self._next = monotonic() + _PAUSE

    def __repr__(self) -> str:
        return f"listener of map {self.key!r}"

    def wait_seconds(self) -> float:
        """Return the seconds until the option is set again."""
        return max(self._next - monotonic(), 0.0)

    async def run(self, link: AsyncLink) -> None:
        """Set the option that makes clients publish events."""
        self.skipped()
        await link.request(self._protocol.listen())

    def skipped(self) -> None:
        """Start the next pause."""
        self._next = monotonic() + _PAUSE

    def on_subscribed(self, channel: str) -> None:
        """Note that a channel is subscribed."""
        self._missing.discard(channel)
        if self.subscribed:
            self.confirmed.set()

    @property
    def subscribed(self) -> bool:
        """Whether all channels have been subscribed."""
        return not self._missing

    def on_message(self, channel: str, payload: bytes) -> None:
        """Call the function with an event; log its errors, and an event that is unreadable."""
        try:
            self._listener(self._protocol.event(self._events[channel], payload))
        except DecodeError as error:
            log.error(
                "an event of map %r cannot be decoded (%s): %r",
                self.key,
                text_of(error),
                payload,
                extra=about(self.key),
            )
        except END_OF_PROGRAM:
            raise
        except BaseException:
            log.exception("a listener of map %r raised", self.key, extra=about(self.key))

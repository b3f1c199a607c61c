"""Leases of messages that are being handled: renewed three times in their length.

The rule: what has its time limit behind it is renewed no more, so that somebody else gets it.
"""

from __future__ import annotations

import logging
from typing import Any

from redis.exceptions import RedisError

from pyredisson._async.objects.consumer import AsyncConsumer
from pyredisson._async.objects.message import AsyncMessage
from pyredisson._compat import AsyncEvent, StateLock, monotonic

log = logging.getLogger("pyredisson")


class AsyncLeases:
    """The messages of one worker that are being handled.

    Args:
        lease: seconds.
        limit: seconds that a message may take, or None.
    """

    def __init__(self, lease: float, limit: float | None) -> None:
        self._lease = lease
        self._limit = limit
        self._held: dict[str, tuple[AsyncMessage[Any], float]] = {}
        self._lock = StateLock()
        self._closed = False
        self._failing: set[str] = set()
        self._wakeup = AsyncEvent()

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, messages: list[AsyncMessage[Any]]) -> None:
        """Renew these from now on."""
        until = monotonic() + (self._limit or float("inf"))
        with self._lock:
            for message in messages:
                self._held[message.delivery] = (message, until)

    def release(self, messages: list[AsyncMessage[Any]]) -> None:
        """Renew these no more."""
        with self._lock:
            for message in messages:
                self._held.pop(message.delivery, None)

    def messages(self) -> list[AsyncMessage[Any]]:
        """Return what is being handled."""
        with self._lock:
            return [message for message, _ in self._held.values()]

    def close(self) -> None:
        """End `keep`."""
        self._closed = True
        self._wakeup.set()

    async def keep(self) -> None:
        """Renew until it is closed."""
        while not self._closed:
            await self._wakeup.wait(self._lease / 3)
            by_consumer: dict[AsyncConsumer[Any], list[AsyncMessage[Any]]] = {}
            now = monotonic()
            with self._lock:
                for message, until in self._held.values():
                    if now < until:
                        by_consumer.setdefault(message.consumer, []).append(message)
            for consumer, messages in by_consumer.items():
                await self._renew(consumer, messages)

    async def _renew(self, consumer: AsyncConsumer[Any], messages: list[AsyncMessage[Any]]) -> None:
        try:
            held = await consumer.extend_many(messages, self._lease)
        except (RedisError, OSError) as error:
            level = logging.DEBUG if consumer.name in self._failing else logging.WARNING
            log.log(level, "leases of %r are not renewed now: %s", consumer.name, error)
            self._failing.add(consumer.name)
            return
        self._failing.discard(consumer.name)
        for message, ours in zip(messages, held, strict=True):
            if not ours and not message.settled:
                self.release([message])
                log.warning(
                    "message %s of %r: its lease ended while it was handled, so it comes again",
                    message.id,
                    consumer.name,
                )

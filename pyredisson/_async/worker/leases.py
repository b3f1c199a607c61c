"""Leases of messages that are being handled: renewed three times in their length.

The rule: what has its time limit behind it is renewed no more, so that somebody else gets it; and
no server waits for another one.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from pyredisson._async.consumers.consumer import AsyncConsumer
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.worker.beside import AsyncBeside
from pyredisson._runtime.concurrency import AsyncEvent, StateLock, monotonic
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.server_errors import LOST, ServerError

log = logging.getLogger("pyredisson")


class AsyncLeases:
    """The messages of one worker that are being handled.

    Args:
        link: knows which server has which.
        lease: seconds.
        limit: seconds that a message may take, or None.
    """

    def __init__(self, link: AsyncLink, lease: float, limit: float | None) -> None:
        self._link = link
        self._lease = lease
        self._limit = limit
        self._held: dict[str, tuple[AsyncMessage[Any], float]] = {}
        self._lock = StateLock()
        self._closed = False
        self._outages = Outages()
        self._wakeup = AsyncEvent()
        self._beside = AsyncBeside(link.life, "pyredisson renewal")

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, messages: list[AsyncMessage[Any]]) -> None:
        """Renew these from now on."""
        until = monotonic() + (self._limit or float("inf"))
        with self._lock.held:
            for message in messages:
                self._held[message.delivery_id] = (message, until)

    def release(self, messages: list[AsyncMessage[Any]]) -> None:
        """Renew these no more."""
        with self._lock.held:
            for message in messages:
                self._held.pop(message.delivery_id, None)

    def messages(self) -> list[AsyncMessage[Any]]:
        """Return what is being handled."""
        with self._lock.held:
            return [message for message, _ in self._held.values()]

    async def stop(self) -> None:
        """End `keep`; what is on its way to a server that does not answer is left alone."""
        self._closed = True
        self._wakeup.set()
        await self._beside.stop(0.0)

    async def keep(self) -> None:
        """Renew until it is stopped."""
        while not self._closed:
            await self._link.life.pause(self._lease / 3, self._wakeup)
            for home, messages in self._due().items():
                if self._beside.idle(home) and not self._closed:
                    self._beside.put(home, partial(self._renew_all, messages))

    def _due(self) -> dict[Address | None, list[AsyncMessage[Any]]]:
        """Return what is to be renewed, by server."""
        now = monotonic()
        with self._lock.held:
            held = [message for message, until in self._held.values() if now < until]
        found: dict[Address | None, list[AsyncMessage[Any]]] = {}
        for message in held:
            home = self._link.topology.home(message.consumer.key)
            found.setdefault(home, []).append(message)
        return found

    async def _renew_all(self, messages: list[AsyncMessage[Any]]) -> None:
        """Renew those of one server, as long as it answers."""
        by_consumer: dict[AsyncConsumer[Any], list[AsyncMessage[Any]]] = {}
        for message in messages:
            by_consumer.setdefault(message.consumer, []).append(message)
        for consumer, some in by_consumer.items():
            if self._closed or not await self._renew(consumer, some):
                break

    async def _renew(self, consumer: AsyncConsumer[Any], messages: list[AsyncMessage[Any]]) -> bool:
        """Renew those of one queue; False where its server does not answer."""
        try:
            held = await consumer.extend_many(messages, self._lease)
        except (ServerError, OSError) as error:
            news = self._outages.begins(consumer.name, monotonic())
            log.log(
                logging.WARNING if news else logging.DEBUG,
                "leases of %r are not renewed now: %s",
                consumer.name,
                error,
                extra=about(consumer.key),
            )
            return not isinstance(error, LOST)
        if (seconds := self._outages.ended(consumer.name, monotonic())) is not None:
            log.warning(
                "leases of %r are renewed again after %.1f s",
                consumer.name,
                seconds,
                extra=about(consumer.key),
            )
        for message, ours in zip(messages, held, strict=True):
            if not ours and not message.settled and not message._tried:
                self.release([message])
                log.warning(
                    "message %s of %r: its lease ended while it was handled, so it is redelivered",
                    message.id,
                    consumer.name,
                    extra=about(consumer.key, message),
                )
        return True

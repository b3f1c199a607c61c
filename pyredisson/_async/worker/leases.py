"""Leases of messages that are being handled: each is renewed every third of its length.

The rule: a lease is not renewed after its message's time limit, so that another consumer gets the
message. No server delays the renewals at another server.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Any

from pyredisson._async.consumers.message import AsyncMessage, AsyncMessageOwner, by_consumer
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.worker.per_server import AsyncPerServer
from pyredisson._runtime.concurrency import AsyncEvent, StateLock, monotonic
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.outage import Outages
from pyredisson.server_errors import LOST, ServerError

log = logging.getLogger("pyredisson")


class AsyncLeases:
    """The messages of one worker that are being handled, or wait for a handler.

    Args:
        link: finds the server of each message.
        lease: the length of a lease in seconds.
        limit: the time limit of a message in seconds; None for no limit.
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
        self._beside = AsyncPerServer(link.life, "pyredisson renewal")

    def __len__(self) -> int:
        return len(self._held)

    def hold(self, messages: list[AsyncMessage[Any]]) -> None:
        """Renew the leases of these messages from now on, until `release` or their time limit."""
        until = monotonic() + (self._limit or float("inf"))
        with self._lock.held:
            for message in messages:
                self._held[message.delivery_id] = (message, until)

    def release(self, messages: list[AsyncMessage[Any]]) -> None:
        """Stop renewing the leases of these messages."""
        with self._lock.held:
            for message in messages:
                self._held.pop(message.delivery_id, None)

    def messages(self) -> list[AsyncMessage[Any]]:
        """Return the messages that are being handled, or wait for a handler."""
        with self._lock.held:
            return [message for message, _ in self._held.values()]

    async def stop(self) -> None:
        """End `keep`, without waiting for servers that do not answer."""
        self._closed = True
        self._wakeup.set()
        await self._beside.stop(0.0)

    async def keep(self) -> None:
        """Renew leases until `stop`."""
        while not self._closed:
            await self._link.life.pause(self._lease / 3, self._wakeup)
            for home, messages in self._due().items():
                if self._beside.idle(home) and not self._closed:
                    self._beside.put(home, partial(self._renew_all, messages))

    def _due(self) -> dict[Address | None, list[AsyncMessage[Any]]]:
        """Return the messages whose leases must be renewed, for each server."""
        now = monotonic()
        with self._lock.held:
            held = [message for message, until in self._held.values() if now < until]
        found: dict[Address | None, list[AsyncMessage[Any]]] = {}
        for message in held:
            home = self._link.topology.home(message.consumer.key)
            found.setdefault(home, []).append(message)
        return found

    async def _renew_all(self, messages: list[AsyncMessage[Any]]) -> None:
        """Renew the leases at one server; stop if the server does not answer."""
        for consumer, some in by_consumer(messages).items():
            if self._closed or not await self._renew(consumer, some):
                break

    async def _renew(self, consumer: AsyncMessageOwner, messages: list[AsyncMessage[Any]]) -> bool:
        """Renew the leases of one queue; return False if its server does not answer."""
        try:
            held = await consumer.extend_many(messages, self._lease)
        except (ServerError, OSError) as error:
            is_new = self._outages.begins(consumer.name, monotonic())
            log.log(
                logging.WARNING if is_new else logging.DEBUG,
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
        for message, valid in zip(messages, held, strict=True):
            if not valid and not message.settled and not message._tried:
                self.release([message])
                log.warning(
                    "message %s of %r: its lease ended while it was handled, so it is "
                    "redelivered, unless it was deleted",
                    message.id,
                    consumer.name,
                    extra=about(consumer.key, message),
                )
        return True

"""A message that a consumer has leased: its value, its metadata, and the ways to settle it.

A message records its outcome, and its consumer sends the operations. If the reply to a settlement
is lost, the server may have settled the message, and the message records the possible outcome. If
the server has settled it, a second try finds no lease. The rule: until a lease ends, only the
consumer that holds the message can remove the lease. So if a try finds no lease before the lease
ends, the earlier try has removed the lease.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import partial
from typing import Any, Generic, Protocol, TypeVar

from pyredisson._async.link.link import AsyncLink
from pyredisson._runtime.concurrency import monotonic
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.kernel.due import Seconds, from_epoch_ms
from pyredisson.protocol.worker.outcome import Fate
from pyredisson.server_errors import LOST

V = TypeVar("V")
_NONE: frozenset[Fate] = frozenset()


class AsyncMessageOwner(Protocol):
    """What a message needs from its consumer."""

    _link: AsyncLink
    _initial_lease_ms: int

    @property
    def name(self) -> str:
        """The name of the queue, as the program gave it."""

    @property
    def key(self) -> str:
        """The name of the queue in Redis."""

    @property
    def consumer_name(self) -> str:
        """The name of the consumer in the results of `in_flight`."""

    async def ack_many(self, messages: Sequence[AsyncMessage[Any]], /) -> list[bool]:
        """Acknowledge messages."""

    async def extend_many(
        self, messages: Sequence[AsyncMessage[Any]], lease: Seconds, /
    ) -> list[bool]:
        """Extend leases."""

    async def release(self, messages: Sequence[AsyncMessage[Any]], /) -> list[bool]:
        """Release messages."""

    async def _requeue(self, token: bytes, delay: Seconds, *, started: bool) -> bool: ...

    async def _rejected(self, token: bytes, reason: str, traceback: str | None) -> bool: ...


class AsyncMessage(Generic[V]):
    """A value that belongs to one consumer until its lease ends.

    If messages with equal values are redelivered, it is possible that they exchange `id` and
    `attempt`.
    """

    __slots__ = (
        *(
            "_became",
            "_carried",
            "_consumer",
            "_extended_ms",
            "_settled",
            "_delivery",
            "_tried",
            "_until",
        ),
        "_value",
    )
    _value: V
    """Set when the value is decoded, before the message is handed out."""

    def __init__(self, consumer: AsyncMessageOwner, delivery: Delivery, until: float) -> None:
        self._consumer = consumer
        self._delivery = delivery
        self._until = until
        """Until this time, in seconds of `monotonic`, the message has its whole lease left."""
        self._settled = False
        self._carried: bytes | None = None
        self._extended_ms = 0.0
        self._tried = _NONE
        """The possible outcomes: those of settlements whose replies were lost."""
        self._became: Fate | None = None
        """The outcome, also if its reply was lost; None if unsettled or if the lease had ended."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}, attempt {self.attempt}: {self._value!r}>"

    @property
    def value(self) -> V:
        """The value, as the codec decoded it."""
        return self._value

    @property
    def raw(self) -> bytes:
        """The bytes of the value in Redis."""
        return self._delivery.raw

    @property
    def id(self) -> str:
        """The id of the message, in hex digits; the same at each delivery."""
        return self._delivery.item_id.hex()

    @property
    def attempt(self) -> int:
        """The number of this delivery, from 1; deferred and released deliveries do not count."""
        return self._delivery.attempt

    @property
    def received_at(self) -> datetime:
        """When the consumer took the message, by the server's clock."""
        return from_epoch_ms(self._delivery.taken_ms)

    @property
    def due_at(self) -> datetime | None:
        """When the item was due; None if that is not known.

        The due time is known of items that were requeued with a delay, and of items that expire.
        Of other items, the due time is known if clients with `due_times=True` transferred the item
        and took it first.
        """
        return from_epoch_ms(self._delivery.due_ms) if self._delivery.due_ms else None

    @property
    def carried(self) -> bytes | None:
        """The bytes that `hooks.offering` of the producer returned, or None.

        Only a worker reads these bytes, and only if the hooks of its client set `carries`.
        """
        return self._carried

    @property
    def lateness(self) -> float | None:
        """Seconds from `due_at` until now, by the server's clock; None if `due_at` is None.

        Until this client knows the server's clock, seconds from `due_at` until `received_at`.
        """
        due_ms = self._delivery.due_ms
        if not due_ms:
            return None
        return (max(self._now_ms(), due_ms) - due_ms) / 1000

    def _now_ms(self) -> float:
        """Return the server's time in ms; without a known clock, when the message was taken."""
        server, taken_ms = self._consumer._link.at_hand(self._consumer.key), self._delivery.taken_ms
        if server is None or server.clock.taken is None:
            return taken_ms
        return max(server.clock.earliest_ms(monotonic()), taken_ms)

    @property
    def settled(self) -> bool:
        """Whether this process settled the message, or tried to after the lease had ended."""
        return self._settled

    @property
    def consumer(self) -> AsyncMessageOwner:
        """The consumer that took the message."""
        return self._consumer

    @property
    def delivery_id(self) -> str:
        """The id of this delivery, in hex digits; unique also among equal messages."""
        return self._token.hex()

    @property
    def _token(self) -> bytes:
        return self._delivery.token

    @property
    def _ends_ms(self) -> float:
        """A time of the server in ms, not later than the end of the lease."""
        return max(self._delivery.taken_ms + self._consumer._initial_lease_ms, self._extended_ms)

    async def _settled_by(self, fate: Fate, settle: Callable[[], Any]) -> bool:
        try:
            done = await settle()
        except BaseException as error:
            tried([self], fate, error)
            raise
        return (await known_async(self._consumer._link, [self], fate, [done]))[0]

    async def ack(self) -> bool:
        """Acknowledge the message.

        Returns:
            False if the lease had ended, so that the message is redelivered, or if the message was
            settled before. An earlier `ack` without a reply counts as this call, until the lease
            would end.

        Raises:
            NotReplicatedError: it is acknowledged, but not confirmed as `durable` requires.
            ServerError: it is unknown whether the message is acknowledged; call again.
        """
        return (await self._consumer.ack_many([self]))[0]

    async def nack(self, delay: Seconds = 0) -> bool:
        """Requeue the message; this delivery counts as an attempt.

        Args:
            delay: seconds or a timedelta until the message is due again. With 0, the message is
                requeued at once, at the head of the queue.

        Returns:
            False if the lease had ended.
        """
        back = partial(self._consumer._requeue, self._token, delay, started=True)
        return await self._settled_by(Fate.RETRY, back)

    async def defer(self, delay: Seconds) -> bool:
        """Requeue the message as `nack` does, without counting this delivery as an attempt."""
        back = partial(self._consumer._requeue, self._token, delay, started=False)
        return await self._settled_by(Fate.DEFER, back)

    async def reject(self, reason: str, traceback: str | None = None) -> bool:
        """Make the message a dead letter; return False if its lease had ended."""
        reject = partial(self._consumer._rejected, self._token, reason, traceback)
        return await self._settled_by(Fate.DEAD, reject)

    async def extend(self, lease: Seconds) -> bool:
        """Extend the lease; it never ends earlier than before.

        Args:
            lease: seconds or a timedelta from now.

        Returns:
            False if the lease had ended.
        """
        return (await self._consumer.extend_many([self], lease))[0]


def tried(messages: Sequence[AsyncMessage[Any]], fate: Fate, error: BaseException) -> None:
    """Note the possible outcome of messages, if an error leaves open whether they were settled."""
    if isinstance(error, LOST) or not isinstance(error, Exception):
        for message in messages:
            message._tried |= {fate}


async def known_async(
    link: AsyncLink, messages: Sequence[AsyncMessage[Any]], fate: Fate, done: list[bool]
) -> list[bool]:
    """Return for each message of one queue whether it got the outcome, now or by an earlier try.

    Args:
        link: runs operations on the server.
        messages: the messages.
        fate: the outcome that the present try gives.
        done: for each message whether the script found a lease that had not ended.
    """
    became: list[Fate | None] = [fate if held else None for held in done]
    if not all(done):
        await _recover(link, messages, became)
    for message, found in zip(messages, became, strict=True):
        message._settled = True
        message._became = found or message._became
    return [found is fate for found in became]


async def _recover(
    link: AsyncLink, messages: Sequence[AsyncMessage[Any]], became: list[Fate | None]
) -> None:
    """For messages that an earlier try has settled, set the missing outcomes in `became`."""
    unsure = [
        (place, message)
        for place, (message, found) in enumerate(zip(messages, became, strict=True))
        if found is None and len(message._tried) == 1
    ]
    if not unsure:
        return
    clock = await link.clock(messages[0].consumer.key)
    now_ms = clock.latest_ms(monotonic())  # the script ran before this time
    for place, message in unsure:
        if now_ms < message._ends_ms:
            (became[place],) = message._tried


def by_consumer(
    messages: Iterable[AsyncMessage[V]],
) -> dict[AsyncMessageOwner, list[AsyncMessage[V]]]:
    """Return the messages of each consumer, in the given order."""
    found: dict[AsyncMessageOwner, list[AsyncMessage[V]]] = {}
    for message in messages:
        found.setdefault(message.consumer, []).append(message)
    return found

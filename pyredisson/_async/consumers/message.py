"""A message that a consumer holds a lease of: its value and facts, and the ways to settle it.

The rule: the message records its outcome here, and its possible outcome where a reply was lost.
Its consumer does the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from pyredisson._async.consumers.repeated_settlement import known_async, tried
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.kernel.due import Seconds, from_epoch_ms
from pyredisson.protocol.worker.outcome import Fate

if TYPE_CHECKING:
    from pyredisson._async.consumers.consumer import AsyncConsumer

V = TypeVar("V")
_NONE: frozenset[Fate] = frozenset()


class AsyncMessage(Generic[V]):
    """A value that belongs to one consumer until its lease ends.

    Among equal values that were redelivered, `id` and `attempt` may be those of another one.
    """

    __slots__ = (
        *("_became", "_consumer", "_extended_ms", "_settled", "_delivery", "_tried", "_until"),
        "_value",
    )
    _value: V
    """Set as soon as it is read, which is before anybody gets the message."""

    def __init__(self, consumer: AsyncConsumer[V], delivery: Delivery, until: float) -> None:
        self._consumer = consumer
        self._delivery = delivery
        self._until = until
        """Up to this moment of `monotonic` its whole lease is left."""
        self._settled = False
        self._extended_ms = 0.0
        self._tried = _NONE
        """What it was to become, where no reply came."""
        self._became: Fate | None = None
        """What it was settled as, that try included; None where its lease had ended."""

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}, attempt {self.attempt}: {self._value!r}>"

    @property
    def value(self) -> V:
        """The value, as the codec decoded it."""
        return self._value

    @property
    def raw(self) -> bytes:
        """The bytes of the value."""
        return self._delivery.raw

    @property
    def id(self) -> str:
        """The id of the message, the same at each delivery: hex digits."""
        return self._delivery.item_id.hex()

    @property
    def attempt(self) -> int:
        """How many times the message was delivered, this delivery included."""
        return self._delivery.attempt

    @property
    def received_at(self) -> datetime:
        """When the consumer took the message, by the server's clock."""
        return from_epoch_ms(self._delivery.taken_ms)

    @property
    def due_at(self) -> datetime | None:
        """When the item was due; None where that is not known.

        It is known of items that were requeued with a delay, and of items that expire. Of other
        items it is known where a client with `due_times=True` transferred them.
        """
        return from_epoch_ms(self._delivery.due_ms) if self._delivery.due_ms else None

    @property
    def settled(self) -> bool:
        """Whether this process acknowledged, requeued or rejected the message."""
        return self._settled

    @property
    def consumer(self) -> AsyncConsumer[V]:
        """The consumer that has the message."""
        return self._consumer

    @property
    def delivery_id(self) -> str:
        """The id of this delivery, also among equal messages: hex digits."""
        return self._token.hex()

    @property
    def _token(self) -> bytes:
        return self._delivery.token

    @property
    def _ends_ms(self) -> float:
        """When its lease ends, or sooner, by the server's clock."""
        return max(self._delivery.taken_ms + self._consumer._granted_ms, self._extended_ms)

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
            False when its lease had ended, so that it is redelivered.

        Raises:
            NotReplicatedError: it is acknowledged, but not confirmed as `durable` requires.
        """
        return (await self._consumer.ack_many([self]))[0]

    async def nack(self, delay: Seconds = 0) -> bool:
        """Requeue the message; this delivery counts as an attempt.

        Args:
            delay: seconds or a timedelta until it is due again; 0 requeues it at once, at the head.

        Returns:
            False when its lease had ended.
        """
        back = partial(self._consumer._back, self._token, delay, begun=True)
        return await self._settled_by(Fate.RETRY, back)

    async def defer(self, delay: Seconds) -> bool:
        """Requeue the message as `nack` does, without counting this delivery as an attempt."""
        back = partial(self._consumer._back, self._token, delay, begun=False)
        return await self._settled_by(Fate.DEFER, back)

    async def reject(self, reason: str, traceback: str | None = None) -> bool:
        """Make the message a dead letter (`get_dead_letters`); False when its lease had ended."""
        reject = partial(self._consumer._rejected, self._token, reason, traceback)
        return await self._settled_by(Fate.DEAD, reject)

    async def extend(self, lease: Seconds) -> bool:
        """Extend the lease; it never ends sooner than before.

        Args:
            lease: seconds or a timedelta from now on.

        Returns:
            False when the lease had ended.
        """
        return (await self._consumer.extend_many([self], lease))[0]

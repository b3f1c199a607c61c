"""A message in a consumer's hands: what it says, and the ways to settle it.

The rule: it knows what became of it here, and what may have, where a reply was lost; its consumer
does the rest.
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
    """A value that is a consumer's until its lease ends.

    Of equal values that came back, which has which `id` and `attempt` is not known.
    """

    __slots__ = (
        *("_became", "_consumer", "_extended_ms", "_settled", "_taken", "_tried", "_until"),
        "_value",
    )
    _value: V
    """Set as soon as it is read, which is before anybody gets the message."""

    def __init__(self, consumer: AsyncConsumer[V], taken: Delivery, until: float) -> None:
        self._consumer = consumer
        self._taken = taken
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
        """What the codec read."""
        return self._value

    @property
    def raw(self) -> bytes:
        """The bytes of the value."""
        return self._taken.raw

    @property
    def id(self) -> str:
        """The same each time that the message is delivered."""
        return self._taken.item_id.hex()

    @property
    def attempt(self) -> int:
        """How often it was delivered, this time included."""
        return self._taken.attempt

    @property
    def received_at(self) -> datetime:
        """When it was taken, by the server's clock."""
        return from_epoch_ms(self._taken.taken_ms)

    @property
    def due_at(self) -> datetime | None:
        """When it was due, None where that is not known.

        It is known of what was put back with a delay or expires; of other items with
        `due_times=True` of the client, where such a client transferred them.
        """
        return from_epoch_ms(self._taken.due_ms) if self._taken.due_ms else None

    @property
    def settled(self) -> bool:
        """Whether something became of it here: acknowledged, put back or rejected."""
        return self._settled

    @property
    def consumer(self) -> AsyncConsumer[V]:
        """Whose it is."""
        return self._consumer

    @property
    def delivery_id(self) -> str:
        """What only this delivery has, also of equal messages."""
        return self._token.hex()

    @property
    def _token(self) -> bytes:
        return self._taken.token

    @property
    def _ends_ms(self) -> float:
        """When its lease ends, or sooner, by the server's clock."""
        return max(self._taken.taken_ms + self._consumer._granted_ms, self._extended_ms)

    async def _settled_by(self, fate: Fate, settle: Callable[[], Any]) -> bool:
        try:
            done = await settle()
        except BaseException as error:
            tried([self], fate, error)
            raise
        return (await known_async(self._consumer._link, [self], fate, [done]))[0]

    async def ack(self) -> bool:
        """Be done with it; False when its lease had ended, so that it comes again."""
        return (await self._consumer.ack_many([self]))[0]

    async def nack(self, delay: Seconds = 0) -> bool:
        """Put it back: to the head of the queue, or with a delay; False if its lease had ended."""
        back = partial(self._consumer._back, self._token, delay, begun=True)
        return await self._settled_by(Fate.RETRY, back)

    async def defer(self, delay: Seconds) -> bool:
        """Put it back as `nack` does, but without counting this delivery as an attempt."""
        back = partial(self._consumer._back, self._token, delay, begun=False)
        return await self._settled_by(Fate.DEFER, back)

    async def reject(self, reason: str, traceback: str | None = None) -> bool:
        """Make it a dead letter (`get_dead_letters`); False when its lease had ended."""
        reject = partial(self._consumer._rejected, self._token, reason, traceback)
        return await self._settled_by(Fate.DEAD, reject)

    async def extend(self, lease: Seconds) -> bool:
        """Let its lease end so long from now, never sooner than before; False when it had ended."""
        return (await self._consumer.extend_many([self], lease))[0]

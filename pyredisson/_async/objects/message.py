"""A message in a consumer's hands: what it says, and the ways to settle it.

The rule: it knows what became of it here, and its consumer does the rest.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Generic, TypeVar

from pyredisson.protocol.due import Seconds, from_epoch_ms
from pyredisson.protocol.objects.taken import Taken

if TYPE_CHECKING:
    from pyredisson._async.objects.consumer import AsyncConsumer

V = TypeVar("V")


class AsyncMessage(Generic[V]):
    """A value that is a consumer's until its lease ends.

    Of equal values that came back, which has which `id` and `attempt` is not known.
    """

    __slots__ = ("_consumer", "_settled", "_taken", "_value")

    def __init__(self, consumer: AsyncConsumer[V], taken: Taken, value: V) -> None:
        self._consumer = consumer
        self._taken = taken
        self._value = value
        self._settled = False

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
        return self._taken.identity.hex()

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
        """When it was due, where that is known: of a message that was put back with a delay."""
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
    def delivery(self) -> str:
        """What only this delivery has, also of equal messages."""
        return self._token.hex()

    @property
    def _token(self) -> bytes:
        return self._taken.token

    def _settle(self, *, done: bool) -> bool:
        self._settled = True
        return done

    async def ack(self) -> bool:
        """Be done with it; False when its lease had ended, so that it comes again."""
        return (await self._consumer.ack_many([self]))[0]

    async def nack(self, delay: Seconds = 0) -> bool:
        """Put it back: to the head of the queue, or with a delay; False if its lease had ended."""
        return self._settle(done=await self._consumer._back(self._token, delay, begun=True))

    async def defer(self, delay: Seconds) -> bool:
        """Put it back as `nack` does, but without counting this delivery as an attempt."""
        return self._settle(done=await self._consumer._back(self._token, delay, begun=False))

    async def reject(self, reason: str, traceback: str | None = None) -> bool:
        """Make it a dead letter (`get_dead_letters`); False when its lease had ended."""
        return self._settle(done=await self._consumer._rejected(self._token, reason, traceback))

    async def extend(self, lease: Seconds) -> bool:
        """Let its lease end so long from now, never sooner than before; False when it had ended."""
        return (await self._consumer.extend_many([self], lease))[0]

"""What has messages and is no queue: it says itself how they are taken, and what becomes of them.

The rule: whoever gets a consumer, a worker as well, need not know which kind it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson.protocol.delayed.entry import WireFormat
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.kernel.durable import Durable

if TYPE_CHECKING:
    from pyredisson._async.consumers.consumer import AsyncConsumer
    from pyredisson._async.dead_letters.dead_letters import AsyncDeadLetters

V = TypeVar("V")


class AsyncMessageSource(AsyncNamedObject, Generic[V]):
    """Something whose messages `get_consumer` and `get_dead_letters` are asked for."""

    def _consumer(
        self,
        *,
        lease: Seconds,
        prefetch: int,
        wire_format: WireFormat,
        transfer: bool,
        durable: Durable | None,
        consumer_name: str | None,
    ) -> AsyncConsumer[V]:
        """Return a consumer of its messages."""
        raise NotImplementedError

    def _dead_letters(self) -> AsyncDeadLetters[V]:
        """Return those of its messages that are dead letters."""
        raise NotImplementedError

"""A consumer of the model, with the messages that were handed out, and prefetched ones."""

from dataclasses import dataclass, field
from typing import Any

from pyredisson import Consumer, Message, Redisson
from tests.support.consumer_model.book import UNIT

LEASE = UNIT / 2
"""Seconds. After one unit a lease has ended; within the same unit it has not."""


def token_of(message: Message[str]) -> bytes:
    """Return the token of this delivery, which is unique."""
    return bytes.fromhex(message.delivery_id)


@dataclass(eq=False)
class Holder:
    """A consumer that takes messages and settles them."""

    redisson: Redisson
    prefetch: int
    held: list[Message[str]] = field(default_factory=list)
    """Messages that were handed out and not settled."""

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Make a new consumer."""
        queue = self.redisson.get_queue("q")
        settings: Any = {"lease": LEASE, "prefetch": self.prefetch, "transfer": False}
        self.consumer: Consumer[str] = self.redisson.get_consumer(queue, **settings)

    def crash(self) -> None:
        """Drop the consumer and its messages without a close; make a new consumer."""
        self.redisson._context.children.discard(self.consumer)
        self.held = []
        self.begin()

    def ahead(self) -> set[bytes]:
        """Return the tokens of prefetched messages that were not handed out."""
        kept = self.consumer._prefetched
        assert not kept.unread
        assert not kept._unreadable
        return {token_of(message) for message in [*kept.ready, *kept._releasing]}

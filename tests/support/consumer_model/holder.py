"""A consumer of the model: what it was handed, and what it has fetched ahead."""

from dataclasses import dataclass, field
from typing import Any

from pyredisson import Consumer, Message, Redisson
from tests.support.consumer_model.book import UNIT

LEASE = UNIT / 2
"""Seconds: a lease has ended one unit later, and not within one."""


def token_of(message: Message[str]) -> bytes:
    """Return what only this delivery has."""
    return bytes.fromhex(message.delivery_id)


@dataclass(eq=False)
class Holder:
    """Somebody who takes messages and settles them."""

    redisson: Redisson
    prefetch: int
    held: list[Message[str]] = field(default_factory=list)
    """What was handed out and not settled."""

    def __post_init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Have a consumer of its own."""
        queue = self.redisson.get_queue("q")
        settings: Any = {"lease": LEASE, "prefetch": self.prefetch, "transfer": False}
        self.consumer: Consumer[str] = self.redisson.get_consumer(queue, **settings)

    def crash(self) -> None:
        """Forget it all, without a word."""
        self.redisson._context.children.discard(self.consumer)
        self.held = []
        self.begin()

    def ahead(self) -> set[bytes]:
        """Return what it has fetched and not handed out."""
        kept = self.consumer._prefetched
        assert not kept.unread
        assert not kept._unreadable
        return {token_of(message) for message in [*kept.ready, *kept._releasing]}

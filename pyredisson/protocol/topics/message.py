"""What a listener of a topic receives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["MissedMessages", "TopicMessage"]

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class TopicMessage(Generic[V]):
    """A published message.

    Attributes:
        channel: the name in Redis that it was published to.
        value: the decoded message.
    """

    channel: str
    value: V


@dataclass(frozen=True, slots=True)
class MissedMessages:
    """A listener did not receive some messages, or may not have received them.

    Attributes:
        name: the name in Redis of the topic, or the pattern.
        dropped: how many messages the full buffer of a slow listener dropped; 0 if the subscription
            was interrupted: then it is unknown whether anything was published meanwhile.
    """

    name: str
    dropped: int = 0

    def __str__(self) -> str:
        """Return the reason."""
        if self.dropped:
            return f"its buffer was full, {self.dropped} of the oldest were dropped"
        return "its subscription was interrupted"

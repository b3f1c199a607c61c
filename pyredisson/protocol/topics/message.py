"""The objects that a listener of a topic receives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

__all__ = ["MissedMessages", "TopicMessage"]

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class TopicMessage(Generic[V]):
    """A published message.

    Attributes:
        channel: the name in Redis of the channel.
        value: the decoded message.
    """

    channel: str
    value: V


@dataclass(frozen=True, slots=True)
class MissedMessages:
    """Reports that a listener has missed messages, or may have missed some.

    Attributes:
        name: the name in Redis of the topic, or the pattern.
        dropped: how many messages were dropped because the buffer of a slow listener was full. 0 if
            the subscription was interrupted, or the subscriber of a reliable topic was removed: it
            is then unknown whether any message was missed.
    """

    name: str
    dropped: int = 0

    def __str__(self) -> str:
        """Return the reason for the missed messages."""
        if self.dropped:
            return f"its buffer was full, {self.dropped} of the oldest were dropped"
        return "its subscription was interrupted"

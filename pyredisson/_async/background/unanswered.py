"""The commands of a subscription's connection whose replies have not all come.

The rule: replies come in the order of the commands. Each channel of a command has a reply of its
own, but an error is the reply to the whole command.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable


class Unanswered:
    """The commands of a connection that have not got all replies, each with its channels."""

    def __init__(self) -> None:
        self._sent: deque[tuple[str, set[str]]] = deque()

    @property
    def next_word(self) -> str:
        """The name of the first command, which the next reply answers; "" if there is none."""
        return self._sent[0][0] if self._sent else ""

    def add(self, word: str, channels: Iterable[str]) -> None:
        """Note a command that is about to be sent."""
        self._sent.append((word, set(channels)))

    def pop(self) -> tuple[str, set[str]] | None:
        """Remove and return the first command, which got an error reply; None if there is none."""
        return self._sent.popleft() if self._sent else None

    def note(self, channel: str) -> None:
        """Note a possible reply for a channel; "" stands for the reply to a PING."""
        if self._sent:
            channels = self._sent[0][1]
            if channel in channels or not (channels or channel):
                channels.discard(channel)
                if not channels:
                    self._sent.popleft()

    def clear(self) -> None:
        """Remove all commands, because a new connection begins."""
        self._sent.clear()

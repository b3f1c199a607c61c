"""Pauses between attempts: each twice as long as the one before, up to a longest."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Backoff"]


@dataclass(slots=True)
class Backoff:
    """The next pause, in the unit of its bounds."""

    first: float = 0.05
    longest: float = 2.0
    _next: float = 0.0

    def pause(self) -> float:
        """Return how long to pause now; the next time it is longer."""
        pause = min(max(self._next, self.first), self.longest)
        self._next = pause * 2
        return pause

    def reset(self) -> None:
        """An attempt succeeded."""
        self._next = 0.0

"""Pauses between attempts: each twice as long as the one before, up to a longest."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

__all__ = ["Backoff", "Rests"]


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


class Rests:
    """Who failed and is left alone for a while, which is longer each time."""

    def __init__(self) -> None:
        self._pauses: dict[Hashable, tuple[float, Backoff]] = {}

    def __contains__(self, who: object) -> bool:
        """Tell whether somebody has failed and was not served since."""
        return who in self._pauses

    def __len__(self) -> int:
        """Return how many have."""
        return len(self._pauses)

    def failed(self, who: Hashable, now: float) -> None:
        """Leave somebody alone from now on."""
        pauses = self._pauses.get(who, (now, Backoff()))[1]
        self._pauses[who] = now + pauses.pause(), pauses

    def rests(self, who: Hashable, now: float) -> bool:
        """Tell whether somebody is to be left alone now."""
        found = self._pauses.get(who)
        return found is not None and now < found[0]

    def served(self, who: Hashable) -> bool:
        """Note that somebody is served; had he failed before?"""
        return self._pauses.pop(who, None) is not None

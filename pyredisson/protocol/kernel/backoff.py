"""Pauses between attempts: each pause is twice as long as the previous one, up to a limit."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

__all__ = ["Pauses", "Rests"]


@dataclass(slots=True)
class Pauses:
    """Computes the next pause, in the unit of `first` and `longest`."""

    first: float = 0.05
    longest: float = 2.0
    _next: float = 0.0

    def pause(self) -> float:
        """Return the pause; the next call returns twice as much, up to `longest`."""
        pause = min(max(self._next, self.first), self.longest)
        self._next = pause * 2
        return pause

    def reset(self) -> None:
        """Start again with the first pause, after a success."""
        self._next = 0.0


class Rests:
    """Keys that failed; each rests for a pause that grows with each failure."""

    def __init__(self) -> None:
        self._pauses: dict[Hashable, tuple[float, Pauses]] = {}

    def __contains__(self, key: object) -> bool:
        """Return whether a key has failed, and had no success since."""
        return key in self._pauses

    def __len__(self) -> int:
        """Return the number of keys that have failed, and had no success since."""
        return len(self._pauses)

    def failed(self, key: Hashable, now: float) -> None:
        """Record a failure: the key rests from `now` for its next pause."""
        pauses = self._pauses.get(key, (now, Pauses()))[1]
        self._pauses[key] = now + pauses.pause(), pauses

    def rests(self, key: Hashable, now: float) -> bool:
        """Return whether a key rests at the time `now`."""
        found = self._pauses.get(key)
        return found is not None and now < found[0]

    def until(self, key: Hashable) -> float:
        """Return the time at which the pause of a key ends, or 0.0 if the key is not in `Rests`."""
        found = self._pauses.get(key)
        return 0.0 if found is None else found[0]

    def served(self, key: Hashable) -> bool:
        """Record a success; return whether the key had failed before."""
        return self._pauses.pop(key, None) is not None

"""Names that a client remembers, and no more than so many of them.

The rule: what is forgotten is found out again, or seen to by somebody else.
"""

from __future__ import annotations

__all__ = ["MOST", "Remembered"]

MOST = 10_000
"""Names that are remembered; each takes about 150 bytes."""


class Remembered:
    """The names that were added last; each step is one operation of a dict, for threads."""

    __slots__ = ("_most", "_names")

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._names: dict[str, None] = {}

    def __contains__(self, name: str) -> bool:
        """Tell whether a name is remembered."""
        return name in self._names

    def __len__(self) -> int:
        """Return how many are."""
        return len(self._names)

    def add(self, name: str) -> None:
        """Remember a name; where there are too many the oldest half is forgotten."""
        self._names.pop(name, None)
        self._names[name] = None
        if len(self._names) > self._most:
            for old in list(self._names)[: self._most // 2]:
                self._names.pop(old, None)

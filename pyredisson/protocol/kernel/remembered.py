"""A bounded set of the names that a client remembers.

The rule: a set can forget a name at any time, so its user must also work without this name.
"""

from __future__ import annotations

__all__ = ["MAX_REMEMBERED", "Remembered"]

MAX_REMEMBERED = 10_000
"""How many names are remembered by default; each takes about 150 bytes."""


class Remembered:
    """The names that were added last; threads may share it, as each step is one dict operation."""

    __slots__ = ("_most", "_names")

    def __init__(self, most: int = MAX_REMEMBERED) -> None:
        self._most = most
        self._names: dict[str, None] = {}

    def __contains__(self, name: str) -> bool:
        """Return whether a name is remembered."""
        return name in self._names

    def __len__(self) -> int:
        """Return how many names are remembered."""
        return len(self._names)

    def add(self, name: str) -> None:
        """Remember a name as the newest; if the set then has too many, forget the oldest half."""
        self._names.pop(name, None)
        self._names[name] = None
        if len(self._names) > self._most:
            for old in list(self._names)[: self._most // 2]:
                self._names.pop(old, None)

"""Which failures are news: the first of an outage, and the success that ends it.

The rule: what begins is said once, what is repeated is not, and the end is said with its length.
"""

from __future__ import annotations

from collections.abc import Hashable

__all__ = ["Outages"]


class Outages:
    """What is out of order now, by place; each step is one operation of a dict, for threads."""

    __slots__ = ("_since",)

    def __init__(self) -> None:
        self._since: dict[Hashable, list[float]] = {}

    def __bool__(self) -> bool:
        """Tell whether anything is out of order."""
        return bool(self._since)

    def begins(self, place: Hashable, now: float) -> bool:
        """Note a failure; is it the first of its outage?"""
        mine = [now]
        return self._since.setdefault(place, mine) is mine

    def ended(self, place: Hashable, now: float) -> float | None:
        """Note a success; if it ends an outage, return how long that was."""
        since = self._since.pop(place, None)
        return None if since is None else now - since[0]

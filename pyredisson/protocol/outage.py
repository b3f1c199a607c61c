"""Which failures are news: the first of an outage, and the success that ends it.

The rule: what begins is said once, what is repeated is not, and the end is said with its length.
"""

from __future__ import annotations

from collections.abc import Hashable

__all__ = ["Outages"]


class Outages:
    """What is out of order now, by place; each step is one operation of a dict, for threads."""

    __slots__ = ("since",)

    def __init__(self) -> None:
        self.since: dict[Hashable, list[float]] = {}
        """The beginning of each outage of now."""

    def begins(self, place: Hashable, now: float) -> bool:
        """Note a failure; is it the first of its outage?"""
        mine = [now]
        return self.since.setdefault(place, mine) is mine

    def ended(self, place: Hashable, now: float) -> float | None:
        """Note a success; if it ends an outage, return how long that was."""
        since = self.since.pop(place, None)
        return None if since is None else now - since[0]

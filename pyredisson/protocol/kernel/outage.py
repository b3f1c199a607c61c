"""Which failures are news: the first of an outage, and the success that ends it.

The rule: what begins is said once, what is repeated is not, and the end is said with its length.
An outage of which nobody has heard for long is over without a word: who found it may have left.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

__all__ = ["Outages"]


class Outages:
    """What is out of order now, by place; each step is one operation of a dict, for threads.

    Args:
        lapse: so long after its last failure an outage is forgotten.
        most: places that are remembered; of more the oldest half is forgotten.
    """

    __slots__ = ("_failures", "_lapse", "_most")

    def __init__(self, *, lapse: float = math.inf, most: int = 1000) -> None:
        self._lapse = lapse
        self._most = most
        self._failures: dict[Hashable, list[float]] = {}
        """The first and the last of each outage."""

    def __bool__(self) -> bool:
        """Tell whether anything is out of order."""
        return bool(self._failures)

    def begins(self, place: Hashable, now: float) -> bool:
        """Note a failure; is it the first of its outage?"""
        mine = [now, now]
        found = self._failures.setdefault(place, mine)
        if found is mine:
            if len(self._failures) > self._most:
                self._forget(list(self._failures)[: self._most // 2])
            return True
        news = now - found[1] > self._lapse
        found[:] = (now if news else found[0], now)
        return news

    def ended(self, place: Hashable, now: float) -> float | None:
        """Note a success; if it ends an outage, return how long that was."""
        found = self._failures.pop(place, None)
        return None if found is None or now - found[1] > self._lapse else now - found[0]

    def forget(self, now: float) -> None:
        """Forget what nobody has heard of for long."""
        failures = list(self._failures.items())
        self._forget([place for place, found in failures if now - found[1] > self._lapse])

    def _forget(self, places: list[Hashable]) -> None:
        for place in places:
            self._failures.pop(place, None)

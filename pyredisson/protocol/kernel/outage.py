"""Decides what to report of an outage: its first failure, and the success that ends it.

The rule: the first failure of an outage is reported, and its later failures are not. The end is
reported with the length of the outage. A place is whatever can fail, such as a queue or a server.
An outage without a failure for `lapse` is forgotten without a report, because it is possible that
no caller uses the place again.
"""

from __future__ import annotations

import math
from collections.abc import Hashable

__all__ = ["Outages"]


class Outages:
    """The current outages by place; threads may share it, as each step is one dict operation.

    Args:
        lapse: an outage is forgotten this long after its last failure, in the unit of `now`.
            Default: infinity.
        most: how many outages are remembered. If there are more, the oldest half is forgotten.
            Default: 1000.
    """

    __slots__ = ("_failures", "_lapse", "_most")

    def __init__(self, *, lapse: float = math.inf, most: int = 1000) -> None:
        self._lapse = lapse
        self._most = most
        self._failures: dict[Hashable, list[float]] = {}
        """The times of the first and the last failure of each outage."""

    def __bool__(self) -> bool:
        """Return whether any outage is remembered."""
        return bool(self._failures)

    def begins(self, place: Hashable, now: float) -> bool:
        """Record a failure; return whether it is the first of its outage."""
        mine = [now, now]
        found = self._failures.setdefault(place, mine)
        if found is mine:
            if len(self._failures) > self._most:
                self._forget(list(self._failures)[: self._most // 2])
            return True
        is_new = now - found[1] > self._lapse
        found[:] = (now if is_new else found[0], now)
        return is_new

    def failed_since(self, place: Hashable, began: float) -> bool:
        """Return whether a place has an outage whose last failure is later than `began`."""
        found = self._failures.get(place)
        return found is not None and found[1] > began

    def ended(self, place: Hashable, now: float) -> float | None:
        """Record a success; return the length of the outage that it ends.

        Return None without an outage, or if its last failure is longer ago than `lapse`.
        """
        found = self._failures.pop(place, None)
        return None if found is None or now - found[1] > self._lapse else now - found[0]

    def forget(self, now: float) -> None:
        """Forget the outages whose last failure is longer ago than `lapse`."""
        failures = list(self._failures.items())
        self._forget([place for place, found in failures if now - found[1] > self._lapse])

    def _forget(self, places: list[Hashable]) -> None:
        for place in places:
            self._failures.pop(place, None)

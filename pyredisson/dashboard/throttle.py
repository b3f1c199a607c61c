"""Slows down clients that guess tokens.

The rule: it counts wrong tokens of each address, and of all together, so that many addresses are no
faster; memory is bounded.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from threading import Lock
from time import monotonic

__all__ = ["Throttle"]

_SECONDS = 60.0
_MOST, _MOST_OF_ALL = 10, 100
_ADDRESSES = 1000


class Throttle:
    """The wrong tokens of the last minute."""

    def __init__(self) -> None:
        self._all: deque[float] = deque(maxlen=_MOST_OF_ALL)
        self._of: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def wait(self, address: str) -> float:
        """Return the seconds until an address may try again; 0 for now."""
        with self._lock:
            some = self._of.get(address, deque(maxlen=_MOST))
            return max(self._until(some), self._until(self._all))

    @staticmethod
    def _until(failures: deque[float]) -> float:
        if len(failures) < (failures.maxlen or 1):
            return 0.0
        return max(failures[0] + _SECONDS - monotonic(), 0.0)

    def failed(self, address: str) -> None:
        """Count a wrong token."""
        with self._lock:
            some = self._of.setdefault(address, deque(maxlen=_MOST))
            self._of.move_to_end(address)
            if len(self._of) > _ADDRESSES:
                self._of.popitem(last=False)
            for each in (some, self._all):
                each.append(monotonic())

"""The objects that a writer has written; an object that occurs again is written as a number.

Java's streams refer to an object that they have written before by its handle, its count or its
position. This applies to the same object, never to an equal one. For a writer that is the same
Python object, and a reader returns the same Python object for a reference. Python shares strings of
one Latin-1 character, and equal constants of one module, as Java shares its literals.
"""

from __future__ import annotations

from typing import Any

from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

__all__ = ["Shared"]


class Shared:
    """The objects of one message by their keys (mostly `id()`), and those that are incomplete."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._numbers: dict[Any, int] = {}
        self._open: dict[Any, bool] = {}

    def add(self, key: Any, number: int) -> None:
        """Assign a number to an object."""
        self._numbers[key] = number

    def number(self, key: Any) -> int | None:
        """Return an object's number; None if the object has not been written.

        Raises:
            Rejection: the object is being written, so it contains itself.
        """
        found = self._numbers.get(key)
        if key in self._open and (found is None or not self._open[key]):
            raise Rejection("an object that contains itself, of a class that cannot change")
        return found

    def enter(self, key: Any, *, circles: bool = False) -> None:
        """Begin an object that contains others; with `circles`, it may contain itself.

        Raises:
            Rejection: it is nested deeper than the limits allow.
        """
        self._open[key] = circles
        if len(self._open) > self._limits.max_depth:
            raise Rejection(f"nested deeper than {self._limits.max_depth}")

    def leave(self, key: Any) -> None:
        """End an object that `enter` has begun."""
        self._open.pop(key, None)

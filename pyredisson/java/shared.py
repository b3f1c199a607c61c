"""What a writer knows of the objects that it wrote: an object that occurs again is a number.

Java's streams refer to an object that they wrote before (the same one; never an equal one)
by its handle, its count or its place. Here the same object is the same Python object, which
is what readers return for a reference. Python shares texts of one Latin-1 character and
what a compiler finds equal in one module, as Java shares its literals.
"""

from __future__ import annotations

from typing import Any

from pyredisson.limits import Limits
from pyredisson.rejection import Rejection

__all__ = ["Shared"]


class Shared:
    """The objects of one message by their keys, mostly `id()`, and those not yet complete."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._numbers: dict[Any, int] = {}
        self._open: dict[Any, bool] = {}

    def add(self, key: Any, number: int) -> None:
        """Say under which number an object is known from here on."""
        self._numbers[key] = number

    def number(self, key: Any) -> int | None:
        """Return an object's number; None if it was not written.

        Raises:
            Rejection: it is being written, so that it would contain itself.
        """
        found = self._numbers.get(key)
        if key in self._open and (found is None or not self._open[key]):
            raise Rejection("an object that contains itself, of a class that cannot change")
        return found

    def enter(self, key: Any, *, circles: bool = False) -> None:
        """Begin with an object that holds others, and itself if `circles` allows it.

        Raises:
            Rejection: nested deeper than the limits allow.
        """
        self._open[key] = circles
        if len(self._open) > self._limits.max_depth:
            raise Rejection(f"nested deeper than {self._limits.max_depth}")

    def leave(self, key: Any) -> None:
        """End an object."""
        self._open.pop(key, None)

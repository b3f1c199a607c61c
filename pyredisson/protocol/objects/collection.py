"""The operations that several objects with many values have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.command import Command, Operation

__all__ = ["PAGE", "CollectionProtocol", "ValuesProtocol"]

V = TypeVar("V")

PAGE = 500
"""The maximum number of values that one command of an iteration reads, to block no server."""


class ValuesProtocol(Protocol[V]):
    """The operations of an object with values in any order; values are compared by their bytes."""

    @property
    def codec(self) -> Codec[V]:
        """The codec of the values."""

    def size(self) -> Operation[int]:
        """Return the number of values."""

    def contains(self, value: V) -> Operation[bool]:
        """Return whether the value is in the object."""

    def contains_all(self, values: Iterable[V]) -> Operation[bool]:
        """Return whether all values are in the object; the iterable must not be empty."""

    def remove_all(self, values: Iterable[V]) -> Operation[bool]:
        """Remove all elements that equal any of the values; return whether any was removed.

        The iterable must not be empty.
        """

    def retain_all(self, values: Iterable[V]) -> Operation[bool]:
        """Remove all elements that equal none of the values; return whether any was removed.

        The iterable must not be empty.
        """


class CollectionProtocol(ValuesProtocol[V], Protocol[V]):
    """The operations of an object with values in an order."""

    def peek(self) -> Operation[V | None]:
        """Return the first value, without removing it, or None if the object is empty."""

    def range(self, start: int, stop: int) -> Command[list[V]]:
        """LRANGE: the values from one index to another, both included."""

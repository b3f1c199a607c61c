"""What the protocols of all objects that hold many values in an order have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.command import Operation

__all__ = ["PAGE", "CollectionProtocol"]

V = TypeVar("V")

PAGE = 500
"""Values that an iteration reads at once, so that a long list never blocks the server."""


class CollectionProtocol(Protocol[V]):
    """The operations of such an object; what compares values compares the codec's bytes."""

    @property
    def codec(self) -> Codec[V]:
        """How values are encoded."""

    def size(self) -> Operation[int]:
        """How many values there are."""

    def peek(self) -> Operation[V | None]:
        """The first value, left where it is."""

    def range(self, start: int, stop: int) -> Operation[list[V]]:
        """The values from one index to another, both included."""

    def contains(self, value: V) -> Operation[bool]:
        """Is the value there?"""

    def contains_all(self, values: Iterable[V]) -> Operation[bool]:
        """Are all the values there? Not for an empty iterable."""

    def remove_all(self, values: Iterable[V]) -> Operation[bool]:
        """Remove all that equals any of the values. Not for an empty iterable."""

    def retain_all(self, values: Iterable[V]) -> Operation[bool]:
        """Keep only what equals one of the values. Not for an empty iterable."""

"""The interface through which a serializer looks up other classes than its own.

`Registry` implements it; a serializer that needs it gets it as a constructor argument.
"""

from __future__ import annotations

from typing import Any, Protocol

from pyredisson.codecs.kryo5.releases import Release
from pyredisson.limits import Limits

from .reader import ReadableClasses
from .serializer import Serializer
from .writer import WritableClasses

__all__ = ["Classes"]


class Classes(ReadableClasses, WritableClasses, Protocol):
    """The classes of a codec."""

    release: Release
    limits: Limits

    def by_name(self, class_name: str) -> Serializer:
        """Return the serializer of a class by the JVM's name."""

    def known(self, class_name: str) -> Serializer:
        """Return the serializer for places where the class is known: it reads plain numbers."""

    def element(self, class_name: str) -> Serializer | None:
        """Return `known` for a final class; None for all others."""

    def primitive(self, name: str) -> Serializer:
        """Return the serializer of a primitive."""

    def of(self, value: Any) -> Serializer:
        """Return the serializer of a value that is not None."""

    def of_type(self, cls: type) -> Serializer | None:
        """Return the serializer of all values of a type; None before the type was first used."""

    def of_all(self, kinds: set[type], values: list[Any]) -> Serializer | None:
        """Return the one serializer of all these values, if it is known."""

    def id_of(self, class_name: str) -> int | None:
        """Return the id of a registered class."""

    def final(self, class_name: str) -> bool | None:
        """Tell whether a class is final (an array: by its element); None if it is unknown."""

    def accepts(self, declared: str, class_name: str) -> bool:
        """Tell whether a value of this class fits a field of the declared class."""

    def is_comparator(self, value: Any) -> bool:
        """Tell whether a value is a comparator."""

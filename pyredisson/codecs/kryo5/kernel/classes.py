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
        """Return the serializer for a position that fixes the class; it reads plain numbers."""

    def element(self, class_name: str) -> Serializer | None:
        """Return `known` for a final class; None for all others."""

    def primitive(self, name: str) -> Serializer:
        """Return the serializer of a primitive."""

    def of(self, value: Any) -> Serializer:
        """Return the serializer of a value that is not None."""

    def of_type(self, cls: type) -> Serializer | None:
        """Return the serializer that all values of a type share, if it is known yet."""

    def of_all(self, kinds: set[type], values: list[Any]) -> Serializer | None:
        """Return the serializer that all these values share, if it is known."""

    def id_of(self, class_name: str) -> int | None:
        """Return the id of a registered class; None for other classes."""

    def final(self, class_name: str) -> bool | None:
        """Return whether a class is final (an array: by its element); None if it is unknown."""

    def accepts(self, declared: str, class_name: str) -> bool:
        """Return whether a value of this class fits a field of the declared class."""

    def is_comparator(self, value: Any) -> bool:
        """Return whether a value is a comparator."""

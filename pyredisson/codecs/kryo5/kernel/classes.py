"""What a serializer may ask of the codec about other classes than its own.

The registry answers; a serializer that asks is given it when it is made.
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
        """Return the serializer of a class by the JVM's name of it."""

    def known(self, class_name: str) -> Serializer:
        """Return the serializer for a place where the class is known: it reads plain numbers."""

    def element(self, class_name: str) -> Serializer | None:
        """Return `known` for a final class; None for all others."""

    def primitive(self, name: str) -> Serializer:
        """Return the serializer of a primitive."""

    def of(self, value: Any) -> Serializer:
        """Return the serializer of a value that is not None."""

    def of_type(self, cls: type) -> Serializer | None:
        """Return the serializer that all values of a type have, if that was seen before."""

    def of_all(self, kinds: set[type], values: list[Any]) -> Serializer | None:
        """Return the serializer that values of these types have, if they are known to have one."""

    def id_of(self, class_name: str) -> int | None:
        """Return the id of a registered class."""

    def final(self, class_name: str) -> bool | None:
        """Say whether a class is final, an array by its element; None if it is unknown."""

    def accepts(self, declared: str, class_name: str) -> bool:
        """Say whether a value of this class can be in a field of the declared one."""

    def is_comparator(self, value: Any) -> bool:
        """Say whether a value may order a sorted container."""

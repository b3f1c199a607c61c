"""The interface through which the bodies of classes read a message."""

from __future__ import annotations

from typing import Any, Protocol
from uuid import UUID

from pyredisson.codecs.cursor import Cursor

__all__ = ["Primitives"]


class Primitives(Protocol):
    """The parts of a `Reader` that a body needs."""

    source: Cursor

    def zigzag(self) -> int:
        """Read an int or a long."""

    def flag(self) -> bool:
        """Read a boolean."""

    def string(self) -> str | None:
        """Read a string, or null."""

    def text(self) -> str:
        """Read a string that is not null."""

    def value(self) -> Any:
        """Read an object with its class."""

    def millis(self) -> int:
        """Read a date's milliseconds."""

    def big(self) -> int | None:
        """Read a BigInteger, or null."""

    def decimal(self) -> Any:
        """Read a BigDecimal, or null."""

    def uuid(self) -> UUID:
        """Read a UUID."""

    def zoned(self) -> Any:
        """Read a ZonedDateTime."""

    def entry(self) -> Any:
        """Read an entry of a map."""

    def bits(self) -> Any:
        """Read a BitSet."""

    def enum_map(self) -> Any:
        """Read an EnumMap."""

    def enum_set(self) -> Any:
        """Read an EnumSet."""

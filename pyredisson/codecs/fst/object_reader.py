"""The interface through which `known` and `imitated` use an `FstReader`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from pyredisson.codecs.cursor import Cursor
from pyredisson.codecs.java_serialization.objects import Maker
from pyredisson.codecs.java_serialization.sharing import Sharing

__all__ = ["ObjectReader"]


class ObjectReader(Protocol):
    """Reads objects of one message, and records the position of each."""

    source: Cursor
    maker: Maker
    sharing: Sharing

    def object(self, declared: str | None = None) -> Any:
        """Read an object; `declared` is the type of its field."""

    def fields(self, kinds: Sequence[str], name: str) -> list[Any]:
        """Read the fields of an object."""

    def class_name(self) -> str:
        """Read a class."""

    def keep(self, place: int, value: Any) -> Any:
        """Record the object that began at a position, and return it."""

    def replace(self, place: int, value: Any) -> Any:
        """Record another object for a position to which nothing has referred yet."""

    def started(self, place: int) -> Any:
        """Return the object that began at a position; None if nothing referred to it."""

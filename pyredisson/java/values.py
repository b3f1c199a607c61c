"""Values of other JDK classes: strings, times, and values of a few parts.

If Python has a corresponding type, the wrapper is a subclass of it and equal to the plain value:
`JText("java.net.URI", "http://a")` is a `str`. A value without such a type, or out of Python's
range (years after 9999), is a `JValue`: the Java class and its parts, never rounded or clamped::

    JValue("java.time.Instant", 253402300800, 0)     seconds, nanoseconds
    JValue("java.util.OptionalInt", 5)               no part: empty
    JValue("java.time.Year", 2024)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, TypeVar

from .containers import JMap, JSet
from .parts import JValue

T = TypeVar("T")
V = TypeVar("V")

__all__ = [
    "JEnumMap",
    "JEnumSet",
    "JSerialized",
    "JText",
    "JValue",
    "JZonedDateTime",
]


class JText(str):
    """A value that Java writes as its text: StringBuilder, URI, URL, Currency, TimeZone, ..."""

    class_name: str

    def __new__(cls, class_name: str, text: str) -> JText:
        """Make the value of a class from its text."""
        self = str.__new__(cls, text)
        self.class_name = class_name
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.class_name, str(self))

    def __repr__(self) -> str:
        return f"JText({self.class_name!r}, {str(self)!r})"


class JSerialized:
    """A value that another codec's message contains in Java's own serialization.

    Codecs write the bytes that were read, so it cannot be changed. Use `value` to write a new one.

    Args:
        class_name: the Java class.
        data: the bytes after the class name: from `aced0005` on, or the continuation of the stream
            that earlier values of the same message began.
        value: the Python value of the bytes; None if they could not be decoded.
        after: a digest of the stream before the value; empty at the start of the stream. After
            other bytes the value could have another meaning, so the codec rejects it there.
    """

    __slots__ = ("after", "class_name", "data", "value")

    def __init__(
        self, class_name: str, data: bytes, value: Any = None, *, after: bytes = b""
    ) -> None:
        self.class_name = class_name
        self.data = data
        self.value = value
        self.after = after

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JSerialized):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.class_name, self.data, self.after

    def __repr__(self) -> str:
        shown = f"bytes.fromhex({self.data.hex()!r})" if self.value is None else repr(self.value)
        return f"JSerialized({self.class_name!r}, {shown})"


class JZonedDateTime:
    """A `java.time.ZonedDateTime`: local time (`JLocalDateTime` or `JValue`) and zone ID.

    `offset` is the offset from UTC at that time, in seconds. Java's streams contain it and need it
    for named zones; other codecs ignore it.
    """

    __slots__ = ("local", "offset", "zone")
    class_name: ClassVar[str] = "java.time.ZonedDateTime"

    def __init__(self, local: datetime | JValue, zone: str, offset: int | None = None) -> None:
        self.local = local
        self.zone = zone
        self.offset = offset

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, JZonedDateTime):
            return NotImplemented
        return (self.local, self.zone) == (other.local, other.zone)

    def __hash__(self) -> int:
        return hash((self.local, self.zone))

    def __repr__(self) -> str:
        return f"JZonedDateTime({self.local!r}, {self.zone!r})"


class JEnumSet(JSet[T]):
    """A `java.util.EnumSet`: its enum's Java class and the constants."""

    __slots__ = ("enum_name",)

    def __init__(self, enum_name: str, values: Iterable[T] = (), *, jumbo: bool = False) -> None:
        super().__init__(f"java.util.{'Jumbo' if jumbo else 'Regular'}EnumSet", values)
        self.enum_name = enum_name

    def __reduce__(self) -> tuple[Any, ...]:
        return _enum_set, (self.enum_name, list(self), self.class_name)

    def __repr__(self) -> str:
        jumbo = ", jumbo=True" if "Jumbo" in self.class_name else ""
        return f"JEnumSet({self.enum_name!r}, {list(self)!r}{jumbo})"


def _enum_set(enum_name: str, values: list[Any], class_name: str) -> JEnumSet[Any]:
    return JEnumSet(enum_name, values, jumbo="Jumbo" in class_name)


class JEnumMap(JMap[T, V]):
    """A `java.util.EnumMap`: its enum's Java class and the entries."""

    __slots__ = ("enum_name",)

    def __init__(self, enum_name: str, entries: Mapping[T, V] | Iterable[tuple[T, V]] = ()) -> None:
        super().__init__("java.util.EnumMap", entries)
        self.enum_name = enum_name

    def __repr__(self) -> str:
        return f"JEnumMap({self.enum_name!r}, {dict(self)!r})"

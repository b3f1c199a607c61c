"""Other JDK classes: in Jackson each value is a string, a number, true, false or null.

`PLAIN` (Jackson 2) and `PLAIN3` convert a `JValue`, `JText` or value of `datetime` to that;
`OTHERS` and `OTHERS3` read it. Python rejects classes in neither table: Jackson writes them with a
loss, or in the time zone of the writing JVM (`BitSet`, `Calendar`, `java.sql.Time`). Source:
jackson-databind 2.21 and 3.1 as Redisson 4.7.0 uses them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from pyredisson.java.checks import check_float, check_int
from pyredisson.java.scalars import JDate
from pyredisson.java.values import JText, JValue
from pyredisson.limits import Limits
from pyredisson.rejection import reject_value

from .dates import millis_of_text
from .parser import IonTimestamp
from .scalars import double_of
from .time_parser import TIME_READERS
from .times import TIME_TEXTS

__all__ = [
    "CHARSETS",
    "EMPTY",
    "MILLIS",
    "OTHERS",
    "OTHERS3",
    "PLAIN",
    "PLAIN3",
    "REFERENCES",
    "TAGS",
    "Plain",
    "encoded",
    "millis_in",
    "reference",
]

F = TypeVar("F")

Plain = str | int | float | bool | None
_ATOMIC = "java.util.concurrent.atomic.Atomic"
_OPTIONAL = "java.util.Optional"
CHARSETS = {
    f"sun.nio.cs.{each}": each.replace("ISO_", "ISO-").replace("_", "-")
    for each in ("UTF_8", "US_ASCII", "ISO_8859_1", "UTF_16", "UTF_16BE", "UTF_16LE")
}
_LOCALE = re.compile(r"([a-z]{2,3})[_-]([A-Z]{2}|\d{3})")
# Dates other than java.util.Date: a `JValue` of milliseconds, encoded like Date.
MILLIS = ("java.sql.Date", "java.sql.Timestamp")
# Classes that are written as the value that they refer to; Optional only in Jackson 3.
REFERENCES = {f"{_ATOMIC}Reference": False, _OPTIONAL: True}
# The value that null stands for in a field of such a class.
EMPTY = {
    f"{_OPTIONAL}{each}": JValue(f"{_OPTIONAL}{each}") for each in ("", "Int", "Long", "Double")
}
EMPTY[f"{_ATOMIC}Reference"] = JValue(f"{_ATOMIC}Reference", None)
# The public classes whose names Jackson writes for the JDK's internal ones.
TAGS = {
    "sun.util.calendar.ZoneInfo": "java.util.TimeZone",
    "java.time.ZoneRegion": "java.time.ZoneId",
}


def _part(value: Any, name: str) -> Any:
    """Return the only part of a `JValue` of a class."""
    if not isinstance(value, JValue) or value.class_name != name or len(value.parts) != 1:
        raise reject_value(value, f"a {name} with one part")
    return value.parts[0]


def millis_in(value: Any) -> int:
    """Return the milliseconds of a date of `java.sql`."""
    name = value.class_name if isinstance(value, JValue) else "java.sql.Date"
    return check_int(_part(value, name), 64, f"a {name}")


def _whole(name: str, bits: int) -> Callable[[Any], Plain]:
    return lambda value: check_int(_part(value, name), bits, f"a {name}")


def _boolean(value: Any) -> Plain:
    found = _part(value, f"{_ATOMIC}Boolean")
    if not isinstance(found, bool):
        raise reject_value(found, "a boolean")
    return found


def _class(value: Any) -> Plain:
    return _text(_part(value, "java.lang.Class"))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise reject_value(value, "a string")
    return str(value)


def _locale(separator: str) -> Callable[[Any], Plain]:
    """Return the writer of a Locale: as `toString()` (Jackson 2) or as a language tag (3)."""

    def write(value: Any) -> Plain:
        if isinstance(value, JValue) and len(value.parts) == 3 and value.parts[2] == "":
            value = "_".join(filter(None, map(_text, value.parts[:2])))
        return (
            _LOCALE.sub(rf"\1{separator}\2", text)
            if _LOCALE.fullmatch(text := _text(value))
            else text
        )

    return write


def _optional(name: str, write: Callable[[Any], Plain]) -> Callable[[Any], Plain]:
    return lambda value: None if value == JValue(name) else write(value)


PLAIN: dict[str, Callable[[Any], Plain]] = {
    f"{_ATOMIC}Integer": _whole(f"{_ATOMIC}Integer", 32),
    f"{_ATOMIC}Long": _whole(f"{_ATOMIC}Long", 64),
    f"{_ATOMIC}Boolean": _boolean,
    "java.lang.Class": _class,
    "java.util.Locale": _locale("_"),
    "sun.util.calendar.ZoneInfo": _text,
    **dict.fromkeys(CHARSETS, _text),
}
PLAIN3: dict[str, Callable[[Any], Plain]] = {
    **PLAIN,
    **TIME_TEXTS,
    "java.util.Locale": _locale("-"),
    f"{_OPTIONAL}Int": _optional(f"{_OPTIONAL}Int", _whole(f"{_OPTIONAL}Int", 32)),
    f"{_OPTIONAL}Long": _optional(f"{_OPTIONAL}Long", _whole(f"{_OPTIONAL}Long", 64)),
    f"{_OPTIONAL}Double": _optional(
        f"{_OPTIONAL}Double", lambda value: check_float(_part(value, f"{_OPTIONAL}Double"), 64)
    ),
}


def encoded(
    encode: Callable[[Plain], F], millis: Callable[[int], F], jackson3: bool
) -> dict[str, Callable[[Any, Limits], F]]:
    """Return the encoders of these classes, made from the encoders of plain values and Dates."""

    def plain(write: Callable[[Any], Plain]) -> Callable[[Any, Limits], F]:
        return lambda value, _: encode(write(value))

    found = {name: plain(write) for name, write in (PLAIN3 if jackson3 else PLAIN).items()}
    return found | dict.fromkeys(MILLIS, lambda value, _: millis(millis_in(value)))


def reference(name: str, content: Callable[[Any, int], F], null: F) -> Callable[[Any, int], F]:
    """Return the writer of a reference type, made from the writer of its content."""

    def write(value: Any, depth: int) -> F:
        if not isinstance(value, JValue) or len(value.parts) > 1:
            raise reject_value(value, f"a {name}")
        return content(value.parts[0], depth) if value.parts else null

    return write


Reader = Callable[[Any, Limits], Any]


def _millis(name: str) -> Reader:
    def read(tree: Any, _: Limits) -> Any:
        text = type(tree) in {str, IonTimestamp}
        found = JValue(name, millis_of_text(tree) if text else tree)
        return JValue(name, int(JDate(millis_in(found))))

    return read


def _of(name: str, write: Callable[[Any], Plain]) -> Reader:
    """Return the reader of a `JValue` of one part."""

    def read(tree: Any, _: Limits) -> Any:
        found = JValue(name, tree)
        write(found)
        return found

    return read


def _texts(name: str) -> Reader:
    return lambda tree, _: JText(name, _text(tree))


def _charset(tree: Any, _: Limits) -> Any:
    name = next((name for name, text in CHARSETS.items() if text == tree), None)
    if name is None:
        raise reject_value(tree, "one of Java's standard charsets")
    return JText(name, tree)


def _timed(read: Callable[[Any], Any]) -> Reader:
    return lambda tree, _: read(tree)


OTHERS: dict[str, Reader] = {
    **{name: _millis(name) for name in MILLIS},
    **{name: _of(name, write) for name, write in PLAIN.items() if write is not _text},
    **{name: _texts(name) for name in CHARSETS},
    "java.nio.charset.Charset": _charset,
    "java.util.TimeZone": _texts("sun.util.calendar.ZoneInfo"),
    "java.util.Locale": _texts("java.util.Locale"),
}
OTHERS3: dict[str, Reader] = {
    **OTHERS,
    **{name: _timed(read) for name, read in TIME_READERS.items()},
    **{name: _of(name, PLAIN3[name]) for name in (f"{_OPTIONAL}Int", f"{_OPTIONAL}Long")},
    f"{_OPTIONAL}Double": lambda tree, _: JValue(f"{_OPTIONAL}Double", double_of(tree)),
}

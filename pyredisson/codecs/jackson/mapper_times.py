"""`java.time` as Jackson 2 writes it with `JavaTimeModule`: numbers and arrays, or ISO strings.

The strings are those of Jackson 3. A value is read in either form, as in Java, and written in the
mapper's form. Source: jackson-datatype-jsr310 2.16 and 2.21; the string of a `Date` is that of
Jackson 2.11 and newer.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from pyredisson.java.durations import BILLION
from pyredisson.java.times import make_time, time_parts
from pyredisson.java.values import JZonedDateTime
from pyredisson.limits import Limits
from pyredisson.rejection import Rejection, reject_value

from .dates import civil, date_text, days_of
from .mapper import Mapper
from .parser import Real
from .time_parser import TIME_READERS
from .times import OFFSET, TIME_TEXTS, offset_text, seconds_of

__all__ = ["Tree", "date2_text", "time_readers", "time_writers"]

Tree = str | int | Decimal | list[str | int]
Reader = Callable[[Any, Limits], Any]
_JAVA = "java.time."
_LOCAL = f"{_JAVA}LocalDateTime"
_MILLION = 1_000_000
_DECIMAL = re.compile(r"(-?)(\d{1,19})(?:\.(\d{1,9}))?", re.ASCII)
_DAYS = {"LocalDate": 3, "LocalTime": 0, "LocalDateTime": 3, "OffsetTime": 0}
_OFFSETS = ("OffsetDateTime", "ZonedDateTime")
_POINTS = ("Instant", "Duration", *_OFFSETS)


def date2_text(millis: int) -> str:
    """Return the string of a `Date`, as in `2023-11-14T22:13:20.000+00:00`."""
    text = date_text(millis)
    return f"{'+' if text.startswith('0000-') else ''}{text[:-1]}+00:00"


def time_writers(mapper: Mapper) -> dict[str, Callable[[Any], Tree]]:
    """Return the functions that make the tree of a value, by class; none without `java_time`."""
    if mapper.java_time is None:
        return {}
    found: dict[str, Callable[[Any], Tree]] = {**TIME_TEXTS}
    if mapper.durations == "numbers":
        found[f"{_JAVA}Duration"] = _number(mapper, "Duration")
    if mapper.java_time == "iso":
        found[f"{_JAVA}Year"] = lambda value: str(TIME_TEXTS[f"{_JAVA}Year"](value))
        return found
    found |= {_JAVA + name: _array(mapper, name) for name in _DAYS}
    found |= {_JAVA + name: _number(mapper, name) for name in _POINTS if name != "Duration"}
    found[f"{_JAVA}YearMonth"] = lambda value: list(time_parts(f"{_JAVA}YearMonth", value))
    return found


def time_readers(mapper: Mapper) -> dict[str, Reader]:
    """Return the functions that make a value from its tree, by class; none without `java_time`."""
    if mapper.java_time is None:
        return {}
    return {name: _reader(name.removeprefix(_JAVA), mapper) for name in TIME_READERS}


def _fraction(nano: int, mapper: Mapper) -> int:
    if mapper.nanoseconds:
        return nano
    if nano % _MILLION:
        raise Rejection(
            "a time with a fraction of a millisecond, which Java loses if its mapper writes no "
            "nanoseconds"
        )
    return nano // _MILLION


def _array(mapper: Mapper, name: str) -> Callable[[Any], Tree]:
    """Return the function that makes an array, with seconds and fraction only if they are not 0."""
    days = _DAYS[name]

    def write(value: Any) -> Tree:
        parts = time_parts(_JAVA + name, value)
        found: list[str | int] = list(parts[: days + 2])
        if name != "LocalDate" and any(parts[days + 2 : days + 4]):
            nano = parts[days + 3]
            found += [parts[days + 2], *([_fraction(nano, mapper)] if nano else [])]
        return [*found, offset_text(parts[4])] if name == "OffsetTime" else found

    return write


def _number(mapper: Mapper, name: str) -> Callable[[Any], Tree]:
    def write(value: Any) -> Tree:
        nanos = _nanos_of(value, name)
        if not mapper.nanoseconds:
            return _fraction(nanos, mapper)
        if nanos < 0 and nanos % BILLION and name != "Duration" and not mapper.early:
            raise Rejection(
                "a fraction of a second before 1970, which Jackson before 2.21 garbles; if the "
                'service has a newer one, pass release="4.7.0"'
            )
        digits = tuple(map(int, str(abs(nanos))))
        return Decimal((int(nanos < 0), digits, -9)) if nanos else Decimal("0.0")

    return write


def _nanos_of(value: Any, name: str) -> int:
    """Return the nanoseconds of a duration, or since 1970."""
    if name in {"Instant", "Duration"}:
        seconds, nano = time_parts(_JAVA + name, value)
        return seconds * BILLION + nano
    if name == "ZonedDateTime":
        text = str(TIME_TEXTS[f"{_JAVA}ZonedDateTime"](value))  # rejects names of zones
        offset = re.search(f"{OFFSET}$", text)
        parts = (*time_parts(_LOCAL, value.local), seconds_of(offset[1] if offset else "Z"))
    else:
        parts = time_parts(_JAVA + name, value)
    year, month, day, hour, minute, second, nano, shift = parts
    seconds = days_of(year, month, day) * 86_400 + (hour * 60 + minute) * 60 + second - shift
    return seconds * BILLION + nano


def _reader(name: str, mapper: Mapper) -> Reader:
    read = TIME_READERS[_JAVA + name]

    def from_tree(tree: Any, _: Limits) -> Any:
        kind = type(tree)
        if kind is list and name in {*_DAYS, "YearMonth"}:
            return _of_array(tree, name, mapper)
        if kind in {int, Real} and name in _POINTS:
            return _of_number(tree, name, mapper)
        if name == "Year" and kind is str and re.fullmatch(r"-?\d{1,9}", tree, re.ASCII):
            return read(int(tree))
        found = read(tree)
        if mapper.java_time == "arrays" and name in _OFFSETS:
            return _of_nanos(_nanos_of(found, name), name)
        return found

    return from_tree


def _of_array(tree: list[Any], name: str, mapper: Mapper) -> Any:
    parts, tail = tree, []
    if name == "OffsetTime" and tree and re.fullmatch(OFFSET, str(tree[-1]), re.ASCII):
        parts, tail = tree[:-1], [seconds_of(tree[-1])]
    if any(type(each) is not int for each in parts):
        raise reject_value(tree, f"a {name}")
    days = _DAYS.get(name, 2)
    if name not in {"LocalDate", "YearMonth"}:
        if not days + 2 <= len(parts) <= days + 4:
            raise reject_value(tree, f"a {name}")
        if len(parts) == days + 4 and not mapper.nanoseconds and parts[-1] < 1000:
            parts = [*parts[:-1], parts[-1] * _MILLION]
        parts = [*parts, 0, 0][: days + 4]
    elif len(parts) != days:
        raise reject_value(tree, f"a {name}")
    if name == "OffsetTime" and not tail:
        raise reject_value(tree, f"a {name}")
    return make_time(_JAVA + name, *parts, *tail)


def _of_number(tree: Any, name: str, mapper: Mapper) -> Any:
    match = _DECIMAL.fullmatch(str(tree))
    if match is None:
        raise reject_value(tree, f"a {name}")
    sign, whole, digits = match.groups()
    if digits is None:
        nanos = int(whole) * (BILLION if mapper.nanoseconds else _MILLION)
    else:
        nanos = int(whole) * BILLION + int(digits.ljust(9, "0"))
    return _of_nanos(-nanos if sign else nanos, name)


def _of_nanos(nanos: int, name: str) -> Any:
    """Return a duration, or a point in time, in UTC, as Java's deserializer."""
    seconds, nano = divmod(nanos, BILLION)
    if name in {"Instant", "Duration"}:
        return make_time(_JAVA + name, seconds, nano)
    days, rest = divmod(seconds, 86_400)
    local = (*civil(days), rest // 3600, rest // 60 % 60, rest % 60, nano)
    if name == "OffsetDateTime":
        return make_time(f"{_JAVA}OffsetDateTime", *local, 0)
    return JZonedDateTime(make_time(_LOCAL, *local), "Z")

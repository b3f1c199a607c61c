"""Times with nanoseconds, which Python's own types do not have.

Each class is the Python type plus a rest of 0 to 999 nanoseconds. Comparison, addition, printing,
copying and pickling include the rest. A value without a rest is equal to the plain one and has the
same hash; one with a rest equals no plain value::

    JLocalDateTime(2024, 1, 2, 3, 4, 5, nanosecond=123456789)    .microsecond is 123456

`nanosecond` is the whole fraction of the second, like Java's `getNano()`, so it includes the
microsecond. `timestamp()` and `strftime` ignore the rest, and a plain `datetime` plus a `JDuration`
stays plain.
"""

from __future__ import annotations

import datetime as dt
import re
from operator import index
from typing import Any, ClassVar, Self, SupportsIndex, overload

from .durations import BILLION, Finer, nanos_of, rest_of, span

__all__ = ["JInstant", "JLocalDateTime", "JOffsetDateTime", "JTime"]

_DIGITS = re.compile(r"[^+-]*[.,]\d{6}(\d{1,3})\d*(?:Z|[+-].*)?", re.ASCII)


def _split(microsecond: SupportsIndex, nanosecond: SupportsIndex | None) -> tuple[int, int]:
    """Return the microsecond and the rest from the argument that is specified."""
    micro = index(microsecond)
    if nanosecond is None:
        return micro, 0
    nano = index(nanosecond)
    if not 0 <= nano < BILLION:
        raise ValueError(f"nanosecond must be in 0..999999999, not {nano}")
    if micro not in {0, nano // 1000}:
        raise ValueError(f"microsecond {micro} contradicts nanosecond {nano}: pass only one")
    return divmod(nano, 1000)


def _digits(clock: str) -> int:
    """Return the rest: the seventh to ninth digit of the fraction in an ISO text."""
    found = _DIGITS.fullmatch(clock)
    return int(found[1].ljust(3, "0")) if found else 0


class _OfDay(Finer):
    """The base of `datetime` and `time` with nanoseconds."""

    _place: ClassVar[int]
    microsecond: Any

    @classmethod
    def build(cls, rest: int, *parts: Any, fold: int = 0) -> Self:
        """Make an instance from the arguments of the base type and a rest of 0 to 999."""
        self: Self = cls._base.__new__(cls, *parts, fold=fold)
        if rest:
            self._rest = rest
        return self

    @property
    def nanosecond(self) -> int:
        """The fraction of the second, 0 to 999999999, as Java's `getNano()`."""
        whole: int = self.microsecond * 1000
        return whole + self._rest

    def replace(self, *args: Any, nanosecond: SupportsIndex | None = None, **changes: Any) -> Self:
        """Return the value with other parts; a new `microsecond` removes the rest."""
        rest = 0 if len(args) > self._place or "microsecond" in changes else self._rest
        if nanosecond is not None:
            changes["microsecond"], rest = _split(changes.get("microsecond", 0), nanosecond)
        found: Self = self.of(self.plain().replace(*args, **changes), rest)
        return found

    __replace__ = replace

    def __repr__(self) -> str:
        shown: str = self._base.__repr__(self)
        return f"{shown[:-1]}, nanosecond={self.nanosecond})" if self._rest else shown


class JTime(_OfDay, dt.time):
    """A `java.time.LocalTime`, or with a time zone an `OffsetTime`, with nanoseconds."""

    _base = dt.time
    _place = 3

    @property
    def class_name(self) -> str:
        """The Java class."""
        return f"java.time.{'Local' if self.tzinfo is None else 'Offset'}Time"

    def __new__(
        cls,
        hour: SupportsIndex = 0,
        minute: SupportsIndex = 0,
        second: SupportsIndex = 0,
        microsecond: SupportsIndex = 0,
        tzinfo: dt.tzinfo | None = None,
        *,
        fold: int = 0,
        nanosecond: SupportsIndex | None = None,
    ) -> Self:
        """Accept the arguments of `time`, or `nanosecond` in place of `microsecond`."""
        micro, rest = _split(microsecond, nanosecond)
        return cls.of(dt.time(hour, minute, second, micro, tzinfo, fold=fold), rest)

    @classmethod
    def of(cls, plain: dt.time, rest: int = 0) -> Self:
        """Return a plain value plus `rest` nanoseconds as an instance of this class."""
        parts = plain.hour, plain.minute, plain.second, plain.microsecond, plain.tzinfo
        return cls.build(rest, *parts, fold=plain.fold)

    def plain(self) -> dt.time:
        """Return the value without the nanoseconds beyond the microsecond."""
        parts = self.hour, self.minute, self.second, self.microsecond, self.tzinfo
        return dt.time(*parts, fold=self.fold)

    @classmethod
    def fromisoformat(cls, text: str, /) -> Self:
        """Parse an ISO text with up to nine digits in its fraction of a second."""
        return cls.of(dt.time.fromisoformat(text), _digits(text))

    def isoformat(self, timespec: str = "auto") -> str:
        """Return the ISO text; with nine digits if there is a rest, or for "nanoseconds"."""
        if timespec == "nanoseconds" or (timespec == "auto" and self._rest):
            text = super().isoformat("microseconds")
            return f"{text[:15]}{self._rest:03}{text[15:]}"
        return super().isoformat(timespec)


class _Moment(_OfDay, dt.datetime):
    """A `datetime` with nanoseconds."""

    _base = dt.datetime
    _place = 6
    class_name: ClassVar[str]

    def __new__(  # noqa: PLR0917 - as datetime's
        cls,
        year: SupportsIndex,
        month: SupportsIndex,
        day: SupportsIndex,
        hour: SupportsIndex = 0,
        minute: SupportsIndex = 0,
        second: SupportsIndex = 0,
        microsecond: SupportsIndex = 0,
        tzinfo: dt.tzinfo | None = None,
        *,
        fold: int = 0,
        nanosecond: SupportsIndex | None = None,
    ) -> Self:
        """Accept the arguments of `datetime`, or `nanosecond` in place of `microsecond`."""
        micro, rest = _split(microsecond, nanosecond)
        parts = year, month, day, hour, minute, second, micro, tzinfo
        return cls.of(dt.datetime(*parts, fold=fold), rest)

    @classmethod
    def of(cls, plain: dt.datetime, rest: int = 0) -> Self:
        """Return a plain value plus `rest` nanoseconds as an instance of this class."""
        clock = plain.hour, plain.minute, plain.second, plain.microsecond, plain.tzinfo
        return cls.build(rest, plain.year, plain.month, plain.day, *clock, fold=plain.fold)

    def plain(self) -> dt.datetime:
        """Return the value without the nanoseconds beyond the microsecond."""
        clock = self.hour, self.minute, self.second, self.microsecond, self.tzinfo
        return dt.datetime(self.year, self.month, self.day, *clock, fold=self.fold)

    @classmethod
    def combine(cls, date: dt.date, time: dt.time, tzinfo: Any = True) -> Self:
        """Combine a date and a time, including the time's nanoseconds."""
        zone = time.tzinfo if tzinfo is True else tzinfo
        return cls.of(dt.datetime.combine(date, time, zone), rest_of(time))

    @classmethod
    def fromisoformat(cls, text: str, /) -> Self:
        """Parse an ISO text with up to nine digits in its fraction of a second."""
        return cls.of(dt.datetime.fromisoformat(text), _digits(text[10:]))

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        """Return the ISO text; with nine digits if there is a rest, or for "nanoseconds"."""
        if timespec == "nanoseconds" or (timespec == "auto" and self._rest):
            text = super().isoformat(sep, "microseconds")
            return f"{text[:26]}{self._rest:03}{text[26:]}"
        return super().isoformat(sep, timespec)

    def time(self) -> dt.time:
        """Return the time of day; a `JTime` if there is a rest."""
        found = super().time()
        return JTime.of(found, self._rest) if self._rest else found

    def timetz(self) -> dt.time:
        """Return the time of day with its zone; a `JTime` if there is a rest."""
        found = super().timetz()
        return JTime.of(found, self._rest) if self._rest else found

    def astimezone(self, tz: dt.tzinfo | None = None) -> Self:
        """Return the same moment in another zone."""
        return self.of(self.plain().astimezone(tz), self._rest)

    def __add__(self, other: dt.timedelta, /) -> Self:
        if not isinstance(other, dt.timedelta):
            return NotImplemented
        carry, rest = divmod(self._rest + rest_of(other), 1000)
        return self.of(self.plain() + other + dt.timedelta(microseconds=carry), rest)

    __radd__ = __add__

    @overload  # type: ignore[override]  # `date` has another, which `datetime` has not either
    def __sub__(self, other: dt.datetime, /) -> dt.timedelta: ...
    @overload
    def __sub__(self, other: dt.timedelta, /) -> Self: ...
    def __sub__(self, other: Any, /) -> Any:
        if isinstance(other, dt.timedelta):
            return self + -other
        if not isinstance(other, dt.datetime):
            return NotImplemented
        return span(nanos_of(_plain(self) - _plain(other)) + self._rest - rest_of(other))

    def __rsub__(self, other: Any, /) -> dt.timedelta:
        return -(self - other) if isinstance(other, dt.datetime) else NotImplemented


class JInstant(_Moment):
    """A `java.time.Instant` that `datetime` can hold; aware, in UTC when decoded."""

    class_name: ClassVar[str] = "java.time.Instant"


class JLocalDateTime(_Moment):
    """A `java.time.LocalDateTime` that `datetime` can hold; naive."""

    class_name: ClassVar[str] = "java.time.LocalDateTime"


class JOffsetDateTime(_Moment):
    """A `java.time.OffsetDateTime` that `datetime` can hold; aware, with a fixed offset."""

    class_name: ClassVar[str] = "java.time.OffsetDateTime"


def _plain(value: Any) -> Any:
    return value.plain() if isinstance(value, Finer) else value

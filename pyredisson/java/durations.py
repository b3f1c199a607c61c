"""Durations with nanoseconds, and the base of all values with nanoseconds.

`Finer` is the base of `JDuration` here and of the classes in `nanos`, which explains them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from fractions import Fraction
from operator import index
from typing import Any, ClassVar, Self, SupportsIndex, TypeVar

__all__ = ["BILLION", "Finer", "JDuration", "nanos_of", "rest_of", "span"]

BILLION = 1_000_000_000
T = TypeVar("T")


def rest_of(value: object) -> int:
    """Return the nanoseconds beyond the microsecond, 0 to 999; 0 for a plain value."""
    rest: int = getattr(value, "_rest", 0)
    return rest


def _revive(cls: Any, plain: Any) -> Any:
    return cls.of(plain)


class Finer:
    """A type of the module `datetime` plus `_rest` nanoseconds, which are stored only if not 0."""

    _base: ClassVar[Any]
    of: Any  # the class method that makes an instance of a plain value and a rest
    plain: Any  # the method that returns the plain value
    _rest: int = 0

    def __eq__(self, other: object) -> Any:
        found = self._base.__eq__(self, other)
        return self._rest == rest_of(other) if found is True else found

    def __ne__(self, other: object) -> Any:
        found = self.__eq__(other)
        return found if found is NotImplemented else not found

    def __lt__(self, other: Any) -> Any:
        found = self._base.__le__(self, other)
        if found is not True:
            return found
        return self._base.__lt__(self, other) or self._rest < rest_of(other)

    def __le__(self, other: Any) -> Any:
        found = self._base.__le__(self, other)
        if found is not True:
            return found
        return self._base.__lt__(self, other) or self._rest <= rest_of(other)

    def __gt__(self, other: Any) -> Any:
        found = self.__le__(other)
        return found if found is NotImplemented else not found

    def __ge__(self, other: Any) -> Any:
        found = self.__lt__(other)
        return found if found is NotImplemented else not found

    def __hash__(self) -> int:
        plain: int = self._base.__hash__(self)
        return hash((plain, self._rest)) if self._rest else plain

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[Any, ...]:
        return _revive, (type(self), self.plain()), vars(self) or None


def nanos_of(value: dt.timedelta) -> int:
    """Return a duration in nanoseconds."""
    seconds = value.days * 86_400 + value.seconds
    return seconds * BILLION + value.microseconds * 1000 + rest_of(value)


def span(nanos: int) -> dt.timedelta:
    """Return a duration of `nanos` nanoseconds: a `JDuration` if a `timedelta` would lose some.

    Raises:
        OverflowError: no `timedelta` is that long.
    """
    micro, rest = divmod(nanos, 1000)
    plain = dt.timedelta(microseconds=micro)
    return JDuration.of(plain, rest) if rest else plain


def _of_two(reckon: Callable[[int, int], T]) -> Callable[[Any, dt.timedelta], T]:
    """Return the operator that computes with the nanoseconds of two durations."""

    def operate(self: dt.timedelta, other: dt.timedelta) -> T:
        if not isinstance(other, dt.timedelta):
            return NotImplemented
        return reckon(nanos_of(self), nanos_of(other))

    return operate


class JDuration(Finer, dt.timedelta):
    """A `java.time.Duration` with nanoseconds; `nanoseconds` is its fraction of a second.

    Arithmetic is exact to the nanosecond. The result is a `timedelta` if that can represent it,
    otherwise a `JDuration`.
    """

    _base = dt.timedelta
    class_name: ClassVar[str] = "java.time.Duration"

    def __new__(  # noqa: PLR0917 - as timedelta's
        cls,
        days: float = 0,
        seconds: float = 0,
        microseconds: float = 0,
        milliseconds: float = 0,
        minutes: float = 0,
        hours: float = 0,
        weeks: float = 0,
        *,
        nanoseconds: SupportsIndex = 0,
    ) -> Self:
        """Add up the parts, as `timedelta` does."""
        micro, rest = divmod(index(nanoseconds), 1000)
        plain = dt.timedelta(days, seconds, microseconds, milliseconds, minutes, hours, weeks)
        return cls.of(plain + dt.timedelta(microseconds=micro), rest)

    @classmethod
    def of(cls, plain: dt.timedelta, rest: int = 0) -> Self:
        """Return a plain value plus `rest` nanoseconds as an instance of this class."""
        self = dt.timedelta.__new__(cls, plain.days, plain.seconds, plain.microseconds)
        if rest:
            self._rest = rest
        return self

    def plain(self) -> dt.timedelta:
        """Return the value without the nanoseconds beyond the microsecond."""
        return dt.timedelta(self.days, self.seconds, self.microseconds)

    @property
    def nanoseconds(self) -> int:
        """The fraction of the second, 0 to 999999999, as Java's `getNano()`."""
        return self.microseconds * 1000 + self._rest

    def total_seconds(self) -> float:
        """Return the duration in seconds, as the nearest `float`."""
        return nanos_of(self) / BILLION

    __add__ = __radd__ = _of_two(lambda one, two: span(one + two))
    __sub__ = _of_two(lambda one, two: span(one - two))
    __rsub__ = _of_two(lambda one, two: span(two - one))
    __mod__ = _of_two(lambda one, two: span(one % two))
    __rmod__ = _of_two(lambda one, two: span(two % one))
    __divmod__ = _of_two(lambda one, two: (one // two, span(one % two)))
    __rdivmod__ = _of_two(lambda one, two: (two // one, span(two % one)))
    __rtruediv__ = _of_two(lambda one, two: two / one)
    __rfloordiv__ = _of_two(lambda one, two: two // one)

    def __neg__(self) -> dt.timedelta:
        return span(-nanos_of(self))

    def __pos__(self) -> Self:
        return self

    def __abs__(self) -> dt.timedelta:
        return span(abs(nanos_of(self)))

    def __bool__(self) -> bool:
        return nanos_of(self) != 0

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, (int, float)):
            return NotImplemented
        return span(round(nanos_of(self) * Fraction(other)))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, dt.timedelta):
            return nanos_of(self) / nanos_of(other)
        if not isinstance(other, (int, float)):
            return NotImplemented
        return span(round(nanos_of(self) / Fraction(other)))

    def __floordiv__(self, other: Any) -> Any:
        if isinstance(other, dt.timedelta):
            return nanos_of(self) // nanos_of(other)
        return span(nanos_of(self) // other) if isinstance(other, int) else NotImplemented

    def __str__(self) -> str:
        if not self._rest:
            return super().__str__()
        return f"{super().__str__()}{'' if self.microseconds else '.000000'}{self._rest:03}"

    def __repr__(self) -> str:
        if not self._rest:
            return super().__repr__()
        parts = (("days", self.days), ("seconds", self.seconds), ("nanoseconds", self.nanoseconds))
        return f"JDuration({', '.join(f'{name}={part}' for name, part in parts if part)})"

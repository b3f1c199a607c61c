"""Converts a delay or a moment to the score of an item, or rejects an invalid one.

Scores are epoch milliseconds, rounded up so that no item is early. They are whole numbers, because
Redisson writes no others, and a fractional score stops its transfer.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, isinf, isnan

__all__ = [
    "LONGEST_DELAY",
    "LONGEST_REPLY",
    "LONGEST_WAIT",
    "Due",
    "Seconds",
    "due_ms",
    "from_epoch_ms",
    "moment_us",
    "not_negative",
    "positive",
    "seconds",
    "whole_ms",
]

Seconds = float | timedelta
"""A duration: seconds as int or float, or a timedelta."""

_FOR_EVER = float("inf")
MAX_MS = 2**53  # beyond it a ZSET score, a double, loses whole milliseconds
LONGEST_DELAY = (2**53 - 2**43) / 1000
"""The longest delay in seconds; with it, until the year 2248 a due time is below 2**53 ms."""
LONGEST_WAIT = 100 * 366 * 86_400
"""The longest wait in seconds: Python's threads cannot wait for three times as long."""
LONGEST_REPLY = 1_000_000
"""The longest wait for a reply in seconds: sockets cannot wait for three times as long."""


def seconds(value: Seconds, what: str = "timeout") -> float:
    """Return a duration in seconds.

    Raises:
        TypeError: the value is neither a number nor a timedelta.
        ValueError: the value is NaN, or an int that is too large for a float.
    """
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{what} must be seconds or a timedelta, not {type(value).__name__}")
    try:
        if isnan(value):
            raise ValueError(f"{what} is NaN")
    except OverflowError:
        raise ValueError(f"{what} is too large") from None
    return value


def positive(value: Seconds, what: str, most: float = _FOR_EVER) -> float:
    """Return a duration in seconds, which must be more than 0 and at most `most`.

    Raises:
        TypeError: as `seconds`.
        ValueError: as `seconds`, or the value is 0 or less, infinite, or more than `most`.
    """
    number = seconds(value, what)
    if not 0 < number < _FOR_EVER:
        raise ValueError(f"{what} must be more than 0 and finite, not {value!r}")
    return _at_most(number, what, most)


def not_negative(value: Seconds, what: str, most: float = _FOR_EVER) -> float:
    """Return a duration in seconds, which must be at least 0 and at most `most`.

    Raises:
        TypeError: as `seconds`.
        ValueError: as `seconds`, or the value is negative, infinite, or more than `most`.
    """
    number = seconds(value, what)
    if not 0 <= number < _FOR_EVER:
        raise ValueError(f"{what} must be at least 0 and finite, not {value!r}")
    return _at_most(number, what, most)


def _at_most(number: float, what: str, most: float) -> float:
    if number > most:
        raise ValueError(f"{what} must be at most {most:.0f} s, not {number!r}")
    return number


def whole_ms(value: Seconds, what: str) -> int:
    """Return a duration in whole milliseconds, rounded up.

    Raises:
        TypeError: as `seconds`.
        ValueError: as `seconds`, or the value is above 2**53 ms or below -2**53 ms.
    """
    number = seconds(value, what) * 1000.0
    if not -MAX_MS <= number <= MAX_MS:
        raise ValueError(f"{what} must be at most 2**53 ms, not {value!r}")
    return ceil(number)


def _delay_us(delay: Seconds) -> int:
    if isinstance(delay, timedelta):
        length = delay // timedelta(microseconds=1)
    else:
        number = seconds(delay, "delay")
        if isinf(float(number) * 1_000_000):
            raise ValueError("delay is infinite; an item that is never due cannot be delivered")
        length = ceil(number * 1_000_000)
    if (delay.days if isinstance(delay, timedelta) else delay) < 0:
        raise ValueError(f"delay is negative: {delay!r}; use 0 for an item that is due at once")
    return length


def moment_us(at: datetime, what: str = "at") -> int:
    """Return a moment in epoch microseconds.

    Raises:
        TypeError: `at` is not a datetime.
        ValueError: `at` is naive.
    """
    if not isinstance(at, datetime):
        raise TypeError(f"{what} must be an aware datetime, not {type(at).__name__}")
    if at.utcoffset() is None:
        raise ValueError(f"{what} is a naive datetime: {at!r}; give it a time zone (tzinfo=UTC)")
    return (at - _EPOCH) // timedelta(microseconds=1)


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class Due:
    """A checked due time: a delay from the server's current time, or a moment."""

    microseconds: int
    from_now: bool

    @classmethod
    def of(cls, delay: Seconds | None, at: datetime | None) -> Due:
        """Check the caller's arguments: exactly one of `delay` and `at` must be given.

        Raises:
            TypeError: both or neither are given, or one has another type.
            ValueError: the delay is negative, infinite, NaN or above 2**53 ms; or the moment is a
                naive datetime or before 1970.
        """
        if (delay is None) == (at is None):
            raise TypeError("give either delay= or at=")
        due = cls(moment_us(at), False) if delay is None else cls(_delay_us(delay), True)  # type: ignore[arg-type]  # one is given
        due.score(0)
        return due

    def score(self, now_ms: float) -> int:
        """Return the score of an item that is offered at `now_ms` (epoch ms of the server).

        Raises:
            ValueError: the moment is before 1970, or the score is above 2**53 ms.
        """
        start = ceil(now_ms * 1000) if self.from_now else 0
        score = -(-(self.microseconds + start) // 1000)
        if not 0 <= score <= MAX_MS:
            raise ValueError(
                f"the item would be due at epoch millisecond {score}; "
                f"scores must be whole milliseconds from 0 to 2**53"
            )
        return score


def due_ms(delay: Seconds | None, at: datetime | None, now_ms: float) -> int:
    """Return the score of an item that is offered at `now_ms` (epoch ms of the server).

    Raises:
        TypeError, ValueError: as `Due.of` and `Due.score`.
    """
    return Due.of(delay, at).score(now_ms)


FIRST_MS, LAST_MS = -62_135_596_800_000, 253_402_300_799_999
"""The first and the last millisecond of a datetime."""


def from_epoch_ms(moment: float) -> datetime:
    """Return epoch ms as an aware datetime: the first or last datetime if they are out of range."""
    return _EPOCH + timedelta(milliseconds=min(max(FIRST_MS, moment), LAST_MS))

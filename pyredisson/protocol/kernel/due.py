"""When an item is due: a delay or a moment becomes a score, refused before anything is written.

Scores are whole epoch milliseconds, rounded up so that nothing is early
(Redisson writes integers only: a fractional score stops its transfer).
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil, isinf, isnan

__all__ = [
    "Due",
    "Seconds",
    "due_ms",
    "from_epoch_ms",
    "moment_us",
    "not_negative",
    "positive",
    "seconds",
]

Seconds = float | timedelta
"""A length of time: seconds as int or float, or a timedelta."""

_FOR_EVER = float("inf")
MAX_MS = 2**53  # beyond it a ZSET score, a double, loses whole milliseconds


def seconds(value: Seconds, what: str = "timeout") -> float:
    """Return a length of time in seconds.

    Raises:
        TypeError: neither a number nor a timedelta.
        ValueError: NaN, or an int beyond a float.
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


def positive(value: Seconds, what: str) -> float:
    """Return a length of time in seconds that is more than 0 and finite, else as `seconds`."""
    number = seconds(value, what)
    if not 0 < number < _FOR_EVER:
        raise ValueError(f"{what} must be more than 0 and finite, not {value!r}")
    return number


def not_negative(value: Seconds, what: str) -> float:
    """Return a length of time in seconds that is at least 0 and finite, else as `seconds`."""
    number = seconds(value, what)
    if not 0 <= number < _FOR_EVER:
        raise ValueError(f"{what} must be at least 0 and finite, not {value!r}")
    return number


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
        TypeError: not a datetime.
        ValueError: a naive one.
    """
    if not isinstance(at, datetime):
        raise TypeError(f"{what} must be an aware datetime, not {type(at).__name__}")
    if at.utcoffset() is None:
        raise ValueError(f"{what} is a naive datetime: {at!r}; give it a time zone (tzinfo=UTC)")
    return (at - _EPOCH) // timedelta(microseconds=1)


_EPOCH = datetime.fromisoformat("1970-01-01T00:00:00+00:00")


@dataclass(frozen=True, slots=True)
class Due:
    """When an item is due, checked: so long from the server's now on, or at a moment."""

    microseconds: int
    from_now: bool

    @classmethod
    def of(cls, delay: Seconds | None, at: datetime | None) -> Due:
        """Check what the caller gave: exactly one of `delay` and `at`.

        Raises:
            TypeError: both, neither, or another type.
            ValueError: a negative, infinite or NaN delay, a naive datetime, a
                moment before 1970, or a score above 2**53 ms, whatever the time.
        """
        if (delay is None) == (at is None):
            raise TypeError("give either delay= or at=")
        due = cls(moment_us(at), False) if delay is None else cls(_delay_us(delay), True)  # type: ignore[arg-type]  # one is given
        due.score(0)
        return due

    def score(self, now_ms: float) -> int:
        """Return the score of an item offered at `now_ms` (epoch milliseconds of the server).

        Raises:
            ValueError: a moment before 1970, or a score above 2**53 ms.
        """
        start = ceil(now_ms * 1000) if self.from_now else 0
        score = -(-(self.microseconds + start) // 1000)
        if not 0 <= score <= MAX_MS:
            raise ValueError(
                f"the item would be due at epoch millisecond {score}; "
                f"Redis keeps whole milliseconds from 0 to 2**53"
            )
        return score


def due_ms(delay: Seconds | None, at: datetime | None, now_ms: float) -> int:
    """Return the score of an item offered at `now_ms` (epoch milliseconds of the server).

    Raises:
        TypeError, ValueError: as `Due.of` and `Due.score`.
    """
    return Due.of(delay, at).score(now_ms)


def from_epoch_ms(moment: float) -> datetime:
    """Return an aware datetime."""
    return _EPOCH + timedelta(milliseconds=moment)

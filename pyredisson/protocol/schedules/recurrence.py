"""When work recurs: after a given moment, and up to one; pure, so the zone is given as it was read.

Moments are epoch milliseconds. Cron follows Debian's at a change of summer time, as cronsim does:
what is due in the hour that is left out runs when that ends, what is due in the hour that comes
twice runs once, and what has a ``*`` for its minute or its hour runs by the elapsed time.
Intervals are elapsed time everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from importlib import import_module
from typing import Any, Literal, TypeAlias, get_args

from pyredisson.protocol.kernel.due import Seconds, from_epoch_ms, positive

__all__ = ["Cron", "Every", "Missed", "Timing", "occurrences", "require_missed"]

Missed = Literal["skip", "once", "all"]
"""What becomes of occurrences for which nobody was there."""

MOST = 1000
"""So many missed occurrences are offered at most, the latest."""

_SHORTEST = 0.1
_LONGEST = 100 * 366 * 86_400
_EPOCH = from_epoch_ms(0)
_TWICE = 3 * 3_600_000  # longer than any hour that comes twice


def require_missed(missed: Missed) -> Missed:
    """Return what is one of the words.

    Raises:
        ValueError: it is none.
    """
    if missed not in get_args(Missed):
        raise ValueError(f"missed must be 'skip', 'once' or 'all', not {missed!r}")
    return missed


def _milliseconds(moment: datetime) -> int:
    return -((_EPOCH - moment) // timedelta(milliseconds=1))


@dataclass(frozen=True, slots=True)
class Every:
    """An interval, counted from the first occurrence on; both in microseconds."""

    length_us: int
    first_us: int

    @staticmethod
    def length(every: Seconds) -> int:
        """Return an interval in microseconds.

        Raises:
            TypeError, ValueError: not a length of time, or one that makes no sense.
        """
        if not _SHORTEST <= positive(every, "every") <= _LONGEST:
            raise ValueError(f"every must be from {_SHORTEST} s to 100 years, not {every!r}")
        if isinstance(every, timedelta):
            return every // timedelta(microseconds=1)
        return round(every * 1_000_000)

    def _at(self, number: int) -> int:
        return -(-(self.first_us + number * self.length_us) // 1000)

    def after(self, moment: int) -> int:
        """Return the first occurrence after a moment."""
        return self._at(max((moment * 1000 - self.first_us) // self.length_us + 1, 0))

    def latest(self, moment: int) -> int | None:
        """Return the last occurrence that is not after a moment, None before the first."""
        number = (moment * 1000 - self.first_us) // self.length_us
        return self._at(number) if number >= 0 else None


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression of five fields, or six with seconds in front, in a time zone."""

    text: str
    zone: tzinfo

    def _walk(self, start: datetime, *, back: bool) -> Iterator[int]:
        """Iterate over occurrences, without the moment at which it starts.

        Raises:
            ImportError: cronsim is missing.
            ValueError: the text is no cron expression.
        """
        cronsim = _cronsim()
        try:
            for found in cronsim.CronSim(self.text, start, reverse=back):
                yield _milliseconds(found)
        except (cronsim.CronSimError, ValueError, AssertionError) as error:
            raise ValueError(f"{self.text!r} is no cron expression: {error}") from None

    def _local(self, moment: int) -> datetime:
        return from_epoch_ms(moment).astimezone(self.zone)

    def after(self, moment: int) -> int:
        """Return the first occurrence after a moment.

        Raises:
            ImportError: cronsim is missing.
            ValueError: the text is no cron expression, or one of no day.
        """
        # in the hour that comes twice cronsim begins with the first of the two
        for found in self._walk(self._local(moment), back=False):
            if found > moment:
                return found
        raise ValueError(f"{self.text!r} is a cron expression that never occurs")

    def latest(self, moment: int) -> int | None:
        """Return the last occurrence that is not after a moment."""
        start = self._local(moment + 1)
        if start.fold:  # from the second of the two hours it would not see the end of the first
            start = self._local(moment + _TWICE)
        return next((at for at in self._walk(start, back=True) if at <= moment), None)


Timing: TypeAlias = Every | Cron


def occurrences(timing: Timing, missed: Missed, due: int, now: int) -> list[int]:
    """Return what to offer when the occurrence that was offered last is due.

    Args:
        timing: when it recurs.
        missed: what becomes of those between that one and now.
        due: the occurrence that was offered last.
        now: the moment.

    Returns:
        what was missed and is offered now, then the next one.
    """
    most = {"skip": 0, "once": 1, "all": MOST}[missed]
    lost: list[int] = []
    moment = now
    while len(lost) < most:
        found = timing.latest(moment)
        if found is None or found <= due:
            break
        lost.append(found)
        moment = found - 1
    return [*reversed(lost), timing.after(now)]


def _cronsim() -> Any:
    try:
        return import_module("cronsim")
    except ImportError:
        raise ImportError(
            "cron= needs cronsim: pip install cronsim (pyredisson's extra 'cron')"
        ) from None

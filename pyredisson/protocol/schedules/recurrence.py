"""Computes the occurrences of recurring work; the caller reads the time zone, as this is pure.

Moments are epoch milliseconds. At a change of summer time, cron expressions behave as in Debian's
cron and in cronsim. Work that is due in the skipped hour runs when that hour ends. Work that is due
in the repeated hour runs once. Work with ``*`` for its minute or hour follows the elapsed time.
Intervals are always elapsed time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from importlib import import_module
from typing import Any, Literal, TypeAlias

from pyredisson.protocol.kernel.due import LONGEST_WAIT, Seconds, from_epoch_ms, positive

__all__ = ["Cron", "Every", "Missed", "Timing", "occurrences"]

Missed = Literal["skip", "once", "all"]
"""Which of the occurrences that no client offered in time are offered later."""

MOST = 1000
"""The maximum number of missed occurrences that are offered: the latest ones."""

_SHORTEST = 0.1
_EPOCH = from_epoch_ms(0)
_TWICE = 3 * 3_600_000  # longer than any repeated hour


def _milliseconds(moment: datetime) -> int:
    return -((_EPOCH - moment) // timedelta(milliseconds=1))


@dataclass(frozen=True, slots=True)
class Every:
    """An interval in microseconds, and its first occurrence in epoch microseconds."""

    length_us: int
    first_us: int

    @staticmethod
    def length(every: Seconds) -> int:
        """Return an interval in microseconds.

        Raises:
            TypeError, ValueError: not a duration, or not from 0.1 s to 100 years.
        """
        if not _SHORTEST <= positive(every, "every") <= LONGEST_WAIT:
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
        """Return the last occurrence that is not after a moment; None before the first one."""
        number = (moment * 1000 - self.first_us) // self.length_us
        return self._at(number) if number >= 0 else None


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression in a time zone: five fields, or six that begin with seconds."""

    text: str
    zone: tzinfo

    def _walk(self, start: datetime, *, back: bool) -> Iterator[int]:
        """Iterate over the occurrences after `start`, or before it with `back`.

        Raises:
            ImportError: cronsim is missing.
            ValueError: the text is not a cron expression.
        """
        cronsim = _cronsim()
        try:
            for found in cronsim.CronSim(self.text, start, reverse=back):
                yield _milliseconds(found)
        except (cronsim.CronSimError, ValueError, AssertionError) as error:
            raise ValueError(f"{self.text!r} is not a cron expression: {error}") from None

    def _local(self, moment: int) -> datetime:
        return from_epoch_ms(moment).astimezone(self.zone)

    def after(self, moment: int) -> int:
        """Return the first occurrence after a moment.

        Raises:
            ImportError: cronsim is missing.
            ValueError: the text is not a cron expression, or it never occurs.
        """
        # in a repeated hour, cronsim starts with the first of the two
        for found in self._walk(self._local(moment), back=False):
            if found > moment:
                return found
        raise ValueError(f"{self.text!r} is a cron expression that never occurs")

    def latest(self, moment: int) -> int | None:
        """Return the last occurrence that is not after a moment."""
        start = self._local(moment + 1)
        if start.fold:  # from the second of the two hours, cronsim skips the end of the first
            start = self._local(moment + _TWICE)
        return next((at for at in self._walk(start, back=True) if at <= moment), None)


Timing: TypeAlias = Every | Cron


def occurrences(timing: Timing, missed: Missed, due: int, now: int) -> list[int]:
    """Return the occurrences to offer after the last offered one has become due.

    Args:
        timing: when the work recurs.
        missed: which of the occurrences between the last offered one and now are offered.
        due: the last offered occurrence, in epoch milliseconds.
        now: the current time, in epoch milliseconds.

    Returns:
        The missed occurrences to offer now, then the next occurrence.
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

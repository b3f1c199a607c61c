"""Computes the occurrences of recurring work, by an interval or by a cron expression (`cron`).

Moments are epoch milliseconds. Intervals are elapsed time: summer time does not change them.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Literal, TypeAlias

from pyredisson.protocol.kernel.due import LONGEST_WAIT, Seconds, positive
from pyredisson.protocol.schedules.cron import Cron

__all__ = ["Every", "Missed", "Timing", "occurrences"]

Missed = Literal["skip", "once", "all"]
"""What is done with missed occurrences: those that no client offered before they were due.

"skip" offers none of them, "once" offers the latest one, "all" offers the latest MAX_MISSED.
"""

MAX_MISSED = 1000
"""The maximum number of missed occurrences that are offered; earlier ones are not offered."""

_SHORTEST = 0.1


@dataclass(frozen=True, slots=True)
class Every:
    """An interval in microseconds, and its first occurrence in epoch microseconds."""

    length_us: int
    first_us: int

    @staticmethod
    def length(every: Seconds) -> int:
        """Return an interval in microseconds.

        Raises:
            TypeError: `every` is neither a number nor a timedelta.
            ValueError: `every` is not from 0.1 s to 100 years.
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
        """Return the last occurrence that is not after a moment; None if the first one is later."""
        number = (moment * 1000 - self.first_us) // self.length_us
        return self._at(number) if number >= 0 else None


Timing: TypeAlias = Every | Cron


def occurrences(timing: Timing, missed: Missed, due: int, now: int) -> list[int]:
    """Return the occurrences to offer; call this after the last offered occurrence is due.

    Args:
        timing: when the work recurs.
        missed: which of the occurrences after `due` and up to `now` are offered.
        due: the last offered occurrence, in epoch milliseconds.
        now: the current time, in epoch milliseconds.

    Returns:
        The missed occurrences to offer now, then the next occurrence.
    """
    most = {"skip": 0, "once": 1, "all": MAX_MISSED}[missed]
    lost: list[int] = []
    moment = now
    while len(lost) < most:
        found = timing.latest(moment)
        if found is None or found <= due:
            break
        lost.append(found)
        moment = found - 1
    return [*reversed(lost), timing.after(now)]

"""Computes the occurrences of cron expressions.

The caller passes the time zone, because this package reads no files. cronsim finds the local times
that an expression names; this module turns them into moments, which are epoch milliseconds.

At a change of summer time, expressions behave as in Debian's cron. If the minute or hour field
begins with ``*``, the work follows the elapsed time: it does not run at a skipped local time, and
runs twice at a repeated one. All other work of a skipped local time runs at the moment of the
change. All other work of a repeated local time runs once, at the first of its two moments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from importlib import import_module
from typing import Any

from pyredisson.protocol.kernel.due import from_epoch_ms

__all__ = ["Cron"]

_EPOCH = from_epoch_ms(0)
_SECOND = timedelta(seconds=1)
_TICK = timedelta(milliseconds=1)


def _milliseconds(moment: datetime) -> int:
    return (moment.astimezone(UTC) - _EPOCH) // _TICK


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression in a time zone: five fields, or six that begin with seconds."""

    text: str
    zone: tzinfo

    def after(self, moment: int) -> int:
        """Return the first occurrence after a moment.

        Raises:
            ImportError: cronsim is not installed.
            ValueError: the text is not a cron expression, or it never occurs.
        """
        found = self._first(self._local(moment), moment)
        change = self._repeats(moment)
        if change is not None and moment < change <= found:
            found = self._first(self._local(change) - _TICK, change - 1)
        return found

    def latest(self, moment: int) -> int | None:
        """Return the last occurrence that is not after a moment; None if there is none."""
        found = self._last(self._local(moment), moment)
        change = self._repeats(moment)
        if change is not None and change <= moment and (found is None or found < change):
            found = self._last(self._local(change - 1), moment)
        return found

    def _first(self, wall: datetime, moment: int) -> int:
        """Return the first occurrence after a moment, among the local times after `wall`."""
        for named in self._walk(wall, back=False):
            for found in self._moments(named):
                if found > moment:
                    return found
        raise ValueError(f"{self.text!r} is a cron expression that never occurs")

    def _last(self, wall: datetime, moment: int) -> int | None:
        """Return the last occurrence up to a moment, among the local times up to `wall`."""
        for named in self._walk(wall + _TICK, back=True):
            for found in reversed(self._moments(named)):
                if found <= moment:
                    return found
        return None

    def _walk(self, start: datetime, *, back: bool) -> Iterator[datetime]:
        """Iterate over the local times after `start`; if `back`, backwards from before `start`.

        Raises:
            ImportError: cronsim is not installed.
            ValueError: the text is not a cron expression.
        """
        cronsim = _cronsim()
        try:
            yield from cronsim.CronSim(self.text, start, reverse=back)
        except (cronsim.CronSimError, ValueError, AssertionError) as error:
            raise ValueError(
                f"{self.text!r} is not a cron expression: {_how_to_write(self.text) or error}"
            ) from None

    def _both(self, wall: datetime) -> tuple[int, int]:
        """Return two moments of a local time: by the offset before a change, and by the one after.

        The moments are equal unless a change skips or repeats this local time.
        """
        before, after = (wall.replace(tzinfo=self.zone, fold=fold) for fold in (0, 1))
        return _milliseconds(before), _milliseconds(after)

    def _moments(self, wall: datetime) -> list[int]:
        """Return the moments at which work of a local time runs: none, one or two."""
        first, second = self._both(wall)
        elapsed = any(part.startswith("*") for part in self.text.split()[-5:-3])
        if second < first:  # the clock skips this time
            return [] if elapsed else [self._change(second, first)]
        return [first, second] if elapsed and first < second else [first]

    def _repeats(self, moment: int) -> int | None:
        """Return the change that repeats the local time of `moment`; None if none repeats it."""
        first, second = self._both(self._local(moment))
        return self._change(first, second) if first < second else None

    def _change(self, start: int, end: int) -> int:
        """Return the moment of a change of the offset, after `start` and not after `end`."""
        before = self._offset(start)
        while end - start > 1:
            middle = (start + end) // 2
            if self._offset(middle) == before:
                start = middle
            else:
                end = middle
        return end

    def _local(self, moment: int) -> datetime:
        return from_epoch_ms(moment).astimezone(self.zone).replace(tzinfo=None)

    def _offset(self, moment: int) -> timedelta | None:
        return from_epoch_ms(moment).astimezone(self.zone).utcoffset()


_SHORTHANDS = {
    "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
    "@monthly": "0 0 1 * *",
    "@weekly": "0 0 * * SUN",
    "@daily": "0 0 * * *",
    "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *",
}

_ELSEWHERE = [
    (re.compile(r"(?:\S+\s+){6}\S+"), "leave out the seventh field, the year"),
    (
        re.compile(r".*\?.*"),
        "write * instead of ?, and days of the week as names (Quartz's 1 is SUN, here 1 is MON)",
    ),
    (re.compile(r".*(?:\dW|L-\d).*"), "days such as 15W and L-3 cannot be written here"),
    (re.compile(r"(?:\S+\s+){4,5}[A-Z]{3}L"), "write the last Friday as 5L"),
]
"""Patterns of syntax that only Quartz and Spring have, with hints what to write instead."""


def _how_to_write(text: str) -> str | None:
    """Return how to write a text of Quartz or Spring here; None if it has no syntax of theirs."""
    text = text.strip()
    if (written := _SHORTHANDS.get(text.lower())) is not None:
        return f"shorthands, as in Spring and unlike in Quartz, are not read; write {written!r}"
    hints = [hint for pattern, hint in _ELSEWHERE if pattern.fullmatch(text.upper())]
    return f"it is one of Quartz or Spring; {'; '.join(hints)}" if hints else None


def _cronsim() -> Any:
    try:
        return import_module("cronsim")
    except ImportError:
        raise ImportError(
            "cron= needs cronsim: pip install cronsim (pyredisson's extra 'cron')"
        ) from None

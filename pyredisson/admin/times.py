"""Durations and moments as people write them: `5m`, `1h30m`, `2026-01-31T12:00:00Z`.

The rule: a moment has a time zone, because machines of one system may have different ones.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from pyredisson.protocol.kernel.due import moment_us

__all__ = ["duration_of", "moment_of"]

_UNITS = {"ms": "milliseconds", "s": "seconds", "m": "minutes", "h": "hours", "d": "days"}
_NUMBER = r"\d+(?:\.\d+)?"
_PART = re.compile(rf"({_NUMBER})(ms|[smhd])", re.ASCII)
_WHOLE = re.compile(rf"(?:{_PART.pattern})+", re.ASCII)


def duration_of(text: str) -> timedelta:
    """Return a duration: parts with the units ms, s, m, h and d, or a bare number of seconds.

    Raises:
        ValueError: the text is no duration, or the duration is too long.
    """
    written = text.strip()
    parts = f"{written}s" if re.fullmatch(_NUMBER, written, re.ASCII) else written
    if not _WHOLE.fullmatch(parts):
        raise ValueError(f"{text!r} is no duration: write 90 (seconds), 500ms, 5m, 1h30m or 2d")
    try:
        each = (timedelta(**{_UNITS[unit]: float(size)}) for size, unit in _PART.findall(parts))
        return sum(each, timedelta())
    except OverflowError:
        raise ValueError(f"{text!r} is too long: at most 999999999d") from None


def moment_of(text: str) -> datetime:
    """Return a moment that is written in ISO 8601 with a zone.

    Raises:
        ValueError: the text is not ISO 8601, has no zone, or is out of range.
    """
    what = "is no time"
    try:
        found = datetime.fromisoformat(text.strip())
        if found.utcoffset() is not None:
            moment_us(found)
            return found
        what = "has no time zone"
    except (ValueError, OverflowError):
        pass
    raise ValueError(
        f"{text!r} {what}: write ISO 8601 with a zone, as 2026-01-31T12:00:00Z or "
        "2026-01-31T13:00:00+01:00"
    )

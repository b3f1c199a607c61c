"""Moments as text, for the tests of schedules."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from pyredisson.protocol.schedules.cron import Cron
from pyredisson.protocol.schedules.recurrence import Timing


def at(text: str) -> int:
    """Return a moment in UTC, in epoch milliseconds."""
    return round(datetime.fromisoformat(f"{text}+00:00").timestamp() * 1000)


def shown(moment: int | None) -> str | None:
    if moment is None:
        return None
    return f"{datetime.fromtimestamp(moment / 1000, UTC):%Y-%m-%d %H:%M:%S}".removesuffix(":00")


def cron(text: str, zone: str = "UTC") -> Cron:
    return Cron(text, UTC if zone == "UTC" else ZoneInfo(zone))


def following(timing: Timing, start: str, count: int) -> list[str | None]:
    """Return moments, each computed from the one before, as a schedule does."""
    moments, moment = [], at(start)
    for _ in range(count):
        moment = timing.after(moment)
        moments.append(shown(moment))
    return moments

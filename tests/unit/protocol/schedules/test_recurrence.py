"""Recurring moments: tables around both changes of summer time, and what must hold of all."""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.protocol.schedules.recurrence import (
    MOST,
    Cron,
    Every,
    Missed,
    Timing,
    occurrences,
)

BERLIN, NEW_YORK, LORD_HOWE = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"
HOUR = 3_600_000


def at(text: str) -> int:
    """A moment in UTC, in epoch milliseconds."""
    return round(datetime.fromisoformat(f"{text}+00:00").timestamp() * 1000)


def shown(moment: int | None) -> str | None:
    if moment is None:
        return None
    return f"{datetime.fromtimestamp(moment / 1000, UTC):%Y-%m-%d %H:%M:%S}".removesuffix(":00")


def cron(text: str, zone: str = "UTC") -> Cron:
    return Cron(text, UTC if zone == "UTC" else ZoneInfo(zone))


def following(timing: Timing, start: str, count: int) -> list[str | None]:
    """Each computed anew from the one before, as a schedule does it."""
    moments, moment = [], at(start)
    for _ in range(count):
        moment = timing.after(moment)
        moments.append(shown(moment))
    return moments


# --- cron ---------------------------------------------------------------------------------------

DAYS = [
    pytest.param("0 9 * * MON-FRI", "UTC", "2026-03-27 08:00",
        ["2026-03-27 09:00", "2026-03-30 09:00", "2026-03-31 09:00"], id="weekdays"),
    pytest.param("0 9 * * mon-fri", BERLIN, "2026-03-27 12:00",
        ["2026-03-30 07:00", "2026-03-31 07:00"], id="local time goes on"),
    pytest.param("0 0 29 2 *", "UTC", "2026-03-01 00:00",
        ["2028-02-29 00:00", "2032-02-29 00:00"], id="29 February"),
    pytest.param("0 0 29 2 *", "UTC", "2097-01-01 00:00", ["2104-02-29 00:00"], id="no 2100"),
    pytest.param("0 0 L * *", "UTC", "2026-01-31 00:00",
        ["2026-02-28 00:00", "2026-03-31 00:00"], id="the last of a month"),
    pytest.param("*/20 * * * * *", "UTC", "2026-01-01 00:00:30",
        ["2026-01-01 00:00:40", "2026-01-01 00:01"], id="seconds"),
    # the hour that is left out: at its end
    pytest.param("30 2 * * *", BERLIN, "2026-03-28 12:00",
        ["2026-03-29 01:00", "2026-03-30 00:30"], id="gap"),
    pytest.param("30 2 * * *", NEW_YORK, "2026-03-07 12:00",
        ["2026-03-08 07:00", "2026-03-09 06:30"], id="gap in New York"),
    pytest.param("15 2 * * *", LORD_HOWE, "2026-10-03 00:00",
        ["2026-10-03 15:30", "2026-10-04 15:15"], id="gap of half an hour"),
    pytest.param("0 2,3 * * *", BERLIN, "2026-03-28 12:00",
        ["2026-03-29 01:00", "2026-03-30 00:00"], id="two that fall together"),
    pytest.param("*/30 * * * *", BERLIN, "2026-03-29 00:10",
        ["2026-03-29 00:30", "2026-03-29 01:00", "2026-03-29 01:30"], id="half hours at a gap"),
    # the hour that comes twice: once
    pytest.param("30 2 * * *", BERLIN, "2026-10-24 12:00",
        ["2026-10-25 00:30", "2026-10-26 01:30"], id="overlap"),
    pytest.param("30 1 * * *", NEW_YORK, "2026-10-31 12:00",
        ["2026-11-01 05:30", "2026-11-02 06:30"], id="overlap in New York"),
    pytest.param("45 1 * * *", LORD_HOWE, "2026-04-04 00:00",
        ["2026-04-04 14:45", "2026-04-05 15:15"], id="overlap of half an hour"),
    pytest.param("30 2 * * *", BERLIN, "2026-10-25 01:10",
        ["2026-10-26 01:30"], id="begun in the second of the two"),
    pytest.param("*/30 * * * *", BERLIN, "2026-10-25 00:10",
        ["2026-10-25 00:30", "2026-10-25 01:00", "2026-10-25 01:30", "2026-10-25 02:00"],
        id="half hours at an overlap"),
    pytest.param("*/10 * * * *", LORD_HOWE, "2026-04-04 14:45",
        ["2026-04-04 14:50", "2026-04-04 15:00", "2026-04-04 15:10"], id="and on Lord Howe"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "zone", "start", "expected"), DAYS)
def test_cron(text: str, zone: str, start: str, expected: list[str]) -> None:
    assert following(cron(text, zone), start, len(expected)) == expected


@pytest.mark.parametrize(
    ("text", "zone", "moment", "expected"),
    [
        ("0 * * * *", "UTC", "2026-01-01 12:00:00", "2026-01-01 12:00"),
        ("0 * * * *", "UTC", "2026-01-01 12:00:00.001", "2026-01-01 12:00"),
        ("0 * * * *", "UTC", "2026-01-01 11:59:59.999", "2026-01-01 11:00"),
        ("0 9 * * MON-FRI", BERLIN, "2026-03-29 12:00", "2026-03-27 08:00"),
        ("30 2 * * *", BERLIN, "2026-03-29 01:10", "2026-03-29 01:00"),
        ("30 2 * * *", BERLIN, "2026-03-29 00:59", "2026-03-28 01:30"),
        ("30 2 * * *", BERLIN, "2026-10-25 01:10", "2026-10-25 00:30"),
        ("30 2 * * *", BERLIN, "2026-10-25 00:20", "2026-10-24 00:30"),
        ("0 0 29 2 *", "UTC", "2027-01-01 00:00", "2024-02-29 00:00"),
    ],
)
def test_the_latest_up_to_a_moment(text: str, zone: str, moment: str, expected: str) -> None:
    assert shown(cron(text, zone).latest(at(moment))) == expected


TEXTS = ("30 2 * * *", "*/30 * * * *", "0 2,3 * * *", "45 1 * * *", "*/7 1-3 * * *", "0 0 * * SUN")
MOMENTS = st.integers(at("2026-01-01"), at("2027-01-01"))


@given(st.sampled_from(TEXTS), st.sampled_from((BERLIN, NEW_YORK, LORD_HOWE, "UTC")), MOMENTS)
@settings(max_examples=150)
def test_before_and_after_fit_together(text: str, zone: str, moment: int) -> None:
    """Nothing lies between the latest and the next, and each is found from the other."""
    timing = cron(text, zone)
    latest, upcoming = timing.latest(moment), timing.after(moment)
    assert latest is not None
    assert latest <= moment < upcoming
    assert timing.after(latest) == upcoming
    assert timing.latest(upcoming) == upcoming


@pytest.mark.parametrize(
    "text",
    ["", "x", "* * * *", "* * * * * * *", "61 * * * *", "@daily", "0 0 31 4 *", "* * * * MON#9",
     "*/0 * * * *", "* * * * MON#1/2", "٣ * * * *", "9" * 5000 + " * * * *"],
)  # fmt: skip
def test_what_is_no_cron_expression(text: str) -> None:
    with pytest.raises(ValueError, match="is not a cron expression"):
        cron(text).after(0)


def test_a_cron_expression_that_never_occurs() -> None:
    timing = cron("0 0 */40 * MON#5")  # the first of a month is never its fifth Monday
    with pytest.raises(ValueError, match="never occurs"):
        timing.after(0)
    assert timing.latest(0) is None


def test_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cronsim", None)
    with pytest.raises(ImportError, match="pip install cronsim"):
        cron("* * * * *").after(0)
    assert Every(1_000_000, 0).after(0) == 1000


# --- intervals ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("length", "first", "moment", "after", "latest"),
    [
        (1000, 5000, 0, 5, None),
        (1000, 5000, 5, 6, 5),
        (1500, 0, 0, 2, 0),  # 1.5 ms, rounded up: nothing is early
        (1500, 0, 2, 3, 2),
        (1500, 0, 3, 5, 3),
        (1000, -5_000_000, 7, 8, 7),
    ],
)
def test_intervals(length: int, first: int, moment: int, after: int, latest: int | None) -> None:
    timing = Every(length, first)
    assert timing.after(moment) == after
    assert timing.latest(moment) == latest


def test_an_interval_is_elapsed_time_where_the_clocks_change() -> None:
    first = at("2026-03-28 08:00")
    timing = Every(86_400_000_000, first * 1000)
    assert following(timing, "2026-03-28 08:00", 2) == ["2026-03-29 08:00", "2026-03-30 08:00"]


@given(st.integers(100_000, 10**12), st.integers(-(10**15), 10**15), st.integers(0, 2 * 10**12))
def test_an_interval_before_and_after_fit_together(length: int, first: int, moment: int) -> None:
    timing = Every(length, first)
    upcoming, latest = timing.after(moment), timing.latest(moment)
    assert upcoming > moment
    if latest is not None:
        assert latest <= moment
        assert timing.after(latest) == upcoming


@pytest.mark.parametrize(
    ("every", "length"),
    [(1, 1_000_000), (0.1, 100_000), (1 / 3, 333_333), (timedelta(minutes=5), 300_000_000)],
)
def test_lengths(every: Any, length: int) -> None:
    assert Every.length(every) == length


@pytest.mark.parametrize(
    "every",
    [0, -1, 0.09, 1e10, timedelta.max, timedelta(0), float("inf"), float("nan"), "1", True],
)
def test_what_is_no_interval(every: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="every"):
        Every.length(every)


# --- what was missed ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("missed", "hours"), [("skip", [5]), ("once", [4, 5]), ("all", [2, 3, 4, 5])]
)
@pytest.mark.parametrize(
    "timing", [Every(HOUR * 1000, 0), cron("0 * * * *")], ids=["interval", "cron"]
)
def test_what_is_offered_after_a_while(timing: Timing, missed: Missed, hours: list[int]) -> None:
    """Nobody was there from the first hour to half past four."""
    now = 4 * HOUR + HOUR // 2
    assert occurrences(timing, missed, 1 * HOUR, now) == [hour * HOUR for hour in hours]


@pytest.mark.parametrize("missed", ["skip", "once", "all"])
def test_nothing_was_missed(missed: Missed) -> None:
    assert occurrences(cron("0 * * * *"), missed, HOUR, HOUR + 5) == [2 * HOUR]


def test_all_has_a_bound() -> None:
    offered = occurrences(Every(100_000, 0), "all", 0, 10**9)
    assert offered == list(range(10**9 - 100 * (MOST - 1), 10**9 + 101, 100))
    assert len(offered) == MOST + 1

"""Cron expressions around changes of summer time: tables, and every change from 2015 to 2035."""

from __future__ import annotations

import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from typing import TypeAlias
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.protocol.schedules.cron import Cron
from pyredisson.protocol.schedules.recurrence import Every
from tests.support.moments import at, cron, following, shown
from tests.support.rows import each_row

BERLIN, NEW_YORK, LORD_HOWE = "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"
CAIRO, SAO_PAULO = "Africa/Cairo", "America/Sao_Paulo"

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
    # times in a skipped hour occur at its end
    pytest.param("30 2 * * *", BERLIN, "2026-03-28 12:00",
        ["2026-03-29 01:00", "2026-03-30 00:30"], id="gap"),
    pytest.param("30 2 * * *", NEW_YORK, "2026-03-07 12:00",
        ["2026-03-08 07:00", "2026-03-09 06:30"], id="gap in New York"),
    pytest.param("15 2 * * *", LORD_HOWE, "2026-10-03 00:00",
        ["2026-10-03 15:30", "2026-10-04 15:15"], id="gap of half an hour"),
    pytest.param("0 2,3 * * *", BERLIN, "2026-03-28 12:00",
        ["2026-03-29 01:00", "2026-03-30 00:00"], id="two at one moment"),
    pytest.param("*/30 * * * *", BERLIN, "2026-03-29 00:10",
        ["2026-03-29 00:30", "2026-03-29 01:00", "2026-03-29 01:30"], id="half hours at a gap"),
    pytest.param("0 1 * * FRI", CAIRO, "2026-04-20 00:00",
        ["2026-04-23 22:00", "2026-04-30 22:00"], id="gap at midnight, the end named"),
    pytest.param("0 0 * * FRI", CAIRO, "2026-04-20 00:00",
        ["2026-04-23 22:00", "2026-04-30 21:00"], id="gap at midnight, once a week"),
    pytest.param("0 0 4 11 *", SAO_PAULO, "2018-11-01 00:00",
        ["2018-11-04 03:00", "2019-11-04 03:00"], id="gap at midnight, once a year"),
    pytest.param("0 1 4 11 *", SAO_PAULO, "2018-11-01 00:00",
        ["2018-11-04 03:00", "2019-11-04 04:00"], id="its end, once a year"),
    # times in a repeated hour occur once
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
    pytest.param("15,45 */1 * * *", LORD_HOWE, "2026-10-03 15:00",
        ["2026-10-03 15:15", "2026-10-03 15:45"], id="elapsed, at a gap of half an hour"),
]  # fmt: skip

SECONDS = [
    pytest.param("*/20 * * * * *", "UTC", "2026-01-01 00:00:30",
        ["2026-01-01 00:00:40", "2026-01-01 00:01"], id="every 20 seconds"),
    pytest.param("*/30 30 2 * * *", BERLIN, "2026-03-28 12:00",
        ["2026-03-29 01:00", "2026-03-30 00:30", "2026-03-30 00:30:30"], id="two in a gap"),
    pytest.param("*/30 30 2 * * *", BERLIN, "2026-10-24 12:00",
        ["2026-10-25 00:30", "2026-10-25 00:30:30", "2026-10-26 01:30"], id="overlap"),
    pytest.param("*/30 * * * * *", BERLIN, "2026-03-29 00:59:10",
        ["2026-03-29 00:59:30", "2026-03-29 01:00", "2026-03-29 01:00:30"], id="elapsed, gap"),
    pytest.param("59 59 * * * *", BERLIN, "2026-10-25 00:10",
        ["2026-10-25 00:59:59", "2026-10-25 01:59:59"], id="elapsed, overlap"),
]  # fmt: skip


@each_row("seconds", ["", "0 "], ids=["five fields", "six fields"])
@each_row(("text", "zone", "start", "expected"), DAYS)
def test_occurrences(text: str, zone: str, start: str, expected: list[str], seconds: str) -> None:
    assert following(cron(seconds + text, zone), start, len(expected)) == expected


@each_row(("text", "zone", "start", "expected"), SECONDS)
def test_seconds(text: str, zone: str, start: str, expected: list[str]) -> None:
    assert following(cron(text, zone), start, len(expected)) == expected


@each_row(
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


@each_row(
    "text",
    ["", "x", "* * * *", "* * * * * * *", "61 * * * *", "@daily", "0 0 31 4 *", "* * * * MON#9",
     "*/0 * * * *", "* * * * MON#1/2", "٣ * * * *", "9" * 5000 + " * * * *"],
)  # fmt: skip
def test_invalid_cron_expressions_are_rejected(text: str) -> None:
    with pytest.raises(ValueError, match="is not a cron expression"):
        cron(text).after(0)


QUARTZ = [
    ("0 0 12 * * ?", "write * instead of ?"),
    ("0 15 10 ? * 2-6", "write * instead of ?, and days of the week as names"),
    ("0 0 12 ? * WED 2027", "leave out the seventh field, the year; write * instead of ?"),
    ("0 0 0 15W * *", "days such as 15W and L-3 cannot be written here"),
    ("0 0 0 l-3 * *", "days such as 15W and L-3 cannot be written here"),
    ("0 0 0 * * FRIL", "write the last Friday as 5L"),
    ("@daily", "write '0 0 * * *'"),
    (" @Weekly ", "write '0 0 * * SUN'"),
]


@each_row(("text", "hint"), QUARTZ)
def test_an_expression_of_quartz_or_spring(text: str, hint: str) -> None:
    with pytest.raises(ValueError, match=rf"is not a cron expression: .*Quartz.*{re.escape(hint)}"):
        cron(text).after(0)


@pytest.mark.parametrize("text", ["0 0 0 LW * *", "0 0 0 L * *", "0 0 0 * * MON#1", "0 0 0 * * 5L"])
def test_expressions_that_quartz_and_spring_share(text: str) -> None:
    assert cron(text).after(0) > 0


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


# --- every change of every zone -----------------------------------------------------------------

MINUTE, WEEK = timedelta(minutes=1), timedelta(days=7)
When: TypeAlias = Callable[[datetime], bool]


def offset(zone: ZoneInfo, moment: datetime) -> timedelta:
    return moment.astimezone(zone).utcoffset() or timedelta(0)


def changes() -> Iterator[tuple[ZoneInfo, datetime]]:
    """Yield the changes of the clocks from 2015 to 2035, one of each kind.

    The kind is the local time of the change, and the difference of the offsets.
    """
    kinds = set()
    weeks = [datetime(2015, 1, 1, tzinfo=UTC) + number * WEEK for number in range(21 * 53)]
    for name in sorted(available_timezones()):
        zone = ZoneInfo(name)
        for week in weeks:
            before = offset(zone, week)
            if before == offset(zone, week + WEEK):
                continue
            minute = bisect_left(
                range(WEEK // MINUTE),
                True,
                key=lambda count: offset(zone, week + count * MINUTE) != before,
            )
            change = week + minute * MINUTE
            kind = (change.astimezone(zone).time(), offset(zone, change) - before)
            if kind not in kinds:
                kinds.add(kind)
                yield zone, change


def looked_up(clock: list[tuple[int, datetime]], when: When, *, elapsed: bool) -> list[int]:
    """Return the occurrences, found by a look at the clock in each minute."""
    found = []
    latest = clock[0][1] - MINUTE
    for moment, wall in clock:
        passed = [latest + count * MINUTE for count in range(1, (wall - latest) // MINUTE + 1)]
        if any(map(when, [wall] if elapsed else passed)):
            found.append(moment)
        latest = max(latest, wall)
    return found


def expressions(zone: ZoneInfo, change: datetime) -> Iterator[tuple[str, When, bool]]:
    """Yield expressions near a change, their predicates, and whether `*` makes them elapsed."""
    after = change.astimezone(zone).replace(tzinfo=None)
    before = (change - MINUTE).astimezone(zone).replace(tzinfo=None) + MINUTE
    middle = before + (after - before) / 2
    for wall in (min(before, after) - 30 * MINUTE, before, middle, after, after + 30 * MINUTE):
        at_time = f"{wall.minute} {wall.hour}"
        yield f"{at_time} * * *", daily(wall), False
        yield f"{at_time} {wall.day} {wall.month} *", wall.__eq__, False
        yield f"{at_time} * * {wall:%w}", wall.__eq__, False
    yield "*/20 * * * *", lambda wall: wall.minute % 20 == 0, True
    yield "10 */2 * * *", lambda wall: wall.minute == 10 and wall.hour % 2 == 0, True
    yield "0-59/10 0-23 * * *", lambda wall: wall.minute % 10 == 0, False


def daily(at_time: datetime) -> When:
    return lambda wall: wall.time() == at_time.time()


def test_the_first_changes_of_the_clocks() -> None:
    for zone, change in islice(changes(), 4):
        check_change(zone, change)


@pytest.mark.no_cover
def test_every_change_of_the_clocks() -> None:
    for zone, change in changes():
        check_change(zone, change)


def check_change(zone: ZoneInfo, change: datetime) -> None:
    """Each occurrence is found once, none in a gap. `latest` is the inverse of `after`."""
    minutes = [change + count * MINUTE for count in range(-12 * 60, 12 * 60)]
    clock = [
        (round(minute.timestamp() * 1000), minute.astimezone(zone).replace(tzinfo=None))
        for minute in minutes
    ]
    for text, when, elapsed in expressions(zone, change):
        wanted = looked_up(clock, when, elapsed=elapsed)
        for timing in (Cron(text, zone), Cron(f"0 {text}", zone)):
            found = chain(timing, clock[0][0] - 1, clock[-1][0])
            assert found == wanted, (timing, change)
            for earlier, later in pairwise(found):
                assert timing.latest(later) == later, (timing, later)
                assert timing.latest(later - 1) == earlier, (timing, later)


def chain(timing: Cron, moment: int, end: int) -> list[int]:
    """Return the occurrences up to `end`, each found from the one before."""
    found = []
    while (moment := timing.after(moment)) <= end:
        found.append(moment)
    return found

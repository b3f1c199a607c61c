"""Recurring moments: intervals, and missed occurrences."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyredisson.protocol.schedules.recurrence import MAX_MISSED, Every, Missed, Timing, occurrences
from tests.support.moments import at, cron, following
from tests.support.rows import each_row

HOUR = 3_600_000

# --- intervals ----------------------------------------------------------------------------------


@each_row(
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


@each_row(
    "every",
    [0, -1, 0.09, 1e10, timedelta.max, timedelta(0), float("inf"), float("nan"), "1", True],
)
def test_invalid_intervals_are_rejected(every: Any) -> None:
    with pytest.raises((ValueError, TypeError), match="every"):
        Every.length(every)


# --- missed occurrences -------------------------------------------------------------------------


@each_row(("missed", "hours"), [("skip", [5]), ("once", [4, 5]), ("all", [2, 3, 4, 5])])
@each_row("timing", [Every(HOUR * 1000, 0), cron("0 * * * *")], ids=["interval", "cron"])
def test_missed_occurrences_are_offered(timing: Timing, missed: Missed, hours: list[int]) -> None:
    """No client looked from the first hour to half past four."""
    now = 4 * HOUR + HOUR // 2
    assert occurrences(timing, missed, 1 * HOUR, now) == [hour * HOUR for hour in hours]


@pytest.mark.parametrize("missed", ["skip", "once", "all"])
def test_next_occurrence_is_offered_if_none_was_missed(missed: Missed) -> None:
    assert occurrences(cron("0 * * * *"), missed, HOUR, HOUR + 5) == [2 * HOUR]


def test_number_of_missed_occurrences_is_bounded() -> None:
    offered = occurrences(Every(100_000, 0), "all", 0, 10**9)
    assert offered == list(range(10**9 - 100 * (MAX_MISSED - 1), 10**9 + 101, 100))
    assert len(offered) == MAX_MISSED + 1

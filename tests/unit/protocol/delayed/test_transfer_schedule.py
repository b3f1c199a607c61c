"""The schedule of transfers: at most the safety interval late, and no due time is lost."""

from __future__ import annotations

import math

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from pyredisson.protocol.delayed.transfer_schedule import TransferSchedule
from tests.support.rows import each_row

SAFETY = 5000.0
T = 1_700_000_000_000.0

# the name of an event, and the due time that it reports, in ms after T
Event = tuple[str, float | None]
RUN: list[Event] = [("sent", None), ("moved", None)]

TABLE: dict[str, tuple[list[Event], float, float]] = {
    "at the start at once": ([], 0, 0),
    "a first run that was never answered": ([("sent", None)], 0, 0),
    "an announcement does not put the start off": ([("announced", 60_000)], 0, 0),
    "nothing left: the safety interval": (RUN, 0, 5000),
    "it goes on from the run": (RUN, 2000, 3000),
    "and is over then": (RUN, 5000, 0),
    "and stays over": (RUN, 90_000, 0),
    "the head that is left": ([("sent", None), ("moved", 300)], 0, 300),
    "a head that is due": ([("sent", None), ("moved", -300)], 0, 0),
    "a head behind the safety interval": ([("sent", None), ("moved", 9000)], 0, 5000),
    "an infinite head": ([("sent", None), ("moved", math.inf)], 0, 5000),
    "an earlier announcement": ([*RUN, ("announced", 700), ("announced", 200)], 0, 200),
    "a later announcement": ([*RUN, ("announced", 200), ("announced", 700)], 0, 200),
    "a past announcement": ([*RUN, ("announced", -1)], 0, 0),
    "announced while the script ran": (
        [("sent", None), ("announced", 100), ("moved", 4000)],
        0,
        100,
    ),
    "announced while it ran, nothing left": (
        [("sent", None), ("announced", 100), ("moved", None)],
        0,
        100,
    ),
    "an earlier head than announced": (
        [("sent", None), ("announced", 900), ("moved", 400)],
        0,
        400,
    ),
    "known before it was sent, gone after": (
        [*RUN, ("announced", 100), ("sent", None), ("moved", 4000)],
        0,
        4000,
    ),
    "subscribed: at once": ([*RUN, ("subscribed", None)], 0, 0),
    "subscribed, then announced": ([*RUN, ("subscribed", None), ("announced", 900)], 0, 0),
    "subscribed while it ran": ([("sent", None), ("subscribed", None), ("moved", 4000)], 0, 0),
    "failed: a short pause": ([("sent", None), ("failed", None)], 0, 50),
    "failed before it was sent": ([("failed", None)], 0, 50),
    "failed twice": ([("sent", None), ("failed", None)] * 2, 0, 100),
    "failed and over": ([("sent", None), ("failed", None)], 50, 0),
    "failed with a known time": ([*RUN, ("announced", 10), ("failed", None)], 0, 50),
    "failed, then announced": ([("failed", None), ("announced", 20)], 0, 20),
    "failed, then subscribed": ([("failed", None), ("subscribed", None)], 0, 0),
    "refused: the safety interval": ([("sent", None), ("refused", None)], 0, 5000),
    "refused, then announced": ([("refused", None), ("announced", 20)], 0, 5000),
    "refused, then subscribed": ([("refused", None), ("subscribed", None)], 1000, 4000),
    "refused and over": ([("sent", None), ("refused", None)], 5000, 0),
    "refused once, announced since": (
        [("refused", None), ("announced", 20), *RUN, ("announced", 30)],
        0,
        30,
    ),
    "a success ends the pauses": ([("failed", None)] * 5 + RUN + [("failed", None)], 0, 50),
}


def after_events(events: list[Event]) -> TransferSchedule:
    schedule = TransferSchedule(SAFETY)
    for name, offset in events:
        if name == "announced":
            schedule.announced(T + (offset or 0))
        elif name == "moved":
            schedule.moved(None if offset is None else T + offset, T)
        elif name in ("failed", "refused"):
            getattr(schedule, name)(T)
        else:
            getattr(schedule, name)()
    return schedule


@each_row("case", TABLE)
def test_wait_after_a_sequence_of_events(case: str) -> None:
    events, after, expected = TABLE[case]
    assert after_events(events).wait_ms(T + after) == expected


def test_the_pauses_double_up_to_the_safety_interval() -> None:
    schedule = TransferSchedule(SAFETY)
    pauses = []
    for _ in range(2000):  # as long as a server may be away
        schedule.failed(T)
        pauses.append(schedule.wait_ms(T))
    assert pauses[:8] == [50, 100, 200, 400, 800, 1600, 3200, 5000]
    assert set(pauses[8:]) == {5000}


def test_a_pause_is_never_longer_than_a_short_safety_interval() -> None:
    schedule = TransferSchedule(20.0)
    schedule.failed(T)
    assert schedule.wait_ms(T) == 20.0


def test_a_clock_that_is_set_back_costs_one_interval() -> None:
    """The server's clock steps back by an hour while nothing is announced."""
    schedule = TransferSchedule(SAFETY)
    schedule.sent()
    schedule.moved(T + 1000, T)
    now = T - 3_600_000
    assert schedule.wait_ms(now) == SAFETY
    assert schedule.wait_ms(now + 2000) == SAFETY - 2000
    assert schedule.wait_ms(now + SAFETY) == 0


def test_asking_changes_nothing() -> None:
    schedule = TransferSchedule(SAFETY)
    schedule.sent()
    schedule.moved(T + 700, T)
    assert [schedule.wait_ms(T + step) for step in (0, 100, 100, 650)] == [700, 600, 600, 50]


@each_row(
    ("events", "known", "sooner"),
    [
        ([], True, True),  # before the first transfer
        (RUN, False, True),
        ([*RUN, ("announced", 99)], True, True),
        ([*RUN, ("announced", 100)], True, True),
        ([*RUN, ("announced", 101)], False, True),
        ([*RUN, ("announced", 99), ("sent", None)], False, True),
        ([("sent", None), ("moved", 7000)], False, True),
        ([("sent", None)], False, True),
        ([("failed", None)], False, False),
    ],
)
def test_effect_of_a_local_announcement(events: list[Event], known: bool, sooner: bool) -> None:
    """`known`: the time in 100 ms is known. `sooner`: it is before the next transfer."""
    schedule = after_events(events)
    assert schedule.knows(T + 100) is known
    assert schedule.announced(T + 100) is sooner
    assert schedule.knows(T + 100)


OFFSETS = st.floats(-10_000, 60_000)


class Schedule(RuleBasedStateMachine):
    """Events occur in any order while time passes, and the server may fail.

    `known` has the due times that no script can have seen. `limit` is the moment
    at which the next transfer is due in any case.
    """

    def __init__(self) -> None:
        super().__init__()
        self.schedule = TransferSchedule(SAFETY)
        self.now = T
        self.known: list[float] = [-math.inf]
        self.limit = T
        self.running = False
        self.failures = 0
        self.refused = False

    @initialize()
    def start(self) -> None:
        assert self.schedule.wait_ms(self.now) == 0

    @rule(ms=st.floats(0, 8000))
    def time_goes_on(self, ms: float) -> None:
        self.now += ms

    @rule(offset=OFFSETS)
    def announced(self, offset: float) -> None:
        """Callers that skip known times, and wake the task only for sooner ones, lose nothing."""
        before = self.schedule.wait_ms(self.now)
        if self.schedule.knows(self.now + offset):
            assert self.known
            assert min(self.known) <= self.now + offset + 0.01
        elif not self.schedule.announced(self.now + offset):
            assert self.schedule.wait_ms(self.now) == before
        self.known.append(self.now + offset)

    @rule()
    def subscribed(self) -> None:
        self.schedule.subscribed()
        self.known.append(-math.inf)

    @precondition(lambda self: not self.running)
    @rule()
    def sent(self) -> None:
        self.schedule.sent()
        self.known = []
        self.running, self.refused = True, False

    @precondition(lambda self: self.running)
    @rule(offset=st.none() | OFFSETS)
    def moved(self, offset: float | None) -> None:
        head = None if offset is None else self.now + offset
        self.schedule.moved(head, self.now)
        if head is not None:
            self.known.append(head)
        self.limit = self.now + SAFETY
        self.failures, self.running = 0, False

    @rule()
    def failed(self) -> None:
        """A transfer fails while it runs, or before it is sent."""
        self.schedule.failed(self.now)
        self.known = []  # the next transfer, after the pause, sees them
        self.limit = self.now + min(50.0 * 2**self.failures, SAFETY)
        self.failures, self.running = self.failures + 1, False

    @precondition(lambda self: self.running)
    @rule()
    def refused_by_the_server(self) -> None:
        """Announcements are not lost, but wait until the next transfer."""
        self.schedule.refused(self.now)
        self.limit = self.now + SAFETY
        self.running, self.refused = False, True

    @invariant()
    def never_waits_beyond_the_safety_interval(self) -> None:
        wait = self.schedule.wait_ms(self.now)
        assert 0 <= wait <= SAFETY

    @precondition(lambda self: not self.running)
    @invariant()
    def looks_when_the_earliest_known_is_due_or_the_interval_is_over(self) -> None:
        moment = min([self.limit] if self.refused else [*self.known, self.limit])
        expected = min(max(moment - self.now, 0.0), SAFETY)
        assert self.schedule.wait_ms(self.now) == pytest.approx(expected, abs=0.01)

    @precondition(lambda self: self.running and self.known)
    @invariant()
    def does_not_lose_what_was_announced_while_the_script_runs(self) -> None:
        wait = self.schedule.wait_ms(self.now)
        assert wait <= max(min(self.known) - self.now, 0.0) + 0.01


TestSchedule = Schedule.TestCase
TestSchedule.settings = settings(deadline=None, max_examples=60, stateful_step_count=40)


# --- transfers that are only for safety


def planned(next_ms: float | None, now: float, safety: float = SAFETY) -> float:
    schedule = TransferSchedule(safety)
    schedule.sent()
    schedule.moved(next_ms, now)
    return schedule.planned_ms(now)


@each_row("offset", [0.0, 1.0, 99.5, 250.0, 499.0, 500.0, 12_345.0])
def test_safety_transfers_of_idle_queues_are_at_the_same_moments(offset: float) -> None:
    now = T + offset
    wait = planned(None, now)
    assert SAFETY * 0.9 <= wait <= SAFETY
    assert (now + wait) % (SAFETY / 10) == 0


def test_announced_transfer_is_not_planned_sooner() -> None:
    assert planned(T + 1234.5, T) == 1234.5
    assert planned(T + SAFETY, T + 1) == SAFETY - 1


def test_time_after_the_safety_transfer_is_ignored() -> None:
    assert planned(T + 60_000, T + 1) == SAFETY - 1


def test_a_pause_after_a_failure_stays() -> None:
    schedule = TransferSchedule(SAFETY)
    schedule.failed(T + 7)
    assert schedule.planned_ms(T + 7) == 50


def test_how_far_the_next_announced_time_is_away() -> None:
    schedule = TransferSchedule(SAFETY)
    schedule.sent()
    schedule.moved(None, T)
    assert schedule.ahead_ms(T) == math.inf
    schedule.announced(T + 300)
    assert schedule.ahead_ms(T + 100) == 200
    assert schedule.ahead_ms(T + 400) == 0


def test_why_a_transfer_runs() -> None:
    schedule = TransferSchedule(SAFETY)
    assert schedule.cause(T) == "subscribed"
    schedule.sent()
    schedule.moved(T + 300, T)
    assert schedule.cause(T + 300) == "due"
    assert schedule.cause(T + 200) == "safety"
    schedule.announced(T + 100)
    assert schedule.cause(T + 100) == "notified"
    schedule.sent()
    schedule.moved(None, T)
    assert schedule.cause(T + SAFETY) == "safety"
    schedule.failed(T)
    assert schedule.cause(T) == "retry"
    schedule.sent()
    schedule.moved(None, T)
    schedule.refused(T)
    assert schedule.cause(T) == "retry"

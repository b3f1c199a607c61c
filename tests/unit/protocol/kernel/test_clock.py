"""The server's time is bounded on both sides, whatever the local clocks show."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson.protocol.kernel.clock import ServerClock
from tests.support.rows import each_row

ROUNDING = 0.001  # ms; a double holds today's epoch milliseconds to a quarter of a microsecond


def test_the_bounds_are_the_edges_of_the_round_trip() -> None:
    clock = ServerClock()
    clock.sample(sent=10.0, received=10.5, server_ms=1_000_000.0)
    assert clock.earliest_ms(10.5) == 1_000_000.0
    assert clock.latest_ms(10.5) == 1_000_500.0
    assert clock.earliest_ms(12.5) == 1_002_000.0


def test_the_last_sample_counts() -> None:
    clock = ServerClock()
    clock.sample(1.0, 1.0, 500.0)
    clock.sample(2.0, 2.0, 100.0)
    assert clock.earliest_ms(2.0) == clock.latest_ms(2.0) == 100.0


@settings(deadline=None)
@given(
    local=st.floats(0, 1e7),
    there=st.floats(0, 30),
    back=st.floats(0, 30),
    offset=st.floats(-1e6, 2e12),
    later=st.floats(0, 10),
)
def test_the_truth_is_always_between_the_bounds(
    local: float, there: float, back: float, offset: float, later: float
) -> None:
    """The server's clock is `offset` ms ahead; it is read somewhere in the round trip."""
    clock = ServerClock()
    read_at = local + there
    received = read_at + back
    clock.sample(local, received, read_at * 1000 + offset)
    now = received + later
    truth = now * 1000 + offset
    assert clock.earliest_ms(now) <= truth + ROUNDING
    assert clock.latest_ms(now) >= truth - ROUNDING


@each_row(
    ("now", "stale"),
    [(100.0, False), (109.9, False), (110.0, True), (500.0, True), (99.0, True)],
)
def test_a_sample_is_good_for_a_while(now: float, stale: bool) -> None:
    """A monotonic clock that is earlier than the sample is that of another machine or boot."""
    clock = ServerClock(refresh_after=10.0)
    clock.sample(99.5, 100.0, 1.0)
    assert clock.stale(now) is stale


def test_without_a_sample_it_is_stale() -> None:
    clock = ServerClock()
    assert clock.stale(0.0)
    clock.sample(0.0, 0.0, 0.0)
    assert not clock.stale(0.0)
    clock.invalidate()
    assert clock.stale(0.0)


def test_a_reply_that_was_under_way_when_the_clock_was_moved_does_not_count() -> None:
    clock = ServerClock()
    clock.sample(1.0, 1.0, 500.0)
    moves = clock.moves
    clock.moved()
    assert clock.stale(1.0)
    assert not clock.sample(1.0, 2.0, 600.0, moves)
    assert clock.stale(2.0)
    assert clock.sample(2.0, 3.0, 100_000.0, clock.moves)
    assert not clock.stale(3.0)

"""Pauses double up to the longest, and begin anew after a success."""

from __future__ import annotations

from pyredisson.protocol.backoff import Backoff


def test_pauses_double_up_to_the_longest() -> None:
    backoff = Backoff(0.05, 0.3)
    assert [backoff.pause() for _ in range(5)] == [0.05, 0.1, 0.2, 0.3, 0.3]


def test_a_success_begins_anew() -> None:
    backoff = Backoff(1.0, 8.0)
    assert [backoff.pause(), backoff.pause()] == [1.0, 2.0]
    backoff.reset()
    assert backoff.pause() == 1.0


def test_the_longest_bounds_the_first() -> None:
    assert Backoff(50.0, 20.0).pause() == 20.0

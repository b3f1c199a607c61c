"""Pauses double up to the longest, and start with the first again after a success."""

from __future__ import annotations

from pyredisson.protocol.kernel.backoff import Pauses, Rests


def test_pauses_double_up_to_the_longest() -> None:
    backoff = Pauses(0.05, 0.3)
    assert [backoff.pause() for _ in range(5)] == [0.05, 0.1, 0.2, 0.3, 0.3]


def test_first_pause_follows_a_success() -> None:
    backoff = Pauses(1.0, 8.0)
    assert [backoff.pause(), backoff.pause()] == [1.0, 2.0]
    backoff.reset()
    assert backoff.pause() == 1.0


def test_the_longest_bounds_the_first() -> None:
    assert Pauses(50.0, 20.0).pause() == 20.0


def test_rest_is_longer_after_each_failure() -> None:
    rests = Rests()
    assert not rests
    assert not rests.rests("a", 0)
    rests.failed("a", 10)
    assert "a" in rests
    assert (rests.rests("a", 10.04), rests.rests("a", 10.06)) == (True, False)
    rests.failed("a", 20)
    assert (rests.rests("a", 20.09), rests.rests("a", 20.11)) == (True, False)
    assert (rests.until("a"), rests.until("b")) == (20.1, 0.0)
    assert len(rests) == 1
    assert rests.served("a")
    assert not rests.served("a")

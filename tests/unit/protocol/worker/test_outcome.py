"""The fate of messages: the table in `protocol/worker/outcome`, and growing pauses."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyredisson import Backoff, Defer, RedissonError
from pyredisson.protocol.worker.outcome import Fate, Policy
from tests.support.rows import each_row


class OwnError(ValueError):
    """An error class of the application."""


TABLE: list[tuple[Exception | None, int, Fate]] = [
    (None, 1, Fate.DONE),
    (None, 9, Fate.DONE),
    (Defer(5), 1, Fate.DEFER),
    (Defer(5), 9, Fate.DEFER),
    (RuntimeError(), 1, Fate.RETRY),
    (RuntimeError(), 2, Fate.RETRY),
    (RuntimeError(), 3, Fate.DEAD),
    (RuntimeError(), 9, Fate.DEAD),
    (ValueError(), 1, Fate.DEAD),
    (UnicodeError(), 1, Fate.DEAD),
    (OwnError(), 1, Fate.RETRY),
    (OwnError(), 3, Fate.DEAD),
    (LookupError(), 1, Fate.DROP),
    (KeyError(), 9, Fate.DROP),
]


@each_row(("error", "attempt", "fate"), TABLE, ids=str)
def test_the_table(error: Exception | None, attempt: int, fate: Fate) -> None:
    policy = Policy(3, {ValueError: "dead", OwnError: "retry", LookupError: "drop"})
    assert policy.fate(error, attempt) is fate


def test_bad_policies() -> None:
    with pytest.raises(ValueError, match="max_deliveries must be at least 1, not 0"):
        Policy(0, {})
    with pytest.raises(ValueError, match="'again' must be one of"):
        Policy(1, {ValueError: "again"})  # type: ignore[dict-item]  # refused at run time, too
    with pytest.raises(TypeError, match="is not an exception class"):
        Policy(1, {KeyboardInterrupt: "dead"})
    with pytest.raises(
        TypeError, match=r"on_error must be a mapping of exception classes, not \[\]"
    ):
        Policy(1, [])  # type: ignore[arg-type]  # no mapping


@pytest.mark.parametrize(
    ("backoff", "pauses"),
    [
        (Backoff(jitter=0), [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]),
        (Backoff(first=5, factor=1, jitter=0), [5, 5, 5]),
        (Backoff(first=0.5, factor=3, limit=4, jitter=0), [0.5, 1.5, 4, 4]),
    ],
)
def test_pauses(backoff: Backoff, pauses: list[float]) -> None:
    assert [backoff.pause(n, 0.3) for n in range(1, len(pauses) + 1)] == pauses


@given(st.integers(1, 10**6), st.floats(0, 1))
def test_a_pause_is_within_its_jitter(attempt: int, chance: float) -> None:
    backoff = Backoff()
    exact = Backoff(jitter=0).pause(attempt, 0)
    assert exact * 0.9 <= backoff.pause(attempt, chance) <= min(exact * 1.1, backoff.limit)


def test_pauses_at_the_limit_are_no_longer_and_differ() -> None:
    pauses = [Backoff().pause(20, chance) for chance in (0, 0.25, 0.5, 0.6, 1)]
    assert pauses == pytest.approx([270, 285, 300, 294, 270])


@each_row(
    "bad", [{"first": -1}, {"factor": 0.5}, {"limit": -1}, {"jitter": 1.5}, {"first": float("nan")}]
)
def test_bad_pauses(bad: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="first and limit must be at least 0"):
        Backoff(**bad)


@pytest.mark.parametrize("bad", [{"first": None}, {"limit": "5"}, {"jitter": b"1"}])
def test_pauses_are_numbers(bad: Any) -> None:
    (name,) = bad
    with pytest.raises(TypeError, match=f"{name} must be a number, not {bad[name]!r}"):
        Backoff(**bad)


@pytest.mark.parametrize("delay", [-1, math.inf, math.nan])
def test_a_delay_that_makes_no_sense_is_refused_where_it_is_asked_for(delay: float) -> None:
    """An error in the worker would be too late: the handler would not receive it."""
    with pytest.raises(ValueError, match="delay"):
        Defer(delay)


def test_defer_is_not_caught_with_redisson_errors() -> None:
    assert not issubclass(Defer, RedissonError)

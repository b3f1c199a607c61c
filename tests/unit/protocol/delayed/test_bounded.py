"""Bounds of a queue's size: valid arguments, and the reply of an offer with a bound."""

import math
from datetime import timedelta
from typing import Any

import pytest

from pyredisson import Receipt, UncertainOfferError
from pyredisson.protocol.delayed.bounded import Bound, Stored
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.rows import each_row

NAMES = QueueNames.of("q")
LATE, EARLY = Receipt("q", 9, b"1" * 8, b"v"), Receipt("q", 5, b"2" * 8, b"v")


def test_a_bound() -> None:
    assert Bound.of(5, "raise", None) == Bound(5, 0.0)
    assert Bound.of(5, "wait", None) == Bound(5, math.inf)
    assert Bound.of(5, "wait", timedelta(seconds=2)) == Bound(5, 2.0)
    assert Bound.of(expire_after=0.0001) == Bound(expires_ms=1)
    assert Bound.of(5, expire_after=2, when_expired="drop") == Bound(5, 0.0, 2000, drops=True)


@each_row(
    ("given", "error", "text"),
    [
        ((0, "raise", None), ValueError, "max_size must be at least 1"),
        ((1.0, "raise", None), TypeError, "max_size must be a whole number"),
        ((5, "drop", None), ValueError, "must be one of .*'raise', 'wait'.*, not 'drop'"),
        ((None, "wait", None), ValueError, "needs max_size="),
        ((5, "raise", 1), ValueError, "full_timeout= needs when_full='wait'"),
        ((5, "wait", -math.nan), ValueError, "timeout"),
        ((None, "raise", None, 0), ValueError, "expire_after"),
        (
            (None, "raise", None, 5, "gone"),
            ValueError,
            "must be one of .*'dead', 'drop'.*, not 'gone'",
        ),
        ((None, "raise", None, None, "drop"), ValueError, "needs expire_after="),
    ],
)
def test_invalid_bounds_are_rejected(given: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        Bound.of(*given)


def test_an_offer() -> None:
    offer = Bound(7, 0.0).offer(NAMES, [LATE, EARLY])
    assert offer.keys[:4] == (NAMES.name, NAMES.timeout_set, NAMES.delay_list, NAMES.channel)
    assert offer.keys[4:] == ("pyredisson_expiring:{q}", "pyredisson_expiries:{q}")
    assert offer.args == (7, 0, 0, 9, LATE.entry, 5, EARLY.entry)
    assert Bound(expires_ms=500, drops=True).offer(NAMES, [LATE]).args[:3] == (2**53, 500, 1)
    assert not offer.safe
    assert offer.decode([0, 7]) == Stored(0, 7)
    assert offer.decode([2, 5]) == Stored(2, 5)
    assert offer.lost is not None
    error = offer.lost(OSError("reset"))
    assert isinstance(error, UncertainOfferError)
    assert error.receipt == LATE


def test_error_has_the_earliest_stored_receipt() -> None:
    offer = Bound(7, 0.0).offer(NAMES, [LATE, EARLY])
    for count, receipt in ((1, LATE), (2, EARLY)):
        not_notified = offer.decode([count, 5, b"NOPERM"]).not_notified
        assert not_notified is not None
        assert not_notified.receipt == receipt


def test_the_error_of_a_full_queue() -> None:
    error = Bound(7, 0.0).full(NAMES, Stored(0, 8))
    assert (error.key, error.size, error.limit) == ("q", 8, 7)
    assert "'q': it has 8 items" in str(error)

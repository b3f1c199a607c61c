"""RRateLimiter: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from pyredisson import RateNotSetError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.synchronizers.rate_limiter import (
    Rate,
    RateLimiterConfig,
    RateLimiterProtocol,
    RateType,
)
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

L = RateLimiterProtocol("rl", "u")
KEYS = ("rl", "{rl}:value", "{rl}:value:u", "{rl}:permits", "{rl}:permits:u")
RATE = Rate.of(RateType.OVERALL, 3, 1, None)
EACH = Rate.of(RateType.PER_CLIENT, 2, timedelta(seconds=0.5), 5)
ID = b"i" * 16
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "try_set_rate": (
        lambda: L.try_set_rate(RATE),
        ("synchronizers/limiter_try_set_rate", ("rl",), (3, 1000, 0, 0)),
        False,
    ),
    "set_rate": (
        lambda: L.set_rate(EACH),
        ("synchronizers/limiter_set_rate", KEYS, (2, 500, 1, 5000, 0, 0)),
        True,
    ),
    "update_rate": (
        lambda: L.set_rate(RATE, keep_state=True, update=True),
        ("synchronizers/limiter_set_rate", KEYS, (3, 1000, 0, 0, 1, 1)),
        True,
    ),
    "acquire": (
        lambda: L.acquire(2, ID),
        ("synchronizers/limiter_acquire", KEYS, (2, ID)),
        True,
    ),
    "release": (lambda: L.release(2), ("synchronizers/limiter_release", KEYS, (2,)), False),
    "available": (L.available, ("synchronizers/limiter_available", KEYS, ()), True),
    "config": (L.config, ("HGETALL", "rl"), True),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


def test_a_name_with_braces() -> None:
    assert RateLimiterProtocol("a:{1}", "u").keys[1] == "a:{1}:value"


def fields(**values: str) -> list[bytes]:
    return [word.encode() for pair in values.items() for word in pair]


SECOND = timedelta(seconds=1)
REPLIES: dict[str, tuple[Build, Any, Any]] = {
    "released": (lambda: L.release(2), 1, 1),
    "nothing to release": (lambda: L.release(2), None, 0),
    "set": (lambda: L.try_set_rate(RATE), 1, True),
    "set before": (lambda: L.try_set_rate(RATE), 0, False),
    "set anew": (lambda: L.set_rate(RATE), 1, True),
    "nothing to update": (lambda: L.set_rate(RATE, update=True), 0, False),
    "acquired": (lambda: L.acquire(1, ID), None, None),
    "later": (lambda: L.acquire(1, ID), 885, 885),
    "free": (L.available, 3, 3),
    "more are free": (L.available, None, None),
    "config": (
        L.config,
        fields(rate="3", interval="1000", keepAliveTime="0", type="0"),
        RateLimiterConfig(RateType.OVERALL, 3, SECOND, None),
    ),
    "config that ends": (
        L.config,
        fields(rate="3", interval="1000", keepAliveTime="1000", type="1"),
        RateLimiterConfig(RateType.PER_CLIENT, 3, SECOND, SECOND),
    ),
    "config of 3.19.3": (
        L.config,
        fields(rate="3", interval="1000", type="0"),
        RateLimiterConfig(RateType.OVERALL, 3, SECOND, None),
    ),
    "no config": (L.config, [], None),
    "half of a config": (L.config, fields(rate="3"), None),
}


@each_row("case", REPLIES)
def test_each_reply(case: str) -> None:
    build, reply, expected = REPLIES[case]
    assert build().decode(reply) == expected


@pytest.mark.parametrize("build", [lambda: L.acquire(1, ID), L.available])
def test_no_rate(build: Build) -> None:
    with pytest.raises(RateNotSetError, match="'rl' has no rate") as caught:
        build().decode(-1)
    assert caught.value.key == "rl"


def test_more_than_the_rate() -> None:
    with pytest.raises(ValueError, match="at most the rate of limiter 'rl', not 4"):
        L.acquire(4, ID).decode(-2)


@each_row(
    ("arguments", "text"),
    [
        (("BOTH", 1, 1, None), "BOTH"),
        ((RateType.OVERALL, 0, 1, None), "rate must be from 1"),
        ((RateType.OVERALL, 2**31, 1, None), "rate must be from 1"),
        ((RateType.OVERALL, True, 1, None), "rate must be a whole number"),
        ((RateType.OVERALL, 1.5, 1, None), "rate must be a whole number"),
        ((RateType.OVERALL, 1, 0, None), "interval must be more than 0"),
        ((RateType.OVERALL, 1, 1, -1), "keep_alive must be more than 0"),
        ((RateType.OVERALL, 1, 2, 1.5), "keep_alive must be at least the interval, 2, not 1.5"),
    ],
)
def test_rates_that_are_rejected(arguments: Any, text: str) -> None:
    with pytest.raises((TypeError, ValueError), match=text):
        Rate.of(*arguments)

"""RSemaphore and RCountDownLatch: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import UncertainError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.synchronizers.arguments import at_least, wake_count
from pyredisson.protocol.synchronizers.count_down_latch import CountDownLatchProtocol
from pyredisson.protocol.synchronizers.notified import Notified
from pyredisson.protocol.synchronizers.semaphore import SemaphoreProtocol
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

S, CHANNEL = SemaphoreProtocol("sm"), "redisson_sc:{sm}"
L = CountDownLatchProtocol("a:{1}", ("PUBLISH", "SPUBLISH"))
LATCH = ("a:{1}", "redisson_countdownlatch__channel__{a:{1}}")
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...]]] = {
    "acquire": (lambda: S.acquire(2), ("synchronizers/semaphore_acquire", ("sm",), (2,))),
    "drain": (S.drain, ("synchronizers/semaphore_drain", ("sm",), ())),
    "add": (
        lambda: S.add(3),
        ("synchronizers/semaphore_add", ("sm", CHANNEL), (3, "PUBLISH", "")),
    ),
    "try_set": (
        lambda: S.try_set(3, None),
        ("synchronizers/semaphore_try_set", ("sm", CHANNEL), (3, "PUBLISH", "")),
    ),
    "try_set with a time to live": (
        lambda: S.try_set(3, 5000),
        ("synchronizers/semaphore_try_set", ("sm", CHANNEL), (3, "PUBLISH", "", 5000)),
    ),
    "try_set of a latch": (
        lambda: L.try_set(3),
        ("synchronizers/latch_try_set", LATCH, (b"1", 3, "PUBLISH", "SPUBLISH")),
    ),
    "count_down": (
        L.count_down,
        ("synchronizers/latch_count_down", LATCH, (b"0", "PUBLISH", "SPUBLISH")),
    ),
    "delete": (L.delete, ("locks/force_unlock", LATCH, (b"0", "PUBLISH", "SPUBLISH"))),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert not operation.safe
    assert operation.lost is not None
    assert isinstance(operation.lost(OSError("gone")), UncertainError)


@pytest.mark.parametrize("build", [S.available, L.count])
def test_reads_may_be_sent_twice(build: Build) -> None:
    assert words(build())[0] == "GET"
    assert build().safe
    assert build().decode(b"-2") == -2
    assert build().decode(None) == 0


REPLIES: dict[str, tuple[Build, Any, Any]] = {
    "acquired": (lambda: S.acquire(1), 1, True),
    "not acquired": (lambda: S.acquire(1), 0, False),
    "drained": (S.drain, 3, 3),
    "added": (lambda: S.add(1), [4], Notified(4, "")),
    "not notified": (L.count_down, [0, b"NOPERM no"], Notified(0, "NOPERM no")),
}


@each_row("case", REPLIES)
def test_each_reply(case: str) -> None:
    build, reply, expected = REPLIES[case]
    assert build().decode(reply) == expected


@pytest.mark.parametrize(
    ("build", "reply", "permits"),
    [(lambda: S.acquire(2), 1, 2), (S.drain, 5, 5), (lambda: S.acquire(2), 0, 0), (S.drain, -1, 0)],
)
def test_permits_of_an_interrupted_call_are_released(
    build: Build, reply: int, permits: int
) -> None:
    undo = build().undo
    assert undo is not None
    release = undo(reply)
    assert (release is None) == (not permits)
    assert release is None or words(release) == words(S.add(permits))


@each_row("count", [0, 2**31, True, 1.0, "1", None])
def test_counts_that_are_rejected(count: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="permits must be"):
        at_least(1, count, "permits")


@pytest.mark.parametrize(("payload", "count"), [(b"3", 3), (b"0", 0), (b"-1", 0), (b"x", 0)])
def test_as_many_waiters_wake_as_permits_are_free(payload: bytes, count: int) -> None:
    assert wake_count(payload) == count

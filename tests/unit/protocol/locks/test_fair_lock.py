"""RFairLock: the words of each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.locks.fair_lock import FairLockProtocol
from tests.unit.protocol.objects.encoding import words

F = FairLockProtocol("job", ("PUBLISH", "SPUBLISH"), 5_000)
KEYS = ("job", "redisson_lock_queue:{job}", "redisson_lock_timeout:{job}")
CHANNEL = "redisson_lock__channel:{job}"
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "acquire": (
        lambda: F.acquire("u:1", 30_000, 2),
        ("locks/acquire_fair", KEYS, (30_000, "u:1", 2, 5_000, "")),
        True,
    ),
    "wait": (
        lambda: F.acquire("u:1", 30_000, 1, "last"),
        ("locks/acquire_fair", KEYS, (30_000, "u:1", 1, 5_000, "last")),
        True,
    ),
    "release": (
        lambda: F.release("u:1", 30_000, 1),
        (
            "locks/release_fair",
            KEYS,
            (b"0", 30_000, "u:1", 1, "PUBLISH", "SPUBLISH", CHANNEL, 5_000),
        ),
        False,
    ),
    "force_unlock": (
        F.force_unlock,
        ("locks/release_fair", KEYS, (b"0", 0, "", 0, "PUBLISH", "SPUBLISH", CHANNEL, 5_000)),
        False,
    ),
}


@pytest.mark.parametrize("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


def test_each_waiter_has_a_channel() -> None:
    assert F.channel_of("u:1") == f"{CHANNEL}:u:1"


def test_an_interrupted_acquisition_is_undone() -> None:
    undo = F.acquire("u:1", 5, 2).undo
    assert undo is not None
    assert undo(29_000) is None
    release = undo(None)
    assert release is not None
    assert words(release) == words(F.release("u:1", 5, 1))

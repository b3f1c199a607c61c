"""RLock: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.locks.lock import (
    Attempt,
    FencedLockProtocol,
    LockProtocol,
    Released,
    Renewal,
    renew,
)
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

L = LockProtocol("job")
SHARDED = LockProtocol("job", ("PUBLISH", "SPUBLISH"))
SPIN = LockProtocol("job", ("", ""))
FENCED = FencedLockProtocol("job")
TOKEN = "redisson_lock_token:{job}"
CHANNEL = "redisson_lock__channel:{job}"
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "acquire": (
        lambda: L.acquire("u:1", 30_000),
        ("locks/acquire", ("job",), (30_000, "u:1", 1)),
        True,
    ),
    "acquire again": (
        lambda: L.acquire("u:1", 30_000, 2),
        ("locks/acquire", ("job",), (30_000, "u:1", 2)),
        True,
    ),
    "release": (
        lambda: L.release("u:1", 30_000),
        ("locks/release", ("job", CHANNEL), (b"0", 30_000, "u:1", 0, "PUBLISH", "")),
        False,
    ),
    "release in a cluster": (
        lambda: SHARDED.release("u:1", 30_000, 1),
        ("locks/release", ("job", CHANNEL), (b"0", 30_000, "u:1", 1, "PUBLISH", "SPUBLISH")),
        False,
    ),
    "force_unlock": (
        L.force_unlock,
        ("locks/force_unlock", ("job", CHANNEL), (b"0", "PUBLISH", "")),
        False,
    ),
    "release without a message": (
        lambda: SPIN.release("u:1", 30_000),
        ("locks/release", ("job",), (b"0", 30_000, "u:1", 0, "", "")),
        False,
    ),
    "force_unlock without a message": (
        SPIN.force_unlock,
        ("locks/force_unlock", ("job",), (b"0", "", "")),
        False,
    ),
    "acquire with a token": (
        lambda: FENCED.acquire("u:1", 30_000),
        ("locks/acquire", ("job", TOKEN), (30_000, "u:1", 1)),
        True,
    ),
    "get_token": (FENCED.get_token, ("GET", TOKEN), True),
    "renew": (
        lambda: renew([Renewal("a", "u:1"), Renewal("b", "u:2", ("s",))], 30_000),
        ("locks/renew", ("a", "b", "s"), (30_000, "u:1", 0, "u:2", 1)),
        True,
    ),
    "is_locked": (L.is_locked, ("EXISTS", "job"), True),
    "is_held_by": (lambda: L.is_held_by("u:1"), ("HEXISTS", "job", "u:1"), True),
    "hold_count": (lambda: L.hold_count("u:1"), ("HGET", "job", "u:1"), True),
    "ttl_ms": (L.ttl_ms, ("PTTL", "job"), True),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


REPLIES: dict[str, tuple[Build, Any, Any]] = {
    "acquired": (lambda: L.acquire("u:1", 5), None, Attempt(None)),
    "acquired with a token": (lambda: FENCED.acquire("u:1", 5), [7], Attempt(None, 7)),
    "newest token": (FENCED.get_token, b"7", 7),
    "no token": (FENCED.get_token, None, None),
    "another has it": (lambda: L.acquire("u:1", 5), 29_000, Attempt(29_000)),
    "another has it for ever": (lambda: L.acquire("u:1", 5), -1, Attempt(-1)),
    "released": (lambda: L.release("u:1", 5), [1], Released(True, True, "")),
    "not notified": (
        lambda: L.release("u:1", 5),
        [1, b"NOPERM no"],
        Released(True, True, "NOPERM no"),
    ),
    "held on": (lambda: L.release("u:1", 5, 1), [0], Released(True, False, "")),
    "not held": (lambda: L.release("u:1", 5), None, Released(False, False, "")),
    "renewed": (
        lambda: renew([L.renewal("u:1", 1), L.renewal("u:2", 2)], 5),
        [1, 0],
        [True, False],
    ),
    "locked": (L.is_locked, 1, True),
    "free": (L.is_locked, 0, False),
    "not its": (lambda: L.is_held_by("u:1"), 0, False),
    "holds": (lambda: L.hold_count("u:1"), b"2", 2),
    "no holds": (lambda: L.hold_count("u:1"), None, 0),
    "ttl": (L.ttl_ms, -2, -2),
}


@each_row("case", REPLIES)
def test_each_reply(case: str) -> None:
    build, reply, expected = REPLIES[case]
    assert build().decode(reply) == expected


def test_all_waiters_of_a_lock_have_its_channel() -> None:
    assert L.channel_of("u:1") == L.channel == CHANNEL


def test_an_interrupted_acquisition_is_undone() -> None:
    undo = L.acquire("u:1", 5, 2).undo
    assert undo is not None
    assert undo(29_000) is None
    for acquired in (None, [7]):
        release = undo(acquired)
        assert release is not None
        assert words(release) == words(L.release("u:1", 5, 1))

"""RReadWriteLock: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.locks.lock import Attempt, Released, Renewal
from pyredisson.protocol.locks.read_write_lock import ReadLockProtocol, WriteLockProtocol
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

R, W = ReadLockProtocol("job"), WriteLockProtocol("job", ("PUBLISH", "SPUBLISH"))
CHANNEL = "redisson_rwlock:{job}"
ONE, TWO = (f"{{job}}:u:1:rwlock_timeout:{number}" for number in (1, 2))
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "read": (
        lambda: R.acquire("u:1", 30_000),
        ("locks/acquire_read", ("job", ONE), (30_000, "u:1", "u:1:write")),
        True,
    ),
    "read again": (
        lambda: R.acquire("u:1", 30_000, 2),
        ("locks/acquire_read", ("job", ONE, TWO), (30_000, "u:1", "u:1:write")),
        True,
    ),
    "write": (
        lambda: W.acquire("u:1", 30_000, 2),
        ("locks/acquire_write", ("job",), (30_000, "u:1:write", 2)),
        True,
    ),
    "read no more": (
        lambda: R.release("u:1", 30_000),
        ("locks/release_read", ("job", CHANNEL, ONE), (b"0", "{job}", "u:1", 0, "PUBLISH", "")),
        False,
    ),
    "read once less": (
        lambda: R.release("u:1", 30_000, 1),
        ("locks/release_read", ("job", CHANNEL, TWO), (b"0", "{job}", "u:1", 1, "PUBLISH", "")),
        False,
    ),
    "write no more": (
        lambda: W.release("u:1", 30_000),
        (
            "locks/release_write",
            ("job", CHANNEL),
            (b"1", 30_000, "u:1:write", 0, "PUBLISH", "SPUBLISH", "{job}"),
        ),
        False,
    ),
    "free of readers": (
        R.force_unlock,
        ("locks/force_unlock", ("job", CHANNEL), (b"0", "PUBLISH", "", "read")),
        False,
    ),
    "free of a writer": (
        W.force_unlock,
        ("locks/force_unlock", ("job", CHANNEL), (b"1", "PUBLISH", "SPUBLISH", "write")),
        False,
    ),
    "is it read": (R.is_locked, ("HKEYS", "job"), True),
    "is it written": (W.is_locked, ("HGET", "job", "mode"), True),
    "does it read": (lambda: R.is_held_by("u:1"), ("HEXISTS", "job", "u:1"), True),
    "does it write": (lambda: W.is_held_by("u:1"), ("HEXISTS", "job", "u:1:write"), True),
    "how often": (lambda: W.hold_count("u:1"), ("HGET", "job", "u:1:write"), True),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


REPLIES: dict[str, tuple[Build, Any, Any]] = {
    "it reads": (lambda: R.acquire("u:1", 5), None, Attempt(None)),
    "another writes": (lambda: W.acquire("u:1", 5), 29_000, Attempt(29_000)),
    "read no more": (lambda: R.release("u:1", 5), [1], Released(True, True, "")),
    "it did not write": (lambda: W.release("u:1", 5), None, Released(False, False, "")),
    "somebody reads": (R.is_locked, [b"mode", b"u:1"], True),
    "somebody writes": (R.is_locked, [b"mode", b"u:1:write"], False),
    "the writer reads": (R.is_locked, [b"mode", b"u:1", b"u:1:write"], True),
    "nobody": (R.is_locked, [], False),
    "not written": (W.is_locked, b"read", False),
    "written": (W.is_locked, b"write", True),
    "free": (W.is_locked, None, False),
}


@each_row("case", REPLIES)
def test_each_reply(case: str) -> None:
    build, reply, expected = REPLIES[case]
    assert build().decode(reply) == expected


def test_renewals() -> None:
    assert R.renewal("u:1", 2) == Renewal("job", "u:1", (ONE, TWO))
    assert W.renewal("u:1", 2) == Renewal("job", "u:1:write")


def test_a_name_with_braces_gets_no_others() -> None:
    assert R.__class__("a{b}").renewal("u:1", 1).strings == ("a{b}:u:1:rwlock_timeout:1",)


@pytest.mark.parametrize("lock", [R, W])
def test_an_interrupted_acquisition_is_undone(lock: ReadLockProtocol | WriteLockProtocol) -> None:
    undo = lock.acquire("u:1", 5, 2).undo
    assert undo is not None
    assert undo(29_000) is None
    release = undo(None)
    assert release is not None
    assert words(release) == words(lock.release("u:1", 5, 1))

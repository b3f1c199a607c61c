"""RPermitExpirableSemaphore: the words of each call, and the value of each reply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.synchronizers.notified import Notified
from pyredisson.protocol.synchronizers.permits import Permits, PermitsProtocol, permit_bytes
from tests.support.rows import each_row
from tests.unit.protocol.objects.encoding import words

P, ID = PermitsProtocol("ps"), b"i" * 16
KEYS = ("ps", "{ps}:timeout", "redisson_sc:{ps}")
Build = Callable[[], Operation[Any]]

CALLS: dict[str, tuple[Build, tuple[Any, ...], bool]] = {
    "acquire": (
        lambda: P.acquire(5000, ID),
        ("synchronizers/permits_acquire", KEYS, (5000, "PUBLISH", "", ID)),
        True,
    ),
    "release": (
        lambda: P.release(ID),
        ("synchronizers/permits_release", KEYS, ("PUBLISH", "", ID)),
        False,
    ),
    "count": (P.count, ("synchronizers/permits_count", KEYS, ("PUBLISH", "")), True),
    "set": (lambda: P.count(5), ("synchronizers/permits_count", KEYS, ("PUBLISH", "", 5)), True),
    "update_lease": (
        lambda: P.update_lease(ID, 5000),
        ("synchronizers/permits_update_lease", KEYS[1:2], (ID, 5000)),
        True,
    ),
    "lease_time": (
        lambda: P.lease_time(ID),
        ("synchronizers/permits_lease_time", KEYS[1:2], (ID,)),
        True,
    ),
    "the semaphore": (
        lambda: P.semaphore.add(2),
        ("synchronizers/semaphore_add", ("ps", KEYS[2]), (2, "PUBLISH", "")),
        False,
    ),
}


@each_row("case", CALLS)
def test_the_words_of_each_call(case: str) -> None:
    build, expected, safe = CALLS[case]
    operation = build()
    assert words(operation) == expected
    assert operation.safe is safe


REPLIES: dict[str, tuple[Build, Any, Any]] = {
    "leased": (lambda: P.acquire(0, ID), None, None),
    "later": (lambda: P.acquire(0, ID), 885, 885),
    "unknown": (lambda: P.acquire(0, ID), -1, -1),
    "released": (lambda: P.release(ID), [1], Notified(1, "")),
    "counted": (P.count, [2, 1], Permits(2, 1)),
    "more have ended": (P.count, None, None),
    "not notified": (P.count, [2, 1, b"NOPERM"], Permits(2, 1)),
    "updated": (lambda: P.update_lease(ID, 1), 1, True),
    "ended": (lambda: P.update_lease(ID, 1), 0, False),
    "left": (lambda: P.lease_time(ID), 500, 500),
    "not leased": (lambda: P.lease_time(ID), None, None),
}


@each_row("case", REPLIES)
def test_each_reply(case: str) -> None:
    build, reply, expected = REPLIES[case]
    assert build().decode(reply) == expected


def test_an_interrupted_acquisition_is_released() -> None:
    undo = P.acquire(0, ID).undo
    assert undo is not None
    assert undo(5) is None
    release = undo(None)
    assert release is not None
    assert words(release) == words(P.release(ID))


def test_an_id_is_32_hex_digits() -> None:
    assert permit_bytes("0a" * 16) == b"\n" * 16


@each_row("permit_id", ["", "0a", "zz" * 16, "0a" * 17, b"0a" * 16, None])
def test_ids_that_are_rejected(permit_id: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="permit_id must be"):
        permit_bytes(permit_id)

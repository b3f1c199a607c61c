"""Additional bytes of items, such as the context of a trace, in one key for each value.

Only pyredisson reads these keys. The entries and values that Java reads do not change. The key's
name has the SHA1 of the value, because Redisson's transfer puts only the value into the target
list. Items with equal values share one key, which has the bytes of the last offer. So the bytes are
only a hint. The key expires `KEPT_MS` after the due time of the last offer, or after this offer if
its due time is past.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1
from typing import Any

from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.names import prefix_name
from pyredisson.protocol.kernel.replies import nothing
from pyredisson.protocol.kernel.scripts import load

__all__ = ["KEPT_MS", "MOST_BYTES", "carry", "read_carried"]

KEPT_MS = 3_600_000
"""Milliseconds until the key expires, from the due time or the offer, whichever is later."""
MOST_BYTES = 4096
"""The maximum length in bytes; the caller of `carry` does not store longer bytes."""


def _key(prefix: str, value: bytes) -> str:
    return f"{prefix}:{sha1(value, usedforsecurity=False).hexdigest()}"


def carry(
    queue: str, items: Sequence[tuple[int, bytes]], carried: bytes, now_ms: float
) -> Eval[None]:
    """Store the same additional bytes for each item.

    Args:
        queue: the queue's name in Redis.
        items: the due time in epoch milliseconds and the encoded value of each item.
        carried: the additional bytes.
        now_ms: the server's time in epoch milliseconds.
    """
    prefix = prefix_name("pyredisson_trace", queue)
    keys = tuple(_key(prefix, value) for _, value in items)
    until = tuple(max(round(due_ms - now_ms), 0) + KEPT_MS for due_ms, _ in items)
    return Eval(load("delayed/carry"), keys, (carried, *until), nothing, safe=True)


def read_carried(queue: str, values: Sequence[bytes]) -> Command[list[Any]]:
    """Return the additional bytes of each value, in order; None for a value without such bytes."""
    prefix = prefix_name("pyredisson_trace", queue)
    keys = [_key(prefix, value) for value in values]
    return Command(("MGET", *keys), list, keys[0], safe=True)

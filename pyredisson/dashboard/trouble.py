"""How much trouble a queue is in, and why, from its counts alone."""

from __future__ import annotations

from collections.abc import Iterator

from pyredisson.admin.json_values import printable
from pyredisson.admin.watch import Watched
from pyredisson.protocol.checks.stats import QueueStats

__all__ = ["trouble_of"]


def trouble_of(seen: Watched) -> tuple[int, list[str]]:
    """Return the trouble, and a reason for each part of it.

    3: nothing moves, or the queue cannot be read. 2: items are late or set aside, or nobody will
    move them. 1: it is paused. 0: none.
    """
    if seen.stats is None:
        return 3, [printable(str(seen.error))]
    found = sorted(_troubles(seen, seen.stats), key=lambda each: -each[0])
    return (found[0][0] if found else 0), [text for _, text in found]


def _troubles(seen: Watched, stats: QueueStats) -> Iterator[tuple[int, str]]:
    late = f"due items: {stats.due}, the earliest since {stats.oldest_overdue:.0f} s"
    if seen.trouble == "wrong type":
        yield 3, "a key has another type than a queue's"
    elif seen.trouble == "no task":
        yield 3, f"{late}; no transfer task is subscribed"
    elif seen.trouble == "late":
        yield 2, f"{late}; the transfer tasks do not move them"
    elif stats.pending > 0 and stats.subscribers == 0:
        yield 2, "no transfer task is subscribed, so nobody moves items that are due"
    if stats.poison > 0:
        yield 2, f"{stats.poison} could not be decoded (poison)"
    if stats.dead > 0:
        yield 2, "1 dead letter" if stats.dead == 1 else f"{stats.dead} dead letters"
    if stats.paused:
        yield 1, "paused"

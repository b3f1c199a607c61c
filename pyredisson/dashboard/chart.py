"""How many items are pending, by due time.

The rule: Redis counts them, and no item is read but three.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

from pyredisson import Redisson
from pyredisson.admin.json_values import iso
from pyredisson.admin.nodes import ask_all
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.replies import number
from pyredisson.server_errors import ReplyError

__all__ = ["chart_of", "iso_of", "now_ms"]

_BARS = 60
_MINUTE, _HOUR, _DAY = 60, 3600, 86400
_WIDTHS = (
    *(1, 2, 5, 10, 15, 30, _MINUTE, 2 * _MINUTE, 5 * _MINUTE, 10 * _MINUTE, 15 * _MINUTE),
    *(30 * _MINUTE, _HOUR, 2 * _HOUR, 3 * _HOUR, 6 * _HOUR, 12 * _HOUR, _DAY, 2 * _DAY),
    *(7 * _DAY, 14 * _DAY, 30 * _DAY, 90 * _DAY, 365 * _DAY),
)


def now_ms(redisson: Redisson, name: str) -> float:
    """Return the time of a queue's server, in epoch milliseconds."""
    return redisson._context.link.clock(name).earliest_ms(monotonic())


def chart_of(redisson: Redisson, name: str) -> list[dict[str, Any]]:
    """Return how many items are pending, by due time, in at most 60 bars.

    The first bar has the items that are due. The last one has those beyond the 98 % that are due
    first, so that a single item in ten years leaves the others apart.

    Raises:
        ReplyError: the server rejects it.
    """
    key = QueueNames.of(redisson._context.mapper.map(name)).timeout_set
    size = redisson._context.link.request(Command(("ZCARD", key), number, key, safe=True))
    if size == 0:
        return []
    ranks = (0, -1 - size // 50, -1)  # from the end, as others remove items meanwhile
    scores = _asked(
        redisson,
        [
            Command(("ZRANGE", key, rank, rank, "WITHSCORES"), _score, key, safe=True)
            for rank in ranks
        ],
    )
    if None in scores:  # removed meanwhile
        return []
    (first, usual, last), now = scores, now_ms(redisson, key)
    edges = _edges(now, usual)
    lows = ["-inf", *(f"({edge:.3f}" for edge in edges)]
    highs = [*(f"{edge:.3f}" for edge in edges), "+inf"]
    counts = _asked(
        redisson,
        [
            Command(("ZCOUNT", key, low, high), number, key, safe=True)
            for low, high in zip(lows, highs, strict=True)
        ],
    )
    starts = [min(first, now), *edges]
    ends = [*edges, max(last, edges[-1])]
    bars = [
        {"from": iso_of(start), "to": iso_of(end), "count": count}
        for start, end, count in zip(starts, ends, counts, strict=True)
    ]
    bars[0]["overdue"] = bars[-1]["later"] = True
    return bars[bool(not counts[0]) : len(bars) - bool(not counts[-1])]


def _edges(now: float, end: float) -> list[float]:
    """Return the ends of the bars but the last: now, and round moments up to `end`."""
    span = max(end - now, 0) / 1000
    width = next((each for each in _WIDTHS if span / each <= _BARS - 4), span / (_BARS - 4)) * 1000
    edges, at = [now], (now // width + 1) * width
    while edges[-1] < end:
        edges.append(at)
        at += width
    return edges


def _score(reply: Sequence[bytes]) -> float | None:
    return float(reply[1]) if reply else None


def iso_of(ms: float) -> str | None:
    """Return epoch milliseconds as ISO 8601; those beyond the last year as its end."""
    return iso(from_epoch_ms(max(ms, 0)))


def _asked(redisson: Redisson, commands: Sequence[Command[Any]]) -> list[Any]:
    found = list(ask_all(redisson, commands))
    for each in found:
        if isinstance(each, ReplyError):
            raise each
    return found

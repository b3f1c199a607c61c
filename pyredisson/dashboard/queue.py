"""One queue: its counts, its pending items by due time, its schedule and its windows.

The rule: the cost does not depend on the length of the queue, and a part that Redis rejects does
not hide the others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pyredisson import Redisson
from pyredisson._support.time_zones import zone
from pyredisson.admin.codecs import candidates
from pyredisson.admin.items import State, page_of_items
from pyredisson.admin.json_values import iso, printable, text_of
from pyredisson.admin.look import look_at
from pyredisson.codecs import ByteArrayCodec, StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.dashboard.chart import chart_of, iso_of, now_ms
from pyredisson.dashboard.overview import row_of
from pyredisson.dashboard.source import Source
from pyredisson.protocol.kernel.names import ScheduleNames, WindowNames
from pyredisson.protocol.schedules.schedule import Plan, ScheduleProtocol
from pyredisson.protocol.windows.window import WindowProtocol
from pyredisson.server_errors import ReplyError

__all__ = ["queue_document"]

_MOST = 50
"""Schedule entries and groups that are shown at most."""
_LATEST = 2**53
_THEN = 2
"""Occurrences of a schedule that are computed after the pending one."""


def queue_document(redisson: Redisson, name: str, source: Source) -> dict[str, Any]:
    """Return what JSON says of a queue.

    Raises:
        InvalidNameError: no key can have this name.
        ServerError: the server rejects it, or cannot be reached.
    """
    stats = look_at(redisson, name)
    found: dict[str, Any] = {
        "at": iso_of(now_ms(redisson, name)),
        "queue": row_of(name, stats).document(),
        "codec": _codec_of(redisson, name, source),
        "chart": [],
        "schedules": [],
        "more_schedules": False,
        "windows": [],
        "more_windows": False,
        "parts": {},
    }
    parts: dict[str, Callable[[], dict[str, Any]]] = {
        "chart": lambda: {"chart": chart_of(redisson, name)},
        "schedules": lambda: _schedules(redisson, name, source.reading),
        "windows": lambda: _windows(redisson, name),
    }
    for label, read in parts.items():
        try:
            found |= read()
        except ReplyError as error:
            found["parts"][label] = printable(str(error))
    return found


def _codec_of(redisson: Redisson, name: str, source: Source) -> str | None:
    """Return the codec that was given, else what the first value looks like; None without one."""
    if source.given:
        return type(source.reading).__name__
    states: tuple[State, ...] = ("ready", "pending")
    for state in states:
        try:
            page = page_of_items(redisson, name, ByteArrayCodec(), state, limit=1)
        except ReplyError:
            continue
        for each in page.items:
            return next((found.codec for found in candidates(each.raw)), None)
    return None


def _schedules(redisson: Redisson, name: str, codec: Codec[Any]) -> dict[str, Any]:
    protocol = ScheduleProtocol(ScheduleNames.of(redisson._context.mapper.map(name)))
    _, found = redisson._context.link.request(protocol.check(_LATEST, 0, _MOST + 1))
    return {
        "schedules": [_schedule(protocol, *each, codec) for each in found[:_MOST]],
        "more_schedules": len(found) > _MOST,
    }


def _schedule(
    protocol: ScheduleProtocol, name: bytes, record: bytes, codec: Codec[Any]
) -> dict[str, Any]:
    shown = {"name": printable(name.decode(errors="replace"))}
    try:
        plan = Plan.of(record)
        entry = protocol.entry(name, plan, codec)
    except ValueError as error:
        return shown | {"error": printable(str(error))}
    text = entry.raw.hex() if entry.error else text_of(entry.value)
    return shown | {
        "cron": entry.cron,
        "timezone": entry.timezone,
        "every": None if entry.every is None else entry.every.total_seconds(),
        "missed": entry.missed,
        "next": iso(entry.next_at),
        "then": _then(plan),
        "text": printable(text[:200]),
    }


def _then(plan: Plan) -> list[str | None]:
    """Return the occurrences after the next one; none if they cannot be computed here."""
    try:
        timing, at, found = plan.timing(zone), plan.due, list[str | None]()
        for _ in range(_THEN):
            at = timing.after(at)
            found.append(iso_of(at))
    except (ImportError, ValueError, OverflowError):
        return []
    return found


def _windows(redisson: Redisson, name: str) -> dict[str, Any]:
    context = redisson._context
    names = WindowNames.of(context.mapper.map(name))
    protocol = WindowProtocol(names, StringCodec(), context.wire_format)
    cursor, groups = context.link.request(protocol.pending(0))
    groups.sort(key=lambda each: each.due_at)
    return {
        "windows": [
            {"group": printable(each.key), "count": each.size, "closes_at": iso(each.due_at)}
            for each in groups[:_MOST]
        ],
        "more_windows": cursor != 0 or len(groups) > _MOST,
    }

"""`pyredisson items NAME`: a page of a queue's items, decoded."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic
from typing import Any

import click

from pyredisson.admin.items import STATES, Item, State, document_of_item, page_of_items
from pyredisson.admin.json_values import text_of
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.options import Session, on_server
from pyredisson.cli.output import shown_seconds

__all__ = ["items", "text_of_item"]


@click.command()
@click.argument("name")
@click.option(
    "--state", type=click.Choice(STATES), default="pending", show_default=True, help="Which items."
)
@click.option(
    "--limit",
    type=click.IntRange(1, 10_000),
    default=50,
    show_default=True,
    help="At most so many items.",
)
@click.option("--after", metavar="CURSOR", help="Go on after the page that ended with this cursor.")
@on_server(codec=True)
def items(session: Session, name: str, state: State, limit: int, after: str | None) -> int:
    """List a queue's items, the earliest first.

    It reads one page, and prints the cursor of the next one. A value that cannot be decoded is
    shown as bytes in hex, with the reason.

    Examples:
      pyredisson items orders
      pyredisson items orders --state ready --codec string
      pyredisson items orders --state dead --limit 500 --json
    """
    with session.connected() as redisson:
        page = page_of_items(redisson, name, session.reading_codec, state, limit=limit, after=after)
        now_ms = redisson._context.link.clock(name).earliest_ms(monotonic())
    found = [document_of_item(each) for each in page.items]
    session.output.document({"queue": name, "state": state, "items": found, "next": page.next})
    if not found:
        session.output.say(f"{name!r} has no {'further ' if after else ''}{state} items")
        return NO
    columns = _COLUMNS[state]
    rows = [[show(each, now_ms) for show in columns.values()] for each in page.items]
    session.output.table(tuple(columns), rows, right=("attempt",), cut=_CUT)
    if page.next is not None and not session.output.json:
        session.output.say(f"more: --after {page.next}")
    return DONE


def text_of_item(item: Item) -> str:
    """Return an item's value in one line; of one that cannot be decoded, the reason and its hex."""
    return text_of(item.value) if item.error is None else f"({item.error}) {item.raw.hex()}"


def _from_now(at: datetime | None, now_ms: float) -> str | None:
    if at is None:
        return None
    seconds = at.timestamp() - now_ms / 1000
    return f"in {shown_seconds(seconds)}" if seconds >= 0 else f"{shown_seconds(-seconds)} ago"


def _utc(at: datetime | None, now_ms: float) -> str | None:
    """Return a time in UTC; within a day from now without the date, to leave room for values."""
    if at is None:
        return None
    near = abs(at.timestamp() - now_ms / 1000) < _DAY
    return f"{at.astimezone(UTC):{'%H:%M:%S' if near else '%Y-%m-%d %H:%M'}}"


_DAY = 86400
_Shown = Callable[[Item, float], Any]
_VALUE: dict[str, _Shown] = {"value": lambda item, _: text_of_item(item)}
_COLUMNS: dict[State, dict[str, _Shown]] = {
    "pending": {
        "due (UTC)": lambda item, now: _utc(item.due_at, now),
        "from now": lambda item, now: _from_now(item.due_at, now),
        "id": lambda item, _: item.id,
        **_VALUE,
    },
    "ready": _VALUE,
    "in-progress": {
        "lease ends": lambda item, now: _from_now(item.lease_ends_at, now),
        "attempt": lambda item, _: item.attempts,
        "consumer": lambda item, _: item.consumer or "?",
        **_VALUE,
    },
    "dead": {
        "failed": lambda item, now: _from_now(item.failed_at, now),
        "id": lambda item, _: item.id,
        "reason": lambda item, _: item.reason,
        **_VALUE,
    },
    "poison": _VALUE,
}
_CUT = ("consumer", "reason", "value")

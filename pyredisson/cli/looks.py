"""`pyredisson queues` and `pyredisson stats`: which queues there are, and what they hold."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import click

from pyredisson import RedissonError
from pyredisson.admin.find import find_queues
from pyredisson.admin.look import document_of, look_at_all
from pyredisson.cli.basic import DONE, NO, REFUSED
from pyredisson.cli.options import Session, on_server
from pyredisson.cli.output import shown_seconds
from pyredisson.protocol.checks.stats import QueueStats

__all__ = ["queues", "stats"]

_COUNTS = ("pending", "due", "overdue", "ready", "leased", "dead", "poison", "tasks")


@click.command()
@click.argument("pattern", default="*")
@on_server()
def queues(session: Session, pattern: str) -> int:
    """Find delayed queues, with SCAN.

    PATTERN selects names with *, ? and [...], as in a shell. A queue is found if it has pending
    items, dead letters or messages in progress, or if a transfer task is subscribed to its channel.

    Examples:
      pyredisson queues
      pyredisson queues 'orders-*' --json
    """
    output = session.output
    with session.connected() as redisson:
        names = sorted(find_queues(redisson, pattern, note=output.note))
        found = look_at_all(redisson, names, subscribers=False)
    looks = list(zip(names, found, strict=True))
    output.document({"queues": [_short(name, each) for name, each in looks]})
    if not names:
        output.say(f"no delayed queue matches {pattern!r} at {session.place}")
        return NO
    heads = ("queue", "pending", "ready")
    rows = [[_count(each) for each in _short(*look).values()] for look in looks]
    output.table(heads, rows, right=heads[1:])
    _explain(session, looks)
    return DONE


def _short(name: str, found: QueueStats | RedissonError) -> dict[str, Any]:
    known = document_of(found) if isinstance(found, QueueStats) else {}
    return {"name": name, "pending": known.get("pending"), "ready": known.get("ready")}


def _count(value: Any) -> Any:
    return "?" if value is None else value


@click.command()
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@on_server()
def stats(session: Session, names: tuple[str, ...]) -> int:
    """Show how many items queues have in each state, at one moment.

    Columns:
      due      pending items whose time has come
      overdue  how long the earliest of them has waited
      ready    elements of the target list, which consumers take
      leased   messages that consumers hold; in_progress with --json
      dead     dead letters
      poison   values and entries that could not be decoded
      tasks    subscribed transfer tasks, also Java's; subscribers with --json

    Examples:
      pyredisson stats orders retries
      pyredisson stats orders --json | jq '.queues[0].oldest_overdue'
    """
    with session.connected() as redisson:
        found = look_at_all(redisson, names)
    looks = list(zip(names, found, strict=True))
    counted = [each for each in found if isinstance(each, QueueStats)]
    if not counted:
        raise next(each for each in found if isinstance(each, RedissonError))
    session.output.document({"queues": [document_of(each) for each in counted]})
    heads = (
        ("queue", *_COUNTS, "state")
        if any(each.paused for each in counted)
        else ("queue", *_COUNTS)
    )
    session.output.table(heads, (_row(each)[: len(heads)] for each in counted), right=_COUNTS)
    _explain(session, looks)
    return DONE if len(counted) == len(found) else REFUSED


def _row(found: QueueStats) -> tuple[Any, ...]:
    known = document_of(found)
    return (
        found.name,
        _count(known["pending"]),
        _count(known["due"]),
        shown_seconds(found.oldest_overdue) if found.due > 0 else "",
        *(_count(known[name]) for name in ("ready", "in_progress", "dead", "poison")),
        _count(known["subscribers"]),
        "paused" if found.paused else "",
    )


_NOTES = 5


def _explain(session: Session, looks: Iterable[tuple[str, QueueStats | RedissonError]]) -> None:
    """Say on stderr why counts are missing, for some of the queues."""
    notes = [f"{name!r}: {why}" for name, found in looks if (why := _why(found))]
    for note in notes[:_NOTES]:
        session.output.note(note)
    if len(notes) > _NOTES:
        session.output.note(f"counts of {len(notes) - _NOTES} more queues are missing")


def _why(found: QueueStats | RedissonError) -> str | None:
    if isinstance(found, RedissonError):
        return str(found)
    if None in document_of(replace(found, subscribers=0)).values():
        return "a key of the queue has another type: `pyredisson check` names it"
    return None

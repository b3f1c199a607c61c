"""`pyredisson cancel`, `reschedule`, `pause` and `resume`: change what is pending or paused."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import wraps
from typing import Any

import click

from pyredisson import DelayedQueue, Receipt
from pyredisson.admin.pick import with_id, with_value
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.offer import delayed_queue, due_at, note_if_nobody_transfers
from pyredisson.cli.options import Session, on_server
from pyredisson.cli.times import with_due
from pyredisson.codecs import ByteArrayCodec

__all__ = ["cancel", "pause", "reschedule", "resume"]

_Picked = Callable[[Session, DelayedQueue[bytes]], Iterator[Receipt]]


def _picks(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add RECEIPT, `--id` and `--value` to a command, which gets `picked`."""

    @wraps(command)
    def run(*, receipt: str | None, item_id: str | None, value: str | None, **given: Any) -> Any:
        if sum(each is not None for each in (receipt, item_id, value)) != 1:
            raise click.UsageError("give a RECEIPT, or --id, or --value")
        parsed = None if receipt is None else Receipt.parse(receipt)

        def picked(session: Session, delayed: DelayedQueue[bytes]) -> Iterator[Receipt]:
            if parsed is not None:
                return iter([parsed])
            if item_id is not None:
                return with_id(delayed, item_id)
            return with_value(delayed, session.reading_codec, value or "")

        return command(picked=picked, **given)

    for option in (
        click.option(
            "--value",
            metavar="VALUE",
            help="The earliest pending item with this value: its text, or JSON.",
        ),
        click.option("--id", "item_id", metavar="ID", help="The pending item with this id."),
        click.argument("receipt", required=False),
    ):
        run = option(run)
    return run


@click.command()
@click.argument("name")
@_picks
@click.option("--all", "every", is_flag=True, help="With --value: all items with this value.")
@on_server(codec=True)
def cancel(session: Session, name: str, picked: _Picked, every: bool) -> int:
    """Remove a pending item, so that it is never delivered.

    `offer` and `items` show the receipt and the id. With --id and --value it searches all pending
    items. An item that was transferred already is no longer pending, and stays in the queue.

    Examples:
      pyredisson cancel orders receipt1.AAABm...
      pyredisson cancel orders --value order-17
    """
    count = 0
    with session.connected() as redisson:
        delayed = delayed_queue(redisson, name)
        for receipt in picked(session, delayed):
            count += delayed.cancel(receipt)
            if count and not every:
                break
    session.output.document({"queue": name, "cancelled": count})
    session.output.say(
        f"cancelled {count} of {name!r}" if count else f"nothing cancelled: {_none(name)}"
    )
    return DONE if count else NO


@click.command()
@click.argument("name")
@_picks
@with_due
@on_server(codec=True)
def reschedule(
    session: Session,
    name: str,
    picked: _Picked,
    delay: timedelta | None,
    at: datetime | None,
) -> int:
    """Set another due time for a pending item, earlier or later.

    It prints the item's new receipt. With --id and --value it searches all pending items.

    Examples:
      pyredisson reschedule orders receipt1.AAABm... --delay 0
      pyredisson reschedule orders --value order-17 --at 2026-01-31T12:00:00Z
    """
    if delay is None and at is None:
        raise click.UsageError("give --delay or --at")
    with session.connected() as redisson:
        delayed = delayed_queue(redisson, name)
        tries = (delayed.reschedule(each, delay, at=at) for each in picked(session, delayed))
        done = next((each for each in tries if each is not None), None)
        if done is not None:
            note_if_nobody_transfers(session, redisson, name)
    due = None if done is None else due_at(done)
    session.output.document({"queue": name, "rescheduled": int(done is not None), "due_at": due})
    if done is None:
        session.output.say(f"nothing rescheduled: {_none(name)}")
        return NO
    session.output.say(f"rescheduled in {name!r}, due {due}")
    session.output.say(str(done))
    return DONE


def _none(name: str) -> str:
    return f"no such item is pending in {name!r}; it may have been transferred or cancelled"


@click.command()
@click.argument("name")
@on_server()
def pause(session: Session, name: str) -> int:
    """Stop pyredisson's consumers and workers from taking items, until `resume`.

    They finish what they have taken. Offers and transfers go on. Java's consumers are not stopped,
    because Redisson has no pause.
    """
    return _set_paused(session, name, paused=True)


@click.command()
@click.argument("name")
@on_server()
def resume(session: Session, name: str) -> int:
    """Let pyredisson's consumers and workers take items again, at once."""
    return _set_paused(session, name, paused=False)


def _set_paused(session: Session, name: str, *, paused: bool) -> int:
    with session.connected() as redisson:
        queue = redisson.get_queue(name, codec=ByteArrayCodec())
        (queue.pause if paused else queue.resume)()
    session.output.document({"queue": name, "paused": paused})
    session.output.say(f"{name!r} is {'paused' if paused else 'not paused'}")
    return DONE

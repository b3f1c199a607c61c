"""`pyredisson take NAME`: take ready items, which removes them.

The rule: an item is removed after it was printed, never before. Until then the command has a lease
of it, so whatever ends the command, another consumer gets the item.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from datetime import timedelta
from time import monotonic
from typing import Any

import click

from pyredisson import Consumer, Message, ServerError
from pyredisson._sync.waits.slices import is_waitable
from pyredisson.admin.items import Item, document_of_item
from pyredisson.admin.json_values import printable, text_of
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.options import Session, on_server
from pyredisson.cli.signals import INTERRUPTED, stopped_by_signals
from pyredisson.cli.times import DURATION
from pyredisson.codecs import ByteArrayCodec
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.replies import readable

__all__ = ["take"]

_LEASE = timedelta(seconds=30)
_TAKE_SLICE = 0.5
"""Seconds of a wait, after which it is checked whether a signal has ended the command."""
_PAGE = 100


@click.command()
@click.argument("name")
@click.option(
    "--timeout",
    type=DURATION,
    default="1s",
    show_default=True,
    metavar="DURATION",
    help="Longest wait for all of them: 10 (seconds), 5m, 0.",
)
@click.option(
    "--count",
    type=click.IntRange(1, 10_000),
    default=1,
    show_default=True,
    help="Take up to so many.",
)
@on_server(codec=True)
def take(session: Session, name: str, timeout: timedelta, count: int) -> int:
    """Take ready items from the head of a queue and print them: this REMOVES them.

    `items --state ready` prints them without removing them. While it waits, it transfers due items
    as every consumer does. It takes nothing from a paused queue. An item that cannot be decoded
    becomes a dead letter, and stderr says so. Ctrl-C ends the command, and loses no item.

    Examples:
      pyredisson take orders --timeout 10
      pyredisson take orders --count 100 --codec string --json
    """
    taking = _Taking(session, name, count)
    with session.connected() as redisson, stopped_by_signals(taking.stop):
        queue = redisson.get_queue(name, codec=ByteArrayCodec())
        paused = queue.is_paused()  # also the first contact: what fails here has no background yet
        lease = _LEASE + (timeout if session.output.json else timedelta())
        with redisson.get_consumer(queue, lease=lease) as consumer:
            taking.run(consumer, monotonic() + timeout.total_seconds())
    if taking.printed:
        session.output.note(f"removed {taking.printed} from {name!r}")
    elif paused:
        session.output.note(f"{name!r} is paused: `pyredisson resume {name}` ends that")
    elif not taking.rejected:
        session.output.note(f"{name!r} has no ready items")
    if taking.stopped:
        return INTERRUPTED
    return DONE if taking.printed else NO


class _Taking:
    """Takes messages, prints them, and then acknowledges them."""

    def __init__(self, session: Session, name: str, count: int) -> None:
        self._session = session
        self._name = name
        self._count = count
        self._codec: Codec[Any] = session.reading_codec
        self.printed = self.rejected = 0
        self.stopped = False

    def stop(self) -> None:
        """Take nothing more; a handler of signals may call it."""
        self.stopped = True

    def run(self, consumer: Consumer[bytes], deadline: float) -> None:
        """Take until the count, the deadline or a signal."""
        held: list[Message[bytes]] = []
        try:
            for some in self._taken(consumer, deadline):
                held += some
                if not self._session.output.json:
                    self._print(consumer, held)
                    held = []
            if self._session.output.json:
                self._print(consumer, held)
                held = []
        finally:
            consumer.release(held)

    def _taken(
        self, consumer: Consumer[bytes], deadline: float
    ) -> Iterator[Sequence[Message[bytes]]]:
        count, reached = 0, False
        while count < self._count and not self.stopped:
            left = deadline - monotonic()
            try:
                limit = min(self._count - count, _PAGE)
                found = consumer.take_many(limit, min(max(left, 0.0), _TAKE_SLICE))
                reached = True
            except ServerError as error:
                if not reached or left <= _TAKE_SLICE or not is_waitable(error):
                    raise
                continue
            if found:
                count += len(found)
                yield found
            elif left <= _TAKE_SLICE:
                return

    def _print(self, consumer: Consumer[bytes], messages: Sequence[Message[bytes]]) -> None:
        read = [(each, *readable(self._codec, each.raw)) for each in messages]
        good = [(each, value) for each, value, error in read if error is None]
        documents = [document_of_item(_item(each, value)) for each, value in good]
        self._session.output.document({"queue": self._name, "items": documents})
        if not self._session.output.json:
            for _, value in good:
                print(printable(text_of(value)))
            sys.stdout.flush()
        self.printed += sum(consumer.ack_many([each for each, _ in good]))
        for message, _, error in read:
            if error is not None and message.reject(str(error)):
                self.rejected += 1
                self._session.output.note(
                    f"an item is now a dead letter, because it cannot be decoded: {error}. "
                    f"`pyredisson items {self._name} --state dead` shows it"
                )


def _item(message: Message[bytes], value: Any) -> Item:
    return Item(message.id, message.due_at, value, message.raw, None, attempts=message.attempt)

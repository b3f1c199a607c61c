"""`pyredisson offer NAME VALUE...`: store values, which are delivered when they are due."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import IO, Any

import click
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from pyredisson import DelayedQueue, PartialOfferError, Receipt, Redisson, UncertainOfferError
from pyredisson.admin.json_values import iso
from pyredisson.admin.look import subscribers_of
from pyredisson.admin.offers import Due, Lines, reader
from pyredisson.cli.basic import DONE, NO
from pyredisson.cli.options import Session, on_server
from pyredisson.cli.signals import INTERRUPTED, stopped_by_signals
from pyredisson.cli.times import with_due
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.protocol.kernel.names import QueueNames

__all__ = ["delayed_queue", "due_at", "note_if_nobody_transfers", "offer"]

_SHOWN_LINES = 200


@click.command()
@click.argument("name")
@click.argument("values", nargs=-1, metavar="[VALUE]...")
@with_due
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, allow_dash=True),
    metavar="FILE",
    help="Offer JSON lines instead of VALUEs; - is stdin.",
)
@click.option(
    "--dedup", metavar="KEY", help="Offer nothing while an item with this key is pending."
)
@click.option("--text", is_flag=True, help="VALUEs and lines are text, also if they are JSON.")
@on_server(codec=True)
def offer(
    session: Session,
    name: str,
    values: tuple[str, ...],
    *,
    delay: timedelta | None,
    at: datetime | None,
    file: str | None,
    dedup: str | None,
    text: bool,
) -> int:
    """Offer values, due at once, after --delay, or --at a time.

    With --codec string a VALUE is text, with --codec bytes it is hexadecimal, and with others it is
    JSON, or text if it is not JSON. It prints the receipt, which cancels or reschedules the item.
    It does not transfer due items: it says so if nobody does.

    A line of --file is a value in JSON, or an object with `value` and maybe `delay`, `at` or
    `due_at`, as `items --json` prints them. A wrong line ends the command; all before are offered.

    Examples:
      pyredisson offer orders '{"id": 17}' --delay 5m
      pyredisson offer orders order-17 --codec string --at 2026-01-31T12:00:00Z
      pyredisson items orders --limit 10000 --json | pyredisson offer copies --file -
    """
    if bool(values) == bool(file):
        raise click.UsageError("give VALUEs or --file FILE")
    if dedup is not None and len(values) != 1:
        raise click.UsageError("--dedup needs exactly one VALUE")
    codec, due = session.codec, at or delay or timedelta()
    if file:
        source = _Source(file)
        return _offer_lines(session, name, Lines(source, codec, due, text=text), source)
    read = reader(codec, text=text)
    encoded = [codec.encode(read(each)) for each in values]
    stored = True
    with session.connected() as redisson:
        delayed = delayed_queue(redisson, name)
        if len(encoded) == 1:
            receipt = _offered(delayed, encoded[0], due, dedup)
            _show(session, name, receipt)
            stored = receipt.stored
        else:
            count = delayed.offer_many([(each, due) for each in encoded], receipts=False)
            _show_count(session, name, count)
        note_if_nobody_transfers(session, redisson, name)
    return DONE if stored else NO


def _offered(delayed: DelayedQueue[bytes], data: bytes, due: Due, dedup: str | None) -> Receipt:
    when: dict[str, Any] = {"at" if isinstance(due, datetime) else "delay": due}
    try:
        return delayed.offer(data, dedup=dedup, **when)
    except UncertainOfferError as error:
        remedy = "offer it again with the same --dedup"
        if error.receipt is not None:
            remedy = f"`pyredisson cancel {delayed.name} {error.receipt}` removes it"
        cause = error.__cause__ or error
        raise ValueError(f"the item may be pending or not ({cause}): {remedy}") from error


def _show(session: Session, name: str, receipt: Receipt) -> None:
    due = due_at(receipt)
    session.output.document({"queue": name, "receipt": str(receipt), "due_at": due})
    what = "offered to" if receipt.stored else "not offered: the key is pending in"
    session.output.say(f"{what} {name!r}, due {due}")
    session.output.say(str(receipt))


def due_at(receipt: Receipt) -> str | None:
    """Return when an item is due, as ISO 8601."""
    return iso(from_epoch_ms(receipt.due_ms))


def _show_count(session: Session, name: str, count: int) -> None:
    session.output.document({"queue": name, "offered": count})
    session.output.say(f"offered {count} {'item' if count == 1 else 'items'} to {name!r}")


def delayed_queue(redisson: Redisson, name: str) -> DelayedQueue[bytes]:
    """Return a delayed queue of encoded values that starts no transfer task."""
    queue = redisson.get_queue(name, codec=ByteArrayCodec())
    return redisson.get_delayed_queue(queue, transfer=False)


def note_if_nobody_transfers(session: Session, redisson: Redisson, name: str) -> None:
    """Print a note if no transfer task is subscribed to the queue's channel."""
    if subscribers_of(redisson, QueueNames.of(name).channel) == 0:
        session.output.note(
            f"nobody transfers {name!r}: its items stay pending when they are due. Start a "
            f"service that uses it, or `pyredisson transfer {name}`"
        )


# ------------------------------------------------------------------ lines of a file


class _Source:
    """The lines of a file, which Ctrl-C ends: what was read before is still offered."""

    def __init__(self, file: str) -> None:
        self._name = file
        self.stopped = self._reading = False
        self.read = 0

    @property
    def size(self) -> int | None:
        """The number of bytes; None for stdin and other pipes."""
        return None if self._name == "-" else Path(self._name).stat().st_size or None

    def __iter__(self) -> Iterator[bytes]:
        """Iterate over the lines."""
        with click.open_file(self._name, "rb") as file:
            while line := self._next(file):
                self.read += len(line)
                yield line

    def _next(self, file: IO[bytes]) -> bytes:
        try:
            self._reading = True
            return b"" if self.stopped else file.readline()
        except KeyboardInterrupt:
            return b""
        finally:
            self._reading = False

    def stop(self) -> None:
        """End the lines, also while the next one is awaited; a handler of signals may call it."""
        self.stopped = True
        if self._reading:
            raise KeyboardInterrupt


def _offer_lines(session: Session, name: str, lines: Lines, source: _Source) -> int:
    with session.connected() as redisson:
        delayed = delayed_queue(redisson, name)
        try:
            with stopped_by_signals(source.stop), _progress(lines, source) as shown:
                count = delayed.offer_many(shown, receipts=False)
        except PartialOfferError as error:
            maybe = f", {len(error.unknown)} may be" if error.unknown else ""
            raise ValueError(f"{error.count} items are offered{maybe}: {error.cause}") from error
        if lines.wrong is not None:
            raise ValueError(f"{lines.wrong}. The {count} items before it are offered")
        note_if_nobody_transfers(session, redisson, name)
    if source.stopped:
        session.output.note(f"interrupted: {count} items are offered, up to line {lines.line}")
    _show_count(session, name, count)
    if source.stopped:
        return INTERRUPTED
    return DONE if count else NO


@contextmanager
def _progress(lines: Lines, source: _Source) -> Iterator[Iterable[tuple[bytes, Due]]]:
    """Give the items, and show on a terminal how many were read."""
    if not sys.stderr.isatty():
        yield lines
        return
    columns = (TextColumn("{task.description}"), BarColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=source.size)

        def counted() -> Iterator[tuple[bytes, Due]]:
            for each in lines:
                if lines.count % _SHOWN_LINES == 0:
                    text = f"{lines.count} items"
                    bar.update(task, completed=source.read, description=text)
                yield each

        yield counted()

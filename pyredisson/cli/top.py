"""`pyredisson top [NAME...]`: the counts of queues, live.

A thread looks at the queues, so that a server that does not answer does not delay a key. The rule:
the terminal is restored, whatever ends the command.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from queue import Empty, SimpleQueue
from threading import Event, Thread
from typing import Any

import click
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from pyredisson.admin.json_values import printable
from pyredisson.admin.watch import Watch, Watched
from pyredisson.cli.basic import DONE
from pyredisson.cli.keys import SUSPEND, keys_of_terminal
from pyredisson.cli.options import Session, on_server
from pyredisson.cli.output import shown_seconds
from pyredisson.cli.server_options import REFUSALS

__all__ = ["screen", "top"]

_KEYS = 0.2
"""Seconds between two looks at what the thread has found; a key ends the wait."""
_LINES = 4
"""Lines that are no rows of the table."""


@click.command()
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--interval",
    type=click.FloatRange(0.1, 3600),
    default=2.0,
    show_default=True,
    metavar="SECONDS",
    help="Time between two looks.",
)
@on_server(document=False)
def top(session: Session, names: tuple[str, ...], interval: float) -> int:
    """Show the counts of queues live; q or Ctrl-C ends it.

    Without a NAME it shows all delayed queues, those in trouble first.

    Columns:
      +-/s     what came minus what went, a second, since the look before
      overdue  how long the earliest due item has waited
      leased   messages that consumers hold
      no task  items are overdue, and no transfer task is subscribed

    Examples:
      pyredisson top
      pyredisson top orders retries --interval 0.5
    """
    console = session.output.console
    if not console.is_terminal or console.is_dumb_terminal or not sys.stdout.isatty():
        raise click.UsageError("top needs a terminal: use `pyredisson stats NAME`")
    logging.getLogger("pyredisson").addHandler(logging.NullHandler())  # the table says it
    with session.connected() as redisson:
        looks = _Looks(Watch(redisson, names), interval)
        try:
            first = looks.next()
            if isinstance(first, Exception):
                raise first
            _show(looks, first, console, f"{session.place}")
        except KeyboardInterrupt:
            pass
        finally:
            looks.end()
    return DONE


class _Looks:
    """A thread that looks again and again."""

    def __init__(self, watch: Watch, interval: float) -> None:
        self._watch, self._interval = watch, interval
        self._found: SimpleQueue[list[Watched] | Exception] = SimpleQueue()
        self._end = Event()
        Thread(target=self._work, daemon=True, name="pyredisson-top").start()

    def _work(self) -> None:
        while not self._end.is_set():
            try:
                self._found.put(self._watch.look())
            except REFUSALS as error:
                self._found.put(error)
            self._end.wait(self._interval)

    def next(self) -> list[Watched] | Exception:
        """Wait for a look."""
        return self._found.get()

    def newest(self) -> list[Watched] | Exception | None:
        """Return the last look that was not yet returned, or None."""
        found = None
        while True:
            try:
                found = self._found.get_nowait()
            except Empty:
                return found

    def end(self) -> None:
        """Stop looking."""
        self._end.set()


def _show(looks: _Looks, rows: list[Watched], console: Console, place: str) -> None:
    error: Exception | None = None
    at, size = datetime.now(UTC), console.size
    with keys_of_terminal() as keys, Live(screen=True, auto_refresh=False, console=console) as live:
        while True:
            live.update(screen(rows, size.height, place, at, error), refresh=True)
            while (found := looks.newest()) is None and console.size == size:
                if (key := keys.wait(_KEYS)) in ("q", "Q"):
                    return
                if key == SUSPEND:
                    live.stop()
                    keys.suspend()
                    live.start(refresh=True)
            size = console.size
            if isinstance(found, Exception):
                error = found
            elif found is not None:
                rows, error, at = found, None, datetime.now(UTC)


def screen(
    rows: Sequence[Watched], height: int, place: str, at: datetime, error: Exception | None
) -> Group:
    """Return what the terminal shows.

    Args:
        rows: the queues.
        height: lines of the terminal.
        place: the server.
        at: when the queues looked so.
        error: why they could not be looked at since then, or None.
    """
    head = Text(f"{printable(place)}  {at:%H:%M:%S} UTC  {len(rows)} queues  q: quit", no_wrap=True)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 1, 0, 0), expand=True)
    table.add_column("queue", ratio=1, min_width=8, no_wrap=True, overflow="ellipsis")
    for name in ("pending", "+-/s", "overdue", "ready", "+-/s", "leased", "dead", "poison"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True, min_width=10)
    most = max(height - _LINES, 1)
    for each in rows[:most]:
        table.add_row(*_row(each), style="dim" if error else "")
    parts: list[Any] = [head, table]
    if len(rows) > most:
        parts.append(Text(f"and {len(rows) - most} more", "dim"))
    if not rows:
        parts.append(Text("no delayed queue is found"))
    if error is not None:
        parts.insert(1, Text(printable(f"no answer: {error}"), "bold red", no_wrap=True))
    return Group(*parts)


def _row(each: Watched) -> list[Text]:
    found, trouble = each.stats, each.trouble
    name = Text(printable(each.name), "bold" if trouble else "")
    if found is None:
        return [name, *[Text("?")] * 8, Text(trouble, "red")]
    late = trouble in ("no task", "late")
    return [
        name,
        _number(found.pending),
        _rate(each.pending_rate),
        Text(shown_seconds(found.oldest_overdue) if found.due > 0 else "", "red" if late else ""),
        _number(found.ready),
        _rate(each.ready_rate),
        _number(found.in_progress),
        _number(found.dead, "yellow"),
        _number(found.poison, "red"),
        Text(trouble, "yellow" if trouble == "paused" else "red"),
    ]


def _number(count: int, style: str = "") -> Text:
    if count < 0:
        return Text("?", "red")
    shown = f"{count}"
    for size, unit in ((10**9, "G"), (10**6, "M"), (10**3, "k")):
        if count >= 100 * size or (count >= 10**5 and count >= size):
            shown = f"{count / size:.3g}{unit}"
            break
    return Text(shown, style if count else "")


def _rate(rate: float | None) -> Text:
    if rate is None:
        return Text("")
    return Text("0" if abs(rate) < 0.05 else f"{rate:+.1f}" if abs(rate) < 100 else f"{rate:+.0f}")

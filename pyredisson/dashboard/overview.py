"""All queues at a glance, read once for all viewers.

The names come from a search of their own, which may take long where Redis has many other keys; the
counts of those found so far are read meanwhile. The rule: Redis is read at most once a second,
however many viewers there are, and not at all some minutes after the last one has gone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError, Future, wait
from concurrent.futures import TimeoutError as LateError
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from threading import Event, Lock, Thread
from time import monotonic
from typing import Any, NamedTuple

from pyredisson import ClosedError, Redisson, RedissonError
from pyredisson._sync.link.server import Server
from pyredisson.admin.find import find_queues
from pyredisson.admin.json_values import iso, printable
from pyredisson.admin.look import look_at_all
from pyredisson.admin.watch import Watched
from pyredisson.dashboard.history import STEP, History
from pyredisson.dashboard.source import PATIENCE, Shared, Source
from pyredisson.dashboard.trouble import trouble_of
from pyredisson.protocol.checks.stats import QueueStats
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.server_errors import LOST, ServerError

__all__ = ["SHOWN", "Overview", "Row"]

SHOWN = 500
"""Queues that are shown at most."""
_READ = 2000
"""Queues whose counts are read at most."""
_DRAWN = 100
"""Queues with a history at most, because it makes the answer long."""
_SEARCH = 10.0
_SHARE = 10
_FIRST = 1.0
"""Seconds that the first look waits for the search."""
_GONE = 600.0
"""Seconds after the last viewer until the history ends."""


@dataclass(frozen=True, slots=True)
class Row:
    """A queue of the overview."""

    seen: Watched
    trouble: int
    reasons: list[str]

    def document(self) -> dict[str, Any]:
        """Return what JSON says of it."""
        stats = self.seen.stats
        names = [each.name for each in fields(QueueStats)]
        known = dict.fromkeys(names) if stats is None else asdict(stats)
        counts = {name: None if value == -1 else value for name, value in known.items()}
        return counts | {
            "name": self.seen.name,
            "trouble": self.trouble,
            "reasons": self.reasons,
        }


class _Look(NamedTuple):
    at: datetime
    rows: list[Row]


class Overview:
    """The rows of all queues.

    Attributes:
        history: the last minutes of each.
    """

    def __init__(self, source: Source) -> None:
        self.history = History()
        self._source = source
        self._shared: Shared[_Look] = Shared(lambda: source.submit(self._look))
        self._search = _Search(source)
        self._lock = Lock()
        self._viewed = 0.0
        self._ended = Event()
        self._sampling: Thread | None = None

    async def document(self) -> dict[str, Any]:
        """Return the rows, those in trouble first, and what is missing."""
        self._view()
        look = await self._source.answer(self._shared.get())
        empty = self.history.of("")
        shown = [
            each.document()
            | {"history": self.history.of(each.seen.name) if place < _DRAWN else empty}
            for place, each in enumerate(look.rows[:SHOWN])
        ]
        missing = self._search.missing(len(look.rows))
        return {"at": iso(look.at), "partial": missing, "queues": shown}

    def close(self) -> None:
        """End the history."""
        self._ended.set()

    def _look(self, redisson: Redisson) -> _Look:
        names = self._search.names()
        found = _counts(redisson, names)
        rows = sorted(map(row_of, names, found), key=lambda each: (-each.trouble, each.seen.name))
        kept = [each.seen for each in rows[:SHOWN]]
        self.history.add((each.name, each.stats) for each in kept if each.stats is not None)
        return _Look(datetime.now(UTC), rows)

    def _view(self) -> None:
        """Read the queues again and again from now on, so that the history has no gaps."""
        with self._lock:
            self._viewed = monotonic()
            if self._sampling is None or not self._sampling.is_alive():
                self._sampling = Thread(target=self._sample, daemon=True, name="pyredisson-history")
                self._sampling.start()

    def _sample(self) -> None:
        while not self._ended.wait(STEP) and monotonic() - self._viewed < _GONE:
            try:
                self._shared.get().exception(timeout=STEP)
            except (LateError, CancelledError, ClosedError):  # Redis hangs, or it was closed
                continue


def row_of(name: str, found: QueueStats | RedissonError) -> Row:
    """Return the row of a queue with these counts."""
    failed = found if isinstance(found, RedissonError) else None
    stats = found if isinstance(found, QueueStats) else None
    seen = Watched(name, stats, failed, None, None)
    return Row(seen, *trouble_of(seen))


def _counts(redisson: Redisson, names: list[str]) -> Sequence[QueueStats | RedissonError]:
    """Return the counts of queues, or why they are missing, as where one node of several is down.

    Raises:
        ServerError: no node can be reached.
    """
    try:
        return look_at_all(redisson, names)
    except LOST:
        context, nodes = redisson._context, dict[Server, list[str]]()
        for name in names:
            key = ConsumerNames.of(context.mapper.map(name)).queue.timeout_set
            nodes.setdefault(context.link.topology.server(key), []).append(name)
        found: dict[str, QueueStats | RedissonError] = {}
        for some in nodes.values():
            try:
                found |= zip(some, look_at_all(redisson, some, subscribers=False), strict=True)
            except ServerError as error:
                found |= dict.fromkeys(some, error)
        if not any(isinstance(each, QueueStats) for each in found.values()):
            raise
        return [found[name] for name in names]


class _Search:
    """Searches the queues' names, again every ten seconds, or less often if it takes long."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._lock = Lock()
        self._running: Future[None] | None = None
        self._next = 0.0
        self._found: dict[str, None] = {}
        self._notes: list[str] = []
        self._is_whole = False

    def names(self) -> list[str]:
        """Return the names that are known by now; the first time, wait a moment for them.

        Raises:
            ServerError: the first search has failed.
        """
        with self._lock:
            if self._running is None or (self._running.done() and monotonic() >= self._next):
                self._running = self._source.submit(self._run)
            running = self._running
        if not self._is_whole:
            wait([running], timeout=_FIRST)
        if running.done() and not running.cancelled() and (error := running.exception()):
            if not self._is_whole:
                raise error
            self._notes = [f"the search for new queues fails: {error}"]
        return list(self._found)[:_READ]

    def missing(self, count: int) -> str | None:
        """Say why there may be more queues than `count`; None if all were found."""
        return "; ".join(self._missing(count)) or None

    def _missing(self, count: int) -> Iterator[str]:
        if not self._is_whole:
            yield f"the search for queues goes on, as Redis has many keys; {count} found so far"
        if count > SHOWN or len(self._found) > _READ:
            known = f"more than {_READ}" if len(self._found) > _READ else str(count)
            yield f"{known} queues: the first {SHOWN} are shown, those in trouble first"
        yield from map(printable, self._notes)

    def _run(self, redisson: Redisson) -> None:
        began, found, notes = monotonic(), dict[str, None](), list[str]()
        self._next = began + PATIENCE  # if it fails
        for name in find_queues(redisson, note=notes.append):
            found[name] = None
            if len(found) > _READ:
                break
            if not self._is_whole:
                self._found = self._found | {name: None}
        self._found, self._notes, self._is_whole = found, notes, True
        self._next = monotonic() + max(_SEARCH, _SHARE * (monotonic() - began))

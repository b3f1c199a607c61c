"""Reads the counts of the queues of which a program's clients have objects.

A scrape may run in any thread, also in the thread of an event loop. So a synchronous client with
the same addresses and credentials reads an asyncio client's queues. The rule: a scrape never waits
longer than `PATIENCE`. Queues that were not read in this time are missing. After a failure, scrapes
start reads but do not wait for them, until a read has succeeded. So an outage blocks an event loop
once.
"""

from __future__ import annotations

import contextlib
import logging
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from pyredisson._observing.labels import Labels
from pyredisson._runtime.concurrency import StateLock, monotonic, process
from pyredisson.errors import RedissonError
from pyredisson.protocol.checks.stats import QueueStats, stats_of
from pyredisson.protocol.kernel.names import ConsumerNames

if TYPE_CHECKING:
    from pyredisson import Redisson

__all__ = ["Gauges"]

log = logging.getLogger("pyredisson")

PATIENCE = 2.0
"""The maximum time in seconds that a scrape waits."""
_FRESH = 1.0
"""The time in seconds in which a scrape returns the counts of the last read."""
_MOST = 2000
"""The maximum number of queues of one client that a scrape reads."""
_COUNTS = ("pending", "due", "ready", "in_progress", "dead", "poison")


class Gauges:
    """The counts of the queues of all clients that have the same hooks object."""

    def __init__(self, labels: Labels) -> None:
        self._labels = labels
        self._lock = StateLock()
        self._readers: WeakKeyDictionary[Any, _Reader] = WeakKeyDictionary()
        self._last: tuple[float, Mapping[str, QueueStats]] = (-_FRESH, {})

    def open(self, client: Any) -> None:
        """Add a client."""
        with self._lock.held:
            self._readers[client] = _Reader()

    def close(self, client: Any) -> None:
        """Remove a client; its queues are no longer read."""
        with self._lock.held:
            reader = self._readers.pop(client, None)
            self._last = -_FRESH, {}
        if reader is not None:
            reader.close()

    def add(self, client: Any, queue: str) -> None:
        """Add a queue of a client, by its name in Redis."""
        reader = self._readers.get(client)
        if reader is not None and len(reader.queues) < _MOST:
            reader.queues[queue] = None

    def read(self) -> Mapping[str, QueueStats]:
        """Return the counts of each queue by its label.

        The label "other" has the sums of its queues, and their largest `oldest_overdue`. A call
        within `_FRESH` seconds after a read returns the same counts.
        """
        read_at, last = self._last
        if monotonic() - read_at < _FRESH:
            return last
        with self._lock.held:
            readers = list(self._readers.items())
        until = monotonic() + PATIENCE
        waits = [reader.begin(client) for client, reader in readers]
        found: dict[str, QueueStats] = {}
        for (_, reader), done in zip(readers, waits, strict=True):
            if not done.wait(0 if reader.failed else max(until - monotonic(), 0.0)):
                reader.failed = True
            else:
                found = {each.name: each for each in reader.found} | found
        self._last = monotonic(), self._labelled(list(found.values()))
        return self._last[1]

    def _labelled(self, found: Sequence[QueueStats]) -> dict[str, QueueStats]:
        labelled: dict[str, QueueStats] = {}
        for each in found:
            label = self._labels(each.name)
            before = labelled.get(label)
            labelled[label] = each if before is None else _sum(before, each)
        return labelled


def _sum(one: QueueStats, other: QueueStats) -> QueueStats:
    late = max(one.oldest_overdue, other.oldest_overdue)
    counts = {name: getattr(one, name) + max(getattr(other, name), 0) for name in _COUNTS}
    return replace(one, oldest_overdue=late, **counts)


class _Reader:
    """Reads the queues of one client, in one thread at a time."""

    def __init__(self) -> None:
        self.queues: dict[str, None] = {}
        self.found: Sequence[QueueStats] = ()
        self.failed = False
        """Whether the last read failed, or has lasted longer than a scrape waits."""
        self._lock = StateLock()
        self._read_at = 0.0
        self._done: threading.Event | None = None
        self._process: object = None
        self._own: Redisson | None = None
        self._closed = False

    def begin(self, client: Any) -> threading.Event:
        """Return an event that is set after a read.

        Start the read, unless one runs already, or ended within the last `_FRESH` seconds.
        """
        with self._lock.held:
            if self._process != process():  # a forked child has no thread, and no connection
                self._process, self._done, self._own = process(), None, None
            done = self._done
            if done is not None and not (done.is_set() and monotonic() - self._read_at > _FRESH):
                return done
            done = self._done = threading.Event()
        name = "pyredisson metrics"
        threading.Thread(target=self._read, args=(client, done), name=name, daemon=True).start()
        return done

    def _read(self, client: Any, done: threading.Event) -> None:
        from pyredisson.admin.nodes import ask_all  # noqa: PLC0415 - it needs a client

        found: Sequence[QueueStats] = ()
        failed = True
        try:
            names = list(self.queues)
            asked = ask_all(self._client(client), (stats_of(ConsumerNames.of(n)) for n in names))
            found = [each for each in asked if isinstance(each, QueueStats)]
            failed = False
        except (RedissonError, OSError) as error:
            log.debug("the counts of queues cannot be read now: %s", error)
        except Exception:
            log.warning("the counts of queues cannot be read", exc_info=True)
        finally:
            self.found, self.failed, self._read_at = found, failed, monotonic()
            done.set()
            if self._closed:
                self._close()

    def _client(self, client: Any) -> Redisson:
        from pyredisson import Redisson  # noqa: PLC0415 - `pyredisson` imports the hooks
        from pyredisson._transport.portable import client_from, portable  # noqa: PLC0415 - seldom

        if isinstance(client, Redisson):
            return client
        if self._own is None:
            self._own = Redisson(client_from(portable(client._source)), response_timeout=PATIENCE)
        return self._own

    def close(self) -> None:
        """Close the own client in a thread, because the caller may be an event loop."""
        self._closed = True
        if self._own is not None and self._process == process():
            threading.Thread(target=self._close, name="pyredisson metrics", daemon=True).start()

    def _close(self) -> None:
        own, self._own = self._own, None
        if own is not None:
            with contextlib.suppress(RedissonError, OSError):
                own.close()

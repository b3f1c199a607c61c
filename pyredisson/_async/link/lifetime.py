"""What belongs to one client and ends with it: its connections, and the tasks beside its callers.

The rule: whoever begins a task or opens a connection does it here, so that nothing of a closed
client is left; and only who gives back what was taken may still open a connection then.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Protocol
from weakref import WeakSet

from pyredisson._runtime.concurrency import (
    AsyncEvent,
    AsyncTask,
    StateLock,
    monotonic,
    process,
    sleep_async,
    surroundings_async,
)
from pyredisson.errors import ClosedError
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.server_errors import ServerError

log = logging.getLogger("pyredisson")

CLOSED = "this Redisson client is closed"
_FIRST, _LONGEST = 0.0005, 0.02
"""Seconds between two looks whether anything goes on."""


class AsyncOpenConnection(Protocol):
    """What a client's lifetime needs of a connection."""

    here: object
    process: int

    async def abort(self) -> None:
        """Wake who waits for a reply."""


class AsyncLifetime:
    """The connections and tasks of one client."""

    def __init__(self) -> None:
        self.ended = False
        self._lock = StateLock()
        self._wires: WeakSet[AsyncOpenConnection] = WeakSet()
        self._saving: set[object] = set()
        self._here: object = None
        self._tasks: dict[object, AsyncTask] = {}
        self._pauses: set[AsyncEvent] = set()

    def _settle_here(self) -> None:
        """Forget the tasks of another loop, or of the process that was forked."""
        here = surroundings_async()
        if self._here != here:
            self._here, self._tasks, self._pauses, self._saving = here, {}, set(), set()

    # -------------------------------------------------------------- tasks

    def begin(self, body: Callable[[], Any], name: str) -> AsyncTask:
        """Run something beside the caller, until the client is closed at most."""
        mark = object()
        with self._lock.held:
            self._settle_here()
            task = AsyncTask(partial(self._run, body, mark), name=name)
            self._tasks[mark] = task
        return task

    async def _run(self, body: Callable[[], Any], mark: object) -> None:
        try:
            await body()
        except (ClosedError, ServerError, OSError) as error:
            if not (self.ended or isinstance(error, ClosedError)):
                raise
            log.debug("ended with its client: %s", error)
        finally:
            with self._lock.held:
                self._tasks.pop(mark, None)

    async def side_by_side(
        self, works: Iterable[Callable[[], Any]], name: str, seconds: float
    ) -> None:
        """Do several things at the same time, and wait so long for their end."""
        deadline = monotonic() + seconds
        for task in [self.begin(work, name) for work in works]:
            await task.stop(max(deadline - monotonic(), 0.0))

    async def pause(self, seconds: float, wakeup: AsyncEvent | None = None) -> None:
        """Sleep, until somebody wakes at most.

        Raises:
            ClosedError: the client is closed.
        """
        wakeup = wakeup or AsyncEvent()
        self._pauses.add(wakeup)
        try:
            if not self.ended:
                await wakeup.wait(seconds)
        finally:
            self._pauses.discard(wakeup)
        if self.ended:
            raise ClosedError(CLOSED)

    # -------------------------------------------------------------- connections

    def admit(self, wire: AsyncOpenConnection) -> None:
        """Count a connection that opens, or has just opened.

        Raises:
            ClosedError: the client is closed.
        """
        if self.ended and not self._saving:
            raise ClosedError(CLOSED)
        with self._lock.held:
            self._wires.add(wire)

    def forget(self, wire: AsyncOpenConnection) -> None:
        """A connection is closed."""
        with self._lock.held:
            self._wires.discard(wire)

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Let the body open connections whatever becomes of the client."""
        mark = object()
        self._saving.add(mark)
        try:
            yield
        finally:
            self._saving.discard(mark)

    def _open(self) -> list[AsyncOpenConnection]:
        with self._lock.held:
            return [wire for wire in self._wires if wire.process == process()]

    # -------------------------------------------------------------- the end

    async def rest(self, seconds: float) -> None:
        """Wait until no connection of here is in use, but not longer than that."""
        deadline, pauses = monotonic() + seconds, Backoff(_FIRST, _LONGEST)
        while self._used() and monotonic() < deadline:
            await sleep_async(pauses.pause())

    def _used(self) -> bool:
        here = surroundings_async()
        return bool(self._saving) or any(wire.here == here for wire in self._open())

    async def cut(self, seconds: float) -> None:
        """End all that is left: first what tasks wait for, then, after so long, the tasks."""
        self._settle_here()
        self.ended = True
        for wakeup in tuple(self._pauses):
            wakeup.set()
        await self._end(seconds)
        for task in tuple(self._tasks.values()):
            task.cancel()
        await self._end(seconds)

    async def _end(self, seconds: float) -> None:
        """Close connections until nothing of here goes on, but not longer than that."""
        deadline, pauses = monotonic() + seconds, Backoff(_FIRST, _LONGEST)
        while True:
            for wire in self._open():  # again: one may have been about to open
                await wire.abort()
            if not (self._used() or self._works()) or monotonic() >= deadline:
                return
            await sleep_async(pauses.pause())

    def _works(self) -> bool:
        return any(task.alive and not task.current for task in tuple(self._tasks.values()))

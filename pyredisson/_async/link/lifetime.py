"""What belongs to one client and ends with it: its connections and background tasks.

The rule: every task starts here and every connection is registered here, so that nothing of a
closed client is left. After the end, only code in `saving` may still open a connection.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
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
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.server_errors import ServerError

log = logging.getLogger("pyredisson")

CLOSED = "this Redisson client is closed"
ON_CONNECT: ContextVar[Callable[[], None]] = ContextVar("ON_CONNECT", default=lambda: None)
"""Called in a task or thread each time it opens a connection: while servers are down, that is the
only sign that it goes on."""
_FIRST, _LONGEST = 0.0005, 0.02
"""The shortest and the longest pause in seconds between two checks for anything still running."""


class AsyncOpenConnection(Protocol):
    """What a client's lifetime needs of a connection."""

    here: object
    process: int

    @property
    def replied(self) -> float:
        """When its last reply came, in monotonic seconds; 0 before the first."""

    async def abort(self) -> None:
        """Wake the caller that waits for a reply."""


class AsyncLifetime:
    """The connections and background tasks of one client."""

    def __init__(self) -> None:
        self.ended = False
        self._lock = StateLock()
        self._wires: WeakSet[AsyncOpenConnection] = WeakSet()
        self._replied = 0.0
        self._saving: set[object] = set()
        self._here: object = None
        self._tasks: dict[object, AsyncTask] = {}
        self._pauses: set[AsyncEvent] = set()

    def _settle_here(self) -> None:
        """Forget the tasks of another event loop, or of the parent process."""
        here = surroundings_async()
        if self._here != here:
            self._here, self._tasks, self._pauses, self._saving = here, {}, set(), set()

    # -------------------------------------------------------------- tasks

    def begin(self, body: Callable[[], Any], name: str) -> AsyncTask:
        """Run `body` in a background task, which ends with the client at the latest."""
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
            log.debug("a background task ended with its client: %s", error)
        finally:
            with self._lock.held:
                self._tasks.pop(mark, None)

    async def side_by_side(
        self, works: Iterable[Callable[[], Any]], name: str, seconds: float
    ) -> None:
        """Run several functions at the same time, and wait `seconds` for them at most."""
        deadline = monotonic() + seconds
        for task in [self.begin(work, name) for work in works]:
            await task.stop(max(deadline - monotonic(), 0.0))

    async def pause(self, seconds: float, wakeup: AsyncEvent | None = None) -> None:
        """Sleep for `seconds`, or until `wakeup` is set.

        Raises:
            ClosedError: the client is closed.
        """
        wakeup = wakeup or AsyncEvent()
        with self._lock.held:
            self._settle_here()
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
        """Register a connection that opens, or has just opened.

        Raises:
            ClosedError: the client is closed.
        """
        if self.ended and not self._saving:
            raise ClosedError(CLOSED)
        ON_CONNECT.get()()
        with self._lock.held:
            self._wires.add(wire)

    def forget(self, wire: AsyncOpenConnection) -> None:
        """Remove a closed connection."""
        with self._lock.held:
            self._wires.discard(wire)
            self._replied = max(self._replied, wire.replied)

    def replied(self) -> float:
        """Return when the last reply came, in monotonic seconds; 0 before the first."""
        return max([self._replied, *(wire.replied for wire in self._open())])

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Let the body open connections even after the client has ended."""
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
        """Wait until no connection of this process and event loop is in use, `seconds` at most."""
        deadline, pauses = monotonic() + seconds, Pauses(_FIRST, _LONGEST)
        while self._used() and monotonic() < deadline:
            await sleep_async(pauses.pause())

    def _used(self) -> bool:
        here = surroundings_async()
        return bool(self._saving) or any(wire.here == here for wire in self._open())

    async def cut(self, seconds: float) -> None:
        """End pauses and connections, wait `seconds`; then cancel the tasks and wait again."""
        self._settle_here()
        self.ended = True
        for wakeup in tuple(self._pauses):
            wakeup.set()
        await self._end(seconds)
        for task in tuple(self._tasks.values()):
            task.cancel()
        await self._end(seconds)

    async def _end(self, seconds: float) -> None:
        """Abort connections until nothing runs here any longer, `seconds` at most."""
        deadline, pauses = monotonic() + seconds, Pauses(_FIRST, _LONGEST)
        while True:
            for wire in self._open():  # each time: one may have been opening before
                await wire.abort()
            if not (self._used() or self._has_running_tasks()) or monotonic() >= deadline:
                return
            await sleep_async(pauses.pause())

    def _has_running_tasks(self) -> bool:
        return any(task.alive and not task.current for task in tuple(self._tasks.values()))

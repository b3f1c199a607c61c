"""What belongs to one client and ends with it: its connections and background tasks.

The rule: every background task starts here and every connection is registered here, so that `cut`
can end all of them. After `cut`, a connection can open only while the body of a `saving` runs.
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
"""A function that `admit` calls in the task or thread that opens a connection.

An opening calls the function twice: before the attempt, and after it, also if the attempt failed.
After the end of the client `admit` raises ClosedError instead, except during `saving`. A job worker
records the times of these calls. While servers are down, a step of a job may try several
connections, and each attempt may take the response timeout. Without the calls, the worker would
count as stuck. Tasks that asyncio starts in this context inherit the function.
"""
_FIRST, _LONGEST = 0.0005, 0.02
"""The shortest and the longest pause of `rest` and `cut` between two checks, in seconds."""


class AsyncOpenConnection(Protocol):
    """The attributes and methods of a connection that a client's lifetime uses."""

    here: object
    process: int

    @property
    def replied(self) -> float:
        """When the last outstanding reply came, in monotonic seconds; 0 before the first reply."""

    async def abort(self) -> None:
        """End the reading of replies (with asyncio also the opening): its caller gets an error."""


class AsyncLifetime:
    """The connections and background tasks of one client."""

    def __init__(self) -> None:
        self.ended = False
        self._lock = StateLock()
        self._conns: WeakSet[AsyncOpenConnection] = WeakSet()
        self._replied = 0.0
        self._saving: set[object] = set()
        self._here: object = None
        self._tasks: dict[object, AsyncTask] = {}
        self._pauses: set[AsyncEvent] = set()

    def _settle_here(self) -> None:
        """Forget the tasks and pauses of another event loop, or of the parent process."""
        here = surroundings_async()
        if self._here != here:
            self._here, self._tasks, self._pauses, self._saving = here, {}, set(), set()

    # -------------------------------------------------------------- tasks

    def begin(self, body: Callable[[], Any], name: str) -> AsyncTask:
        """Run `body` in a background task. `cut` cancels a task, but cannot cancel a thread."""
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
        """Run several functions at the same time, and wait up to `seconds` for their ends.

        Then stop each function that still runs. A task is cancelled and has 5 s more to end; a
        thread is abandoned.
        """
        deadline = monotonic() + seconds
        for task in [self.begin(work, name) for work in works]:
            await task.stop(max(deadline - monotonic(), 0.0))

    async def pause(self, seconds: float, wakeup: AsyncEvent | None = None) -> None:
        """Sleep for `seconds`, or until `wakeup` is set.

        Raises:
            ClosedError: the client is closed, or was closed during the sleep.
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

    def admit(self, conn: AsyncOpenConnection) -> None:
        """Register a connection. Call this before and after the attempt to open it.

        See `ON_CONNECT`.

        Raises:
            ClosedError: the client is closed, and no body of `saving` runs.
        """
        if self.ended and not self._saving:
            raise ClosedError(CLOSED)
        ON_CONNECT.get()()
        with self._lock.held:
            self._conns.add(conn)

    def forget(self, conn: AsyncOpenConnection) -> None:
        """Remove a closed connection, and keep the time of its last reply for `replied`."""
        with self._lock.held:
            self._conns.discard(conn)
            self._replied = max(self._replied, conn.replied)

    def replied(self) -> float:
        """Return the largest `replied` of all connections, also of closed ones."""
        return max([self._replied, *(conn.replied for conn in self._open())])

    @contextmanager
    def saving(self) -> Iterator[None]:
        """Permit new connections while the body runs, also after the client has ended."""
        mark = object()
        self._saving.add(mark)
        try:
            yield
        finally:
            self._saving.discard(mark)

    def _open(self) -> list[AsyncOpenConnection]:
        with self._lock.held:
            return [conn for conn in self._conns if conn.process == process()]

    # -------------------------------------------------------------- the end

    async def rest(self, seconds: float) -> None:
        """Wait up to `seconds` until no connection of this event loop is open.

        With threads, these are the connections of this process. Also wait until no body of `saving`
        runs.
        """
        deadline, pauses = monotonic() + seconds, Pauses(_FIRST, _LONGEST)
        while self._used() and monotonic() < deadline:
            await sleep_async(pauses.pause())

    def _used(self) -> bool:
        here = surroundings_async()
        return bool(self._saving) or any(conn.here == here for conn in self._open())

    async def cut(self, seconds: float) -> None:
        """End pauses and connections, and wait up to `seconds` until no connection or task is left.

        Then cancel the tasks that still run, and wait up to `seconds` again. Threads cannot be
        cancelled.
        """
        self._settle_here()
        self.ended = True
        for wakeup in tuple(self._pauses):
            wakeup.set()
        await self._end(seconds)
        for task in tuple(self._tasks.values()):
            task.cancel()
        await self._end(seconds)

    async def _end(self, seconds: float) -> None:
        """Abort connections until none is open and no other task runs, up to `seconds`."""
        deadline, pauses = monotonic() + seconds, Pauses(_FIRST, _LONGEST)
        while True:
            for conn in self._open():  # again: a connection may have opened since the last round
                await conn.abort()
            if not (self._used() or self._has_running_tasks()) or monotonic() >= deadline:
                return
            await sleep_async(pauses.pause())

    def _has_running_tasks(self) -> bool:
        return any(task.alive and not task.current for task in tuple(self._tasks.values()))

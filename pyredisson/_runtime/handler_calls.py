"""How a worker calls its handler, in the sync and the async variant.

With asyncio a plain function runs in a thread. In the loop a plain function would block other
handlers, the renewal of leases, and takes. The rule: the threads are daemons, and the result of an
abandoned call is discarded.
"""

from __future__ import annotations

import asyncio
import contextvars
import inspect
import logging
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from pyredisson._runtime.concurrency import monotonic
from pyredisson._runtime.time_limits import require_time_limits
from pyredisson._runtime.user_code import awaits, limited, limited_async, require_run, returned

log = logging.getLogger("pyredisson")


class AsyncCaller:
    """Calls a handler: a coroutine function in the loop, a plain one in a thread.

    Args:
        handler: the user's function.
        limit: maximum duration of a call in seconds, or None.
        threads: maximum number of threads; with 0 plain functions run in the loop.
        lease: seconds; a warning is logged if the loop is blocked for more than a third of them.
    """

    def __init__(
        self, handler: Callable[[Any], Any], limit: float | None, threads: int, lease: float
    ) -> None:
        self._handler = handler
        self._limit = limit
        self._lease = lease
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads = None if awaits(handler) or not threads else _Threads(threads)
        if limit is not None and self._threads is not None:
            require_time_limits()

    async def call(self, value: Any) -> None:
        """Call the handler and wait for its end; see `limited_async` and `returned`.

        If a plain function returns an awaitable, it is awaited in the loop. The time limit then
        starts again.
        """
        if self._threads is None:
            await limited_async(self._handler, value, self._limit)
            return
        result = await self._threads.run(partial(returned, self._handler, value, self._limit))
        if inspect.isawaitable(result):
            await limited_async(_same, result, self._limit)
        else:
            require_run(result)

    async def watch(self) -> None:
        """Log a warning whenever the loop was blocked for long, until this task is cancelled."""
        self._loop = asyncio.get_running_loop()
        longest = self._lease / 3
        while True:
            before = monotonic()
            await asyncio.sleep(longest / 10)
            if (blocked := monotonic() - before) > longest:
                log.warning(
                    "the event loop was blocked for %.1f s, so leases of %g s may end; put the "
                    "blocking code (maybe %r) into a plain function, which runs in a thread",
                    blocked,
                    self._lease,
                    self._handler,
                )

    def close(self) -> None:
        """End the threads; see `_Threads.close`."""
        if self._threads is not None:
            self._threads.close()

    def call_in_loop(self, function: Callable[[], None]) -> None:
        """Call a function in the loop, from any thread.

        Call it directly in this loop, before `watch` has started, and after the loop was closed.
        """
        loop = self._loop
        if loop is None or loop.is_closed() or _running() is loop:
            function()
        else:
            loop.call_soon_threadsafe(function)


class Caller:
    """Calls a handler in the thread of its caller; the arguments are those of `AsyncCaller`."""

    def __init__(
        self, handler: Callable[[Any], Any], limit: float | None, _threads: int, _lease: float
    ) -> None:
        if limit is not None:
            require_time_limits()
        self._handler = handler
        self._limit = limit

    def call(self, value: Any) -> None:
        """Call the handler; see `limited`."""
        limited(self._handler, value, self._limit)

    def watch(self) -> None:
        """Do nothing: there is no event loop."""

    def close(self) -> None:
        """Do nothing: the threads belong to the worker."""

    def call_in_loop(self, function: Callable[[], None]) -> None:
        """Call a function."""
        function()


def thread_count_async(threads: int | None, concurrency: int) -> int:
    """Return the maximum number of threads; by default one per concurrent handler."""
    return concurrency if threads is None else threads


def thread_count(threads: int | None, _concurrency: int) -> int:
    """Reject a number of threads.

    Raises:
        TypeError: `threads` is not None.
    """
    if threads is not None:
        raise TypeError(
            f"threads={threads!r} is for AsyncWorker only; a Worker has a thread for each handler"
        )
    return 0


def _same(value: Any) -> Any:
    return value


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


class _Call:
    """A call that a thread executes for a task."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self.loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Any] = self.loop.create_future()
        self._context = contextvars.copy_context()
        self._work = work

    def run(self) -> tuple[Any, Exception | None]:
        """Execute the call in this thread; return its result, or None, and its error, or None.

        A call whose task was cancelled before is not executed.
        """
        if self.done.cancelled():
            return None, None
        try:
            return self._context.run(self._work), None
        except Exception as error:
            return None, error


class _Threads:
    """Daemon threads; a call starts another thread if all are busy, up to the maximum."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._started = self._busy = 0
        self._calls = queue.SimpleQueue[_Call | None]()

    async def run(self, work: Callable[[], Any]) -> Any:
        """Execute `work` in a thread, and return its result or raise its error.

        If the caller is cancelled, `work` continues if it has started. Otherwise it is not
        executed.
        """
        self._busy += 1
        if self._started < min(self._busy, self._maximum):
            self._started += 1
            name = f"pyredisson handler {self._started}"
            threading.Thread(target=self._work, name=name, daemon=True).start()
        call = _Call(work)
        self._calls.put(call)
        result, error = await call.done
        if error is not None:
            raise error
        return result

    def _work(self) -> None:
        while (call := self._calls.get()) is not None:
            outcome = call.run()
            try:
                call.loop.call_soon_threadsafe(self._ended, call, outcome)
            except RuntimeError:  # the loop has ended
                return

    def _ended(self, call: _Call, outcome: tuple[Any, Exception | None]) -> None:
        self._busy -= 1
        if not call.done.done():
            call.done.set_result(outcome)

    def close(self) -> None:
        """Stop the threads after all calls that were put before, except cancelled ones."""
        for _ in range(self._started):
            self._calls.put(None)

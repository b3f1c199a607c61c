"""Helpers that differ between sync and async variants of the tests, as pairs: `x_async` and `x`.

Tests are written once, in ``tests/_async``; ``scripts/unasync.py`` makes ``tests/_sync`` by
renaming only. Rule: a difference other than a name is a pair in this file, the asynchronous one
first; a test has no "if async".
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

T = TypeVar("T")

PATIENCE = 60.0
"""Seconds after which something that should happen counts as never happening."""


async def sleep_async(seconds: float) -> None:
    await asyncio.sleep(seconds)


def sleep(seconds: float) -> None:
    time.sleep(seconds)


def count_tasks_async() -> int:
    """Return the number of tasks of this loop."""
    return len(asyncio.all_tasks())


def count_tasks() -> int:
    """Return the number of tasks: with threads it is 0."""
    return 0


def left_async() -> list[str]:
    """Return the other tasks of this loop, and the threads of pyredisson."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    return [task.get_name() for task in tasks] + left()


def left() -> list[str]:
    """Return the threads of pyredisson."""
    return [each.name for each in threading.enumerate() if each.name.startswith("pyredisson")]


# --- calls that run beside the test --- ----------------------------------------------------------


class AsyncStarted(Generic[T]):
    """A call that runs beside the test, from now on."""

    def __init__(self, function: Callable[[], Awaitable[T]]) -> None:
        self._task = asyncio.ensure_future(function())

    @property
    def done(self) -> bool:
        """Whether it has returned or raised."""
        return self._task.done()

    async def result(self, seconds: float = PATIENCE) -> T:
        """Return its result or raise its error; raise TimeoutError if it still runs."""
        async with asyncio.timeout(seconds):
            return await self._task


class Started(Generic[T]):
    """A call that runs beside the test, from now on."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._value: list[T] = []
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._value.append(self._function())
        except BaseException as error:
            self._error = error

    @property
    def done(self) -> bool:
        """Whether it has returned or raised."""
        return not self._thread.is_alive()

    def result(self, seconds: float = PATIENCE) -> T:
        """Return its result or raise its error; raise TimeoutError if it still runs."""
        self._thread.join(seconds)
        if self._thread.is_alive():
            raise TimeoutError
        if self._error is not None:
            raise self._error
        return self._value[0]


def start_async(function: Callable[[], Awaitable[T]]) -> AsyncStarted[T]:
    """Start a call, and continue."""
    return AsyncStarted(function)


def start(function: Callable[[], T]) -> Started[T]:
    """Start a call, and continue."""
    return Started(function)


async def run_together_async(*functions: Callable[[], Awaitable[T]]) -> list[T]:
    """Run all calls at the same time and return their results in the order given."""
    calls = [AsyncStarted(function) for function in functions]
    return [await call.result() for call in calls]


def run_together(*functions: Callable[[], T]) -> list[T]:
    """Run all calls at the same time and return their results in the order given."""
    calls = [Started(function) for function in functions]
    return [call.result() for call in calls]


# --- waiting ------------------------------------------------------------------------------------


async def until_async(condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait until a condition holds, while everything else continues."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds} s: {what}")
        await asyncio.sleep(0.005)


def until(condition: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
    """Wait until a condition holds, while everything else continues."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"not within {seconds} s: {what}")
        time.sleep(0.005)


# --- interruptions ------------------------------------------------------------------------------


Moment = float | Callable[[], bool]
"""A number of seconds from now, or the moment when a condition holds."""


async def interrupt_async(function: Callable[[], Awaitable[T]], when: Moment) -> list[T]:
    """Cancel a call at a moment; return its result in a list, or an empty list."""
    task = asyncio.ensure_future(function())
    if callable(when):
        await until_async(when, "it is to be interrupted")
    else:
        await asyncio.sleep(when)
    task.cancel()
    try:
        return [await task]
    except asyncio.CancelledError:
        return []


def interrupt(function: Callable[[], T], when: Moment) -> list[T]:
    """Press Ctrl-C on a call of the main thread; return its result in a list, or an empty list."""
    timer = threading.Thread(target=_press, args=(when,), daemon=True)
    found: list[T] = []
    with _unraisable_interrupts() as swallowed:
        try:
            timer.start()
            found.append(function())
            while not swallowed:  # the signal arrives later
                time.sleep(0.001)
        except KeyboardInterrupt:
            pass
        finally:
            timer.join()
    return found


def _press(when: Moment) -> None:
    try:
        if callable(when):
            until(when, "it is to be interrupted")
        else:
            time.sleep(when)
    finally:
        os.kill(os.getpid(), signal.SIGINT)


@contextmanager
def _unraisable_interrupts() -> Iterator[list[BaseException]]:
    """Collect interrupts in finalizers and weakref callbacks, which Python cannot raise."""
    swallowed: list[BaseException] = []
    previous = sys.unraisablehook

    def hook(report: sys.UnraisableHookArgs) -> None:
        if isinstance(report.exc_value, KeyboardInterrupt):
            swallowed.append(report.exc_value)
        else:
            previous(report)

    sys.unraisablehook = hook
    try:
        yield swallowed
    finally:
        sys.unraisablehook = previous


# --- clients of redis-py ----------------------------------------------------------------------


async def close_cluster_async(client: Any) -> None:
    """Close a cluster client."""
    await client.aclose()


def close_cluster(client: Any) -> None:
    """Close a cluster client, and the pools of its nodes that redis-py's own close leaves open."""
    for node in client.get_nodes():
        if node.redis_connection is not None:
            node.redis_connection.connection_pool.disconnect()
    client.close()


# --- blocking functions ------- -------------------------------------------------------------------


async def aside_async(function: Callable[[], T]) -> T:
    """Call a blocking function while everything else continues."""
    return await asyncio.to_thread(function)


def aside(function: Callable[[], T]) -> T:
    """Call a blocking function while everything else continues."""
    return function()


def workers_async() -> int:
    """Return the number of tasks."""
    return len(asyncio.all_tasks())


def workers() -> int:
    """Return the number of threads."""
    return threading.active_count()

"""What differs between asyncio and threads, as pairs of names: `x_async` and `x`, `AsyncX` and `X`.

`scripts/unasync.py` generates `_sync` from `_async` by renaming, and by removing `async` and
`await`. The rule: no ``if is_async`` anywhere. A difference is a pair, the asynchronous name first.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
import weakref
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, TypeVar, cast

from pyredisson._runtime.interrupts import Interrupts, in_main_thread

T = TypeVar("T")

monotonic: Callable[[], float] = partial(time.monotonic)
if hasattr(time, "clock_gettime"):
    monotonic = partial(time.clock_gettime, time.CLOCK_MONOTONIC)
"""Returns monotonic seconds. freezegun replaces `time.monotonic` itself, but not a `partial`."""


def wall_ms() -> float:
    """Return the time of this machine's clock, in epoch milliseconds."""
    return time.time() * 1000


_random: list[bytes] = []


def random_8() -> bytes:
    """Return 8 random bytes; one system call gets the bytes for 512 calls."""
    try:
        return _random.pop()
    except IndexError:
        block = os.urandom(4096)
        _random.extend([block[start : start + 8] for start in range(8, 4096, 8)])
        return block[:8]


_forks: list[int] = []
process = _forks.__len__
"""Returns a number that differs between parent and forked child; `os.getpid` is a system call."""


def _forked() -> None:
    _forks.append(os.getpid())
    _random.clear()  # the parent has the same bytes


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def only_asyncio_async() -> None:
    """Reject asynchronous libraries other than asyncio.

    Raises:
        RuntimeError: trio, or another library, runs the caller.
    """
    sniffio = sys.modules.get("sniffio")
    if sniffio is None:
        return
    with contextlib.suppress(sniffio.AsyncLibraryNotFoundError):
        library = sniffio.current_async_library()
        if library != "asyncio":
            raise RuntimeError(_ASYNCIO_ONLY.format(f"{library} runs the caller"))


def only_asyncio() -> None:
    """Do nothing: any program can use threads."""


_ASYNCIO_ONLY = (
    "AsyncRedisson needs asyncio, but {}: with trio, or anyio on trio, use Redisson in threads "
    "(trio.to_thread.run_sync, anyio.to_thread.run_sync), or run the program with asyncio"
)


def running_loop() -> asyncio.AbstractEventLoop:
    """Return the running event loop of asyncio.

    Raises:
        RuntimeError: no event loop of asyncio runs in this thread.
    """
    only_asyncio_async()
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(_ASYNCIO_ONLY.format("none of its event loops runs here")) from None


def surroundings_async() -> object:
    """Return a value that identifies this process and event loop."""
    return process(), running_loop()


def surroundings() -> object:
    """Return a value that identifies this process."""
    return process()


def runs_at_async(here: object) -> bool:
    """Return whether `surroundings_async` returned `here` in this process, and its loop runs."""
    number, loop = cast("tuple[int, asyncio.AbstractEventLoop]", here)
    return number == process() and loop.is_running()


def runs_at(here: object) -> bool:
    """Return whether `surroundings` returned `here` in this process."""
    return here == process()


# ------------------------------------------------------------------ sleeping, waking, tasks


async def sleep_async(seconds: float) -> None:
    """Sleep for some seconds."""
    await asyncio.sleep(seconds)


def sleep(seconds: float) -> None:
    """Sleep for some seconds."""
    with Interrupts.open():
        time.sleep(seconds)


async def turn_async() -> None:
    """Yield to other tasks."""
    await asyncio.sleep(0)


def turn() -> None:
    """Do nothing: the system schedules threads."""


LEAD = 0.0015
"""The maximum that `lead_async` and `lead` return, in seconds."""
_LONG_WAIT = 0.015
"""Seconds. After a longer wait a machine wakes later, and busy-waiting is a small part of it."""


def lead_async(wait: float) -> float:
    """Return how many seconds early to end a wait of `wait` seconds.

    The rest is for `until_async`, because asyncio rounds a wait up to whole milliseconds.
    """
    return LEAD if wait > _LONG_WAIT else 0.0


def lead(wait: float) -> float:
    """Return how many seconds early to end a wait of `wait` seconds; the rest is for `until`."""
    return 0.001 if wait > _LONG_WAIT else 0.0001


async def until_async(moment: float) -> None:
    """Busy-wait until a moment of `monotonic`, at most `LEAD` away; other tasks run meanwhile."""
    while monotonic() < moment:
        await turn_async()


def until(moment: float) -> None:
    """Busy-wait until a moment of `monotonic`, at most `LEAD` away; a sleep is less exact."""
    while monotonic() < moment:
        time.sleep(0)


_WAKE_INTERVAL = 0.1 if os.name == "nt" else 1.0
"""Longest wait of the main thread, in seconds. A signal that comes just before a wait does not end
the wait, and on Windows no signal does: the handler runs afterwards."""


def in_slices(wait: Callable[[float], Any], seconds: float) -> bool:
    """Call `wait`, which returns whether its event came, and return whether it came in `seconds`.

    The main thread divides a long wait, so that signal handlers run in between.
    """
    if not in_main_thread():
        return bool(wait(seconds))
    deadline = monotonic() + seconds
    while not wait(min(max(deadline - monotonic(), 0.0), _WAKE_INTERVAL)):
        if monotonic() >= deadline:
            return False
    return True


class AsyncEvent:
    """A flag that one task waits for."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Set the flag, and wake the waiting task."""
        with contextlib.suppress(RuntimeError):  # its loop is closed
            self._event.set()

    async def wait(self, seconds: float) -> None:
        """Wait until the flag is set, at most `seconds`; then clear the flag."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
        self._event.clear()


class Event:
    """A flag that one thread waits for; a signal handler may set it, too.

    With `threading.Event`, a handler would deadlock if the waiting thread holds the event's lock.
    """

    def __init__(self) -> None:
        self._unset = threading.Lock()
        self._unset.acquire()
        self._wait: Callable[[float], bool] = partial(self._unset.acquire, True)

    def set(self) -> None:
        """Set the flag, and wake the waiting thread."""
        with contextlib.suppress(RuntimeError):  # the flag is already set
            self._unset.release()

    def wait(self, seconds: float) -> None:
        """Wait until the flag is set, at most `seconds`; then clear the flag."""
        with Interrupts.open():
            in_slices(self._wait, max(seconds, 0.0))


AsyncLock = asyncio.Lock
Lock = threading.Lock


class StateLock:
    """A lock for state that is changed without awaiting; a forked child gets a new, free lock.

    Use it as ``with lock.held:``. `held` is Python's own lock, because Ctrl-C may be raised where a
    Python function begins or returns: a method of this class could acquire the lock, and be
    interrupted before it returns. A forked child needs a new lock, because the thread that could
    release the parent's lock does not exist in the child.
    """

    def __init__(self) -> None:
        self.held = threading.Lock()
        _STATE_LOCKS.add(self)

    def renew(self) -> None:
        """Replace the lock by a free one."""
        self.held = threading.Lock()


_STATE_LOCKS: weakref.WeakSet[StateLock] = weakref.WeakSet()


def _renew_locks() -> None:
    for lock in _STATE_LOCKS:
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


class AsyncTask:
    """A coroutine that runs as a task of its own."""

    endings = 0
    """Grows whenever a task has ended, after its `alive` has become False."""

    def __init__(self, body: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        self._task = running_loop().create_task(body(), name=name)
        self._task.add_done_callback(self._count)

    @staticmethod
    def _count(_: object) -> None:
        AsyncTask.endings += 1

    @property
    def alive(self) -> bool:
        """Whether the body has not ended, and its loop is the running one."""
        return not self._task.done() and self._task.get_loop() is asyncio.get_running_loop()

    @property
    def current(self) -> bool:
        """Whether the caller is the body."""
        return self._task is asyncio.current_task()

    async def stop(self, seconds: float, grace: float | None = 5.0) -> None:
        """Wait up to `seconds` for the end of the body; then cancel it and wait up to `grace`.

        With None as `grace` the second wait has no limit. Do nothing if the caller is the body.
        """
        await self.wait(seconds)
        if not self.current and self.alive:
            self._task.cancel()
            await asyncio.wait([self._task], timeout=grace)

    def cancel(self) -> bool:
        """Cancel the body where it awaits; return False if it has ended or is the caller."""
        return not self.current and self.alive and self._task.cancel()

    async def wait(self, seconds: float) -> None:
        """Wait for the end of the body, at most `seconds`."""
        if not self.current and self.alive:
            await asyncio.wait([self._task], timeout=seconds)


class Task:
    """A function that runs in a daemon thread of its own."""

    endings = 0
    """Grows whenever a task has ended, after its `alive` has become False."""

    def __init__(self, body: Callable[[], None], name: str) -> None:
        self._body = body
        self._ended = False
        self._process = process()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self._body()
        finally:
            self._ended = True
            Task.endings += 1

    @property
    def alive(self) -> bool:
        """Whether the body has not ended; False in a forked child."""
        return not self._ended and self._process == process()  # `is_alive` takes a lock

    @property
    def current(self) -> bool:
        """Whether the caller is the body."""
        return self._thread is threading.current_thread()

    def stop(self, seconds: float, _grace: float | None = None) -> None:
        """Wait up to `seconds` for the end of the body; do nothing if the caller is the body."""
        if not self.current:
            join(self._thread, seconds)

    wait = stop

    def cancel(self) -> bool:
        """Do nothing, and return False: a thread cannot be cancelled."""
        return False


async def join_async(thread: threading.Thread, seconds: float) -> None:
    """Wait for the end of a thread, at most `seconds`."""
    await asyncio.to_thread(thread.join, seconds)


def join(thread: threading.Thread, seconds: float) -> None:
    """Wait for the end of a thread, at most `seconds`."""

    def ended(slice_: float) -> bool:
        thread.join(slice_)
        return not thread.is_alive()

    in_slices(ended, seconds)


def can_spawn_async() -> bool:
    """Return whether a task can be started here: only inside a running loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def can_spawn() -> bool:
    """Return True: a thread needs no event loop."""
    return True


class AsyncCollection:
    """Base of collections; empty, because `len()` and `in` cannot await."""


class Collection:
    """Base of collections: implements `len()` and `in`."""

    size: Callable[[], int]
    contains: Callable[[Any], bool]

    def __len__(self) -> int:
        """Return the number of values."""
        return self.size()

    def __contains__(self, value: object) -> bool:
        """Return whether the collection has a value with the same encoded bytes."""
        return self.contains(value)

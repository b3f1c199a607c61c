"""The two worlds' differences, as twin names: `x_async` and `x`, `AsyncX` and `X`.

Everything else in `_async` becomes `_sync` by renaming alone
(scripts/unasync.py).  The rule: no ``if is_async`` anywhere; what differs is a
pair in this file, the asynchronous one first.
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
from typing import Any, TypeVar

from pyredisson._runtime.interrupts import Interrupts, in_main_thread

T = TypeVar("T")

monotonic: Callable[[], float] = partial(time.monotonic)
if hasattr(time, "clock_gettime"):
    monotonic = partial(time.clock_gettime, time.CLOCK_MONOTONIC)
"""Seconds that pass also where a test has frozen the time: freezegun looks for `time.monotonic`."""


def wall_ms() -> float:
    """Return this machine's idea of the time, in epoch milliseconds."""
    return time.time() * 1000


_random: list[bytes] = []


def random_8() -> bytes:
    """Return 8 random bytes; the system is asked for many at once."""
    try:
        return _random.pop()
    except IndexError:
        block = os.urandom(4096)
        _random.extend([block[start : start + 8] for start in range(8, 4096, 8)])
        return block[:8]


_forks: list[int] = []
process = _forks.__len__
"""Returns a number that is another one in a forked child; for its id the system is asked."""


def _forked() -> None:
    _forks.append(os.getpid())
    _random.clear()  # the parent has the same


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def only_asyncio_async() -> None:
    """Refuse other libraries.

    Raises:
        RuntimeError: trio, or another one, runs the caller.
    """
    sniffio = sys.modules.get("sniffio")
    if sniffio is None:
        return
    with contextlib.suppress(sniffio.AsyncLibraryNotFoundError):
        library = sniffio.current_async_library()
        if library != "asyncio":
            raise RuntimeError(_ASYNCIO_ONLY.format(f"this is run by {library}"))


def only_asyncio() -> None:
    """Refuse nothing: threads are everywhere."""


_ASYNCIO_ONLY = (
    "AsyncRedisson needs asyncio, and {}: with trio, or anyio on trio, use Redisson in threads "
    "(trio.to_thread.run_sync, anyio.to_thread.run_sync), or let asyncio run the program"
)


def running_loop() -> asyncio.AbstractEventLoop:
    """Return asyncio's loop, where one runs.

    Raises:
        RuntimeError: there is none here.
    """
    only_asyncio_async()
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise RuntimeError(_ASYNCIO_ONLY.format("no loop of it runs here")) from None


def surroundings_async() -> object:
    """Return what tells this process and loop from others."""
    return process(), running_loop()


def surroundings() -> object:
    """Return what tells this process from others."""
    return process()


# ------------------------------------------------------------------ sleeping, waking, tasks


async def sleep_async(seconds: float) -> None:
    """Sleep."""
    await asyncio.sleep(seconds)


def sleep(seconds: float) -> None:
    """Sleep."""
    with Interrupts.open():
        time.sleep(seconds)


async def turn_async() -> None:
    """Let others have their turn."""
    await asyncio.sleep(0)


def turn() -> None:
    """Nothing to do: threads have their turns."""


LEAD = 0.0015
"""Seconds by which to wake before a moment, at most."""
_SELDOM = 0.015
"""Seconds of rest after which a machine takes longer to run again, and it costs little to wait."""


def lead_async(wait: float) -> float:
    """Return by how many seconds to wake before a moment; a loop wakes at whole milliseconds."""
    return LEAD if wait > _SELDOM else 0.0


def lead(wait: float) -> float:
    """Return by how many seconds to wake before a moment that is so far away."""
    return 0.001 if wait > _SELDOM else 0.0001


async def until_async(moment: float) -> None:
    """Return at a moment of `monotonic` that is at most `LEAD` away; others have their turns."""
    while monotonic() < moment:
        await turn_async()


def until(moment: float) -> None:
    """Return at a moment of `monotonic` that is at most `LEAD` away; no sleep is as exact."""
    while monotonic() < moment:
        time.sleep(0)


_DEAF = os.name == "nt"
"""Whether a signal's handler has its turn only when a wait for a lock, or in `select`, is over."""
_SLICE = 0.1


def in_slices(wait: Callable[[float], Any], seconds: float) -> bool:
    """Wait by a function that says whether that came for which it waits; was it in time?

    Where Ctrl-C cannot end such a wait, it is let in now and then.
    """
    if not _DEAF or not in_main_thread():
        return bool(wait(seconds))
    deadline = monotonic() + seconds
    while not wait(min(max(deadline - monotonic(), 0.0), _SLICE)):
        if monotonic() >= deadline:
            return False
    return True


class AsyncEvent:
    """A flag that one task waits for."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Wake the waiter."""
        with contextlib.suppress(RuntimeError):  # its loop is closed
            self._event.set()

    async def wait(self, seconds: float) -> None:
        """Wait until the flag is set or the time is over, then lower the flag."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
        self._event.clear()


class Event:
    """A flag that one thread waits for; also the handler of a signal may set it.

    `threading.Event` would wait for ever where its waiter, interrupted, holds its lock.
    """

    def __init__(self) -> None:
        self._lowered = threading.Lock()
        self._lowered.acquire()
        self._wait: Callable[[float], bool] = partial(self._lowered.acquire, True)

    def set(self) -> None:
        """Wake the waiter."""
        with contextlib.suppress(RuntimeError):  # it is set
            self._lowered.release()

    def wait(self, seconds: float) -> None:
        """Wait until the flag is set or the time is over, then lower the flag."""
        with Interrupts.open():
            in_slices(self._wait, max(seconds, 0.0))


AsyncLock = asyncio.Lock
Lock = threading.Lock


class StateLock:
    """For state that is touched without awaiting, in both worlds; free in a forked child.

    ``with lock.held:``, for `held` is Python's own lock. Ctrl-C may interrupt any step of Python: a
    method here that acquires it might never return, and nobody would release it. The thread that
    held it at the moment of the fork is not there to release it.
    """

    def __init__(self) -> None:
        self.held = threading.Lock()
        _STATE_LOCKS.add(self)

    def renew(self) -> None:
        """Forget who holds it."""
        self.held = threading.Lock()


_STATE_LOCKS: weakref.WeakSet[StateLock] = weakref.WeakSet()


def _renew_locks() -> None:
    for lock in _STATE_LOCKS:
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


class AsyncTask:
    """A coroutine that runs beside its starter."""

    def __init__(self, body: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        self._task = running_loop().create_task(body(), name=name)

    @property
    def alive(self) -> bool:
        """False once the body has ended, or the loop that ran it."""
        return not self._task.done() and self._task.get_loop() is asyncio.get_running_loop()

    @property
    def current(self) -> bool:
        """Whether it is the body that asks."""
        return self._task is asyncio.current_task()

    async def stop(self, seconds: float) -> None:
        """Wait for the end of a body that was told to end; cancel it after a while."""
        await self.wait(seconds)
        if not self.current and self.alive:
            self._task.cancel()
            await asyncio.wait([self._task])

    def cancel(self) -> None:
        """Let the body end where it awaits."""
        if not self.current and self.alive:
            self._task.cancel()

    async def wait(self, seconds: float) -> None:
        """Wait for the end of the body, but not longer than that."""
        if not self.current and self.alive:
            await asyncio.wait([self._task], timeout=seconds)


class Task:
    """A function that runs in a thread of its own, which never keeps the process alive."""

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

    @property
    def alive(self) -> bool:
        """False once the body has ended, also in the child of a fork."""
        return not self._ended and self._process == process()  # `is_alive` takes a lock

    @property
    def current(self) -> bool:
        """Whether it is the body that asks."""
        return self._thread is threading.current_thread()

    def stop(self, seconds: float) -> None:
        """Wait for the end of a body that was told to end; leave it alone after a while."""
        if not self.current:
            join(self._thread, seconds)

    wait = stop

    def cancel(self) -> None:
        """Nothing to do: a thread ends by itself."""


async def join_async(thread: threading.Thread, seconds: float) -> None:
    """Wait for the end of a thread, but not for ever."""
    await asyncio.to_thread(thread.join, seconds)


def join(thread: threading.Thread, seconds: float) -> None:
    """Wait for the end of a thread, but not for ever."""

    def ended(slice_: float) -> bool:
        thread.join(slice_)
        return not thread.is_alive()

    in_slices(ended, seconds)


def can_spawn_async() -> bool:
    """Tell whether a task can be started here: only inside a running loop."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def can_spawn() -> bool:
    """Tell whether a task can be started here: a thread always can."""
    return True


class AsyncCollection:
    """What Python's syntax asks of a collection: nothing that can be awaited."""


class Collection:
    """What Python's syntax asks of a collection: `len()` and `in`."""

    size: Callable[[], int]
    contains: Callable[[Any], bool]

    def __len__(self) -> int:
        """Return how many values there are."""
        return self.size()

    def __contains__(self, value: object) -> bool:
        """Tell whether a value with the same bytes is there."""
        return self.contains(value)

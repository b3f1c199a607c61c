"""The two worlds' differences, as twin names: `x_async` and `x`, `AsyncX` and `X`.

Everything else in `_async` becomes `_sync` by renaming alone
(scripts/unasync.py).  The rule: no ``if is_async`` anywhere; what differs is a
pair in this file, the asynchronous one first.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import signal
import threading
import time
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from types import FrameType, TracebackType
from typing import Any, TypeVar

T = TypeVar("T")

monotonic = time.monotonic


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


def process() -> int:
    """Return a number that is another one in a forked child; for its id the system is asked."""
    return len(_forks)


def _forked() -> None:
    _forks.append(os.getpid())
    _random.clear()  # the parent has the same
    _main[0] = threading.main_thread()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


# ------------------------------------------------------------------ sleeping, waking, tasks


async def sleep_async(seconds: float) -> None:
    """Sleep."""
    await asyncio.sleep(seconds)


def sleep(seconds: float) -> None:
    """Sleep."""
    time.sleep(seconds)


async def turn_async() -> None:
    """Let others have their turn."""
    await asyncio.sleep(0)


def turn() -> None:
    """Nothing to do: threads have their turns."""


lead_async = 0.0
"""Seconds by which to wake before a moment: a loop wakes at whole milliseconds, there is no use."""
lead = 0.0001
"""Seconds by which to wake before a moment: a thread takes about as long to run again."""


def until_async(moment: float) -> None:
    """Nothing to do: nobody has been woken before."""


def until(moment: float) -> None:
    """Return at a moment of `monotonic` that is at most `lead` away; no sleep is as exact."""
    while monotonic() < moment:
        pass


class AsyncEvent:
    """A flag that one task waits for."""

    def __init__(self) -> None:
        self._event = asyncio.Event()

    def set(self) -> None:
        """Wake the waiter."""
        self._event.set()

    async def wait(self, seconds: float) -> None:
        """Wait until the flag is set or the time is over, then lower the flag."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._event.wait()
        self._event.clear()


class Event:
    """A flag that one thread waits for."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def set(self) -> None:
        """Wake the waiter."""
        self._event.set()

    def wait(self, seconds: float) -> None:
        """Wait until the flag is set or the time is over, then lower the flag."""
        with Interrupts.open():
            self._event.wait(seconds)
        self._event.clear()


AsyncLock = asyncio.Lock
Lock = threading.Lock


class StateLock:
    """For state that is touched without awaiting, in both worlds; free in a forked child.

    The thread that held it at the moment of the fork is not there to release it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        _STATE_LOCKS.add(self)

    def __enter__(self) -> None:
        """Wait for the lock."""
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        """Let others in."""
        self._lock.release()

    def renew(self) -> None:
        """Forget who holds it."""
        self._lock = threading.Lock()


_STATE_LOCKS: weakref.WeakSet[StateLock] = weakref.WeakSet()


def _renew_locks() -> None:
    for lock in _STATE_LOCKS:
        lock.renew()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_locks)


class AsyncTask:
    """A coroutine that runs beside its starter."""

    def __init__(self, body: Callable[[], Coroutine[Any, Any, None]], name: str) -> None:
        self._task = asyncio.get_running_loop().create_task(body(), name=name)

    @property
    def alive(self) -> bool:
        """False once the body has ended, or the loop that ran it."""
        return not self._task.done() and self._task.get_loop() is asyncio.get_running_loop()

    async def stop(self, seconds: float) -> None:
        """Wait for the end of a body that was told to end; cancel it after a while."""
        if self._task is asyncio.current_task() or self._task.done():
            return
        await asyncio.wait([self._task], timeout=seconds)
        if not self._task.done():
            self._task.cancel()
            await asyncio.wait([self._task])


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

    def stop(self, seconds: float) -> None:
        """Wait for the end of a body that was told to end; leave it alone after a while."""
        if self._thread is not threading.current_thread():
            self._thread.join(seconds)


async def join_async(thread: threading.Thread, seconds: float) -> None:
    """Wait for the end of a thread, but not for ever."""
    await asyncio.to_thread(thread.join, seconds)


def join(thread: threading.Thread, seconds: float) -> None:
    """Wait for the end of a thread, but not for ever."""
    thread.join(seconds)


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


# ------------------------------------------------------------------ interruptions


async def finish_async(work: Awaitable[T]) -> T:
    """Run something to its end although the caller is being cancelled."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    return task.result()


def finish(work: T) -> T:
    """Return what was already done; see `finish_async`."""
    return work


async def to_end_async(work: Awaitable[T]) -> T:
    """Run something to its end; a cancellation in the meantime is raised after it."""
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()  # else asyncio says that nobody asked for it
        raise cancelled
    return task.result()


def to_end(work: T) -> T:
    """Return what was already done; Ctrl-C waits for `Interrupts`."""
    return work


class AsyncInterrupts:
    """Nothing to do: a coroutine is interrupted only where it awaits."""

    def __init__(self, *, deaf: bool = False) -> None:
        pass

    async def __aenter__(self) -> AsyncInterrupts:
        """Enter."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave."""


# what `signal` wraps around it makes an Enum of each handler: longer than all else of a take
_signal: Any = importlib.import_module("_signal")
_SIGINT = int(signal.SIGINT)


_main = [threading.main_thread()]


def _in_main_thread() -> bool:
    return threading.get_ident() == _main[0].ident


class Interrupts:
    """Lets Ctrl-C in only while nothing of a reply has been read.

    Python raises KeyboardInterrupt between any two steps of the main thread, also
    between the arrival of a popped element and its delivery.  While this is
    active it is raised at once during `waiting`, else (with `deaf` always) on leaving.
    """

    _active: Interrupts | None = None

    def __init__(self, *, deaf: bool = False) -> None:
        self.waiting = False
        self._deaf = deaf
        self._pending: tuple[int, FrameType | None] | None = None
        self._handler: Any = None

    def __enter__(self) -> Interrupts:
        """Take over SIGINT, in the main thread and if Python handles it."""
        if _in_main_thread():
            handler = _signal.getsignal(_SIGINT)
            if callable(handler):
                self._handler = handler
                Interrupts._active = self
                _signal.signal(_SIGINT, self._interrupted)
        return self

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.waiting and not self._deaf:
            self._handler(number, frame)
        else:
            self._pending = (number, frame)

    def _deliver(self) -> None:
        if self._pending is not None and not self._deaf:
            pending, self._pending = self._pending, None
            self._handler(*pending)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Hand SIGINT back, and what has come in the meantime."""
        if self._handler is None:
            return
        _signal.signal(_SIGINT, self._handler)
        Interrupts._active = None
        if self._pending is not None:
            self._handler(*self._pending)

    @classmethod
    def open(cls) -> contextlib.AbstractContextManager[None]:
        """Let an interruption in while the body waits."""
        active = cls._active
        if active is None or not _in_main_thread():
            return _NOTHING_TO_OPEN
        return active._open()

    @contextlib.contextmanager
    def _open(self) -> Iterator[None]:
        self.waiting = True
        try:
            self._deliver()
            yield
        finally:
            self.waiting = False


_NOTHING_TO_OPEN = contextlib.nullcontext()

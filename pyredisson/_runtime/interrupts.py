"""What happens when a caller is interrupted, in the sync and the async variant.

The rule: what took anything is read to its end, and the interruption is raised after it.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import os
import signal
import threading
from collections.abc import Awaitable, Iterator
from types import FrameType, TracebackType
from typing import Any, TypeVar

T = TypeVar("T")


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


_main = [threading.main_thread().ident]


def _forked() -> None:
    if not in_main_thread():  # the parent's main thread is not here to leave what it entered
        Interrupts.give_up()
    _main[0] = threading.main_thread().ident


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def in_main_thread() -> bool:
    """Tell whether Ctrl-C may be raised here."""
    return threading.get_ident() == _main[0]


class Interrupts:
    """Lets Ctrl-C in only while nothing of a reply has been read.

    Python raises KeyboardInterrupt between any two steps of the main thread, also
    between the arrival of a popped element and its delivery.  While this is
    active it is raised at once during `waiting`, else (with `deaf` always) on leaving.
    One inside another is a part of it, unless it alone is `deaf`.
    """

    active: Interrupts | None = None
    """The main thread's, while there is one."""

    def __init__(self, *, deaf: bool = False) -> None:
        self.waiting = False
        self._deaf = deaf
        self._pending: tuple[int, FrameType | None] | None = None
        self._handler: Any = None
        self._outer: Interrupts | None = None

    def __enter__(self) -> Interrupts:
        """Take over SIGINT, in the main thread and if Python handles it."""
        if in_main_thread() and (self._deaf or Interrupts.active is None):
            handler = _signal.getsignal(_SIGINT)
            if callable(handler):
                self._handler = handler
                self._outer = Interrupts.active
                Interrupts.active = self
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
        Interrupts.active = self._outer  # first: the next line may raise what has just come
        _signal.signal(_SIGINT, self._handler)
        if self._pending is not None:
            self._handler(*self._pending)

    @classmethod
    def give_up(cls) -> None:
        """Hand SIGINT back for all that are active, who leave no more."""
        while (active := cls.active) is not None:
            _signal.signal(_SIGINT, active._handler)
            cls.active = active._outer

    @classmethod
    def open(cls) -> contextlib.AbstractContextManager[None]:
        """Let an interruption in while the body waits."""
        active = cls.active
        if active is None or not in_main_thread():
            return _NOTHING_TO_OPEN
        return active._open()

    @contextlib.contextmanager
    def _open(self) -> Iterator[None]:
        before, self.waiting = self.waiting, True
        try:
            self._deliver()
            yield
        finally:
            self.waiting = before


_NOTHING_TO_OPEN = contextlib.nullcontext()

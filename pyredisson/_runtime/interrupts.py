"""What happens when a caller is interrupted, in the sync and the async variant.

The rule: a reply that may carry an element is read to its end before the interruption is raised.
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
    """Run `work` to its end and return its result; cancellations of the caller are ignored."""
    task = asyncio.ensure_future(work)
    while not task.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.shield(task)
    return task.result()


def finish(work: T) -> T:
    """Return the result of work that is already done; see `finish_async`."""
    return work


async def to_end_async(work: Awaitable[T]) -> T:
    """Run `work` to its end and return its result.

    Raise a cancellation of the caller after that end; the result or error of `work` is then lost.
    """
    task = asyncio.ensure_future(work)
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        task.exception()  # otherwise asyncio logs an exception that was never retrieved
        raise cancelled
    return task.result()


def to_end(work: T) -> T:
    """Return the result of work that is already done; `Interrupts` defers Ctrl-C."""
    return work


class AsyncInterrupts:
    """Does nothing: a coroutine is interrupted only where it awaits."""

    def __init__(self, *, deferred: bool = False) -> None:
        pass

    async def __aenter__(self) -> AsyncInterrupts:
        """Enter."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Leave."""


# `signal` converts each handler to an enum, which takes longer than the rest of a take
_signal: Any = importlib.import_module("_signal")
_SIGINT = int(signal.SIGINT)


_main = [threading.main_thread().ident]


def _forked() -> None:
    if not in_main_thread():  # the thread that would exit them does not exist in the child
        Interrupts.give_up()
    _main[0] = threading.main_thread().ident


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


def in_main_thread() -> bool:
    """Return whether Ctrl-C may be raised in this thread."""
    return threading.get_ident() == _main[0]


class Interrupts:
    """Permits Ctrl-C only while no byte of a reply has been read.

    Python can call the handler of SIGINT, which raises KeyboardInterrupt, at many places in the
    main thread, also between the arrival of a popped element and its delivery. While this context
    manager is active, the handler runs at once only in the body of `open`. A signal at another time
    waits for the next `open` or for the exit. With `deferred`, each signal waits for the exit. A
    nested context manager has no effect, unless it is `deferred`.
    """

    active: Interrupts | None = None
    """The instance that is active in the main thread, or None."""

    def __init__(self, *, deferred: bool = False) -> None:
        self.waiting = False
        self._deferred = deferred
        self._pending: tuple[int, FrameType | None] | None = None
        self._handler: Any = None
        self._outer: Interrupts | None = None

    def __enter__(self) -> Interrupts:
        """Replace the handler of SIGINT, if it is a function and this is the main thread."""
        if in_main_thread() and (self._deferred or Interrupts.active is None):
            handler = _signal.getsignal(_SIGINT)
            if callable(handler):
                self._handler = handler
                self._outer = Interrupts.active
                _signal.signal(_SIGINT, self._interrupted)  # first: it may raise KeyboardInterrupt
                Interrupts.active = self
        return self

    def _interrupted(self, number: int, frame: FrameType | None) -> None:
        if self.waiting and not self._deferred:
            self._handler(number, frame)
        else:
            self._pending = (number, frame)

    def _deliver(self) -> None:
        if self._pending is not None and not self._deferred:
            pending, self._pending = self._pending, None
            self._handler(*pending)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Restore the handler of SIGINT, and call it for a signal that came meanwhile."""
        if self._handler is None:
            return
        Interrupts.active = self._outer  # first: the next line may raise a KeyboardInterrupt
        _signal.signal(_SIGINT, self._handler)
        if self._pending is not None:
            self._handler(*self._pending)

    @classmethod
    def give_up(cls) -> None:
        """Restore the handler of SIGINT in a forked child, where no thread exits the instances."""
        while (active := cls.active) is not None:
            _signal.signal(_SIGINT, active._handler)
            cls.active = active._outer

    @classmethod
    def open(cls) -> contextlib.AbstractContextManager[None]:
        """Permit an interruption during the body; a signal that waits is handled before it."""
        active = cls.active
        if active is None or not in_main_thread():
            return _NOTHING_ACTIVE
        return active._open()

    @contextlib.contextmanager
    def _open(self) -> Iterator[None]:
        before, self.waiting = self.waiting, True
        try:
            self._deliver()
            yield
        finally:
            self.waiting = before


_NOTHING_ACTIVE = contextlib.nullcontext()

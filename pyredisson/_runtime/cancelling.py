"""Cancelling the task of a caller, in the sync and the async variant."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable


def canceller_async() -> Callable[[], None]:
    """Return a function that cancels the calling task; each task and thread may call the function.

    Raises:
        RuntimeError: the caller is not a task.
    """
    task, loop = asyncio.current_task(), asyncio.get_running_loop()
    if task is None:
        raise RuntimeError("this needs a running task, such as one of asyncio.run()")
    caller = task

    def cancel() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(caller.cancel)

    return cancel


def canceller() -> Callable[[], None]:
    """Raise an error, because a thread cannot be cancelled.

    Raises:
        ValueError: always.
    """
    raise ValueError("cancel_when_lost=True needs asyncio: a thread cannot be cancelled")


def uncancel_async() -> None:
    """Undo one cancellation of the calling task, as `asyncio.timeout` does."""
    task = asyncio.current_task()
    if task is not None:
        task.uncancel()


def uncancel() -> None:
    """Do nothing: a thread cannot be cancelled."""


CANCELLED_ASYNC = asyncio.CancelledError


class Cancelled(BaseException):
    """The counterpart of `CANCELLED_ASYNC`; it is never raised."""

"""Time limits of functions that run in threads: an exception is raised in the thread.

The rule: after a call, however it ends, no exception of its time limit is pending in the thread.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any

from pyredisson.errors import TimeLimitError


class _Cleared(BaseException):
    """Replaces an exception that is pending and must not be raised."""


def _raise_in(thread: int, kind: type[BaseException]) -> bool:
    """Raise an exception in a thread; return whether the thread exists."""
    raised = ctypes.py_object(kind)
    found: int = ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
    return found == 1


def require_time_limits() -> None:
    """Reject a time limit if this thread is not one of the operating system.

    Raises:
        ValueError: Python cannot raise an exception in this thread.
    """
    if threading.get_ident() not in sys._current_frames():
        raise ValueError(
            "time_limit needs threads of the operating system, and gevent (or eventlet) has "
            "replaced them: leave it out, and use gevent.Timeout in the handler"
        )


def _clear() -> None:
    """Replace an exception that is pending in this thread by another one, and catch that one.

    Withdrawing the pending exception would not be enough. Up to 3.12 Python's mark for a pending
    exception remains until an exception is raised. With this mark all code is slower, and in 3.11 a
    thread with a profiler hangs.
    """
    try:
        _raise_in(threading.get_ident(), _Cleared)
        while True:
            pass
    except _Cleared:
        pass


def called_for(limit: float, function: Callable[[Any], Any], value: Any) -> Any:
    """Call a function and return its result; after `limit` seconds raise `TimeLimitError` in it."""
    thread, lock = threading.get_ident(), threading.Lock()
    over = raised = False

    def end() -> None:
        nonlocal raised
        with lock:
            if not over:
                raised = _raise_in(thread, TimeLimitError)

    timer = threading.Timer(limit, end)
    timer.daemon = True
    timer.start()
    try:
        try:
            return function(value)
        finally:
            timer.cancel()
            with lock:
                over = True
            if raised:
                _clear()
    except TimeLimitError:
        raise TimeLimitError(f"the handler took more than {limit:g} s") from None

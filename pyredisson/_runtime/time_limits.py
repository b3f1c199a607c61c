"""Time limits of functions that run in threads: an exception is raised in the thread.

The rule: nothing of it is pending in the interpreter afterwards, however the function ends.
"""

from __future__ import annotations

import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any

from pyredisson.errors import TimeLimitError


class _Cleared(BaseException):
    """Takes the place of an exception that is no longer wanted."""


def _raise_in(thread: int, kind: type[BaseException]) -> bool:
    """Raise an exception in a thread; return whether there is the thread."""
    raised = ctypes.py_object(kind)
    found: int = ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)
    return found == 1


def require_time_limits() -> None:
    """Reject a time limit where threads are none of the operating system.

    Raises:
        ValueError: Python cannot raise an exception in this thread.
    """
    if threading.get_ident() not in sys._current_frames():
        raise ValueError(
            "time_limit needs threads of the operating system, and gevent (or eventlet) has "
            "replaced them: leave it out, and use gevent.Timeout in the handler"
        )


def _clear() -> None:
    """End what was raised in this thread and has not arrived, by another one that arrives.

    Up to 3.12 Python notes that something is pending until it has arrived, even if it was
    withdrawn, or was nothing: all code is slower from then on, and in 3.11 a thread with a profiler
    hangs.
    """
    try:
        _raise_in(threading.get_ident(), _Cleared)
        while True:
            pass
    except _Cleared:
        pass


def called_for(limit: float, function: Callable[[Any], Any], value: Any) -> Any:
    """Call a function; after `limit` seconds raise a `TimeLimitError` in it."""
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

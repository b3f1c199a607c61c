"""A unique number for each calling thread or task of this process; numbers are never reused."""

from __future__ import annotations

import asyncio
import itertools
import threading
from functools import partial
from weakref import WeakKeyDictionary

_numbers = itertools.count(1)
next_number = partial(next, _numbers)
"""Returns a number that no other call gets, and no thread or task of this process has."""
_of_tasks: WeakKeyDictionary[asyncio.Task[object], int] = WeakKeyDictionary()
_here = threading.local()


def caller_number_async() -> int:
    """Return the number of the calling task; it stays the same for the life of the task.

    Raises:
        RuntimeError: the caller is not a task.
    """
    task = asyncio.current_task()
    if task is None:
        raise RuntimeError("this needs a running task, such as one of asyncio.run()")
    number = _of_tasks.get(task)
    if number is None:
        number = _of_tasks[task] = next(_numbers)
    return number


def caller_number() -> int:
    """Return the number of the calling thread; it stays the same for the life of the thread."""
    try:
        number: int = _here.number
    except AttributeError:
        number = _here.number = next(_numbers)
    return number

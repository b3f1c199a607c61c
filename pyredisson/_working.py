"""The two worlds' differences where a user's function is run, as twin names; see `_compat`."""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import inspect
import logging
import queue
import signal
import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pyredisson.errors import TimeLimitError

T = TypeVar("T")
log = logging.getLogger("pyredisson")


async def call_async(function: Callable[[Any], Any], value: Any) -> None:
    """Call a user's function, which may be a coroutine function."""
    result = function(value)
    if inspect.isawaitable(result):
        await result


def call(function: Callable[[Any], Any], value: Any) -> None:
    """Call a user's function."""
    function(value)


class AsyncHandOver(Generic[T]):
    """What one task gives to whoever of others is free."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[T] = asyncio.Queue()

    def put(self, item: T) -> None:
        """Give one."""
        self._queue.put_nowait(item)

    async def get(self) -> T:
        """Wait for one."""
        return await self._queue.get()


class HandOver(Generic[T]):
    """What one thread gives to whoever of others is free."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[T] = queue.SimpleQueue()

    def put(self, item: T) -> None:
        """Give one."""
        self._queue.put(item)

    def get(self) -> T:
        """Wait for one."""
        return self._queue.get()


async def limited_async(function: Callable[[Any], Any], value: Any, limit: float | None) -> None:
    """Call a user's function; after a while it is cancelled where it awaits.

    Raises:
        TimeLimitError: it was.
    """
    try:
        async with asyncio.timeout(limit) as scope:
            await call_async(function, value)
    except TimeoutError:
        if not scope.expired():
            raise
        raise TimeLimitError(f"the handler took more than {limit:g} s") from None


def limited(function: Callable[[Any], Any], value: Any, limit: float | None) -> None:
    """Call a user's function; after a while an exception is raised in it, between two steps.

    What waits in a system call meanwhile is not ended.

    Raises:
        TimeLimitError: the function was ended by it.
    """
    if limit is None:
        function(value)
        return
    raised = ctypes.pythonapi.PyThreadState_SetAsyncExc
    thread, lock, over = ctypes.c_ulong(threading.get_ident()), threading.Lock(), False

    def end() -> None:
        with lock:
            if not over:
                raised(thread, ctypes.py_object(TimeLimitError))

    timer = threading.Timer(limit, end)
    timer.daemon = True
    timer.start()
    try:
        try:
            function(value)
        finally:
            timer.cancel()
            with lock:
                over = True
                raised(thread, None)
    except TimeLimitError:
        raise TimeLimitError(f"the handler took more than {limit:g} s") from None


class AsyncSignals:
    """Calls a function at SIGTERM and SIGINT, where this loop may hear them."""

    _NAMES = (signal.SIGTERM, signal.SIGINT)

    def __init__(self, heard: Callable[[], None]) -> None:
        self._heard = heard
        self._before: dict[signal.Signals, Any] = {}

    async def __aenter__(self) -> None:
        """Begin to listen."""
        if threading.current_thread() is threading.main_thread():
            loop = asyncio.get_running_loop()
            for name in self._NAMES:
                with contextlib.suppress(NotImplementedError):  # Windows
                    self._before[name] = signal.getsignal(name)
                    loop.add_signal_handler(name, self._heard)

    async def __aexit__(self, *_: object) -> None:
        """End."""
        for name, before in self._before.items():
            asyncio.get_running_loop().remove_signal_handler(name)
            signal.signal(name, before)


class Signals:
    """Calls a function at SIGTERM and SIGINT, in the main thread."""

    def __init__(self, heard: Callable[[], None]) -> None:
        self._heard = heard
        self._before: dict[int, Any] = {}

    def __enter__(self) -> None:
        """Begin to listen."""
        if threading.current_thread() is threading.main_thread():
            for name in (signal.SIGTERM, signal.SIGINT):
                self._before[name] = signal.signal(name, lambda *_: self._heard())

    def __exit__(self, *_: object) -> None:
        """End."""
        for name, before in self._before.items():
            signal.signal(name, before)


class Telling:
    """Calls a user's hooks; what one raises is said once, and goes no further."""

    def __init__(self, hooks: object) -> None:
        self._hooks = hooks
        self._raised: set[str] = set()

    def __call__(self, name: str, *facts: Any) -> None:
        """Call a hook."""
        try:
            if getattr(self._hooks, name)(*facts) is not None:
                raise TypeError("a hook is a plain function that returns nothing")
        except Exception:
            if name not in self._raised:
                self._raised.add(name)
                log.warning("the hook %s raises; it is said this once", name, exc_info=True)

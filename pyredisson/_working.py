"""The two worlds' differences where a user's function is run, as twin names; see `_compat`."""

from __future__ import annotations

import asyncio
import ctypes
import inspect
import logging
import queue
import signal
import threading
from collections.abc import Callable
from functools import partial
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


_NAMES = (signal.SIGTERM, signal.SIGINT)


class _Listeners:
    """Those who hear SIGTERM and SIGINT: the handlers are there from the first until the last."""

    def __init__(self) -> None:
        self._heard: list[Callable[[], object]] = []
        self._before: list[Any] = []

    def add(self, heard: Callable[[], object]) -> bool:
        """Call somebody from now on; False outside of the main thread, where none is heard."""
        if threading.current_thread() is not threading.main_thread():
            return False
        if not self._heard:
            self._before = [signal.signal(name, self._call) for name in _NAMES]
        self._heard.append(heard)
        return True

    def remove(self, heard: Callable[[], object]) -> None:
        """Call somebody no more."""
        self._heard.remove(heard)
        if not self._heard:
            for name, before in zip(_NAMES, self._before, strict=True):
                signal.signal(name, before or signal.SIG_DFL)

    def _call(self, *_: object) -> None:
        for heard in tuple(self._heard):
            heard()


_listeners = _Listeners()


class AsyncSignals:
    """Calls a function at SIGTERM and SIGINT, in a loop of the main thread."""

    def __init__(self, heard: Callable[[], None]) -> None:
        self._heard = heard
        self._told: Callable[[], object] | None = None

    async def __aenter__(self) -> None:
        """Begin to listen."""
        told = partial(asyncio.get_running_loop().call_soon_threadsafe, self._heard)
        if _listeners.add(told):
            self._told = told

    async def __aexit__(self, *_: object) -> None:
        """End."""
        if self._told is not None:
            _listeners.remove(self._told)


class Signals:
    """Calls a function at SIGTERM and SIGINT, in the main thread."""

    def __init__(self, heard: Callable[[], None]) -> None:
        self._heard = heard
        self._listens = False

    def __enter__(self) -> None:
        """Begin to listen."""
        self._listens = _listeners.add(self._heard)

    def __exit__(self, *_: object) -> None:
        """End."""
        if self._listens:
            _listeners.remove(self._heard)


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

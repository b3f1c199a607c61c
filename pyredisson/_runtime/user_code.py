"""How a user's function is called, in the sync and the async variant."""

from __future__ import annotations

import asyncio
import ctypes
import inspect
import logging
import os
import queue
import signal
import threading
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson.errors import TimeLimitError
from pyredisson.protocol.kernel.log_fields import about

T = TypeVar("T")
log = logging.getLogger("pyredisson")


def require_function_async(function: object, what: str) -> None:
    """Refuse what cannot be called, or what a call would not run.

    Raises:
        TypeError: what it is, and what to give instead.
    """
    if not callable(function):
        raise TypeError(f"the {what} must be a function, not {function!r}")
    if _is(function, inspect.isgeneratorfunction) or _is(function, inspect.isasyncgenfunction):
        raise TypeError(f"the {what} {function!r} has a yield, so a call runs nothing of it")


def require_function(function: object, what: str) -> None:
    """Refuse what cannot be called, or what a call would not run.

    Raises:
        TypeError: what it is, and what to give instead.
    """
    require_function_async(function, what)
    if awaits(function):
        raise TypeError(
            f"the {what} {function!r} is a coroutine function; "
            "AsyncWorker and AsyncRedisson await such, here give a plain one"
        )


def awaits(function: object) -> bool:
    """Tell whether a function is a coroutine function."""
    return _is(function, inspect.iscoroutinefunction)


def _is(function: object, kind: Callable[[Any], bool]) -> bool:
    return kind(function) or kind(inspect.getattr_static(type(function), "__call__", None))


async def call_async(function: Callable[[Any], Any], value: Any) -> None:
    """Call a user's function, which may be a coroutine function.

    Raises:
        RuntimeError: what it awaits was cancelled, and not this task.
    """
    task = asyncio.current_task()
    try:
        result = function(value)
        if inspect.isawaitable(result):
            await result
            return
    except asyncio.CancelledError as error:
        if task is not None and task.cancelling():
            raise
        raise _failure(error) from error
    require_run(result)


def call(function: Callable[[Any], Any], value: Any) -> None:
    """Call a user's function."""
    require_run(function(value))


def require_run(result: object) -> None:
    """Refuse what a function returned that did nothing yet."""
    if inspect.isawaitable(result) or inspect.isgenerator(result) or inspect.isasyncgen(result):
        if inspect.iscoroutine(result):
            result.close()  # it is said here that nobody awaits it
        raise TypeError(f"the handler returned {result!r}, of which nothing has run")


def _failure(error: BaseException) -> RuntimeError:
    """Return what stands for an error that would end more than the handler."""
    return RuntimeError(f"the handler raised {error!r}")


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
        RuntimeError: it raised what would end the loop, or was cancelled by somebody else.
    """
    try:
        async with asyncio.timeout(limit) as scope:
            await call_async(function, value)
    except TimeoutError:
        if not scope.expired():
            raise
        raise TimeLimitError(f"the handler took more than {limit:g} s") from None
    except (SystemExit, KeyboardInterrupt) as error:
        raise _failure(error) from error


def limited(function: Callable[[Any], Any], value: Any, limit: float | None) -> None:
    """Call a user's function, which has run when it returns; see `returned`."""
    require_run(returned(function, value, limit))


def returned(function: Callable[[Any], Any], value: Any, limit: float | None) -> Any:
    """Call a user's function; after a while an exception is raised in it, between two steps.

    What waits in a system call meanwhile is not ended.

    Raises:
        TimeLimitError: the function was ended by it.
        RuntimeError: it raised what would end the thread.
    """
    try:
        return function(value) if limit is None else _call_for(limit, function, value)
    except Exception:
        raise
    except BaseException as error:
        raise _failure(error) from error


def _call_for(limit: float, function: Callable[[Any], Any], value: Any) -> Any:
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
            return function(value)
        finally:
            timer.cancel()
            with lock:
                over = True
                raised(thread, None)
    except TimeLimitError:
        raise TimeLimitError(f"the handler took more than {limit:g} s") from None


_NAMES = (signal.SIGTERM, signal.SIGINT)


class _Listeners:
    """Those who hear SIGTERM and SIGINT: the handlers are there from the first until the last.

    A loop may be a web server's, which has handlers of its own and ends by them: these are called
    as well.
    """

    def __init__(self) -> None:
        self._heard: list[Callable[[], object]] = []
        self._before: dict[int, Any] = {}
        self._passes_on = False

    def add(self, heard: Callable[[], object], *, passes_on: bool) -> bool:
        """Call somebody from now on; False outside of the main thread, where none is heard."""
        if threading.current_thread() is not threading.main_thread():
            return False
        if not self._heard:
            self._before = {name: signal.signal(name, self._call) for name in _NAMES}
            self._passes_on = passes_on
        self._heard.append(heard)
        return True

    def remove(self, heard: Callable[[], object]) -> None:
        """Call somebody no more."""
        self._heard.remove(heard)
        if not self._heard:
            for name, before in self._before.items():
                if signal.getsignal(name) == self._call:
                    signal.signal(name, before or signal.SIG_DFL)

    def _call(self, number: int, frame: object) -> None:
        for heard in tuple(self._heard):
            heard()
        before, passes_on = self._before.get(number), self._passes_on
        if passes_on and callable(before) and _is_server(before):
            self._passes_on = False  # it may call us in turn
            try:
                before(number, frame)
            finally:
                self._passes_on = True


def _is_server(handler: Any) -> bool:
    """Whether it is more than Python's own, which would raise or cancel what runs."""
    owner = getattr(getattr(handler, "func", None), "__self__", None)
    return handler is not signal.default_int_handler and not isinstance(owner, asyncio.Runner)


_listeners = _Listeners()


class AsyncSignals:
    """Calls a function at SIGTERM and SIGINT, in a loop of the main thread."""

    def __init__(self, heard: Callable[[], None]) -> None:
        self._heard = heard
        self._told: Callable[[], object] | None = None

    async def __aenter__(self) -> None:
        """Begin to listen."""
        told = partial(asyncio.get_running_loop().call_soon_threadsafe, self._heard)
        if _listeners.add(told, passes_on=True):
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
        self._listens = _listeners.add(self._heard, passes_on=False)

    def __exit__(self, *_: object) -> None:
        """End."""
        if self._listens:
            _listeners.remove(self._heard)


def end_process(_error: Exception) -> None:
    """Let this process end as it does at SIGTERM."""
    if os.name == "nt":  # there `kill` is no signal
        signal.raise_signal(signal.SIGTERM)
    else:
        os.kill(os.getpid(), signal.SIGTERM)  # wakes the main thread wherever it waits


class HookDispatcher:
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
                extra = about(facts[0])
                log.warning(
                    "the hook %s raises; it is said this once", name, exc_info=True, extra=extra
                )

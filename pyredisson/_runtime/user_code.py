"""How a user's function is called, in the sync and the async variant."""

from __future__ import annotations

import asyncio
import inspect
import logging
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson._support.error_text import END_OF_PROGRAM, text_of
from pyredisson.errors import TimeLimitError
from pyredisson.protocol.kernel.log_fields import about

T = TypeVar("T")
log = logging.getLogger("pyredisson")


def require_function_async(function: object, what: str) -> None:
    """Reject an object that cannot be called, and generator functions.

    Args:
        function: the user's object.
        what: its purpose, for the error's text.

    Raises:
        TypeError: it is rejected.
    """
    if not callable(function):
        raise TypeError(f"the {what} must be a function, not {function!r}")
    if _is(function, inspect.isgeneratorfunction) or _is(function, inspect.isasyncgenfunction):
        raise TypeError(
            f"the {what} {function!r} is a generator function, so a call runs nothing of it; "
            "pass a function without yield"
        )


def require_function(function: object, what: str) -> None:
    """Reject an object that cannot be called, generator functions, and coroutine functions.

    Raises:
        TypeError: it is rejected.
    """
    require_function_async(function, what)
    if awaits(function):
        raise TypeError(
            f"the {what} {function!r} is a coroutine function; "
            "pass a plain function here, or use AsyncRedisson and AsyncWorker, which await it"
        )


def awaits(function: object) -> bool:
    """Return whether `function`, or its `__call__`, is a coroutine function."""
    return _is(function, inspect.iscoroutinefunction)


def _is(function: object, kind: Callable[[Any], bool]) -> bool:
    return kind(function) or kind(inspect.getattr_static(type(function), "__call__", None))


async def call_async(function: Callable[[Any], Any], value: Any) -> None:
    """Call a user's function, which may be a coroutine function, and reject an unused generator.

    Each `Exception` of the function, KeyboardInterrupt and GeneratorExit are raised unchanged.

    Raises:
        RuntimeError: the function raised another exception, such as SystemExit. Or an awaitable in
            it was cancelled, and the calling task was not.
        TypeError: as for `require_run`.
    """
    task = asyncio.current_task()
    try:
        result = function(value)
        if inspect.isawaitable(result):
            await result
            return
    except (Exception, *END_OF_PROGRAM):
        raise
    except BaseException as error:
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise
        raise _failure(error) from error
    require_run(result)


def call(function: Callable[[Any], Any], value: Any) -> None:
    """Call a user's function; raise the errors of `limited`."""
    limited(function, value, None)


async def result_async(function: Callable[..., Any], *args: Any) -> Any:
    """Call a user's function, which may be a coroutine function, and return its result."""
    result = function(*args)
    return await result if inspect.isawaitable(result) else result


def result(function: Callable[..., Any], *args: Any) -> Any:
    """Call a user's function and return its result."""
    return function(*args)


def require_run(result: object) -> None:
    """Reject a handler's result that has not run: an awaitable or a generator.

    Raises:
        TypeError: the result is one of these.
    """
    if inspect.isawaitable(result) or inspect.isgenerator(result) or inspect.isasyncgen(result):
        if inspect.iscoroutine(result):
            result.close()  # otherwise Python warns, too, that nothing has awaited it
        raise TypeError(
            f"the handler returned {result!r}, of which nothing has run; run it in the handler"
        )


def _failure(error: BaseException) -> RuntimeError:
    """Return the error that replaces an exception that would end more than the handler."""
    return RuntimeError(f"the handler raised {text_of(error, repr)}")


class AsyncHandOver(Generic[T]):
    """A queue from one task to the first of several others that is free."""

    def __init__(self) -> None:
        self._queue: asyncio.Queue[T] = asyncio.Queue()

    def put(self, item: T) -> None:
        """Add an item."""
        self._queue.put_nowait(item)

    async def get(self) -> T:
        """Wait for an item and remove it."""
        return await self._queue.get()


class HandOver(Generic[T]):
    """A queue from one thread to the first of several others that is free."""

    def __init__(self) -> None:
        self._queue: queue.SimpleQueue[T] = queue.SimpleQueue()

    def put(self, item: T) -> None:
        """Add an item."""
        self._queue.put(item)

    def get(self) -> T:
        """Wait for an item and remove it."""
        return self._queue.get()


async def limited_async(function: Callable[[Any], Any], value: Any, limit: float | None) -> None:
    """Call a user's function; after `limit` seconds, if not None, cancel it where it awaits.

    Raises:
        TimeLimitError: the function exceeded the limit.
        RuntimeError: as for `call_async`; or it raised `KeyboardInterrupt`.
    """
    try:
        async with asyncio.timeout(limit) as scope:
            await call_async(function, value)
    except TimeoutError:
        if not scope.expired():
            raise
        raise TimeLimitError(f"the handler took more than {limit:g} s") from None
    except KeyboardInterrupt as error:
        raise _failure(error) from error


def limited(function: Callable[[Any], Any], value: Any, limit: float | None) -> None:
    """Call a user's function and reject a result that has not run; see `returned`."""
    require_run(returned(function, value, limit))


def returned(function: Callable[[Any], Any], value: Any, limit: float | None) -> Any:
    """Call a user's function and return its result; end it after `limit` seconds, if not None.

    An exception ends the function at its next Python instruction. A system call that blocks is not
    interrupted.

    Raises:
        TimeLimitError: the function exceeded the limit.
        RuntimeError: the function raised an exception that is no `Exception`, such as SystemExit.
    """
    try:
        if limit is None:
            return function(value)
        from pyredisson._runtime.time_limits import called_for  # noqa: PLC0415 - seldom

        return called_for(limit, function, value)
    except Exception:
        raise
    except BaseException as error:
        raise _failure(error) from error


_NAMES = (signal.SIGTERM, signal.SIGINT)


class _Listeners:
    """Functions to call at SIGTERM and SIGINT; the handlers are installed while it has any.

    With `chained`, the earlier handlers are called as well: the loop may be that of a web server,
    whose own handlers stop it. The first function decides about `chained`.
    """

    def __init__(self) -> None:
        self._functions: list[Callable[[], object]] = []
        self._before: dict[int, Any] = {}
        self._chained = False

    def add(self, function: Callable[[], object], *, chained: bool) -> bool:
        """Add a function; return False outside of the main thread, where no handler can be set."""
        if threading.current_thread() is not threading.main_thread():
            return False
        if not self._functions:
            self._before = {name: signal.signal(name, self._call) for name in _NAMES}
            self._chained = chained
        self._functions.append(function)
        return True

    def remove(self, function: Callable[[], object]) -> None:
        """Remove a function. After the last one, restore the earlier handlers."""
        self._functions.remove(function)
        if not self._functions:
            for name, before in self._before.items():
                if signal.getsignal(name) == self._call:
                    signal.signal(name, before or signal.SIG_DFL)

    def _call(self, number: int, frame: object) -> None:
        for function in tuple(self._functions):
            function()
        before, chained = self._before.get(number), self._chained
        if chained and callable(before) and _is_server(before):
            self._chained = False  # `before` may call this method in turn
            try:
                before(number, frame)
            finally:
                self._chained = True


def _is_server(handler: Any) -> bool:
    """Return whether a handler is not Python's own, which raises an error or cancels a task."""
    owner = getattr(getattr(handler, "func", None), "__self__", None)
    return handler is not signal.default_int_handler and not isinstance(owner, asyncio.Runner)


_listeners = _Listeners()


class AsyncSignals:
    """Calls a function at SIGTERM and SIGINT in the event loop; not outside of the main thread."""

    def __init__(self, function: Callable[[], None]) -> None:
        self._functions = function
        self._registered: Callable[[], object] | None = None

    async def __aenter__(self) -> None:
        """Install the handlers."""
        function = partial(asyncio.get_running_loop().call_soon_threadsafe, self._functions)
        if _listeners.add(function, chained=True):
            self._registered = function

    async def __aexit__(self, *_: object) -> None:
        """Restore the handlers."""
        if self._registered is not None:
            _listeners.remove(self._registered)


class Signals:
    """Calls a function at SIGTERM and SIGINT; does nothing outside of the main thread."""

    def __init__(self, function: Callable[[], None]) -> None:
        self._functions = function
        self._listens = False

    def __enter__(self) -> None:
        """Install the handlers."""
        self._listens = _listeners.add(self._functions, chained=False)

    def __exit__(self, *_: object) -> None:
        """Restore the handlers."""
        if self._listens:
            _listeners.remove(self._functions)


def end_process(_error: Exception) -> None:
    """Send SIGTERM to this process."""
    if os.name == "nt":  # Windows: `os.kill` would end the process without a signal
        signal.raise_signal(signal.SIGTERM)
    else:
        os.kill(os.getpid(), signal.SIGTERM)  # also interrupts the main thread in a system call


class HookDispatcher:
    """Calls a user's hooks; the first error of each hook is logged, and only Ctrl-C is raised."""

    def __init__(self, hooks: Any) -> None:
        self._hooks = hooks
        self._raised: set[str] = set()

    def __call__(self, name: str, *facts: Any) -> None:
        """Call a hook."""
        try:
            if getattr(self._hooks, name)(*facts) is not None:
                raise TypeError(f"the hook {name} must be a plain function that returns None")
        except END_OF_PROGRAM:
            raise
        except BaseException:
            self._log(name, facts[0])

    def _log(self, name: str, queue: Any) -> None:
        if name not in self._raised:
            self._raised.add(name)
            log.warning(
                "the hook %s raised; its further errors are not logged",
                name,
                exc_info=True,
                extra=about(queue),
            )

    @contextmanager
    def offering(self, queue: str, count: int) -> Iterator[bytes | None]:
        """Run the body in the context manager that the hook `offering` returns, if any.

        Yield the value of this context manager: the bytes to store with the items, or None.
        """
        around, carried = ExitStack(), None
        try:
            if (found := self._hooks.offering(queue, count)) is not None:
                carried = around.enter_context(found)
        except END_OF_PROGRAM:
            raise
        except BaseException:
            self._log("offering", queue)
        try:
            yield carried
        except BaseException as error:
            self._leave(around, queue, error)
            raise
        self._leave(around, queue, None)

    def _leave(self, around: ExitStack, queue: str, error: BaseException | None) -> None:
        try:
            around.__exit__(type(error) if error else None, error, None)
        except BaseException as raised:
            if raised is not error:
                self._log("offering", queue)

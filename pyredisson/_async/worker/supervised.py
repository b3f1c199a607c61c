"""Starts and stops a worker inside another program, such as a web server; reports its errors.

The rule: an error that ends a worker is never hidden. By default, the error also ends the process.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

from pyredisson._runtime.concurrency import AsyncTask
from pyredisson._runtime.user_code import end_process
from pyredisson._support.error_text import END_OF_PROGRAM

log = logging.getLogger("pyredisson")


class AsyncRuns(Protocol):
    """An object that runs until it is stopped, such as a worker."""

    async def run(self) -> object:
        """Work until `stop`."""

    def stop(self) -> None:
        """Make `run` finish the work that has started, and return."""


R = TypeVar("R", bound=AsyncRuns)


class AsyncSupervised(Generic[R]):
    """Runs a worker while the body of an `async with` runs; `AsyncWorker.running` makes it."""

    def __init__(
        self, worker: R, seconds: float, on_error: Callable[[Exception], Any] | None
    ) -> None:
        self._worker = worker
        self._seconds = seconds
        self._on_error = on_error
        self._error: Exception | None = None
        self._leaving = False

    async def __aenter__(self) -> R:
        """Start the worker."""
        self._task = AsyncTask(self._run, name="pyredisson worker beside")
        return self._worker

    async def _run(self) -> None:
        try:
            await self._worker.run()
        except Exception as error:
            self._error = error
            if not self._leaving:
                self._emit(error)

    def _emit(self, error: Exception) -> None:
        try:
            (self._on_error or end_process)(error)
        except END_OF_PROGRAM:
            raise
        except BaseException:
            log.exception("on_error of %r raised", self._worker)

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        """Stop the worker and wait; raise the error that ended it, unless the body raised one."""
        self._leaving = True
        self._worker.stop()
        try:
            await self._task.stop(self._seconds)
        except BaseException:  # the caller is interrupted, so end the worker now
            await self._task.stop(0.0, None)
            raise
        if self._error is not None and error is None:
            raise self._error

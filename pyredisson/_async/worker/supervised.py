"""A worker beside something else, such as a web server: it begins, ends and is watched.

The rule: a worker that has ended by an error is not overlooked; by default its process ends, too.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyredisson._runtime.concurrency import AsyncTask
from pyredisson._runtime.user_code import end_process

if TYPE_CHECKING:
    from pyredisson._async.worker.worker import AsyncWorker

log = logging.getLogger("pyredisson")


class AsyncSupervised:
    """Runs a worker while the body of an `async with` runs; `AsyncWorker.running` makes it."""

    def __init__(
        self, worker: AsyncWorker, seconds: float, on_error: Callable[[Exception], Any] | None
    ) -> None:
        self._worker = worker
        self._seconds = seconds
        self._on_error = on_error
        self._error: Exception | None = None
        self._leaving = False

    async def __aenter__(self) -> AsyncWorker:
        """Begin to work."""
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
        except Exception:
            log.exception("on_error of %r raises", self._worker)

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        """Stop as `stop` does, and wait for the end; then raise what has ended the worker."""
        self._leaving = True
        self._worker.stop()
        try:
            await self._task.stop(self._seconds)
        except BaseException:  # whoever waits for the end is interrupted, and so is the worker
            await self._task.stop(0.0)
            raise
        if self._error is not None and error is None:
            raise self._error

"""Tasks that run at the same time, one for each server.

The rule: `put` runs the work for one server in order, and work for one server never waits for work
for another server.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._runtime.concurrency import AsyncEvent, AsyncTask, StateLock, monotonic
from pyredisson.errors import ClosedError

log = logging.getLogger("pyredisson")

_IDLE = 10.0
"""Seconds without work after which the task of a server ends."""


class AsyncPerServer:
    """Runs work in one task for each server.

    Args:
        life: starts the tasks.
        name: the name of the tasks.
    """

    def __init__(self, life: AsyncLifetime, name: str) -> None:
        self._life = life
        self._name = name
        self._lock = StateLock()
        self._queues: dict[Hashable, _WorkQueue] = {}
        self._alone: set[AsyncTask] = set()
        self._ended = False

    def put(self, place: Hashable, work: Callable[[], Any]) -> None:
        """Run `work` soon, after earlier work for the same server."""
        with self._lock.held:
            queue = self._queues.get(place)
            if queue is None or not queue.task.alive:
                queue = self._queues[place] = _WorkQueue()
                queue.task = self._life.begin(partial(self._run, place, queue), self._name)
            queue.works.append(work)
        queue.changed.set()

    def idle(self, place: Hashable) -> bool:
        """Return whether there is no work for a server."""
        queue = self._queues.get(place)
        return queue is None or not (queue.works or queue.busy)

    async def within(self, seconds: float, work: Callable[[], Any]) -> None:
        """Run `work` in a task of its own, and wait for its end, but only `seconds`.

        After that time the work continues. Work of `put` may run at the same time.
        """
        done = AsyncEvent()
        task = self._life.begin(partial(self._run_work, work, done), self._name)
        self._alone.add(task)
        await done.wait(seconds)
        self._alone -= {each for each in tuple(self._alone) if not each.alive}

    async def stop(self, seconds: float) -> None:
        """Wait up to `seconds` until all work is done; then cancel tasks (threads continue)."""
        deadline = monotonic() + seconds
        with self._lock.held:
            self._ended = True
            queues = list(self._queues.values())
        for queue in queues:
            queue.changed.set()
        for task in (*tuple(self._alone), *(queue.task for queue in queues)):
            await task.stop(max(deadline - monotonic(), 0.0))

    async def _run(self, place: Hashable, queue: _WorkQueue) -> None:
        until = monotonic() + _IDLE
        while True:
            with self._lock.held:
                work = queue.works.popleft() if queue.works else None
                queue.busy = work is not None
                if work is None and (self._ended or monotonic() >= until):
                    if self._queues.get(place) is queue:
                        del self._queues[place]
                    return
            if work is None:
                await self._life.pause(until - monotonic(), queue.changed)
            else:
                await self._run_work(work)
                until = monotonic() + _IDLE

    async def _run_work(self, work: Callable[[], Any], done: AsyncEvent | None = None) -> None:
        try:
            await work()
        except ClosedError:
            pass  # the client was closed
        except Exception:
            log.exception("%s failed", self._name)
        finally:
            if done is not None:
                done.set()


class _WorkQueue:
    """The work for one server."""

    task: AsyncTask

    def __init__(self) -> None:
        self.works: deque[Callable[[], Any]] = deque()
        self.busy = False
        self.changed = AsyncEvent()

"""Work for several servers, side by side.

The rule: what is for one server is done in turn, and none waits for what is for another.
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


class AsyncBeside:
    """Does work in a task for each server that has any.

    Args:
        life: the client's.
        name: of the tasks.
    """

    def __init__(self, life: AsyncLifetime, name: str) -> None:
        self._life = life
        self._name = name
        self._lock = StateLock()
        self._lanes: dict[Hashable, _Lane] = {}
        self._alone: set[AsyncTask] = set()
        self._ended = False

    def put(self, place: Hashable, work: Callable[[], Any]) -> None:
        """Do something soon, after what is to be done for the same server."""
        with self._lock.held:
            lane = self._lanes.get(place)
            if lane is None or not lane.task.alive:
                lane = self._lanes[place] = _Lane()
                lane.task = self._life.begin(partial(self._run, place, lane), self._name)
            lane.works.append(work)
        lane.news.set()

    def idle(self, place: Hashable) -> bool:
        """Tell whether there is nothing to do for a server."""
        lane = self._lanes.get(place)
        return lane is None or not (lane.works or lane.busy)

    async def within(self, seconds: float, work: Callable[[], Any]) -> None:
        """Do something now, and return when it is done, or takes longer; then it goes on."""
        done = AsyncEvent()
        task = self._life.begin(partial(self._done, work, done), self._name)
        self._alone.add(task)
        await done.wait(seconds)
        self._alone -= {each for each in tuple(self._alone) if not each.alive}

    async def stop(self, seconds: float) -> None:
        """Wait until all is done, but not longer than that."""
        deadline = monotonic() + seconds
        with self._lock.held:
            self._ended = True
            lanes = list(self._lanes.values())
        for lane in lanes:
            lane.news.set()
        for task in (*tuple(self._alone), *(lane.task for lane in lanes)):
            await task.stop(max(deadline - monotonic(), 0.0))

    async def _run(self, place: Hashable, lane: _Lane) -> None:
        rested = False
        while True:
            with self._lock.held:
                work = lane.works.popleft() if lane.works else None
                lane.busy = work is not None
                if work is None and (rested or self._ended):
                    if self._lanes.get(place) is lane:
                        del self._lanes[place]
                    return
            rested = work is None
            await (self._life.pause(_IDLE, lane.news) if work is None else self._done(work))

    async def _done(self, work: Callable[[], Any], done: AsyncEvent | None = None) -> None:
        try:
            await work()
        except ClosedError:
            pass  # with its client
        except Exception:
            log.exception("%s could not go on", self._name)
        finally:
            if done is not None:
                done.set()


class _Lane:
    """What is to be done for one server."""

    task: AsyncTask

    def __init__(self) -> None:
        self.works: deque[Callable[[], Any]] = deque()
        self.busy = False
        self.news = AsyncEvent()

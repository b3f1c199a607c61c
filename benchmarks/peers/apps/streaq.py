"""streaQ: the worker polls each 0.5 s, and has no setting for that.

Documented in "Task: Enqueuing tasks" and "Worker" (concurrency).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from streaq import Worker

from benchmarks.peers.apps import side


async def _received(number: int) -> None:
    side.received(number)


worker: Any = Worker(redis_url=side.URL)
task = worker.task()(_received)


async def _offer(number: int, due: float) -> object:
    return await task.enqueue(number).start(schedule=side.moment(due))


@asynccontextmanager
async def producer() -> AsyncIterator[Callable[[int, float], Awaitable[object]]]:
    """Offer with `enqueue().start(schedule=...)`."""
    async with worker:
        yield _offer

"""arq: the worker polls for due tasks each `poll_delay`, 0.5 s.

Documented in "arq: Deferring jobs" and "Reference: arq.worker.Worker" (poll_delay, max_jobs).
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from arq import create_pool
from arq.connections import RedisSettings

from benchmarks.peers.apps import side


async def received(_context: dict[str, Any], number: int) -> None:
    """Be the task."""
    side.received(number)


class Defaults:
    """The worker with its defaults."""

    functions = (received,)
    redis_settings: Any = RedisSettings.from_dsn(side.URL)


class Polling:
    """The worker that polls more often."""

    functions = (received,)
    redis_settings = Defaults.redis_settings
    poll_delay = 0.005
    max_jobs = 100


@asynccontextmanager
async def producer() -> AsyncIterator[Callable[[int, float], Awaitable[object]]]:
    """Offer with `enqueue_job(_defer_until=...)`."""
    pool: Any = await create_pool(Defaults.redis_settings)
    try:
        yield lambda number, due: pool.enqueue_job(
            "received", number, _defer_until=side.moment(due)
        )
    finally:
        await pool.aclose()

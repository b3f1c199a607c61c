"""Taskiq: a scheduler process reads the schedules each minute and polls for due tasks each second.

Documented in "Scheduling tasks: Dynamic scheduling" and "CLI: Scheduler" (--update-interval,
--loop-interval, whole seconds); the broker and the source are those that taskiq-redis advises.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from taskiq import TaskiqScheduler
from taskiq_redis import ListRedisScheduleSource, RedisStreamBroker

from benchmarks.peers.apps import side

broker: Any = RedisStreamBroker(url=side.URL)
source: Any = ListRedisScheduleSource(side.URL)
scheduler: Any = TaskiqScheduler(broker, [source])


async def _received(number: int) -> None:
    side.received(number)


task = broker.task(_received)


@asynccontextmanager
async def producer() -> AsyncIterator[Callable[[int, float], Awaitable[object]]]:
    """Offer with `schedule_by_time`."""
    await broker.startup()
    await source.startup()
    try:
        yield lambda number, due: task.schedule_by_time(source, side.moment(due), number)
    finally:
        await source.shutdown()
        await broker.shutdown()

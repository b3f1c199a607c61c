"""SAQ: times are whole seconds, and the worker polls each second.

Documented in "Getting Started" (`scheduled`) and "Worker" (concurrency, timers).
"""

from __future__ import annotations

import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

from saq import Queue

from benchmarks.peers.apps import side

queue: Any = Queue.from_url(side.URL)


async def received(_context: Any, *, number: int) -> None:
    """Be the task."""
    side.received(number)


settings = {"queue": queue, "functions": [received]}
concurrent = {**settings, "concurrency": 100}


@asynccontextmanager
async def producer() -> AsyncIterator[Callable[[int, float], Awaitable[object]]]:
    """Offer with `enqueue(scheduled=...)`, the next whole second."""
    await queue.connect()
    try:
        yield lambda number, due: queue.enqueue("received", number=number, scheduled=math.ceil(due))
    finally:
        await queue.disconnect()

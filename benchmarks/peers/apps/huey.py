"""Huey: the scheduler polls each second, and not more often.

Documented in "Guide: Scheduling tasks" and "Consuming Tasks: Options for the consumer".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from huey import RedisHuey

from benchmarks.peers.apps import side

queue: Any = RedisHuey("peers", url=side.URL)
task = queue.task()(side.received)


@contextmanager
def producer() -> Iterator[Callable[[int, float], object]]:
    """Offer with `schedule(eta=...)`."""
    yield lambda number, due: task.schedule((number,), eta=side.moment(due))

"""RQ: the scheduler, a process beside the worker, polls each second; times are whole seconds.

Documented in "Scheduling Jobs" and, for the worker without fork, "Workers: SimpleWorker".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from redis import Redis
from rq import Queue

from benchmarks.peers.apps import side

queue: Any = Queue(connection=Redis.from_url(side.URL))


@contextmanager
def producer() -> Iterator[Callable[[int, float], object]]:
    """Offer with `enqueue_at`."""
    yield lambda number, due: queue.enqueue_at(side.moment(due), side.received, number)

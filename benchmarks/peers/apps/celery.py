"""Celery: the task goes to a worker at once, which keeps it in memory until its ETA.

Documented in "Calling Tasks: ETA and Countdown" and, for the pools, "Concurrency".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from celery import Celery

from benchmarks.peers.apps import side

app: Any = Celery("peers", broker=side.URL)
task = app.task(side.received)


@contextmanager
def producer() -> Iterator[Callable[[int, float], object]]:
    """Offer with `apply_async(eta=...)`."""
    yield lambda number, due: task.apply_async((number,), eta=side.moment(due))

"""Dramatiq: delayed tasks go to the workers' memory by a queue of their own, polled like any.

Documented in "User Guide: Scheduling Messages" and "Advanced Topics: Environment Variables"
(dramatiq_worker_timeout).
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import dramatiq
from dramatiq.brokers.redis import RedisBroker

from benchmarks.peers.apps import side

broker: Any = RedisBroker(url=side.URL)
dramatiq.set_broker(broker)
actor: Any = dramatiq.actor(side.received)


def _offer(number: int, due: float) -> object:
    delay = max(math.ceil((due - time.time()) * 1000), 0)
    return actor.send_with_options(args=(number,), delay=delay)


@contextmanager
def producer() -> Iterator[Callable[[int, float], object]]:
    """Offer with `send_with_options(delay=...)`, in milliseconds."""
    yield _offer

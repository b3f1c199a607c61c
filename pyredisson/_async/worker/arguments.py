"""What a worker is given, looked at before it begins.

The rule: what is wrong is refused with its name and its value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from pyredisson._async.client import AsyncRedisson
from pyredisson._runtime.handler_calls import AsyncCaller, thread_count_async
from pyredisson.protocol.kernel.due import Seconds, positive
from pyredisson.protocol.worker.outcome import Backoff


def require_client(redisson: Any, worker: str) -> None:
    """Refuse the other world's client, and what is none."""
    if not isinstance(redisson, AsyncRedisson):
        raise TypeError(f"{worker} works with {AsyncRedisson.__name__}, not with {redisson!r}")


def listed(queue: Any) -> list[Any]:
    """Return what a worker was given, one or several; a str is refused as one."""
    single = isinstance(queue, str) or not isinstance(queue, Sequence)
    queues = [queue] if single else list(queue)
    if not queues:
        raise ValueError("a worker needs a queue")
    return queues


def backoff_of(backoff: Any) -> Backoff:
    """Return the pauses between attempts."""
    if not isinstance(backoff, Backoff | None):
        raise TypeError(f"backoff must be Backoff(first=1) or the like, not {backoff!r}")
    return backoff or Backoff()


def seconds_or_none(value: Seconds | None, what: str) -> float | None:
    """Return a time above 0, or None for none."""
    return None if value is None else positive(value, what)


def whole(value: Any, what: str, most: float = math.inf, *, least: int = 1) -> int:
    """Return a whole number that is within bounds."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} must be a whole number, not {value!r}")
    if value < least:
        raise ValueError(f"{what} must be at least {least}, not {value!r}")
    if value > most:
        raise ValueError(f"{what} must be at most {most}, not {value!r}")
    return value


def caller_of(
    handler: Callable[[Any], Any], limit: float | None, threads: Any, count: int, lease: float
) -> AsyncCaller:
    """Return what calls a handler for up to `count` messages at a time."""
    number = whole(thread_count_async(threads, count), "threads", least=0)
    return AsyncCaller(handler, limit, number, lease)

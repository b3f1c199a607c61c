"""The checks of a worker's arguments.

The rule: an error names the argument and its value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from pyredisson._async.client import AsyncRedisson
from pyredisson._runtime.handler_calls import AsyncCaller, thread_count_async
from pyredisson.protocol.kernel.due import LONGEST_WAIT, Seconds, positive
from pyredisson.protocol.worker.outcome import Backoff


def require_client(redisson: Any, worker: str) -> None:
    """Reject an object that is no client, or is a client of the other variant (asyncio or not)."""
    if not isinstance(redisson, AsyncRedisson):
        raise TypeError(f"{worker} works with {AsyncRedisson.__name__}, not with {redisson!r}")


def listed(queue: Any) -> list[Any]:
    """Return queues as a list. A str counts as one queue, and `get_consumer` rejects it."""
    single = isinstance(queue, str) or not isinstance(queue, Sequence)
    queues = [queue] if single else list(queue)
    if not queues:
        raise ValueError("a worker needs a queue")
    return queues


def backoff_of(backoff: Any) -> Backoff:
    """Return `backoff`, or the default pauses if it is None."""
    if not isinstance(backoff, Backoff | None):
        raise TypeError(f"backoff must be Backoff(first=1) or the like, not {backoff!r}")
    return backoff or Backoff()


def seconds_or_none(
    value: Seconds | None, what: str, check: Callable[[Seconds, str, float], float] = positive
) -> float | None:
    """Return `value` in seconds; return None for None and infinity, which mean no limit."""
    return None if value is None or value == math.inf else check(value, what, LONGEST_WAIT)


def require_int(value: Any, what: str, most: float = math.inf, *, least: int = 1) -> int:
    """Return `value` if it is an int from `least` to `most`; otherwise raise an error."""
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
    """Return the caller of a handler for up to `count` messages at a time."""
    number = require_int(thread_count_async(threads, count), "threads", least=0)
    return AsyncCaller(handler, limit, number, lease)

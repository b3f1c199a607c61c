"""A free lock costs two requests, and fewer function calls than redis-py's lock."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import AsyncRedisson, Redisson

PAIRS = 50
KINDS: dict[str, Callable[[Any], Any]] = {
    "lock": lambda of: of.get_lock("job"),
    "fenced": lambda of: of.get_fenced_lock("job"),
    "fair": lambda of: of.get_fair_lock("job"),
    "spin": lambda of: of.get_spin_lock("job"),
    "read": lambda of: of.get_read_write_lock("job").read_lock(),
    "write": lambda of: of.get_read_write_lock("job").write_lock(),
}


@contextmanager
def counted() -> Iterator[list[int]]:
    """Count the calls of Python functions in this thread."""
    count = [0]

    def note(_frame: object, event: str, _arg: object) -> None:
        count[0] += event == "call"

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield count
    finally:
        sys.setprofile(before)


@pytest.fixture
def clean(raw: redis.Redis) -> Iterator[redis.Redis]:
    """Reset the server's command statistics; check after the test that the lock is free."""
    raw.config_resetstat()
    yield raw
    assert not raw.exists("job")


def scripts(raw: redis.Redis) -> int:
    """Return how many calls of scripts the server has run."""
    stats: Any = raw.info("commandstats")
    return int(stats["cmdstat_evalsha"]["calls"])


@pytest.mark.parametrize("kind", KINDS)
def test_lock_in_a_thread_costs_two_requests(url: str, clean: redis.Redis, kind: str) -> None:
    costs: list[int] = []
    with Redisson.from_url(url) as redisson, redis.Redis.from_url(url) as client:
        for lock in (KINDS[kind](redisson), client.lock("other", timeout=30)):
            for _ in range(3):  # the first turns load scripts and start threads
                with lock:
                    pass
            before = scripts(clean)
            with counted() as count:
                for _ in range(PAIRS):
                    with lock:
                        pass
            assert costs or scripts(clean) - before == 2 * PAIRS
            costs.append(count[0])
    assert costs[0] < costs[1]


@pytest.mark.parametrize("kind", KINDS)
async def test_lock_in_a_task_costs_two_requests(url: str, clean: redis.Redis, kind: str) -> None:
    costs: list[int] = []
    async with AsyncRedisson.from_url(url) as redisson, redis.asyncio.from_url(url) as client:
        for lock in (KINDS[kind](redisson), client.lock("other", timeout=30)):
            for _ in range(3):
                async with lock:
                    pass
            before = scripts(clean)
            with counted() as count:
                for _ in range(PAIRS):
                    async with lock:
                        pass
            assert costs or scripts(clean) - before == 2 * PAIRS
            costs.append(count[0])
    assert costs[0] < costs[1]

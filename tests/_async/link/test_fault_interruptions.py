"""Waits that are interrupted while elements arrive lose and double nothing.

An interruption is a cancellation, or Ctrl-C in the sync variant. Elements that the server had
popped for the call are requeued in their place.
"""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
import redis

from pyredisson import AsyncBlockingDeque, AsyncRedisson, DecodeError
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.faults_tools import PushOnceRefused, Repeatedly, calls
from tests.support.server import RedisServer
from tests.support.twins import aside_async, interrupt_async

Call = Callable[[AsyncBlockingDeque[str]], Any]


def flat(found: Any) -> list[str]:
    """The values in the result of a call."""
    if found is None:
        return []
    if isinstance(found, str):
        return [found]
    if isinstance(found, tuple):
        return [found[1]]
    return [value for values in found.values() for value in values]


def texts(raw: redis.Redis, key: str) -> list[str]:
    """The values of a list."""
    found: Any = raw.lrange(key, 0, -1)
    return [value.decode() for value in found]


CALLS: dict[str, tuple[Call, int]] = {
    "take": (lambda q: q.take(), 1000),
    "take_last": (lambda q: q.take_last(), 200),
    "poll timeout": (lambda q: q.poll(timeout=60), 1000),
    "poll short timeout": (lambda q: q.poll(timeout=0.002), 200),
    "poll_from_any": (lambda q: q.poll_from_any(60, "r"), 1000),
    "poll_from_any_with_name": (lambda q: q.poll_from_any_with_name(60, "r"), 200),
    "poll_first_from_any": (lambda q: q.poll_first_from_any(60, "r", count=3), 200),
    "poll": (lambda q: q.poll(), 200),
}


@pytest.mark.parametrize(("call", "times"), CALLS.values(), ids=CALLS)
async def test_interrupted_waits_lose_and_double_nothing(
    server: RedisServer, raw: redis.Redis, call: Call, times: int
) -> None:
    """Elements arrive in both queues all the time; each is returned or stays in a queue."""
    rng, sent, turns, found = random.Random(times), 0, 0, []

    def send() -> None:
        nonlocal sent
        raw.rpush("qr"[sent % 2], f"{sent}")
        sent += 1

    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_deque("q")
        assert await queue.poll() is None
        with Repeatedly(send, pause=0.002):
            while (turns := turns + 1) <= times or sent <= times // 10:
                for value in await interrupt_async(lambda: call(queue), rng.random() * 0.004):
                    found += flat(value)
        left = [*texts(raw, "q"), *texts(raw, "r")]
    assert Counter(found + left) == Counter(f"{number}" for number in range(sent))


async def test_interrupted_poll_keeps_undecodable_values_in_one_place(
    server: RedisServer, raw: redis.Redis
) -> None:
    """A value that cannot be decoded is in one place: the queue or the poison list."""
    async with AsyncRedisson.from_url(server.url, codec=LongCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        assert await queue.poll(2) == []

        async def take() -> list[str]:
            try:
                found = await queue.poll(2)
            except DecodeError:
                return []
            return [f"{number}" for number in found]

        values = [f"{number}" if number % 3 else f"x{number}" for number in range(1500)]
        raw.rpush("q", *values)
        rng, found = random.Random(3), []
        for _ in range(500):
            for numbers in await interrupt_async(take, rng.random() * 0.001):
                found += numbers
        for _ in range(2):  # one of three values is kept, even if every take was interrupted
            found += await take()
        kept = texts(raw, "pyredisson_poison:{q}")
        assert Counter(found + kept + texts(raw, "q")) == Counter(values)
        assert all(value.startswith("x") for value in kept)
        assert kept


async def test_interrupted_takes_keep_the_order(server: RedisServer, raw: redis.Redis) -> None:
    """Requeued elements return to the end that they came from."""
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        assert await queue.poll() is None
        values = [f"{number}" for number in range(500)]
        raw.rpush("q", *values)
        rng, found = random.Random(1), []
        for _ in range(200):
            found += await interrupt_async(queue.take, rng.random() * 0.001)
        assert found + texts(raw, "q") == values


async def test_interrupted_take_without_the_right_to_unblock_loses_nothing(
    own_server: RedisServer,
) -> None:
    """The wait ends with its slice; elements that arrive after the interruption are requeued."""
    with own_server.client() as admin:
        admin.execute_command(
            "ACL", "SETUSER", "plain", "on", "nopass", "~*", "+@all", "-client|unblock"
        )
        url = f"redis://plain:x@127.0.0.1:{own_server.port}/0"
        async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
            queue = redisson.get_blocking_queue("q")
            assert await queue.poll() is None
            push = PushOnceRefused(admin, "x", "y")
            assert await interrupt_async(queue.take, push) == []
            await aside_async(push.join)
            assert admin.lrange("q", 0, -1) == [b"x", b"y"]
            assert calls(own_server, "client|unblock") == 0
            assert await queue.take() == "x"

"""Waiting for messages of other clients: a missed message delays a waiter by at most a second."""

import math
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson._async.background import wake_ups
from pyredisson._async.background.wake_ups import ALL, wait_async
from tests.support.twins import AsyncStarted, start_async, until_async


class AsyncGate:
    """Lets a certain number of waiters pass."""

    def __init__(self, redisson: AsyncRedisson) -> None:
        self.background = redisson._context.background
        self.permits = 0
        self.attempts = 0
        self.pause = math.inf

    async def attempt(self) -> float | None:
        self.attempts += 1
        if not self.permits:
            return self.pause
        self.permits -= 1
        return None

    async def wait(self, timeout: float = math.inf) -> bool:
        return await wait_async(self.background, "c", self.attempt, timeout, int)


@pytest.fixture
def gate(redisson: AsyncRedisson) -> AsyncGate:
    return AsyncGate(redisson)


@pytest.fixture
def no_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake_ups, "POLL", 600.0)


async def waiting(gate: AsyncGate, count: int) -> list[Any]:
    started = [start_async(gate.wait) for _ in range(count)]
    await until_async(lambda: gate.attempts >= 2 * count, "each has tried and subscribed")
    return started


async def test_call_without_a_wait_subscribes_nothing(gate: AsyncGate, raw: redis.Redis) -> None:
    assert not await gate.wait(0)
    gate.permits = 1
    assert await gate.wait(0)
    assert gate.attempts == 2
    assert not gate.background.work


@pytest.mark.usefixtures("no_poll")
async def test_a_message_wakes_as_many_as_it_says(gate: AsyncGate, raw: redis.Redis) -> None:
    started = await waiting(gate, 5)
    for count in (1, 2):
        gate.permits, attempts = count, gate.attempts
        raw.publish("c", f"{count}")
        await until_async(lambda: gate.permits == 0, "they pass")
        assert gate.attempts == attempts + count
    gate.permits = 2
    raw.publish("c", f"{ALL}")
    assert [await each.result() for each in started] == [True] * 5
    assert not gate.background.work


@pytest.mark.usefixtures("no_poll")
async def test_a_subscription_that_was_lost_wakes_all(gate: AsyncGate, raw: redis.Redis) -> None:
    started = await waiting(gate, 3)
    gate.permits = 3
    raw.client_kill_filter(_type="pubsub")
    assert [await each.result() for each in started] == [True] * 3


async def test_a_lost_message_costs_a_second_at_most(gate: AsyncGate) -> None:
    (started,) = await waiting(gate, 1)
    gate.permits = 1
    assert await started.result()


@pytest.mark.usefixtures("no_poll")
async def test_waiter_tries_again_after_its_pause(gate: AsyncGate) -> None:
    gate.pause = 0.05
    started = AsyncStarted(gate.wait)
    await until_async(lambda: gate.attempts > 4, "it tries again and again")
    gate.permits = 1
    assert await started.result()


@pytest.mark.usefixtures("no_poll")
async def test_the_last_attempt_is_at_the_deadline(gate: AsyncGate) -> None:
    assert not await gate.wait(0.2)
    assert gate.attempts >= 3
    assert not gate.background.work

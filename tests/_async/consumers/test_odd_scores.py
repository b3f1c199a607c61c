"""Scores that another client wrote and that no calendar date can represent."""

from typing import Any

import pytest

from pyredisson import AsyncRedisson
from pyredisson._async.background.cleanup import AsyncCleanup


@pytest.mark.parametrize("score", ["inf", "-inf", "1e300", "-1e17"])
async def test_odd_scores_of_leases_and_letters_can_be_read(
    redisson: AsyncRedisson, raw: Any, monkeypatch: pytest.MonkeyPatch, score: str
) -> None:
    async def reap(*_: object) -> None:
        """Requeue nothing, so that ended leases stay."""

    monkeypatch.setattr(AsyncCleanup, "reap", reap)
    raw.rpush("q", "a", "b")
    queue = redisson.get_queue("q")
    consumer = redisson.get_consumer(queue)
    assert await (await consumer.take()).reject("why")
    held = await consumer.take()
    raw.zadd("pyredisson_dead:{q}", {raw.hkeys("pyredisson_dead_letters:{q}")[0]: score})
    raw.zadd("pyredisson_leases:{q}", {raw.hkeys("pyredisson_taken:{q}")[0]: score})
    assert [each.id for each in await queue.in_flight()] == [held.id]
    letters = redisson.get_dead_letters(queue)
    assert [letter.value async for letter in letters] == ["a"]
    assert [letter.value for letter in await letters.read_all()] == ["a"]
    assert await letters.redrive() == 1

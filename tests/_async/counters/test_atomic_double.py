"""RAtomicDouble on a real server: stored text and returned numbers."""

import pytest
import redis

from pyredisson import AsyncRedisson, ReplyError


async def test_atomic_double_counts(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    number = redisson.get_atomic_double("n")
    assert await number.get() == 0.0
    assert await number.add_and_get(0.1) == 0.1
    assert await number.add_and_get(0.2) == 0.3
    assert raw.get("n") == b"0.3"
    assert await number.get_and_increment() == pytest.approx(0.3)
    assert await number.increment_and_get() == 2.3
    assert await number.get_and_decrement() == 2.3
    assert await number.decrement_and_get() == 0.3
    assert await number.get_and_set(1e20) == 0.3
    assert raw.get("n") == b"100000000000000000000"
    assert await number.get_and_delete() == 1e20
    assert not raw.exists("n")


async def test_conditional_sets_of_atomic_double(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    number = redisson.get_atomic_double("n")
    assert await number.compare_and_set(-0.0, 2.5)
    raw.set("n", "3")
    assert await number.compare_and_set(3.0, 7.25), "numbers are compared, not texts"
    assert not await number.set_if_less(7.25, 0)
    assert not await number.set_if_greater(7.25, 0)
    assert await number.set_if_greater(7, 1e-7)
    assert raw.get("n") == b"0.00000010"
    assert await number.set_if_less(2e-7, 5)
    assert raw.get("n") == b"5.0"
    assert not await number.set_if_less(5, 1)
    raw.set("n", "text")
    with pytest.raises(ReplyError, match=r"not a number \(GET n\)"):
        await number.compare_and_set(0, 1)
    with pytest.raises(ValueError, match="delta must be finite"):
        await number.add_and_get(float("inf"))

"""RAtomicLong on a real server: stored text, returned numbers and simultaneous increments."""

import pytest
import redis

from pyredisson import AsyncAtomicLong, AsyncRedisson, DecodeError, KeyTypeError, ReplyError
from tests.support.twins import AsyncStarted


@pytest.fixture
def number(redisson: AsyncRedisson) -> AsyncAtomicLong:
    """The number ``n``."""
    return redisson.get_atomic_long("n")


async def test_atomic_long_counts(number: AsyncAtomicLong, raw: redis.Redis) -> None:
    assert await number.get() == 0
    assert not raw.exists("n")
    assert await number.increment_and_get() == 1
    assert await number.get_and_increment() == 1
    assert await number.add_and_get(10) == 12
    assert await number.get_and_add(-2) == 12
    assert await number.decrement_and_get() == 9
    assert await number.get_and_decrement() == 9
    assert raw.get("n") == b"8"
    assert await number.get_and_set(5) == 8
    assert await number.get_and_delete() == 5
    assert await number.get_and_delete() == 0
    assert not raw.exists("n")


async def test_conditional_sets_of_atomic_long(number: AsyncAtomicLong, raw: redis.Redis) -> None:
    assert not await number.compare_and_set(1, 2)
    assert await number.compare_and_set(0, 2), "a missing one is 0"
    await number.expire(60)
    assert await number.increment_and_get() == 3
    assert raw.ttl("n") > 0, "an increment keeps the time to live"
    assert await number.compare_and_set(3, 4)
    assert raw.ttl("n") == -1, "as in Redisson"
    assert not await number.set_if_less(4, 9)
    assert not await number.set_if_greater(4, 9)
    assert await number.set_if_less(5, 9)
    assert await number.set_if_greater(8, -3)
    await number.delete()
    assert await number.set_if_greater(-1, 0)
    assert raw.get("n") == b"0"


@pytest.mark.parametrize("base", [2**63 - 10, -(2**63) + 5, 10**18, -(10**18)])
async def test_conditions_beyond_the_integers_of_a_double(
    number: AsyncAtomicLong, base: int
) -> None:
    """Redisson compares doubles, and neighbouring integers of this size are equal as doubles."""
    for less, more in ((base - 1, base), (base, base + 1)):
        await number.set(less)
        assert not await number.set_if_greater(more, 0)
        assert not await number.set_if_greater(less, 0)
        assert await number.set_if_less(more, more)
        assert not await number.set_if_less(more, 0)
        assert not await number.set_if_less(less, 0)
        assert await number.set_if_greater(less, 0)


async def test_overflow_and_wrong_content_raise(
    number: AsyncAtomicLong, redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    await number.set(2**63 - 1)
    with pytest.raises(ReplyError, match="overflow"):
        await number.increment_and_get()
    assert await number.get() == 2**63 - 1
    raw.set("n", "five")
    with pytest.raises(DecodeError, match="not a number of RAtomicLong"):
        await number.get()
    with pytest.raises(ReplyError, match=r"not a number \(GET n\)"):
        await number.set_if_less(1, 2)
    assert not await number.compare_and_set(0, 2)
    raw.rpush("l", "a")
    with pytest.raises(KeyTypeError, match="'l' should hold a string but holds a list"):
        await redisson.get_atomic_long("l").set(1)
    assert repr(number) == f"<{type(number).__name__} 'n'>"


async def test_simultaneous_increments_all_count(redisson: AsyncRedisson) -> None:
    """Each increment counts, and each number is returned once."""

    async def turn() -> list[int]:
        mine = redisson.get_atomic_long("n")
        return [await mine.increment_and_get() for _ in range(50)]

    async def swap() -> list[int]:
        mine = redisson.get_atomic_long("n")
        done = 0
        while done < 20:
            now = await mine.get()
            done += await mine.compare_and_set(now, now + 1000)
        return []

    turns = [AsyncStarted(body) for body in (turn, turn, turn, swap)]
    found = [each for one in turns for each in await one.result()]
    assert len(set(found)) == 150
    assert await redisson.get_atomic_long("n").get() == 150 + 20_000

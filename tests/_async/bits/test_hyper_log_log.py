"""RHyperLogLog on a real server."""

import pytest
import redis

from pyredisson import AsyncRedisson, KeyTypeError
from pyredisson.codecs import LongCodec


async def test_count_estimates_different_values(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    visitors = redisson.get_hyper_log_log("h", LongCodec())
    assert await visitors.count() == 0
    assert await visitors.add(1)
    assert not await visitors.add(1)
    assert await visitors.add_all(range(2, 1001))
    assert abs(await visitors.count() - 1000) < 50
    other = redisson.get_hyper_log_log("i", LongCodec())
    await other.add_all(range(500, 1501))
    assert abs(await visitors.count_with("i") - 1500) < 75
    await visitors.merge_with("i")
    assert await visitors.count() == await visitors.count_with("i")
    assert await visitors.delete()
    assert not raw.exists("h")
    assert repr(other).startswith(f"<{type(other).__name__} 'i' codec=LongCodec(")
    assert isinstance(other.codec, LongCodec)


async def test_key_of_another_type_is_rejected(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    raw.rpush("l", "a")
    with pytest.raises(KeyTypeError, match="'l' should hold a string but holds a list"):
        await redisson.get_hyper_log_log("l").add("v")

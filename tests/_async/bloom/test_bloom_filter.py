"""RBloomFilter on a real server: it is initialized once, and always finds added values."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import redis

from pyredisson import (
    AsyncBloomFilter,
    AsyncRedisson,
    BloomFilterError,
    KeyTypeError,
    UncertainError,
)
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy
from tests.support.twins import until_async

CONFIG = {
    b"size": b"7298",
    b"hashIterations": b"5",
    b"expectedInsertions": b"1000",
    b"falseProbability": b"0.03",
}


@pytest.fixture
def bloom(redisson: AsyncRedisson) -> AsyncBloomFilter[str]:
    return redisson.get_bloom_filter("f", StringCodec())


async def test_filter_is_initialized_once(bloom: AsyncBloomFilter[str], raw: redis.Redis) -> None:
    assert not await bloom.is_exists()
    for call in (
        partial(bloom.add, "a"),
        partial(bloom.contains, "a"),
        bloom.count,
        bloom.get_size,
    ):
        with pytest.raises(BloomFilterError, match="not initialized"):
            await call()
    assert raw.keys() == []
    assert await bloom.try_init(1000, 0.03)
    assert raw.hgetall("{f}:config") == CONFIG
    assert not await bloom.try_init(1000, 0.03)
    for parameters in ((1000, 0.02), (1001, 0.03)):
        with pytest.raises(BloomFilterError, match="other parameters"):
            await bloom.try_init(*parameters)
    assert raw.hgetall("{f}:config") == CONFIG
    assert await bloom.is_exists()
    assert await bloom.get_size() == 7298
    assert await bloom.get_hash_iterations() == 5
    assert await bloom.get_expected_insertions() == 1000
    assert await bloom.get_false_probability() == 0.03


async def test_filter_contains_added_values(bloom: AsyncBloomFilter[str], raw: redis.Redis) -> None:
    await bloom.try_init(1000, 0.03)
    assert not await bloom.contains("hello")
    assert await bloom.add("hello")
    assert not await bloom.add("hello")
    assert [at for at in range(7298) if raw.getbit("f", at)] == [980, 1089, 2772, 2881, 6595]
    assert await bloom.contains("hello")
    assert await bloom.add_all(["a", "hello", "b", "a"]) == 2
    assert await bloom.contains_all(["a", "b", "hello"])
    assert not await bloom.contains_all(["a", "zz"])
    assert await bloom.exists(["a", "zz", "b"]) == ["a", "b"]
    assert await bloom.count() == 3
    assert await bloom.add_all([]) == 0
    assert await bloom.contains_all([])


async def test_more_values_than_one_script_takes(bloom: AsyncBloomFilter[str]) -> None:
    await bloom.try_init(5000, 0.001)
    values = [f"v{number}" for number in range(3000)]
    assert await bloom.add_all(values) >= 2990
    assert await bloom.contains_all(values)
    assert 2900 < await bloom.count() < 3100
    false = await bloom.exists([f"w{number}" for number in range(2000)])
    assert len(false) < 40


async def test_client_notices_new_initialization_by_another_client(
    bloom: AsyncBloomFilter[str], url: str
) -> None:
    """The client reads the new configuration, and gives neither a wrong answer nor an error."""
    await bloom.try_init(1000, 0.03)
    await bloom.add("a")
    async with AsyncRedisson.from_url(url) as other:
        same = other.get_bloom_filter("f", StringCodec())
        await same.delete()
        with pytest.raises(BloomFilterError, match="not initialized"):
            await bloom.contains("a")
        await same.try_init(50, 0.1)
        await same.add("b")
    assert await bloom.contains("b")
    assert not await bloom.contains("a")
    assert await bloom.add("a")


async def test_expire_rename_copy_and_delete_include_both_keys(
    bloom: AsyncBloomFilter[str], raw: Any
) -> None:
    await bloom.try_init(1000, 0.03)
    await bloom.add("a")
    assert await bloom.expire(60)
    assert min(raw.pttl("f"), raw.pttl("{f}:config")) > 50_000
    await bloom.rename("g")
    assert sorted(raw.keys()) == [b"g", b"{g}:config"]
    assert await bloom.contains("a")
    assert await bloom.copy("h")
    assert await bloom.delete()
    assert sorted(raw.keys()) == [b"h", b"{h}:config"]
    assert repr(bloom) == f"<{type(bloom).__name__} 'g' codec=StringCodec('UTF-8')>"
    assert isinstance(bloom.codec, StringCodec)


async def test_rejected_arguments_write_nothing(redisson: AsyncRedisson, raw: Any) -> None:
    bloom = redisson.get_bloom_filter("f", StringCodec())
    with pytest.raises(ValueError, match="need 28755175132"):
        await bloom.try_init(2_000_000_000, 0.001)
    await bloom.try_init(1000, 0.03)
    with pytest.raises(ValueError):  # noqa: PT011 - any error of the codec
        await bloom.add_all(["a", 5])  # type: ignore[list-item]  # on purpose
    assert raw.keys() == [b"{f}:config"]
    raw.rpush("l", "v")
    with pytest.raises(KeyTypeError, match="'l' should hold a string"):
        await redisson.get_bloom_filter("l").try_init(5, 0.1)
    raw.hset("{g}:config", "size", "5")
    with pytest.raises(BloomFilterError, match="not the configuration"):
        await redisson.get_bloom_filter("g").add("a")


async def test_lost_replies(proxy: FaultProxy, raw: redis.Redis) -> None:
    """contains() is sent again.

    add() raises, because the client cannot know whether the value was new.
    """
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        bloom = redisson.get_bloom_filter("f", StringCodec())
        await bloom.try_init(1000, 0.03)
        assert await bloom.add("a")
        assert await bloom.contains("a")
        proxy.lose_reply_to(load("bloom/contains").sha.encode())
        assert await bloom.contains("a")
        proxy.lose_reply_to(load("bloom/add").sha.encode())
        with pytest.raises(UncertainError, match=r"no reply to add\(\) of 'f'"):
            await bloom.add("b")
        assert not await bloom.add("b")
        raw.script_flush()
        assert await bloom.add("c")
        assert await bloom.contains_all("abc")


async def test_the_first_bits_expire_with_the_configuration(
    bloom: AsyncBloomFilter[str], raw: redis.Redis
) -> None:
    await bloom.try_init(1000, 0.03)
    assert await bloom.expire(0.5)
    assert await bloom.add_all(["a", "b"]) == 2
    assert 0 < raw.pttl("f") <= 500
    await until_async(lambda: not raw.exists("f", "{f}:config"), "both end")
    await bloom.try_init(1000, 0.03)
    await bloom.add("a")
    await bloom.expire(60)
    raw.persist("f")
    await bloom.add("b")
    assert raw.pttl("f") == -1, "what exists keeps its limit"

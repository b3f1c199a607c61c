"""Bloom filters, as a user's type checker sees them."""

from contextlib import suppress
from typing import assert_type

from pyredisson import AsyncBloomFilter, AsyncRedisson, BloomFilter, BloomFilterError, Redisson
from pyredisson.codecs import StringCodec


def bloom_filters(client: Redisson) -> None:
    """RBloomFilter."""
    bloom = client.get_bloom_filter("seen", StringCodec())
    assert_type(bloom, BloomFilter[str])
    with suppress(BloomFilterError):
        assert_type(bloom.try_init(1_000_000, 0.01), bool)
    assert_type(bloom.add("a"), bool)
    assert_type(bloom.add_all(["a", "b"]), int)
    assert_type(bloom.contains("a"), bool)
    assert_type(bloom.contains_all(["a"]), bool)
    assert_type(bloom.exists(["a"]), list[str])
    assert_type(bloom.count(), int)
    assert_type(bloom.get_false_probability(), float)
    bloom.add(5)  # type: ignore[arg-type]  # the codec's type
    bloom.try_init("1000", 0.01)  # type: ignore[arg-type]  # a number
    client.get_bloom_filter("any").add(5)


async def async_bloom_filters(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    bloom = client.get_bloom_filter("seen", StringCodec())
    assert_type(bloom, AsyncBloomFilter[str])
    assert_type(await bloom.add("a"), bool)
    assert_type(await bloom.exists(["a"]), list[str])

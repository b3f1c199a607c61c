"""Several buckets and keys, as a user's type checker sees them."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any, assert_type

from pyredisson import AsyncBuckets, AsyncKeys, AsyncRedisson, Buckets, Keys, Redisson
from pyredisson.codecs import LongCodec


def buckets(client: Redisson) -> None:
    """RBuckets."""
    prices = client.get_buckets(LongCodec())
    assert_type(prices, Buckets[int])
    assert_type(client.get_buckets(), Buckets[Any])
    assert_type(prices.get("a", "b"), dict[str, int])
    assert_type(prices.try_set({"a": 5}), bool)
    prices.set({"a": "text"})  # type: ignore[dict-item]  # not an int


def keys(client: Redisson) -> None:
    """RKeys."""
    found = client.get_keys()
    assert_type(found, Keys)
    assert_type(found.get_keys_by_pattern("a*"), Iterator[str])
    assert_type(found.count(), int)
    assert_type(found.random_key(), str | None)
    assert_type(found.delete("a", "b"), int)
    assert_type(found.remain_time_to_live("a"), timedelta | None)
    found.expire("a")  # type: ignore[call-arg]  # for how long?


async def both(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    prices = client.get_buckets(LongCodec())
    assert_type(prices, AsyncBuckets[int])
    assert_type(await prices.get("a"), dict[str, int])
    found = client.get_keys()
    assert_type(found, AsyncKeys)
    assert_type(found.get_keys(), AsyncIterator[str])
    assert_type(await found.get_type("a"), str | None)

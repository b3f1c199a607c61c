"""RBucket on a real server: its value, the stored bytes, and its time to live."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import redis

from pyredisson import AsyncRedisson, DecodeError, KeyTypeError, UncertainError
from pyredisson.codecs import Kryo5Codec, LongCodec, StringCodec
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy


async def test_a_value_comes_back_and_is_replaced(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        bucket = redisson.get_bucket("b", codec=StringCodec())
        assert await bucket.get() is None
        assert (await bucket.size(), await bucket.is_exists()) == (0, False)
        await bucket.set("größe")
        assert raw.get("b") == "größe".encode()
        assert (await bucket.get(), await bucket.size()) == ("größe", 7)
        assert await bucket.get_and_set("b") == "größe"
        assert await bucket.get_and_delete() == "b"
        assert await bucket.get_and_delete() is None
        await bucket.set("c")
        await bucket.set(None)
        assert raw.keys() == []


async def test_conditional_set_of_a_value_or_an_empty_bucket(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        bucket = redisson.get_bucket("b")
        assert not await bucket.set_if_exists("a")
        assert await bucket.try_set("b")
        assert not await bucket.try_set("c")
        assert not await bucket.set_if_absent("c", ttl=60)
        assert await bucket.set_if_exists("d", ttl=60)
        assert raw.get("b") == b"d"
        assert 59_000 < raw.pttl("b") <= 60_000


async def test_compare_and_set(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        bucket = redisson.get_bucket("b", codec=LongCodec())
        assert await bucket.compare_and_set(None, None)
        assert not await bucket.compare_and_set(1, 2)
        assert await bucket.compare_and_set(None, 1)
        assert not await bucket.compare_and_set(None, 1)
        await bucket.expire(60)
        assert await bucket.compare_and_set(1, 2)
        assert raw.ttl("b") == -1, "as in Redisson"
        assert not await bucket.compare_and_set(None, None)
        assert not await bucket.compare_and_set(1, None)
        assert await bucket.compare_and_set(2, None)
        assert not await bucket.is_exists()


@pytest.mark.parametrize(
    ("stored", "expected", "deleted"),
    [("v", "v", True), ("w", "v", False), ("", "v", False), ("", "", True), (None, "", False)],
)
async def test_compare_and_delete(
    url: str, raw: redis.Redis, stored: str | None, expected: str, deleted: bool
) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        bucket = redisson.get_bucket("b")
        await bucket.set(stored)
        assert await bucket.compare_and_delete(expected) is deleted
        assert raw.exists("b") == (stored is not None and not deleted)
        await bucket.set(stored)
        other = stored is not None and not deleted
        assert await bucket.compare_and_delete(expected, unexpected=True) is other
        assert raw.exists("b") == deleted


async def test_time_to_live_of_a_bucket(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        bucket = redisson.get_bucket("b")
        await bucket.set("a", ttl=timedelta(minutes=1))
        assert 59_000 < raw.pttl("b") <= 60_000
        await bucket.set_and_keep_ttl("b")
        left = await bucket.remain_time_to_live()
        assert left is not None
        assert left > timedelta(seconds=50)
        assert await bucket.get_and_clear_expire() == "b"
        assert await bucket.remain_time_to_live() is None
        assert await bucket.get_and_expire(0.0005) == "b"
        assert raw.pttl("b") <= 1
        await bucket.set("c")
        moment = datetime.now(UTC) + timedelta(hours=1)
        assert await bucket.get_and_expire_at(moment) == "c"
        assert 3_500 < raw.ttl("b") <= 3_600
        assert await bucket.get_and_set("d", ttl=5) == "c"
        assert 4_000 < raw.pttl("b") <= 5_000
        assert await bucket.clear_expire()
        for ttl in (0, -1, timedelta()):
            with pytest.raises(ValueError, match="ttl must be more than 0"):
                await bucket.set("e", ttl=ttl)
        assert raw.get("b") == b"d"


async def test_as_an_object(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=Kryo5Codec()) as redisson:
        bucket = redisson.get_bucket("b")
        await bucket.set(["a", 1])
        await bucket.rename("c")
        assert (bucket.name, await bucket.get()) == ("c", ["a", 1])
        assert await bucket.copy("d")
        assert raw.get("d") == raw.get("c")
        assert repr(bucket).startswith(f"<{type(bucket).__name__} 'c' codec=Kryo5Codec(")
        assert await bucket.delete()


async def test_wrong_type_bad_value_and_bad_name_of_a_bucket(url: str, raw: redis.Redis) -> None:
    raw.rpush("l", "a")
    raw.set("b", "text")
    async with AsyncRedisson.from_url(url, codec=LongCodec()) as redisson:
        with pytest.raises(KeyTypeError, match="'l' should hold a string but holds a list"):
            await redisson.get_bucket("l").set(5)
        with pytest.raises(DecodeError) as caught:
            await redisson.get_bucket("b").get()
        assert caught.value.data == b"text"
        assert "Bucket 'b'" in "".join(caught.value.__notes__)
        with pytest.raises(TypeError, match="name of a bucket must be str"):
            redisson.get_bucket(5)  # type: ignore[call-overload]  # on purpose


async def test_a_lost_reply(proxy: FaultProxy, raw: redis.Redis) -> None:
    """Redisson sends the comparison again, and returns False although it has set the value."""
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        bucket = redisson.get_bucket("b")
        await bucket.set("a")
        await bucket.compare_and_set("a", "b")
        proxy.lose_reply_to(load("buckets/compare_and_set").sha.encode())
        with pytest.raises(UncertainError, match="of 'b'"):
            await bucket.compare_and_set("b", "c")
        assert raw.get("b") == b"c"

"""RList on a real server: stored bytes, returned values and valid indexes."""

from __future__ import annotations

import random
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, DecodeError, KeyTypeError
from pyredisson.codecs import Kryo5Codec, LongCodec, StringCodec


async def test_values_are_read_by_their_indexes(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_list("l", codec=StringCodec())
        assert await values.is_empty()
        assert await values.add("a")
        assert await values.add_all(["b", "größe", "b"])
        assert not await values.add_all([])
        assert raw.lrange("l", 0, -1) == [b"a", b"b", "größe".encode(), b"b"]
        assert [await values.get(0), await values.get(-2), await values.get(4)] == [
            "a",
            "größe",
            None,
        ]
        assert await values.get(-1, 0, 9) == ["b", "a", None]
        assert await values.read_all() == await values.range(-1) == await values.range(0, 3)
        assert await values.range(1, 2) == ["b", "größe"]
        assert (await values.index_of("b"), await values.last_index_of("b")) == (1, 3)
        assert (await values.index_of("z"), await values.last_index_of("z")) == (-1, -1)
        assert (await values.size(), await values.contains("b")) == (4, True)
        assert await values.contains_all(["a", "b"])
        assert [value async for value in values] == ["a", "b", "größe", "b"]


async def test_values_are_inserted_and_replaced(url: str) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_list("l", codec=StringCodec())
        assert await values.add("c", index=0)
        assert await values.add("a", index=0)
        assert await values.add_all("bb", index=1)
        assert await values.add_all("de", index=4)
        assert await values.read_all() == ["a", "b", "b", "c", "d", "e"]
        assert await values.set(2, "B") == "b"
        await values.fast_set(-1, "E")
        assert await values.add_before("a", "0") == 7
        assert await values.add_after("E", "f") == 8
        assert await values.add_after("z", "y") == -1
        assert await values.read_all() == ["0", "a", "b", "B", "c", "d", "E", "f"]
        await values.trim(1, -3)
        assert await values.read_all() == ["a", "b", "B", "c", "d"]


async def test_values_are_removed(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_list("l", codec=StringCodec())
        await values.add_all([*"abcabcabc", "DELETED_BY_REDISSON", "d", "e"])
        assert await values.remove_at(0) == "a"
        assert await values.remove_at(-1) == "e"
        assert await values.remove_at(-1) == "d"
        assert await values.remove_at(1) == "c"
        await values.fast_remove(1)
        assert await values.remove("b")
        assert not await values.remove("z")
        assert await values.remove("c", count=-1)
        assert await values.remove("b", count=0)
        assert await values.read_all() == ["c", "a", "DELETED_BY_REDISSON"]
        await values.add("a")
        assert await values.remove_at(1) == "a", "and not the one with Redisson's mark"
        assert await values.remove_all(["a", "z"])
        assert await values.retain_all(["c"])
        assert raw.lrange("l", 0, -1) == [b"c"]
        await values.fast_remove(0)
        assert raw.keys() == []


async def test_missing_index_raises_index_error(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_list("l", codec=StringCodec())
        for stored in ([], ["a", "b", "c"]):
            await values.add_all(stored)
            for call in (
                lambda: values.set(3, "x"),
                lambda: values.fast_set(3, "x"),
                lambda: values.remove_at(3),
                lambda: values.fast_remove(-4),
                lambda: values.add("x", index=4),
                lambda: values.add("x", index=-1),
            ):
                with pytest.raises(IndexError, match="'l' has no index"):
                    await call()
            assert raw.llen("l") == len(stored)
        await values.clear()
        for index in (0, -1):
            with pytest.raises(IndexError, match="'l' has no index"):
                await values.remove_at(index)


async def test_list_behaves_like_python_list(url: str) -> None:
    """Insertions and removals are random. The server stores the list in more than one node."""
    async with AsyncRedisson.from_url(url) as redisson:
        values, expected = redisson.get_list("l", codec=LongCodec()), list(range(1500))
        await values.add_all(expected)
        rng = random.Random(3)
        for number in range(120):
            index = rng.randrange(len(expected))
            if number % 2:
                await values.add_all([-number, number], index=index)
                expected[index:index] = [-number, number]
            else:
                assert await values.remove_at(index) == expected.pop(index)
        assert [value async for value in values] == expected


async def test_wrong_key_type_and_undecodable_value_raise(url: str, raw: redis.Redis) -> None:
    raw.sadd("s", "a")
    raw.rpush("l", "text")
    async with AsyncRedisson.from_url(url, codec=LongCodec()) as redisson:
        with pytest.raises(KeyTypeError, match="'s' should hold a list but holds a set"):
            await redisson.get_list("s").fast_set(0, 5)
        with pytest.raises(DecodeError) as caught:
            await redisson.get_list("l").remove_at(0)
        assert caught.value.raw == b"text"
        raw.rpush("l", "text")
        raw.delete("l")
        raw.sadd("l", "a")
        with pytest.raises(KeyTypeError, match="'l'"):
            await redisson.get_list("l").set(0, 5)


async def test_list_is_renamed(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=Kryo5Codec()) as redisson:
        values = redisson.get_list("l")
        await values.add(["a", 1])
        await values.rename("m")
        assert (values.name, await values.read_all()) == ("m", [["a", 1]])
        assert repr(values).startswith(f"<{type(values).__name__} 'm' codec=Kryo5Codec(")
        assert raw.keys() == [b"m"]


async def test_many_elements_are_inserted_far_from_the_start(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """The server does not seek the index again for each element."""
    elements = [str(number) for number in range(100_000)]
    raw.rpush("l", *elements)
    values = [f"v{number}" for number in range(10_000)]
    raw.config_resetstat()
    assert await redisson.get_list("l", StringCodec()).add_all(values, index=99_000)
    stored: Any = raw.lrange("l", 98_999, -1)
    assert [each.decode() for each in stored] == [elements[98_999], *values, *elements[99_000:]]
    statistics: Any = raw.info("commandstats")
    assert statistics["cmdstat_rpush"]["calls"] < 10

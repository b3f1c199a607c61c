"""RSet on a real server: stored, returned and remaining values."""

from __future__ import annotations

from typing import Any

import pytest
import redis
import redis.asyncio

from pyredisson import AsyncRedisson, DecodeError, InvalidNameError, KeyTypeError
from pyredisson.codecs import Kryo5Codec, LongCodec, StringCodec
from tests.support.topology import RedisCluster
from tests.support.twins import close_cluster_async


async def test_set_stores_each_value_once(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_set("s", codec=StringCodec())
        assert await values.is_empty()
        assert await values.add("größe")
        assert not await values.add("größe")
        assert raw.smembers("s") == {"größe".encode()}
        assert await values.add_all(["a", "b", "a"])
        assert not await values.add_all([])
        assert await values.add_all_counted(["b", "c"]) == 1
        assert (await values.size(), await values.contains("c")) == (4, True)
        assert sorted(await values.read_all()) == ["a", "b", "c", "größe"]
        assert await values.contains_each(["z", "b", "a"]) == ["b", "a"]
        assert await values.contains_each([]) == []
        assert await values.contains_all(["a", "b"])
        assert not await values.contains_all(["a", "z"])
        assert await values.remove("a")
        assert not await values.remove("a")
        assert await values.remove_all_counted(["b", "z"]) == 1
        assert await values.remove_all_counted([]) == 0
        await values.clear()
        assert not await values.is_exists()


async def test_try_add_adds_all_or_none(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_set("s", codec=LongCodec())
        many = range(12_000)  # more arguments than Lua passes at once
        assert await values.try_add(*many)
        assert not await values.try_add(-1, 0)
        assert await values.try_add()
        assert raw.scard("s") == 12_000
        await values.expire(60)
        assert await values.retain_all(range(-1, 11_000))
        assert not await values.retain_all(range(11_000))
        assert raw.scard("s") == 11_000
        assert 0 < raw.pttl("s") <= 60_000, "Redisson's loses it"
        assert await values.retain_all([-1])
        assert raw.keys() == []
        assert not await values.retain_all([1])
        assert not await values.retain_all([])


async def test_an_iteration_has_all_of_a_large_set(url: str) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_set("s", codec=StringCodec())
        names = {f"order-{number}" for number in range(3000)} | {"other"}
        await values.add_all(names)
        assert {name async for name in values} == names
        assert {name async for name in values.iterate("order-1*")} == {
            name for name in names if name.startswith("order-1")
        }


async def test_random_values_are_read_and_removed(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_set("s", codec=StringCodec())
        assert (await values.random(), await values.random(3)) == (None, [])
        assert (await values.remove_random(), await values.remove_random(3)) == (None, [])
        await values.add_all("abc")
        assert await values.random() in ("a", "b", "c")
        assert sorted(await values.random(5)) == ["a", "b", "c"]
        taken = [await values.remove_random(), *await values.remove_random(1)]
        assert len(set(taken)) == 2
        assert raw.scard("s") == 1
        for limit in (-1, True):
            with pytest.raises((ValueError, TypeError), match="limit must be"):
                await values.remove_random(limit)
        assert raw.scard("s") == 1


async def test_move_to_key_of_another_type_keeps_value(url: str, raw: redis.Redis) -> None:
    raw.set("t", "text")
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        values = redisson.get_set("s")
        await values.add("a")
        with pytest.raises(KeyTypeError, match="key 't' should hold a set but holds a string"):
            await values.move("t", "a")
        assert await values.contains("a")


async def test_union_intersection_and_diff_of_sets(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        ours, other = redisson.get_set("s"), redisson.get_set("t")
        await ours.add_all("abc")
        await other.add_all("cd")
        assert sorted(await ours.read_union("t")) == ["a", "b", "c", "d"]
        assert sorted(await ours.read_diff("t")) == ["a", "b"]
        assert await ours.read_intersection("t", "s") == ["c"]
        assert await ours.count_intersection(limit=2) == 2
        assert await ours.count_intersection("t") == 1
        assert await ours.move("t", "a")
        assert not await ours.move("t", "a")
        assert await ours.diff("s", "t") == 1
        assert await ours.read_all() == ["b"]
        assert await ours.union("t") == 3, "this set is not one of them"
        assert await ours.intersection("s", "none") == 0
        assert raw.keys() == [b"t"]
        for call in (ours.union, ours.diff, ours.intersection):
            with pytest.raises(ValueError, match="at least one other"):
                await call()


async def test_wrong_key_type_and_undecodable_value_raise(url: str, raw: redis.Redis) -> None:
    raw.rpush("l", "a")
    raw.sadd("s", "text")
    async with AsyncRedisson.from_url(url, codec=LongCodec()) as redisson:
        with pytest.raises(KeyTypeError, match="'l' should hold a set but holds a list"):
            await redisson.get_set("l").add(5)
        with pytest.raises(DecodeError) as caught:
            await redisson.get_set("s").remove_random()
        assert caught.value.raw == b"text"
        with pytest.raises(TypeError, match="name of a set must be str"):
            redisson.get_set(5)  # type: ignore[call-overload]  # on purpose


async def test_set_is_renamed_and_copied(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=Kryo5Codec()) as redisson:
        values = redisson.get_set("s")
        await values.add(["a", 1])
        await values.rename("t")
        assert (values.name, await values.read_all()) == ("t", [["a", 1]])
        assert await values.copy("u")
        assert raw.smembers("u") == raw.smembers("t")
        assert repr(values).startswith(f"<{type(values).__name__} 't' codec=Kryo5Codec(")
        assert values.codec is redisson.get_set("t").codec


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client) as redisson:
        values = redisson.get_set("a{1}", codec=StringCodec())
        await values.clear()
        await values.add_all("ab")
        assert await values.retain_all("a")
        assert await values.move("b{1}", "a")
        with pytest.raises(InvalidNameError, match="give them names with the same"):
            await values.move("c", "a")
        with pytest.raises(InvalidNameError, match=r"a\{\}b"):
            redisson.get_set("a{}b")
    await close_cluster_async(client)

"""RMap on a real server: stored bytes, returned values and pages."""

from typing import Any

import pytest
import redis

from pyredisson import AsyncMap, AsyncRedisson, BatchDecodeError, DecodeError, KeyTypeError
from pyredisson.codecs import CompositeCodec, JsonJacksonCodec, Kryo5Codec, LongCodec, StringCodec
from tests.support.monitor import Monitor
from tests.support.server import RedisServer

MIXED = CompositeCodec(StringCodec(), LongCodec(), StringCodec())


@pytest.fixture
def prices(redisson: AsyncRedisson) -> AsyncMap[str, int]:
    return redisson.get_map("prices", MIXED)


async def test_map_stores_keys_and_values(prices: AsyncMap[str, int], raw: redis.Redis) -> None:
    assert await prices.get("a") is None
    assert await prices.get("a", 7) == 7
    assert await prices.put("a", 1) is None
    assert await prices.put("a", 2) == 1
    assert await prices.fast_put("ö", 3)
    assert not await prices.fast_put("ö", 4)
    assert raw.hgetall("prices") == {b"a": b"2", "ö".encode(): b"4"}
    assert (await prices.get("ö"), await prices.get("a", 7)) == (4, 2)
    assert await prices.contains_key("a")
    assert not await prices.contains_key("b")
    assert (await prices.value_size("a"), await prices.value_size("b")) == (1, 0)
    assert (await prices.size(), await prices.is_empty()) == (2, False)
    assert await prices.remove("a") == 2
    assert await prices.remove("a") is None
    await prices.clear()
    assert await prices.is_empty()


async def test_conditional_writes_depend_on_existing_entry(
    prices: AsyncMap[str, int], raw: Any
) -> None:
    assert await prices.put_if_exists("a", 1) is None
    assert not await prices.fast_put_if_exists("a", 1)
    assert await prices.replace("a", 1) is None
    assert not await prices.replace("a", 1, 2)
    assert not await prices.fast_replace("a", 1)
    assert not raw.exists("prices")
    assert await prices.put_if_absent("a", 1) is None
    assert await prices.put_if_absent("a", 2) == 1
    assert await prices.fast_put_if_absent("b", 2)
    assert not await prices.fast_put_if_absent("b", 3)
    assert await prices.put_if_exists("a", 3) == 1
    assert await prices.fast_put_if_exists("a", 4)
    assert await prices.replace("a", 5) == 4
    assert await prices.fast_replace("a", 6)
    assert not await prices.replace("a", 5, 7)
    assert await prices.replace("a", 6, 7)
    assert not await prices.remove("a", 6)
    assert await prices.remove("a", 7)
    assert raw.hgetall("prices") == {b"b": b"2"}


async def test_bulk_methods_read_and_write_many_entries(
    prices: AsyncMap[str, int], server: RedisServer
) -> None:
    await prices.put_all({})
    assert await prices.get_all([]) == {}
    assert await prices.fast_remove() == 0
    with Monitor(server) as monitor:
        await prices.put_all({f"k{number}": number for number in range(5)}, batch_size=2)
    words = [len(each.arguments) for each in monitor.commands if each.name == "HMSET"]
    assert words == [6, 6, 4]
    assert await prices.get_all(["k3", "none", "k0"]) == {"k3": 3, "k0": 0}
    assert await prices.fast_remove("k0", "none", "k1") == 2
    left = {"k2": 2, "k3": 3, "k4": 4}
    assert await prices.read_all_map() == left
    assert sorted(await prices.read_all_entry_set()) == sorted(left.items())
    assert await prices.read_all_key_set() == set(left)
    assert sorted(await prices.read_all_values()) == [2, 3, 4]
    assert await prices.random_keys(9) == set(left)
    assert await prices.random_entries(9) == left
    assert await prices.random_keys(1) <= set(left)
    with pytest.raises(ValueError, match="batch_size must be at least 1, not 0"):
        await prices.put_all({"a": 1}, batch_size=0)
    with pytest.raises(ValueError, match="LongCodec"):
        await prices.put_all({"a": 1, "b": "text"}, batch_size=1)  # type: ignore[dict-item]  # on purpose
    assert await prices.read_all_map() == left, "nothing was written"


async def test_iteration_reads_all_pages(prices: AsyncMap[str, int], raw: redis.Redis) -> None:
    """The map has more than one page. A pattern selects keys."""
    everything = {f"k{number:04}": number for number in range(2000)}
    await prices.put_all(everything)
    found = {key async for key in prices}
    assert found == set(everything)
    pairs = [pair async for pair in prices.items()]
    assert dict(pairs) == everything
    assert {value async for value in prices.values()} == set(range(2000))
    assert {key async for key in prices.keys("k000*")} == {f"k000{each}" for each in range(10)}
    assert {value async for value in prices.values(b"k001?")} == set(range(10, 20))
    assert await prices.contains_value(1999)
    assert not await prices.contains_value(2000)
    raw.delete("prices")
    assert [key async for key in prices] == []
    assert not await prices.contains_value(1)


async def test_add_and_get_returns_sum(
    redisson: AsyncRedisson, prices: AsyncMap[str, int], raw: Any
) -> None:
    assert await prices.add_and_get("n", 5) == 5
    assert await prices.add_and_get("n", -7) == -2
    assert raw.hget("prices", "n") == b"-2"
    shared = redisson.get_map("json", JsonJacksonCodec())
    assert await shared.add_and_get("n", 1.5) == 1.5
    assert await shared.get("n") == 1.5
    with pytest.raises(TypeError, match="Kryo5Codec does not read"):
        await redisson.get_map("kryo", Kryo5Codec()).add_and_get("n", 1)
    assert not raw.exists("kryo")


async def test_none_is_rejected_and_undecodable_value_is_reported(
    prices: AsyncMap[str, Any], raw: Any
) -> None:
    with pytest.raises(TypeError, match="a value of map 'prices' must not be None"):
        await prices.put("a", None)
    with pytest.raises(TypeError, match="a value of map 'prices' must not be None"):
        await prices.remove("a", None)
    assert not raw.exists("prices")
    raw.hset("prices", mapping={"a": "text", "b": "2"})
    with pytest.raises(DecodeError) as caught:
        await prices.put("a", 3)
    assert caught.value.raw == b"text", "what was replaced is in the error"
    assert "Map 'prices'" in "".join(caught.value.__notes__)
    raw.hset("prices", "a", "text")
    with pytest.raises(BatchDecodeError) as several:
        await prices.read_all_map()
    assert several.value.values == [("b", 2)]
    assert {key async for key in prices} == {"a", "b"}


async def test_map_is_renamed_expires_and_is_deleted(
    prices: AsyncMap[str, int], raw: redis.Redis
) -> None:
    await prices.put("a", 1)
    await prices.rename("new")
    assert (prices.name, await prices.get("a")) == ("new", 1)
    assert await prices.expire(60)
    assert 50 < raw.ttl("new") <= 60
    assert repr(prices).startswith(f"<{type(prices).__name__} 'new' codec=CompositeCodec(")
    assert prices.codec is MIXED
    assert await prices.delete()


async def test_wrong_key_type_and_wrong_name_are_rejected(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    raw.rpush("l", "a")
    with pytest.raises(KeyTypeError, match="'l' should hold a hash but holds a list"):
        await redisson.get_map("l").put("a", "b")
    with pytest.raises(TypeError, match="the name of a map must be str"):
        redisson.get_map(5)  # type: ignore[call-overload]  # on purpose


async def test_flushed_scripts_are_loaded_again(prices: AsyncMap[str, int], raw: Any) -> None:
    await prices.put("a", 1)
    raw.script_flush()
    assert await prices.put("a", 2) == 1
    raw.script_flush()
    assert await prices.remove("a", 2)

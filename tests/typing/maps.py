"""Maps, as a user's type checker sees them."""

from datetime import timedelta
from typing import Any, assert_type

from pyredisson import (
    AsyncMap,
    AsyncMapCache,
    AsyncRedisson,
    EntryEvent,
    Lock,
    Map,
    MapCache,
    Redisson,
)
from pyredisson.codecs import CompositeCodec, LongCodec, StringCodec


def maps(client: Redisson) -> None:
    """RMap."""
    codec = CompositeCodec(StringCodec(), LongCodec(), StringCodec())
    assert_type(client.get_map("m"), Map[Any, Any])
    assert_type(client.get_map("m", codec), Map[Any, Any])
    assert_type(client.get_map("m", LongCodec()), Map[int, int])
    prices: Map[str, int] = client.get_map("m", codec)
    assert_type(prices.get("a"), int | None)
    assert_type(prices.get("a", 0), int)
    assert_type(prices["a"], int)
    assert_type(prices.put("a", 1), int | None)
    assert_type(prices.fast_put("a", 1), bool)
    assert_type(prices.replace("a", 1), int | None)
    assert_type(prices.replace("a", 1, 2), bool)
    assert_type(prices.remove("a"), int | None)
    assert_type(prices.remove("a", 1), bool)
    assert_type(prices.get_all(["a"]), dict[str, int])
    assert_type(prices.read_all_map(), dict[str, int])
    assert_type(prices.read_all_key_set(), set[str])
    assert_type(prices.add_and_get("a", 1), float)
    assert_type(prices.compute_if_absent("a", len), int | None)
    assert_type(prices.merge("a", 1, max), int | None)
    assert_type(prices.get_lock("a"), Lock)
    assert_type(list(prices), list[str])
    assert_type(list(prices.items()), list[tuple[str, int]])
    assert_type(len(prices), int)
    prices["a"] = 5
    del prices["a"]
    prices["a"] = "text"  # type: ignore[assignment]  # values are numbers
    prices.put(5, 5)  # type: ignore[arg-type]  # keys are text


async def async_maps(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    names: AsyncMap[str, str] = client.get_map("m", StringCodec())
    assert_type(await names.get("a"), str | None)
    assert_type(await names.remove("a", "b"), bool)
    async for key, value in names.items():
        assert_type((key, value), tuple[str, str])
    async for key in names:
        assert_type(key, str)
    await names.put_all({"a": "b"}, batch_size=100)


def expired(event: EntryEvent[str, str]) -> None:
    """A listener."""
    assert_type(event.key, str)
    assert_type(event.old_value, str | None)


def map_caches(client: Redisson) -> None:
    """RMapCache."""
    assert_type(client.get_map_cache("m", LongCodec(), evict=True), MapCache[int, int])
    sessions: MapCache[str, str] = client.get_map_cache("m")
    assert_type(sessions.put("a", "b", ttl=5, max_idle=timedelta(minutes=1)), str | None)
    assert_type(sessions.fast_put("a", "b", 5), bool)
    assert_type(sessions.remain_time_to_live("a"), timedelta | None)
    assert_type(sessions.expire_entry("a", 5, if_not_set=True), bool)
    assert_type(sessions.add_listener(expired, "expired"), int)
    sessions.set_max_size(5, "LFU")
    sessions.put_all({"a": "b"}, ttl=5)
    sessions.put("a", "b", ttl="5s")  # type: ignore[arg-type]  # seconds or timedelta


async def async_map_caches(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    sessions = client.get_map_cache("m", StringCodec())
    assert_type(sessions, AsyncMapCache[str, str])
    assert_type(await sessions.put_if_absent("a", "b", ttl=5), str | None)
    await sessions.destroy()

"""RMapCache on a real server: lifetimes of entries, and the data in Redis."""

import struct
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
import redis

from pyredisson import AsyncMapCache, AsyncRedisson, BatchDecodeError, DecodeError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.maps.names import CacheNames
from tests.support.maps import packed

N = CacheNames.of("c")
Cache = AsyncMapCache[str, str]


@pytest.fixture
def cache(redisson: AsyncRedisson) -> Cache:
    return redisson.get_map_cache("c", StringCodec())


def over(raw: Any, *keys: str, by: str = N.expires) -> None:
    """Let entries expire."""
    raw.zadd(by, dict.fromkeys(keys, 1), xx=True)


async def test_entry_expires_after_its_time_to_live(cache: Cache, raw: Any) -> None:
    assert await cache.put("a", "1", ttl=60) is None
    assert await cache.put("b", "2", ttl=timedelta(hours=1)) is None
    assert await cache.put("c", "3") is None
    assert raw.hget("c", "a") == packed(b"1")
    left = await cache.remain_time_to_live("a")
    assert left is not None
    assert timedelta(seconds=50) < left <= timedelta(seconds=60)
    assert raw.zscore(N.expires, "b") - raw.zscore(N.expires, "a") > 3_500_000
    assert await cache.remain_time_to_live("c") is None
    assert await cache.remain_time_to_live("none") is None
    assert await cache.remain_time_to_live() is None
    assert (await cache.get("a"), await cache.size()) == ("1", 3)
    over(raw, "a")
    assert await cache.get("a") is None
    assert not await cache.contains_key("a")
    assert await cache.remain_time_to_live("a") is None
    assert await cache.remove("a") is None
    assert not await cache.fast_replace("a", "2")
    assert not await cache.replace("a", "1", "2")
    assert not await cache.expire_entry("a", 60)
    assert (await cache.size(), raw.hlen("c")) == (2, 3)
    assert await cache.put("a", "4") is None, "a new entry"
    assert raw.zscore(N.expires, "a") is None
    assert await cache.put("b", "5") == "2"
    assert raw.zrange(N.expires, 0, -1) == []


async def test_read_restarts_idle_time(cache: Cache, raw: Any) -> None:
    """Each entry in Redis contains the length of its idle time."""
    await cache.put("a", "1", max_idle=60)
    assert raw.hget("c", "a") == packed(b"1", 60_000)
    for read in (
        lambda: cache.get("a"),
        lambda: cache.contains_key("a"),
        lambda: cache.get_all(["a"]),
        cache.read_all_map,
        lambda: cache.put_if_absent("a", "2"),
        lambda: cache.remove("a", "2"),
        lambda: cache.put_if_exists("a", "1"),
    ):
        raw.zincrby(N.idles, -30_000, "a")
        left = await cache.remain_time_to_live("a")
        assert left is not None
        assert left < timedelta(seconds=31)
        await read()
        left = await cache.remain_time_to_live("a")
        assert left is not None
        assert left > timedelta(seconds=50)
    assert await cache.value_size("a") == 1
    over(raw, "a", by=N.idles)
    assert (await cache.get("a"), await cache.size()) == (None, 0)


async def test_put_if_absent_of_existing_entry_changes_no_idle_time(cache: Cache, raw: Any) -> None:
    """Redisson stores an idle time that has already passed. Its eviction then removes the entry."""
    await cache.put("a", "1", ttl=60)
    assert await cache.put_if_absent("a", "2", ttl=60) == "1"
    assert not await cache.fast_put_if_absent("a", "2", ttl=60, max_idle=5)
    assert raw.zscore(N.idles, "a") is None
    raw.zadd(N.idles, {"a": 1})  # as Java does
    assert (await cache.get("a"), await cache.size()) == ("1", 1)


async def test_fast_put_keeps_the_time_to_live(cache: Cache, raw: Any) -> None:
    """fast_put also removes the idle time.

    Redisson keeps it, but reads no longer restart it, so Redisson evicts an entry in use.
    """
    await cache.put("a", "1", ttl=60, max_idle=60)
    assert not await cache.fast_put("a", "2")
    assert raw.zscore(N.expires, "a") > 0
    assert raw.zscore(N.idles, "a") is None
    assert raw.hget("c", "a") == packed(b"2")
    assert not await cache.fast_put("a", "3", max_idle=60)
    assert raw.zscore(N.expires, "a") is None
    assert await cache.fast_put("b", "3", ttl=60)
    over(raw, "b")
    assert await cache.fast_put("b", "4"), "a new entry"
    assert await cache.remain_time_to_live("b") is None


async def test_replace_keeps_limits_and_expire_entry_changes_them(cache: Cache, raw: Any) -> None:
    await cache.put("a", "1", ttl=60, max_idle=30)
    assert await cache.replace("a", "2") == "1"
    assert await cache.replace("a", "2", "3")
    assert await cache.fast_put_if_exists("a", "4")
    assert raw.hget("c", "a") == packed(b"4", 30_000)
    assert await cache.expire_entry("a", ttl=5)
    assert raw.hget("c", "a") == packed(b"4")
    assert raw.zscore(N.idles, "a") is None
    assert not await cache.expire_entry("a", 60, if_not_set=True)
    assert await cache.expire_entry("a")
    assert await cache.remain_time_to_live("a") is None
    assert await cache.expire_entry("a", max_idle=60, if_not_set=True)
    assert raw.hget("c", "a") == packed(b"4", 60_000)
    for wrong in (-1, float("inf")):
        with pytest.raises(ValueError, match="ttl must be at least 0 and finite"):
            await cache.put("a", "5", ttl=wrong)
    assert await cache.get("a") == "4"


async def test_bulk_methods_skip_expired_entries(cache: Cache, raw: redis.Redis) -> None:
    """The map has more than one page, and some of its entries have expired."""
    everything = {f"k{number:04}": str(number) for number in range(1200)}
    await cache.put_all(everything, ttl=60)
    await cache.put_all({"idle": "x"}, max_idle=60)
    over(raw, *(f"k{number:04}" for number in range(600)))
    over(raw, "idle", by=N.idles)
    raw.zadd(N.expires, {"lost": 1})
    live = dict([*everything.items()][600:])
    assert await cache.size() == 600
    assert await cache.read_all_map() == live
    assert await cache.read_all_key_set() == set(live)
    assert sorted(await cache.read_all_values()) == sorted(live.values())
    assert {key async for key in cache.keys("k119*")} == {f"k119{digit}" for digit in range(10)}
    assert await cache.get_all(everything) == live
    assert await cache.contains_value("1199")
    assert not await cache.contains_value("5")
    assert set(await cache.random_keys(2000)) == set(live)
    assert (await cache.random_entries(20)).items() <= live.items()
    assert await cache.fast_remove(*everything) == 600
    assert await cache.is_empty()
    with pytest.raises(ValueError, match="batch_size must be at least 1, not 0"):
        await cache.put_all({"a": "1"}, batch_size=0)


async def test_add_and_get_keeps_limits_of_live_entry(redisson: AsyncRedisson, raw: Any) -> None:
    cache: AsyncMapCache[Any, Any] = redisson.get_map_cache("c", LongCodec())
    await cache.put(1, 5, ttl=60, max_idle=60)
    assert await cache.add_and_get(1, 3) == 8
    assert raw.hgetall("c") == {b"1": packed(b"8", 60_000)}
    assert raw.zscore(N.expires, "1") > 0
    assert await cache.add_and_get(2, -3) == -3
    over(raw, "1")
    assert await cache.add_and_get(1, 3) == 3
    assert await cache.remain_time_to_live(1) is None


async def test_values_of_plain_map_cannot_be_read(cache: Cache, raw: Any) -> None:
    """Redisson then cannot read any entry of the map."""
    await cache.put("a", "1")
    raw.hset("c", mapping={"plain": "text", "short": struct.pack("<dQ", 0, 9) + b"x"})
    with pytest.raises(DecodeError, match="not packed as RMapCache packs values") as caught:
        await cache.get("plain")
    assert caught.value.raw == b"text"
    with pytest.raises(BatchDecodeError) as several:
        await cache.read_all_map()
    assert several.value.values == [("a", "1")]
    assert await cache.get("a") == "1"
    assert await cache.fast_remove("short") == 1
    assert not await cache.fast_put("plain", "2")
    assert await cache.read_all_map() == {"a": "1", "plain": "2"}


@pytest.mark.parametrize("mode", ["LRU", "LFU"])
async def test_maximum_size_removes_least_used_entries(cache: Cache, raw: Any, mode: Any) -> None:
    """The limit also removes entries that are older than it. Redisson never removes those."""
    await cache.put_all({"a": "1", "b": "2", "c": "3"})
    assert await cache.try_set_max_size(3, mode)
    assert not await cache.try_set_max_size(9)
    raw.zincrby(N.used, -10, "b")
    await cache.get("b")
    raw.zincrby(N.used, -20, "a")
    await cache.put("d", "4")
    assert await cache.read_all_map() == {"b": "2", "c": "3", "d": "4"}
    await cache.set_max_size(1, mode)
    await cache.put("e", "5", ttl=60)
    assert await cache.read_all_map() == {"e": "5"}
    assert raw.zrange(N.used, 0, -1) == [b"e"]
    await cache.set_max_size(0)
    await cache.put_all({"f": "6", "g": "7"})
    assert await cache.size() == 3
    await cache.clear()
    assert raw.hgetall(N.options) == {b"max-size": b"0", b"mode": b"LRU"}
    for wrong in (-1, "5", True):
        with pytest.raises((TypeError, ValueError), match="max_size must be"):
            await cache.set_max_size(wrong)  # type: ignore[arg-type]  # on purpose
    with pytest.raises(ValueError, match="mode must be 'LRU' or 'LFU', not 'FIFO'"):
        await cache.set_max_size(5, "FIFO")  # type: ignore[arg-type]  # on purpose


@pytest.mark.parametrize("mode", ["LRU", "LFU"])
async def test_put_all_of_more_than_the_maximum_size(cache: Cache, raw: Any, mode: Any) -> None:
    """The last entries stay, as after a separate put of each entry."""
    await cache.put("a", "1")
    await cache.set_max_size(3, mode)
    await cache.put_all({str(number): "v" for number in range(10)}, ttl=60)
    assert await cache.read_all_map() == {"7": "v", "8": "v", "9": "v"}
    for name in (N.expires, N.used):
        assert sorted(raw.zrange(name, 0, -1)) == [b"7", b"8", b"9"]


async def test_rename_expire_and_delete_include_all_keys(cache: Cache, raw: Any) -> None:
    await cache.put("a", "1", ttl=60, max_idle=60)
    await cache.set_max_size(5)
    await cache.rename("new")
    assert await cache.get("a") == "1"
    names = {key.decode() for key in raw.scan_iter()}
    assert names == set(CacheNames.of("new").own)
    assert await cache.expire(60)
    assert all(0 < raw.ttl(name) <= 60 for name in names)
    left = await cache.remain_time_to_live()
    assert left is not None
    assert await cache.delete()
    assert raw.keys() == []


async def test_write_deletes_lease_of_loader(cache: Cache, raw: Any) -> None:
    """Redisson's fastPut keeps the lease, so a stale loader later overwrites the value."""
    writes: Mapping[str, Any] = {
        "put": lambda: cache.put("a", "1", ttl=60),
        "fast_put": lambda: cache.fast_put("a", "1"),
        "replace": lambda: cache.replace("a", "1"),
    }
    for name, write in writes.items():
        raw.set("redisson__map__lease:{c}:a", "token")
        await write()
        assert not raw.exists("redisson__map__lease:{c}:a"), name


async def test_compute_ignores_expired_entry(cache: Cache, raw: Any) -> None:
    await cache.put("a", "1", ttl=60)
    assert await cache.compute_if_present("a", lambda key, old: old + "2") == "12"
    assert raw.zscore(N.expires, "a") > 0, "fast_put keeps it"
    over(raw, "a")
    assert await cache.compute_if_absent("a", lambda key: "new") == "new"
    raw.script_flush()
    assert await cache.get("a") == "new"


async def test_get_with_ttl_only_keeps_idle_time(redisson: AsyncRedisson, raw: Any) -> None:
    cache = redisson.get_map_cache("c", StringCodec())
    await cache.put("a", "1", max_idle=60)
    await cache.put("b", "2", ttl=60)
    raw.zincrby(N.idles, -30_000, "a")
    idle = raw.zscore(N.idles, "a")
    assert await cache.get_with_ttl_only("a") == "1"
    assert await cache.get_all_with_ttl_only("abx") == {"a": "1", "b": "2"}
    assert await cache.get_with_ttl_only("x") is None
    assert raw.zscore(N.idles, "a") == idle
    assert await cache.get("a") == "1"
    assert raw.zscore(N.idles, "a") > idle

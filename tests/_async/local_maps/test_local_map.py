"""RLocalCachedMap on a real server: reads use local copies, and no copy is older than allowed."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import redis

from pyredisson import AsyncLocalCachedMap, AsyncRedisson, InvalidNameError, KeyTypeError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.highway_hash import hash_bytes
from pyredisson.protocol.local_maps.messages import invalidation
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster
from tests.support.twins import sleep_async, until_async

TOPIC, LOG = "{m}:topic", "redisson__cache_updates_log:{m}"


async def listening(cached: AsyncLocalCachedMap[Any, Any]) -> AsyncLocalCachedMap[Any, Any]:
    """Wait until the map listens, so that it keeps the values that it reads."""
    cached._copies.open()
    await until_async(cached._copies._listens, "it listens")
    return cached


async def opened(redisson: AsyncRedisson, **options: Any) -> AsyncLocalCachedMap[str, str]:
    return await listening(redisson.get_local_cached_map("m", StringCodec(), **options))


async def gone(cached: AsyncLocalCachedMap[str, str], key: str) -> None:
    await until_async(lambda: key not in cached.get_cached_map(), "its copy is dropped")


async def test_a_batch_has_at_least_one_value(redisson: AsyncRedisson) -> None:
    cached: AsyncLocalCachedMap[str, str] = redisson.get_local_cached_map("m", StringCodec())
    with pytest.raises(ValueError, match="batch_size must be at least 1, not 0"):
        await cached.put_all({"a": "1"}, batch_size=0)


async def test_reads_use_local_copy(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    cached = await opened(redisson)
    raw.hset("m", "k", "v")
    assert await cached.get("k") == "v"
    raw.hset("m", "k", "written by somebody who tells nobody")
    assert await cached.get("k") == "v"
    assert await cached.contains_key("k")
    assert await cached.get_all(["k", "other"]) == {"k": "v"}
    assert cached.get_cached_map() == {"k": "v"}
    assert await cached.get("none", "default") == "default"
    raw.publish(TOPIC, invalidation([hash_bytes(b"k")]))
    await gone(cached, "k")
    assert await cached.get("k") == "written by somebody who tells nobody"
    assert not await cached.contains_key("other")


@pytest.mark.parametrize("sync_strategy", ["invalidate", "update"])
async def test_each_write_reaches_the_other_copies(
    redisson: AsyncRedisson, url: str, sync_strategy: str, raw: Any
) -> None:
    async with AsyncRedisson.from_url(url) as another:
        ours, theirs = (
            await opened(redisson, sync_strategy=sync_strategy),
            await opened(another, sync_strategy=sync_strategy),
        )

        async def seen(value: str | None) -> bool:
            return (await theirs.get("k"), await ours.get("k")) == (value, value)

        def told(allowed: Any) -> bool:
            return all(each.get_cached_map().get("k") in allowed for each in (ours, theirs))

        expected: str | None = None
        for write, value in (
            (lambda: ours.fast_put("k", "1"), "1"),
            (lambda: theirs.put("k", "2"), "2"),
            (lambda: ours.put_if_absent("k", "x"), "2"),
            (lambda: ours.put_if_exists("k", "3"), "3"),
            (lambda: ours.replace("k", "3", "4"), "4"),
            (lambda: theirs.replace("k", "3", "x"), "4"),
            (lambda: theirs.put_all({"k": "5", "l": "x"}), "5"),
            (lambda: ours.add_and_get("k", 2), "7"),
            (lambda: ours.remove("k", "x"), "7"),
            (lambda: theirs.remove("k"), None),
            (lambda: theirs.fast_put_if_absent("k", "8"), "8"),
            (lambda: ours.fast_remove("k", "l"), None),
            (lambda: ours.fast_put("k", "9"), "9"),
            (theirs.clear, None),
        ):
            assert await seen(expected)
            await write()
            expected = value
            assert raw.hget("m", "k") == (value and value.encode())
            allowed = (value, None)
            await until_async(partial(told, allowed), "told")
        assert await seen(None)


async def test_update_strategy_sends_values_to_other_clients(
    redisson: AsyncRedisson, url: str, raw: redis.Redis
) -> None:
    """With "update", other clients get copies of keys that they have never read."""
    async with AsyncRedisson.from_url(url) as another:
        cached, theirs = await opened(redisson, sync_strategy="update"), await opened(another)
        await theirs.put("known", "0")
        await theirs.get("known")
        theirs = await opened(another, sync_strategy="update")
        await theirs.put_all({"known": "1", "new": "2"})
        await until_async(lambda: cached.get_cached_map() == {"known": "1", "new": "2"}, "sent")
        raw.delete("m")
        assert await cached.get("new") == "2"
        await theirs.put_if_exists("new", "never stored")
        await gone(cached, "new")


async def test_value_that_changes_during_read_is_not_kept(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    cached = await opened(redisson)
    raw.hset("m", "k", "old")
    read = cached._copies.begin([b"k"])
    await cached.put("k", "new")
    cached._copies.end(read, {b"k": ("k", "old")})
    assert cached.get_cached_map() == {}
    assert await cached.get("k") == "new"


async def test_an_own_write_is_seen_at_once(redisson: AsyncRedisson) -> None:
    cached = await opened(redisson)
    for number in range(200):
        await cached.fast_put("k", str(number))
        assert await cached.get("k") == str(number)


async def test_copies_are_bounded_by_size_and_time(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    cached = await opened(redisson, cache_size=2, time_to_live=0.2, store_cache_miss=True)
    raw.hset("m", mapping={"a": "1", "b": "2", "c": "3"})
    for key in "abc":
        await cached.get(key)
    assert cached.get_cached_map() == {"b": "2", "c": "3"}
    assert await cached.get("none") is None
    raw.hset("m", mapping={"none": "4", "c": "5"})
    assert (await cached.get("none"), await cached.contains_key("none")) == (None, False)
    assert await cached.get_all(["none", "c"]) == {"c": "3"}
    await sleep_async(0.25)
    assert (await cached.get("none"), await cached.get("c")) == ("4", "5")


async def test_preload_cache_copies_whole_map(redisson: AsyncRedisson, raw: Any) -> None:
    cached = redisson.get_local_cached_map("m", StringCodec(), cache_size=None)
    await cached.put_all({f"k{number}": str(number) for number in range(2500)})
    await cached.preload_cache()
    raw.delete("m")
    assert len(cached.get_cached_map()) == 2500
    assert await cached.get("k77") == "77"
    await cached.clear_local_cache()
    assert cached.get_cached_map() == {}
    assert await cached.fast_remove("k1", *cached.get_cached_map()) == 0
    assert raw.zcard(LOG) == 2501
    assert 600_000 < raw.pttl(LOG) <= 670_000


async def test_rename_restore_copy_and_unlink_drop_old_copies(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    cached = await opened(redisson)
    await cached.put("k", "v")
    await cached.get("k")
    await cached.rename("n")
    assert cached.name == "n"
    await listening(cached)
    assert await cached.get("k") == "v"
    other = await opened(redisson)
    assert await other.get("k") is None
    await other.put("k", "w")
    assert not await cached.renamenx("m")
    await other.get("k")
    (data,) = await cached.dump()
    await other.restore((data,), replace=True)
    await gone(other, "k")
    assert await other.get("k") == "v"
    raw.hset("m", "k", "told by nobody")
    assert await cached.copy_and_replace("m")
    await gone(other, "k")
    assert await other.get("k") == "v"
    assert await cached.move_to_database(1)
    assert await cached.get("k") is None
    await cached.put("k", "v")
    assert await other.unlink()
    assert await cached.renamenx("m")
    for call in (partial(cached.expire, 5), partial(cached.restore, (data,), ttl=5)):
        with pytest.raises(NotImplementedError, match="would outlive its time to live"):
            await call()
    assert raw.pttl("m") == -1
    cached.destroy()
    other.destroy()
    await until_async(lambda: raw.pubsub_numsub(TOPIC)[0][1] == 0, "nobody listens")
    assert await cached.delete()
    assert raw.keys() == [LOG.encode(), b"redisson__cache_updates_log:{n}"] or not raw.exists("m")


async def test_rejected_options(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    make: Any = redisson.get_local_cached_map
    for option, value in (
        ("sync_strategy", "all"),
        ("eviction_policy", "lfu"),
        ("reconnection_strategy", ""),
    ):
        with pytest.raises(ValueError, match=f"{option} must be one of"):
            make("m", **{option: value})
    for option in ("cache_size", "time_to_live", "max_idle"):
        with pytest.raises(ValueError, match=option):
            make("m", **{option: 0})
    make("m")
    with pytest.raises(InvalidNameError):
        make("{m}")
    raw.set(LOG, "v")
    with pytest.raises(KeyTypeError, match="should hold a zset"):
        await make("m").get("k")


async def test_map_handles_messages_of_java(redisson: AsyncRedisson, raw: Any) -> None:
    """The map answers Java's requests. A message that it cannot decode drops all copies."""
    cached = await opened(redisson)
    await cached.put("k", "v")
    digest, request = hash_bytes(b"k"), b"r" * 16
    await cached.get("k")
    raw.publish(TOPIC, b"\0" + bytes(16) + request + b"\1")
    semaphore = f"m:clear:{request.hex()}"
    await until_async(lambda: raw.get(semaphore) == b"1", "it answers")
    assert 50_000 < raw.pttl(semaphore) <= 60_000
    assert cached.get_cached_map() == {}
    await cached.get("k")
    with raw.pubsub() as committer:
        committer.subscribe("{m}:abcd:topic")
        committer.get_message(timeout=5)
        raw.publish(TOPIC, b"\3\4abcd" + (10_000).to_bytes(8, "big") + b"\0\0\0\0\1" + digest)
        await gone(cached, "k")
        answer = committer.get_message(timeout=5)
        assert answer["data"] == b"\4"
    assert await cached.get("k") == "v"
    assert cached.get_cached_map() == {}
    raw.publish(TOPIC, b"\5\4abcd\0\0\0\0\1" + digest)
    await sleep_async(0.1)
    await cached.get("k")
    assert cached.get_cached_map() == {"k": "v"}
    raw.publish(TOPIC, b"\2" + bytes(16) + b"\0\0\0\1k\0\0\0\1\xff")  # not text
    await gone(cached, "k")
    await cached.get("k")
    raw.publish(TOPIC, b"\x63 unknown")
    await gone(cached, "k")


async def test_a_rejected_message_undoes_the_write(own_server: RedisServer) -> None:
    """Otherwise the other copies would keep the old value."""
    root: Any = own_server.client()
    root.execute_command("ACL", "SETUSER", "few", "on", ">x", "~*", "+@all", "resetchannels")
    url = f"redis://few:x@127.0.0.1:{own_server.port}/0"
    root.hset("m", "k", "old")
    async with AsyncRedisson.from_url(url) as redisson:
        cached = redisson.get_local_cached_map("m", StringCodec())
        with pytest.raises(Exception, match=r"PUBLISH \{m\}:topic"):
            await cached.put("k", "new")
    assert root.hgetall("m") == {b"k": b"old"}


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    """The map also receives messages by PUBLISH. Releases before 3.23 and transactions use it."""
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client) as redisson:
        cached, other = await opened(redisson), await opened(redisson)
        await other.put("k", "v")
        await sleep_async(0.2)
        assert await cached.get("k") == "v"
        await other.put("k", "w")
        await gone(cached, "k")
        await sleep_async(0.2)
        for word in ("PUBLISH", "SPUBLISH"):
            assert await cached.get("k") == "w"
            assert cached.get_cached_map() == {"k": "w"}
            cluster.master_of(b"m").run(word, TOPIC, invalidation([hash_bytes(b"k")]))
            await gone(cached, "k")

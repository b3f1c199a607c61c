"""Events of map caches, and the eviction of expired entries."""

import logging
from typing import Any

import pytest
import redis.asyncio

from pyredisson import AsyncMapCache, AsyncRedisson, EntryEvent, UncertainError
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.maps.names import CacheNames
from pyredisson.server_errors import ServerTimeoutError
from tests.support.proxy import FaultProxy
from tests.support.topology import RedisCluster
from tests.support.twins import interrupt_async, sleep_async, until_async

N = CacheNames.of("c")
Cache = AsyncMapCache[str, str]


@pytest.fixture
def cache(redisson: AsyncRedisson) -> Cache:
    return redisson.get_map_cache("c", StringCodec())


async def test_listener_gets_each_event(cache: Cache, redisson: AsyncRedisson, raw: Any) -> None:
    """Puts and removals by any client emit events.

    A listener gets only the events that it asked for.
    """
    everything: list[EntryEvent[str, str]] = []
    gone: list[str] = []
    await cache.put("silent", "0")
    await cache.add_listener(everything.append)
    number = await cache.add_listener(lambda event: gone.append(event.key), "removed")
    assert raw.hget(N.options, "has-listeners") == b"1"
    other = redisson.get_map_cache("c", StringCodec())
    await other.put("a", "1")
    await other.fast_put("a", "2", ttl=60)
    await other.put_if_absent("a", "3")
    await other.remove("a")
    await other.remove("a")
    await other.set_max_size(1)
    await other.put_all({"b": "4"})
    wanted = [
        EntryEvent("created", "a", "1", None),
        EntryEvent("updated", "a", "2", "1"),
        EntryEvent("removed", "a", "2", None),
        EntryEvent("created", "b", "4", None),
        EntryEvent("removed", "silent", "0", None),
    ]
    await until_async(lambda: sorted(everything) == sorted(wanted), "all came")
    assert gone == ["a", "silent"]
    await cache.remove_listener(number)
    await cache.remove_listener(number)
    await other.remove("b")
    await until_async(lambda: len(everything) == 6, "one more")
    assert len(gone) == 2
    await cache.destroy()
    await until_async(lambda: raw.pubsub_channels("redisson_map_cache*") == [], "it has left")
    with pytest.raises(ValueError, match=r"events are created, .*, not 'lost'"):
        await cache.add_listener(print, "lost")


async def test_listener_flag_is_set_again_after_delete(
    cache: Cache, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In Redisson, a delete also removes the flag that makes writers publish.

    Its listeners then get no further events.
    """
    monkeypatch.setattr("pyredisson._async.maps.listener._PAUSE", 0.05)
    events: list[Any] = []
    await cache.add_listener(events.append, "created")
    await cache.delete()
    await until_async(lambda: raw.hget(N.options, "has-listeners") == b"1", "it is set again")
    await cache.put("a", "1")
    await until_async(lambda: len(events) == 1, "it came")


async def test_listener_continues_after_bad_event_and_own_error(
    cache: Cache, redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[Any] = []

    def listen(event: EntryEvent[Any, Any]) -> None:
        seen.append(event.key)
        raise KeyError("on purpose")

    numbers: AsyncMapCache[int, int] = redisson.get_map_cache("c", LongCodec())
    with caplog.at_level(logging.ERROR, "pyredisson"):
        await numbers.add_listener(listen, "created")
        raw.publish(N.channel("created"), b"text")
        await cache.put("text", "5")
        await numbers.put(1, 2)
        await until_async(lambda: seen == [1], "it goes on")
    texts = [record.getMessage() for record in caplog.records]
    assert any("an event of map 'c' cannot be decoded" in text for text in texts)
    assert any("b'text'" in text for text in texts)
    await until_async(lambda: "a listener of map 'c' raised" in caplog.text, "it is logged")


async def test_expired_entries_are_removed(
    redisson: AsyncRedisson, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry stays if only Java's putIfAbsent has given it a passed idle time."""
    monkeypatch.setattr("pyredisson._async.maps.eviction._SHORTEST", 1.0)
    cache: Cache = redisson.get_map_cache("c", StringCodec(), evict=True)
    same: Cache = redisson.get_map_cache("c", StringCodec(), evict=True)
    events: list[Any] = []
    await cache.add_listener(events.append, "expired")
    await cache.put("a", "1", ttl=0.001)
    await cache.put("b", "2", max_idle=0.001)
    await cache.put("c", "3", ttl=60)
    raw.zadd(N.idles, {"c": 1, "lost": 1})
    await until_async(lambda: raw.hkeys("c") == [b"c"], "they are removed")
    assert raw.zrange(N.expires, 0, -1) == [b"c"]
    assert raw.zrange(N.idles, 0, -1) == []
    assert 0 < raw.ttl(N.latch) <= 30
    await until_async(lambda: len(events) == 2, "both came")
    assert {event.key: event.value for event in events} == {"a": "1", "b": "2"}
    await cache.destroy()
    assert redisson._context.background.work
    await same.destroy()
    assert not redisson._context.background.work


async def test_latch_of_another_client_delays_eviction(
    redisson: AsyncRedisson, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pyredisson._async.maps.eviction._SHORTEST", 1.0)
    raw.set(N.latch, "1")
    cache: Cache = redisson.get_map_cache("c", StringCodec(), evict=True)
    await cache.put("a", "1", ttl=0.001)
    await sleep_async(1.5)
    assert raw.hlen("c") == 1
    raw.delete(N.latch)
    await until_async(lambda: raw.hlen("c") == 0, "it is removed")
    await cache.put("a", "1")
    await cache.rename("new")
    assert [*redisson._context.background.work] == [("map eviction", "new")]


async def test_lost_reply_repeats_get_but_not_put(proxy: FaultProxy, raw: Any) -> None:
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url) as redisson:
        cache = redisson.get_map_cache("c", StringCodec())
        await cache.put("a", "1")
        await cache.get("a")
        proxy.lose_reply_to(load("maps/cache_get").sha.encode())
        assert await cache.get("a") == "1"
        proxy.lose_reply_to(load("maps/cache_put").sha.encode())
        with pytest.raises(UncertainError, match="no reply to put of 'c'"):
            await cache.put("a", "2")
        assert await cache.get("a") == "2"


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    async with AsyncRedisson(redis.asyncio.RedisCluster.from_url(cluster.url)) as redisson:
        cache = redisson.get_map_cache("c", StringCodec())
        events: list[Any] = []
        await cache.add_listener(events.append)
        await cache.put("a", "1", ttl=60, max_idle=60)
        assert await cache.remove("a") == "1"
        await until_async(lambda: len(events) >= 2, "they came")
        assert [event.event for event in events] == ["created", "removed"]


async def test_listener_that_is_not_confirmed_is_removed(proxy: FaultProxy, raw: Any) -> None:
    """A listener that is not confirmed, or is interrupted meanwhile, leaves no background work."""
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url, response_timeout=1) as redisson:
        cache = redisson.get_map_cache("c", StringCodec())
        await cache.put("a", "1")
        proxy.filter_replies(lambda frame: None if b"subscribe" in frame else frame)
        with pytest.raises(ServerTimeoutError, match="did not confirm the listener"):
            await cache.add_listener(print)
        assert not redisson._context.background.work
        await interrupt_async(lambda: cache.add_listener(print), 0.2)
        assert not redisson._context.background.work
        proxy.heal(cut=True)
        events: list[Any] = []
        await cache.add_listener(events.append)
        await cache.put("a", "2")
        await until_async(lambda: len(events) == 1, "it came")

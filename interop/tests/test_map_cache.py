"""RMapCache beside Java's: each reads, expires, removes and reports what the other has written."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from interop.tests.conftest import Clients
from pyredisson import EntryEvent, MapCache, Redisson
from pyredisson.codecs import JsonJacksonCodec, StringCodec
from pyredisson.protocol.maps.names import EVENTS, CacheNames
from tests.support.dump import dump
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.19.3")
N = CacheNames.of("c")
Call = tuple[Any, ...]
MINUTE, HOUR = (1, "MINUTES"), (1, "HOURS")

CALLS: dict[str, tuple[Call, Callable[[MapCache[str, str]], Any]]] = {
    "put": (("put", "k", "w"), lambda c: c.put("k", "w")),
    "put for a while": (("put", "k", "w", *MINUTE), lambda c: c.put("k", "w", 60)),
    "put a new one": (("put", "x", "w", *HOUR, *MINUTE), lambda c: c.put("x", "w", 3600, 60)),
    "fastPut for a while": (("fastPut", "k", "w", *MINUTE), lambda c: c.fast_put("k", "w", 60)),
    "fastPut of one with a ttl": (("fastPut", "t", "w"), lambda c: c.fast_put("t", "w")),
    "fastPut a new one": (("fastPut", "x", "w"), lambda c: c.fast_put("x", "w")),
    "putIfAbsent": (
        ("putIfAbsent", "x", "w", *MINUTE),
        lambda c: c.put_if_absent("x", "w", 60),
    ),
    "fastPutIfAbsent": (("fastPutIfAbsent", "x", "w"), lambda c: c.fast_put_if_absent("x", "w")),
    "putIfExists": (("putIfExists", "t", "w"), lambda c: c.put_if_exists("t", "w")),
    "replace": (("replace", "i", "w"), lambda c: c.replace("i", "w")),
    "replace the expected": (("replace", "t", "v", "w"), lambda c: c.replace("t", "v", "w")),
    "replace another": (("replace", "t", "x", "w"), lambda c: c.replace("t", "x", "w")),
    "replace an expired one": (("replace", "gone", "w"), lambda c: c.replace("gone", "w")),
    "fastReplace": (("fastReplace", "t", "w"), lambda c: c.fast_replace("t", "w")),
    "get": (("get", "i"), lambda c: c.get("i")),
    "get an expired one": (("get", "gone"), lambda c: c.get("gone")),
    "getWithTTLOnly": (("getWithTTLOnly", "i"), lambda c: c.get_with_ttl_only("i")),
    "getWithTTLOnly an expired one": (
        ("getWithTTLOnly", "gone"),
        lambda c: c.get_with_ttl_only("gone"),
    ),
    "containsKey": (("containsKey", "i"), lambda c: c.contains_key("i")),
    "remove": (("remove", "t"), lambda c: c.remove("t")),
    "remove an expired one": (("remove", "gone"), lambda c: c.remove("gone")),
    "remove the expected": (("remove", "i", "v"), lambda c: c.remove("i", "v")),
    "remove another": (("remove", "k", "w"), lambda c: c.remove("k", "w")),
    "fastRemove": (("fastRemove", "i", "x"), lambda c: c.fast_remove("i", "x")),
    "addAndGet a new one": (("addAndGet", "n", 5), lambda c: c.add_and_get("n", 5)),
    "readAllMap": (("readAllMap",), lambda c: c.read_all_map()),
    "readAllKeySet": (("readAllKeySet",), lambda c: c.read_all_key_set()),
    "containsValue": (("containsValue", "v"), lambda c: c.contains_value("v")),
    "expire an entry": (
        ("updateEntryExpiration", "t", *HOUR, 0, "SECONDS"),
        lambda c: c.expire_entry("t", 3600),
    ),
    "setMaxSize": (("setMaxSize", 9), lambda c: c.set_max_size(9)),
    "delete": (("delete",), lambda c: c.delete()),
}


def fill(raw: Any, java: Any) -> None:
    """Store an entry for ever, one with a ttl, one with an idle time, and one that has expired."""
    raw.flushall()
    java.call("put", "k", "v")
    java.call("put", "t", "v", *HOUR)
    java.call("put", "i", "v", 0, "SECONDS", *HOUR)
    java.call("put", "gone", "v", *HOUR)
    raw.zadd(N.expires, {"gone": 1})


def state(raw: Any) -> dict[bytes, Any]:
    """Return all keys, with times in whole minutes from now."""
    now = time.time() * 1000
    found: dict[bytes, Any] = {}
    for key, each in dump(raw).items():
        value: Any = each.value
        if each.type == "zset":
            value = [(name, max(round((score - now) / 60_000), -1)) for name, score in value]
        found[key] = value
    return found


@pytest.mark.parametrize("release", RELEASES)
def test_the_same_entries_afterwards(
    java_client: Clients, url: str, raw: Any, release: str
) -> None:
    """One test for all calls, because a Java client for each would take most of the time."""
    java = java_client(release, codec="String").get("map_cache", "c")
    with Redisson.from_url(url) as redisson:
        cache = redisson.get_map_cache("c", StringCodec())
        for case, (call, python) in CALLS.items():
            fill(raw, java)
            theirs = java.call(*call)
            after = state(raw)
            fill(raw, java)
            ours = python(cache)
            if case == "setMaxSize":  # Java's concerns only entries that are used from then on
                assert raw.delete(N.used)
            assert state(raw) == after, case
            assert ours == theirs, case


@pytest.mark.parametrize("release", RELEASES)
def test_each_reads_what_the_other_writes(
    java_client: Clients, url: str, raw: Any, release: str
) -> None:
    java = java_client(release).get("map_cache", "c", codec="JsonJackson")
    with Redisson.from_url(url) as redisson:
        cache: MapCache[Any, Any] = redisson.get_map_cache("c", JsonJacksonCodec())
        java.call("put", "java", {"a": [1, 2.5]}, *MINUTE, *MINUTE)
        cache.put("python", {"a": [1, 2.5]}, ttl=60, max_idle=60)
        assert java.call("get", "python") == cache.get("java") == {"a": [1, 2.5]}
        assert java.call("readAllMap") == cache.read_all_map()
        left = cache.remain_time_to_live("java")
        assert left is not None
        assert 30 < left.total_seconds() <= 60
        assert 30_000 < java.call("remainTimeToLive", "python") <= 60_000
        assert cache.expire_entry("java", max_idle=60)
        assert java.call("replace", "java", "new") == {"a": [1, 2.5]}, "3.19.3 fails after its own"
        raw.zadd(N.expires, {'"python"': 1})
        raw.zadd(N.idles, {'"java"': 1})
        assert java.call("readAllMap") == cache.read_all_map() == {}


@pytest.mark.parametrize("release", ["4.7.0", "3.27.2", "3.19.3"])
def test_events_both_ways(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release, codec="String").get("map_cache", "c")
    kinds = [f"org.redisson.api.map.event.Entry{each.title()}Listener" for each in EVENTS]
    heard = [java.listen("addListener", of=kind) for kind in kinds]
    events: list[EntryEvent[str, str]] = []
    with Redisson.from_url(url) as redisson:
        cache = redisson.get_map_cache("c", StringCodec(), evict=True)
        cache.add_listener(events.append)
        for put, remove in (
            (lambda value: cache.put("a", value), lambda: cache.remove("a")),
            (lambda value: java.call("put", "a", value), lambda: java.call("remove", "a")),
        ):
            events.clear()
            put("1")
            put("2")
            remove()
            until(lambda: len(events) >= 3, "they came")
            assert events == [
                EntryEvent("created", "a", "1", None),
                EntryEvent("updated", "a", "2", "1"),
                EntryEvent("removed", "a", "2", None),
            ]
        wanted = [2, 2, 2, 0]
        if release == RELEASES[0]:
            cache.put("b", "5", ttl=0.001)
            expired = EntryEvent("expired", "b", "5", None)
            until(lambda: events[-1] == expired, "a client evicts it")
            wanted = [3, 2, 2, 1]
        until(lambda: [len(each.heard().values) for each in heard] == wanted, "Java, too")


@pytest.mark.parametrize("release", RELEASES)
def test_a_size_limit_of_both(java_client: Clients, url: str, raw: Any, release: str) -> None:
    java = java_client(release, codec="String").get("map_cache", "c")
    with Redisson.from_url(url) as redisson:
        cache = redisson.get_map_cache("c", StringCodec())
        assert java.call("trySetMaxSize", 3)
        assert not cache.try_set_max_size(5)
        for number in range(3):
            cache.put(f"p{number}", "v")
            java.call("put", f"j{number}", "v")
        assert (cache.size(), java.call("size")) == (3, 3)
        assert sorted(raw.zrange(N.used, 0, -1)) == sorted(raw.hkeys("c"))
        oldest = raw.zrange(N.used, 0, 0)[0].decode()
        time.sleep(0.005)
        assert cache.get(oldest) == "v"
        java.call("put", "new", "v")
        assert cache.contains_key(oldest), "it was used"


@pytest.mark.parametrize("release", RELEASES)
def test_each_key_goes_to_one_of_both(java_client: Clients, url: str, release: str) -> None:
    java = java_client(release, codec="String").get("map_cache", "c")
    names = [f"k{number}" for number in range(100)]

    def java_turn() -> list[str]:
        return [key for key in names if java.call("fastPutIfAbsent", key, "java", *MINUTE)]

    with Redisson.from_url(url) as redisson:
        cache = redisson.get_map_cache("c", StringCodec())

        def python_turn() -> list[str]:
            return [k for k in reversed(names) if cache.fast_put_if_absent(k, "python", ttl=60)]

        turns = [start(python_turn), start(java_turn)]
        ours, theirs = (each.result(60) for each in turns)
        assert sorted(ours + theirs) == sorted(names)
        assert cache.read_all_map() == dict.fromkeys(ours, "python") | dict.fromkeys(theirs, "java")

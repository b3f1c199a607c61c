"""RLocalCachedMap beside Java's: each side drops its copies when the other one writes."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import redis

from interop.peer.redisson import JavaObject
from interop.tests.conftest import Clients
from pyredisson import LocalCachedMap, Redisson
from pyredisson.codecs import JsonJacksonCodec, Kryo5Codec, StringCodec
from tests.support.monitor import Monitor
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import start, until

RELEASES = ("4.7.0", "3.27.2", "3.19.3")
LOG = "redisson__cache_updates_log:{m}"
Made = LocalCachedMap[str, str]


def java_map(clients: Clients, release: str, codec: str = "String", **options: Any) -> JavaObject:
    settings = {"syncStrategy": "INVALIDATE", "reconnectionStrategy": "CLEAR", **options}
    return clients(release).get("local_cached_map", "m", codec=codec, options=settings).open()


@pytest.fixture
def cached(url: str) -> Iterator[Made]:
    with Redisson.from_url(url, safety_interval=1) as redisson:
        yield listening(redisson.get_local_cached_map("m", StringCodec()))


def listening(made: Made) -> Made:
    made._copies.open()
    until(made._copies._listens, "it listens")
    return made


def wait_for(made: LocalCachedMap[Any, Any], key: str, value: str | None) -> None:
    """Wait until the map has no other copy of a key."""
    until(lambda: made.get_cached_map().get(key) in (value, None), f"{key} is {value}")


def copied(java: JavaObject) -> dict[str, str]:
    """Return Java's copies."""
    found: dict[str, str] = java.call("getCachedMap")
    return dict(found)


@pytest.mark.parametrize("release", RELEASES)
def test_java_drops_its_copies_after_writes_of_python(
    java_client: Clients, cached: Made, release: str
) -> None:
    java = java_map(java_client, release)
    for write, value in (
        (lambda: cached.put("k", "1"), "1"),
        (lambda: cached.fast_put("k", "2"), "2"),
        (lambda: cached.put_if_exists("k", "3"), "3"),
        (lambda: cached.replace("k", "3", "4"), "4"),
        (lambda: cached.put_all({"k": "5", "l": "x"}), "5"),
        (lambda: cached.add_and_get("k", 2), "7"),
        (lambda: cached.remove("k"), None),
        (lambda: cached.put_if_absent("k", "8"), "8"),
        (lambda: cached.fast_remove("k"), None),
        (lambda: cached.put("k", "9"), "9"),
        (cached.clear, None),
        (lambda: cached.put("k", "10"), "10"),
        (cached.delete, None),
    ):
        java.call("get", "k")
        write()
        until(lambda: "k" not in copied(java), f"Java has dropped it before {value}")
        assert java.call("get", "k") == value
        assert cached.get("k") == value


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("sync_strategy", ["INVALIDATE", "UPDATE"])
def test_python_drops_its_copies_after_writes_of_java(
    java_client: Clients, cached: Made, release: str, sync_strategy: str
) -> None:
    java = java_map(java_client, release, syncStrategy=sync_strategy)
    for arguments, value in (
        (("put", "k", "1"), "1"),
        (("fastPut", "k", "2"), "2"),
        (("replace", "k", "3"), "3"),
        (("putAll", {"k": "4"}), "4"),
        (("addAndGet", "k", 3), "7"),
        (("remove", "k"), None),
        (("put", "k", "8"), "8"),
        (("fastRemove", "k"), None),
        (("put", "k", "9"), "9"),
    ):
        cached.get("k")
        java.call(*arguments)
        wait_for(cached, "k", value)
        assert cached.get("k") == value
    if release == "4.7.0":  # before, clear() publishes nothing
        java.call("clear")
        until(lambda: not cached.get_cached_map(), "all is dropped")
        assert cached.get("k") is None


@pytest.mark.parametrize("release", RELEASES)
def test_updates_are_sent_both_ways(java_client: Clients, url: str, release: str) -> None:
    java = java_map(java_client, release, syncStrategy="UPDATE")
    with Redisson.from_url(url) as redisson:
        cached = listening(
            redisson.get_local_cached_map("m", StringCodec(), sync_strategy="update")
        )
        java.call("put", "k", "from Java")
        until(lambda: cached.get_cached_map() == {"k": "from Java"}, "it came")
        cached.put_all({"k": "from Python", "l": "größe"})
        until(lambda: copied(java) == {"k": "from Python", "l": "größe"}, "it went")


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("codec", ["JsonJackson", "Kryo5"])
def test_keys_of_other_codecs(java_client: Clients, url: str, release: str, codec: str) -> None:
    """The hash in a message is that of the encoded key."""
    java = java_map(java_client, release, codec)
    ours: Any = {"JsonJackson": JsonJacksonCodec(), "Kryo5": Kryo5Codec(release=release)}[codec]
    with Redisson.from_url(url) as redisson:
        cached: LocalCachedMap[Any, Any] = redisson.get_local_cached_map("m", ours)
        listening(cached)
        for key in ("k", "größe " * 20):
            for value in ("old", "new"):
                java.call("put", key, value)
                wait_for(cached, key, value)
                assert cached.get(key) == java.call("get", key) == value
            cached.put(key, "newer")
            until(lambda: not copied(java), "Java has dropped it")
            cached.remove(key)


def subscribers(raw: redis.Redis) -> list[int]:
    """Return how many clients listen to the map, Java's included."""
    return [count for _, count in raw.pubsub_numsub(*raw.pubsub_channels("{m}:*"))]


@pytest.mark.parametrize("release", RELEASES)
def test_python_answers_javas_clear_local_cache(
    java_client: Clients, cached: Made, release: str, raw: redis.Redis
) -> None:
    """ClearLocalCache waits until all subscribers answer, for 40 s if one does not."""
    java = java_map(java_client, release)
    java.call("put", "k", "v")
    cached.get("k")
    until(lambda: subscribers(raw) == [2], "clients of the test before have left")
    begun = time.monotonic()
    java.call("clearLocalCache")
    assert time.monotonic() - begun < 20
    until(lambda: not cached.get_cached_map(), "all is dropped")
    assert java.call("get", "k") == cached.get("k") == "v"
    cached.clear_local_cache()
    until(lambda: not copied(java), "Java has dropped all")


def test_the_same_commands(java_client: Clients, server: RedisServer, cached: Made) -> None:
    """Java's commands include its log, as with LOAD. Python's safety checks are left out."""
    java = java_map(java_client, "4.7.0", reconnectionStrategy="LOAD")
    cached.put("k", "v")
    java.call("put", "k", "v")
    kept = ["hget", "hset", "zadd", "publish"]

    def words(call: Callable[[], Any]) -> list[str]:
        with Monitor(server) as monitor:
            call()
        found = [each.name.lower() for each in monitor.commands if each.by_script]
        return [each for each in found if each in kept]

    assert words(lambda: java.call("put", "k", "w")) == kept
    assert words(lambda: cached.put("k", "x")) == kept


@pytest.mark.parametrize("release", RELEASES)
def test_java_drops_copies_after_it_was_cut_off(
    java_client: Clients, proxy: FaultProxy, cached: Made, release: str
) -> None:
    """With LOAD, Java drops the keys that the log names; pyredisson writes this log."""
    client = java_client(release, f"redis://127.0.0.1:{proxy.port}")
    options = {"reconnectionStrategy": "LOAD", "syncStrategy": "INVALIDATE"}
    java = client.get("local_cached_map", "m", codec="String", options=options).open()
    cached.put_all({"a": "1", "b": "2"})
    cached.put("c", "a message before")
    time.sleep(0.3)  # its messages would drop what Java reads now
    assert (java.call("get", "a"), java.call("get", "b")) == ("1", "2")
    proxy.drop_published()
    cached.put("a", "changed meanwhile")
    time.sleep(0.3)
    assert java.call("get", "a") == "1"
    proxy.heal(cut=True)
    until(lambda: java.call("get", "a") == "changed meanwhile", "it has dropped it")


@pytest.mark.parametrize("release", ["4.7.0", "3.19.3"])
def test_all_agree_when_all_is_quiet(java_client: Clients, cached: Made, release: str) -> None:
    """After many writes on both sides, each copy is what the server has."""
    java = java_map(java_client, release)

    def write(put: Any, name: str) -> None:
        rng = random.Random(name)
        for number in range(100):
            put(rng.choice("abc"), f"{name} {number}")

    writers = [
        start(lambda: write(cached.fast_put, "python")),
        start(lambda: write(cached.put, "another")),
        start(lambda: write(lambda key, value: java.call("fastPut", key, value), "java")),
    ]
    while not all(each.done for each in writers):
        cached.get_all("abc")
        time.sleep(0.001)
    for each in writers:
        each.result()
    time.sleep(0.3)
    stored = cached.read_all_map()
    assert cached.get_all("abc") == stored
    assert stored.items() >= cached.get_cached_map().items()
    assert {key: java.call("get", key) for key in stored} == stored

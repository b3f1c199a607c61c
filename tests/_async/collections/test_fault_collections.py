"""Sets and lists when replies are lost, scripts are flushed, or calls are interrupted."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, UncertainError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.scripts import load
from tests.support.proxy import FaultProxy
from tests.support.twins import interrupt_async


@pytest.fixture
async def redisson(proxy: FaultProxy) -> AsyncIterator[AsyncRedisson]:
    """A client behind a proxy."""
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


async def test_a_lost_reply_of_a_set(
    redisson: AsyncRedisson, proxy: FaultProxy, raw: redis.Redis
) -> None:
    """A read is repeated. A write runs once, and the caller gets UncertainError."""
    values = redisson.get_set("s")
    await values.add("a")
    for marker in (b"SMEMBERS", b"SSCAN"):
        proxy.lose_reply_to(marker)
        found = await values.read_all() if marker == b"SMEMBERS" else [v async for v in values]
        assert found == ["a"]
    proxy.lose_reply_to(b"SADD")
    with pytest.raises(UncertainError, match="'s'"):
        await values.add("b")
    assert raw.smembers("s") == {b"a", b"b"}
    assert not await values.retain_all("ab"), "and loads the script"
    proxy.lose_reply_to(load("collections/set_retain_all").sha.encode())
    with pytest.raises(UncertainError, match="'s'"):
        await values.retain_all("a")
    assert raw.smembers("s") == {b"a"}
    assert raw.keys() == [b"s"]


async def test_scripts_are_loaded_again(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    values = redisson.get_set("s")
    for number in range(3):
        assert await values.try_add(f"a{number}", f"b{number}")
        raw.script_flush()
    assert raw.scard("s") == 6


async def test_interrupted_remove_random_loses_nothing(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    values, rng = redisson.get_set("s"), random.Random(7)
    await values.add_all(map(str, range(2000)))
    taken: list[str] = []

    async def take() -> None:
        taken.extend(await values.remove_random(5))

    for _ in range(200):
        await interrupt_async(take, rng.random() * 0.001)
    members: Any = raw.smembers("s")
    left = [each.decode() for each in members]
    assert sorted([*taken, *left], key=int) == [str(number) for number in range(2000)]


async def test_a_lost_reply_of_a_list(
    redisson: AsyncRedisson, proxy: FaultProxy, raw: redis.Redis
) -> None:
    values = redisson.get_list("l")
    await values.add_all("abcd", index=0)
    assert await values.get(0, 1) == ["a", "b"]
    proxy.lose_reply_to(load("collections/list_get").sha.encode())
    assert await values.get(0, 1) == ["a", "b"]
    for script, call in (
        ("collections/list_insert", lambda: values.add("x", index=1)),
        ("collections/list_remove", lambda: values.remove_at(1)),
        ("queues/retain_all", lambda: values.retain_all("ad")),
    ):
        raw.script_load(load(script).text)
        proxy.lose_reply_to(load(script).sha.encode())
        with pytest.raises(UncertainError, match="'l'"):
            await call()
    assert raw.lrange("l", 0, -1) == [b"a", b"d"]


async def test_a_lost_reply_of_a_sorted_set(
    redisson: AsyncRedisson, proxy: FaultProxy, raw: redis.Redis
) -> None:
    values = redisson.get_scored_sorted_set("z")
    await values.add_all({"a": 1, "b": 2, "c": 3})
    proxy.lose_reply_to(b"ZRANGE")
    assert await values.read_all() == ["a", "b", "c"]
    script = load("collections/zset_poll")
    raw.script_load(script.text)
    proxy.lose_reply_to(script.sha.encode())
    with pytest.raises(UncertainError, match="'z'"):
        await values.poll_first()
    assert raw.zrange("z", 0, -1) == [b"b", b"c"], "Java's would take two"


async def test_an_interrupted_poll_loses_nothing(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    values, rng = redisson.get_scored_sorted_set("z"), random.Random(5)
    await values.add_all({str(number): number for number in range(1000)})
    taken: list[str] = []

    async def take() -> None:
        taken.extend(await values.poll_last(3))

    for _ in range(150):
        await interrupt_async(take, rng.random() * 0.001)
    left: Any = raw.zrange("z", 0, -1, withscores=True)
    assert all(float(value) == score for value, score in left)
    found = [*taken, *(value.decode() for value, _ in left)]
    assert sorted(found, key=int) == [str(number) for number in range(1000)]


async def test_a_lost_reply_of_a_set_cache(
    redisson: AsyncRedisson, proxy: FaultProxy, raw: redis.Redis
) -> None:
    values = redisson.get_set_cache("c")
    await values.add("a", ttl=60)
    assert await values.read_all() == ["a"]
    proxy.lose_reply_to(load("collections/set_cache_read").sha.encode())
    assert await values.read_all() == ["a"]
    proxy.lose_reply_to(load("collections/set_cache_add").sha.encode())
    with pytest.raises(UncertainError, match="'c'"):
        await values.add("b")
    assert raw.zcard("c") == 2

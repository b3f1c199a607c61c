"""RSetCache on a real server: values and their expiry times."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.twins import sleep_async, until_async

NEVER = float(92233720368547758)


def server_ms(raw: Any) -> float:
    seconds, micros = raw.time()
    return float(seconds * 1000 + micros / 1000)


def left(raw: Any, value: str) -> int:
    """Return the seconds until a value expires."""
    return round((float(raw.zscore("c", value)) - server_ms(raw)) / 1000)


async def test_values_expire(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_set_cache("c", codec=StringCodec())
        assert await values.add("a")
        assert raw.zscore("c", "a") == NEVER
        assert not await values.add("a", ttl=timedelta(minutes=1))
        assert left(raw, "a") == 60
        assert await values.add_all("bc", ttl=0.02)
        assert not await values.add_all([])
        await sleep_async(0.05)
        assert raw.zcard("c") == 3
        assert (await values.size(), await values.read_all()) == (1, ["a"])
        assert [value async for value in values] == ["a"]
        assert (await values.contains("a"), await values.contains("b")) == (True, False)
        assert await values.contains_all("a")
        assert not await values.contains_all("ab")
        assert await values.add("b", ttl=60), "it had expired"
        assert await values.remove("b")
        assert await values.remove("c"), "as in Redisson"
        for ttl in (0, -1, float("inf")):
            with pytest.raises(ValueError, match="ttl must be more than 0"):
                await values.add("x", ttl=ttl)
        assert raw.zrange("c", 0, -1) == [b"a"]


@pytest.mark.parametrize(
    ("before", "changed"),
    [(None, ["absent"]), (-5, ["absent"]), (50, ["exists", "greater"]), (500, ["exists", "less"])],
)
async def test_a_value_is_added_under_a_condition(
    url: str, raw: Any, before: int | None, changed: list[str]
) -> None:
    """As in Redisson 4.7.0, the expiry time of a missing value is neither less nor greater."""
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_set_cache("c", codec=StringCodec())
        for name in ("absent", "exists", "less", "greater"):
            raw.delete("c")
            if before is not None:
                raw.zadd("c", {"v": server_ms(raw) + before * 1000})
            assert await getattr(values, f"add_if_{name}")("v", ttl=100) is (name in changed)
            if name in changed:
                assert left(raw, "v") == 100
            elif before is not None:
                assert left(raw, "v") == before
        raw.zadd("c", {"v": NEVER})
        assert not await values.add_if_greater("v", ttl=100)
        assert await values.add_if_less("v", ttl=100)
        assert await values.add_if_greater("v")


async def test_try_add_adds_all_or_none(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url) as redisson:
        values = redisson.get_set_cache("c", codec=StringCodec())
        raw.zadd("c", {"live": server_ms(raw) + 60_000, "dead": 5})
        assert await values.try_add("x", "dead", ttl=60)
        assert not await values.try_add("y", "live")
        assert await values.try_add()
        assert sorted(await values.read_all()) == ["dead", "live", "x"]
        assert await values.retain_all(["live", "z"])
        assert raw.zrange("c", 0, -1) == [b"live"]
        assert left(raw, "live") == 60
        names = [f"n{number}" for number in range(6000)]
        assert await values.add_all(names, ttl=60)
        assert {value async for value in values.iterate("n*")} == set(names)


async def test_expired_values_are_removed(
    redisson: AsyncRedisson, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One client at a time removes expired values, and notifies Java's listeners.

    The removal stops when the set is destroyed.
    """
    monkeypatch.setattr("pyredisson._async.maps.eviction._SHORTEST", 1.0)
    values = redisson.get_set_cache("c", StringCodec(), evict=True)
    raw.zadd("c", {"a": 5, "b": server_ms(raw) + 60_000, "c": NEVER})
    with raw.pubsub() as listener:
        listener.subscribe("redisson_set_cache_expired:{c}")
        await until_async(lambda: raw.zrange("c", 0, -1) == [b"b", b"c"], "it is removed")
        events = [listener.get_message(timeout=5) for _ in range(2)]
    assert events[1]["data"] == b"\x01" + bytes(7) + b"a"
    latch = "redisson__execute_task_once_latch:{c}"
    assert 0 < raw.ttl(latch) <= 30
    raw.set(latch, "of another client")
    raw.zadd("c", {"a": 5})
    await sleep_async(1.5)
    assert raw.zcard("c") == 3
    await values.rename("new")
    assert [*redisson._context.background.work] == [("set eviction", "new")]
    await values.destroy()
    assert not redisson._context.background.work

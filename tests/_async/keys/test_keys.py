"""RKeys on a real server, and on all nodes of a cluster."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from pyredisson import AsyncKeys, AsyncRedisson, ClosedError, UncertainError
from tests.support.proxy import FaultProxy
from tests.support.topology import RedisCluster
from tests.support.twins import close_cluster_async


class Prefix:
    """A name mapper."""

    def map(self, name: str, /) -> str:
        """Return the name in Redis."""
        return f"app:{name}"

    def unmap(self, name: str, /) -> str:
        """Return the program's name."""
        return name.removeprefix("app:")


@pytest.fixture
def keys(redisson: AsyncRedisson) -> AsyncKeys:
    """The keys of the server."""
    return redisson.get_keys()


async def test_all_keys(keys: AsyncKeys, raw: Any) -> None:
    assert [each async for each in keys.get_keys()] == []
    assert (await keys.count(), await keys.random_key()) == (0, None)
    names = {f"x:{number}" for number in range(1234)} | {"other"}
    raw.mset(dict.fromkeys(names, "v"))
    assert {each async for each in keys.get_keys()} == names
    assert {each async for each in keys.get_keys(1000)} == names
    assert {each async for each in keys.get_keys_by_pattern("x:1?")} == {
        f"x:1{number}" for number in range(10)
    }
    assert await keys.count() == 1235
    assert await keys.random_key() in names
    assert await keys.delete_by_pattern("x:*") == 1234
    assert raw.keys() == [b"other"]
    assert await keys.unlink_by_pattern("*") == 1
    assert repr(keys) == f"<{type(keys).__name__}>"


async def test_keys_by_name(keys: AsyncKeys, raw: Any) -> None:
    raw.rpush("l", "a")
    raw.set("s", "v")
    assert [await keys.get_type(name) for name in ("l", "s", "none")] == ["list", "string", None]
    assert await keys.count_exists("l", "s", "none") == 2
    assert await keys.touch("l", "none") == 1
    assert await keys.expire("l", timedelta(minutes=1))
    left = await keys.remain_time_to_live("l")
    assert left is not None
    assert timedelta(seconds=50) < left <= timedelta(seconds=60)
    assert await keys.clear_expire("l")
    assert await keys.remain_time_to_live("l") is None
    assert await keys.expire_at("l", datetime.now(UTC) + timedelta(hours=1))
    assert not await keys.expire("none", 5)
    await keys.rename("l", "m")
    assert not await keys.renamenx("m", "s")
    assert await keys.renamenx("m", "n")
    assert await keys.move("n", 1)
    assert await keys.delete("s", "none") == 1
    assert await keys.unlink("s") == await keys.delete() == 0
    assert raw.keys() == []
    assert keys.get_slot("{a}b") == keys.get_slot("a") == 15495


async def test_a_key_that_is_no_text(keys: AsyncKeys, raw: Any) -> None:
    raw.set(b"x\xff", "v")
    (name,) = [each async for each in keys.get_keys()]
    assert await keys.get_type(name) == "string"
    assert await keys.delete_by_pattern("x*") == 1


CALLS: dict[str, Callable[[Any, Any], Any]] = {
    "delete": lambda keys, name: keys.delete("a", name),
    "rename": lambda keys, name: keys.rename("a", name),
    "type": lambda keys, name: keys.get_type(name),
    "persist": lambda keys, name: keys.clear_expire(name),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
async def test_a_name_is_text(keys: AsyncKeys, raw: Any, call: Callable[[Any, Any], Any]) -> None:
    raw.set("a", "1")
    with pytest.raises(
        TypeError, match=r"a name must be str, such as queue\.name, not <AsyncKeys>"
    ):
        await call(keys, keys)
    assert raw.keys() == [b"a"]


async def test_mapped_names(url: str, raw: Any) -> None:
    raw.mset({"app:a": "v", "b": "v"})
    async with AsyncRedisson.from_url(url, name_mapper=Prefix()) as redisson:
        keys = redisson.get_keys()
        assert await keys.get_type("a") == "string"
        assert [each async for each in keys.get_keys_by_pattern("*")] == ["a"]
        assert await keys.delete_by_pattern("*") == 1
    assert raw.keys() == [b"b"]
    with pytest.raises(ClosedError):
        await keys.count()


async def test_lost_reply_repeats_read_but_not_delete(proxy: FaultProxy, raw: Any) -> None:
    raw.mset({"a": "v", "b": "v"})
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{proxy.port}/0") as redisson:
        keys = redisson.get_keys()
        proxy.lose_reply_to(b"DEL")
        with pytest.raises(UncertainError, match="no reply to DEL of 'a'"):
            await keys.delete("a")
        assert raw.keys() == [b"b"]
        proxy.lose_reply_to(b"SCAN")
        assert [each async for each in keys.get_keys()] == ["b"]
        proxy.lose_reply_to(b"TYPE")
        assert await keys.get_type("b") == "string"


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client) as redisson:
        keys, names = redisson.get_keys(), {f"k{number}" for number in range(100)}
        await redisson.get_buckets().set(dict.fromkeys(names, "v"))
        before = await keys.count()
        assert before >= 100
        assert {each async for each in keys.get_keys_by_pattern("k*")} == names
        assert await keys.count_exists(*names) == 100
        assert await keys.random_key() is not None
        assert await keys.delete(*sorted(names)[:50]) == 50
        assert await keys.delete_by_pattern("k*") == 50
        assert await keys.count() == before - 100
    await close_cluster_async(client)


@pytest.mark.parametrize("ttl", [float("inf"), 1e300])
async def test_a_time_to_live_that_is_too_long(keys: AsyncKeys, raw: Any, ttl: float) -> None:
    raw.set("k", "v")
    with pytest.raises(ValueError, match=r"ttl must be at most 2\*\*53 ms"):
        await keys.expire("k", ttl)

"""RBuckets on a real server, and on a cluster."""

from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, DecodeError, InvalidNameError, UncertainError
from pyredisson.codecs import LongCodec
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


async def test_get_and_set_several_buckets(redisson: AsyncRedisson, raw: Any) -> None:
    buckets = redisson.get_buckets()
    assert await buckets.get() == await buckets.get("a", "b") == {}
    await buckets.set({"a": "1", "b": "2"})
    await buckets.set({})
    assert raw.mget("a", "b") == [b"1", b"2"]
    assert await buckets.get("b", "c", "a") == {"b": "2", "a": "1"}
    assert not await buckets.try_set({"b": "3", "c": "3"})
    assert not raw.exists("c")
    assert not await buckets.try_set({})
    assert await buckets.try_set({"c": "3", "d": "4"})


async def test_a_name_is_text(redisson: AsyncRedisson, raw: Any) -> None:
    buckets: Any = redisson.get_buckets()
    with pytest.raises(TypeError, match=r"a name must be str, such as queue\.name, not 7"):
        await buckets.get("a", 7)
    with pytest.raises(TypeError, match=r"a name must be str, such as queue\.name, not 7"):
        await buckets.set({"a": "1", 7: "2"})
    assert raw.keys() == []


async def test_undecodable_value_raises_and_names_its_bucket(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.mset({"a": "1", "b": "text"})
    numbers = redisson.get_buckets(LongCodec())
    assert await numbers.get("a") == {"a": 1}
    with pytest.raises(DecodeError) as caught:
        await numbers.get("a", "b")
    assert caught.value.data == b"text"
    assert "the value of 'b'" in caught.value.__notes__
    assert repr(numbers).startswith(f"<{type(numbers).__name__} codec=LongCodec(")


async def test_mapped_names(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, codec=LongCodec(), name_mapper=Prefix()) as redisson:
        await redisson.get_buckets().set({"a": 1})
        assert raw.get("app:a") == b"1"
        assert await redisson.get_buckets().get("a") == {"a": 1}


async def test_a_lost_reply(proxy: FaultProxy, raw: redis.Redis) -> None:
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url, codec=LongCodec()) as redisson:
        buckets = redisson.get_buckets()
        proxy.lose_reply_to(b"MSETNX")
        with pytest.raises(UncertainError, match="no reply to MSETNX of 'a'"):
            await buckets.try_set({"a": 1})
        proxy.lose_reply_to(b"MGET")
        assert await buckets.get("a") == {"a": 1}


async def test_in_a_cluster(cluster: RedisCluster) -> None:
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    async with AsyncRedisson(client, codec=LongCodec()) as redisson:
        buckets = redisson.get_buckets()
        values = {f"b{number}": number for number in range(50)}
        await buckets.set(values)
        assert await buckets.get(*values, "none") == values
        with pytest.raises(InvalidNameError, match="try_set needs buckets in one slot"):
            await buckets.try_set({"c": 1, "d": 2})
        assert await buckets.try_set({"{e}1": 1, "{e}2": 2})
    await close_cluster_async(client)

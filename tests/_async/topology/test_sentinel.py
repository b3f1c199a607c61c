"""A master that Sentinels name; the fault tests cover failovers."""

from collections.abc import Callable
from typing import Any

import pytest
import redis
from redis.asyncio.sentinel import Sentinel

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import clients
from tests.support.state import shape
from tests.support.topology import SentinelGroup
from tests.support.twins import until_async, workers_async

STRINGS = StringCodec()


async def test_client_of_a_sentinel_master_works(sentinels: SentinelGroup) -> None:
    make: Any = Sentinel
    sentinel = make(sentinels.addresses, decode_responses=True)
    client: redis.asyncio.Redis = sentinel.master_for(sentinels.service_name)
    async with AsyncRedisson(client) as redisson:
        queue = redisson.get_blocking_queue("q", codec=STRINGS)
        delayed = redisson.get_delayed_queue(queue)
        await delayed.offer("a", delay=0.1)
        await delayed.offer("b", delay=0.2)
        await delayed.offer("later", delay=3600)
        assert [await queue.take(), await queue.take()] == ["a", "b"]
        assert await delayed.read_all() == ["later"]
    assert await client.ping()
    assert set(shape(sentinels.master.client())) == {
        "redisson_delay_queue:{q}",
        "redisson_delay_queue_timeout:{q}",
    }
    await client.aclose()
    await client.connection_pool.disconnect()
    for one in sentinel.sentinels:
        await one.aclose()


class Former:
    """A former master; a call of `send_away` runs a function."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act = act

    async def send_away(self) -> None:
        self._act()


async def test_waits_end_at_a_master_that_was_replaced_while_another_was_left(
    sentinels: SentinelGroup,
) -> None:
    make: Any = Sentinel
    client = make(sentinels.addresses).master_for(sentinels.service_name)
    async with AsyncRedisson(client) as redisson:
        assert await redisson.get_queue("q").size() == 0
        topology: Any = redisson._context.link.topology
        left: list[str] = []
        later = Former(lambda: left.append("later"))

        def replaced() -> None:
            left.append("first")
            topology._former.append(later)

        topology._former.append(Former(replaced))
        await topology._on_change(None)
        assert (left, topology._former) == (["first", "later"], [])


def pubsub(sentinels: SentinelGroup) -> set[int]:
    """The subscriptions at all Sentinels."""
    return {each for server in sentinels.sentinels for each in clients(server, "pubsub")}


async def test_sentinels_are_watched_until_the_client_closes(
    sentinels: SentinelGroup,
) -> None:
    """A client that only offers, with minimal rights, watches them, even while they are stopped."""
    rights = ("+subscribe", "allchannels", "+sentinel|get-master-addr-by-name")
    for server, more in zip(sentinels.sentinels, ([], ["+sentinel|master"], []), strict=True):
        server.run("ACL", "SETUSER", "watcher", "on", ">watch", *rights, *more)
    before = workers_async()
    make: Any = Sentinel
    keys = {"username": "watcher", "password": "watch"}
    sentinel = make(sentinels.addresses, sentinel_kwargs=keys)
    client = sentinel.master_for(sentinels.service_name)
    master = sentinels.master
    async with AsyncRedisson(client, codec=STRINGS, response_timeout=1) as redisson:
        queue = redisson.get_queue("q")
        await queue.offer("a")
        await until_async(lambda: len(pubsub(sentinels)) == 1, "it listens")
        assert workers_async() > before
        for server in sentinels.sentinels:
            server.pause()
        master.run("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        assert await queue.size() == 1  # repeated on a new connection to the same master
        await queue.offer("b")
        for server in sentinels.sentinels:
            server.resume()
        assert await queue.read_all() == ["a", "b"]
    await until_async(lambda: not pubsub(sentinels), "nobody listens")
    await until_async(lambda: workers_async() == before, "nothing is left")

    nobody = make(sentinels.addresses, sentinel_kwargs=keys).master_for("other")
    async with AsyncRedisson(nobody, codec=STRINGS) as redisson:
        with pytest.raises(redis.ConnectionError, match="no Sentinel names a master 'other': "):
            await redisson.get_queue("q").offer("c")

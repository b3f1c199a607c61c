"""Another server becomes the master: Sentinel names it, or the address leads to it.

Writes that a killed server had acknowledged but not replicated are lost. So the tests wait until
the replica has every write, and no item is due at that moment.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from types import SimpleNamespace
from typing import Any

import pytest
from redis.asyncio.sentinel import Sentinel
from redis.exceptions import ReadOnlyError

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import clients, replicate, server_ms
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.topology import SentinelGroup, wait_until
from tests.support.twins import (
    aside_async,
    sleep_async,
    start_async,
    until_async,
    workers_async,
)

NEVER = 600.0
DEADLINE = 60.0


@pytest.fixture
async def redisson(sentinels: SentinelGroup) -> AsyncIterator[AsyncRedisson]:
    """A client of the Sentinels' master that makes no safety poll during a test."""
    kind: Any = Sentinel  # not annotated in redis-py
    watchers = kind(sentinels.addresses)
    client = watchers.master_for(sentinels.service_name)
    async with AsyncRedisson(
        client, codec=StringCodec(), safety_interval=NEVER, response_timeout=2
    ) as redisson:
        yield redisson
    await client.aclose()
    for watcher in watchers.sentinels:
        await watcher.aclose()


@pytest.mark.parametrize(
    ("change", "delay"),
    [(SentinelGroup.kill_master, 2.5), (SentinelGroup.failover, 4)],
    ids=["crash", "planned"],
)
async def test_client_follows_a_sentinel_failover(
    sentinels: SentinelGroup,
    redisson: AsyncRedisson,
    change: Callable[[SentinelGroup], RedisServer],
    delay: float,
) -> None:
    """Pending items, a waiting take, the transfer and the subscription follow the master.

    An item that becomes due during the failover may be delivered twice: Redis discards late writes
    of the old master.
    """
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
    items = [f"{number}" for number in range(20)]
    receipts = [await delayed.offer(each, delay=delay + int(each) / 20) for each in items]
    taking = start_async(queue.take)
    await sleep_async(0.2)
    before = workers_async()
    replicate(sentinels.master, sentinels.servers)
    new = await aside_async(lambda: change(sentinels))
    in_time = server_ms(new) < receipts[0].due_ms
    found = [await taking.result(DEADLINE)]
    while set(found) != set(items):
        value = await queue.poll(timeout=DEADLINE)
        assert value is not None
        found.append(value)
    assert [*dict.fromkeys(found)] == items
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
    receipt = await delayed.offer("after", delay=0.2)
    while (value := await queue.poll(timeout=DEADLINE)) != "after":
        assert value is not None
        found.append(value)
    assert found == items or not in_time
    assert server_ms(new) >= receipt.due_ms
    assert await queue.size() == await delayed.size() == 0
    await until_async(lambda: workers_async() <= before, "nothing goes on that is not needed")
    assert len(clients(new, "normal")) < 15


async def test_client_leaves_a_demoted_master_behind_the_address() -> None:
    """The client leaves its connections to the demoted master after the first READONLY."""
    with RedisServer() as old, RedisServer() as new:
        new.run("REPLICAOF", "127.0.0.1", old.port)
        wait_until(lambda: b"link_status:up" in new.run("INFO", "replication"), "it replicates")
        address = SimpleNamespace(port=old.port)
        with FaultProxy(address) as proxy:
            async with AsyncRedisson.from_url(
                proxy.url, codec=StringCodec(), safety_interval=NEVER
            ) as redisson:
                queue = redisson.get_blocking_queue("q")
                delayed = redisson.get_delayed_queue(queue)
                await until_async(lambda: redisson.transfer_stats()[0].subscribed, "subscribed")
                await delayed.offer("before", delay=3)  # due only after the change of masters
                replicate(old, [new])
                new.run("REPLICAOF", "NO", "ONE")
                old.run("REPLICAOF", "127.0.0.1", new.port)
                address.port = new.port
                with suppress(ReadOnlyError):  # no error if the transfer task noticed it first
                    await queue.remove("nothing")
                assert await queue.remove("nothing") is False
                assert await queue.poll(timeout=DEADLINE) == "before"
                await delayed.offer("after", delay=0.2)
                assert await queue.poll(timeout=DEADLINE) == "after"

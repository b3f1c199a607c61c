"""A cluster whose masters are killed, swapped and lose slots while a delayed queue is used.

Writes that a killed server had acknowledged but not replicated are lost. So these tests wait until
the replica has every write before they kill a master, and no item is due at that moment.
"""

from collections import Counter
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import RedisCluster

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests._async.delayed.fault_offers import surely
from tests.support.faults_tools import clients, hand_over, replicate, server_ms
from tests.support.sockets import held_to
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import (
    aside_async,
    run_together_async,
    sleep_async,
    start_async,
    until_async,
    workers_async,
)

NEVER = 600.0
DEADLINE = 60.0


@pytest.fixture
async def redisson(cluster_with_replicas: Servers) -> AsyncIterator[AsyncRedisson]:
    """A client of ``cluster_with_replicas`` that makes no safety poll during a test."""
    async with (
        RedisCluster.from_url(cluster_with_replicas.url) as client,
        AsyncRedisson(
            client, codec=StringCodec(), safety_interval=NEVER, response_timeout=2
        ) as redisson,
    ):
        yield redisson


def subscribers(cluster: Servers) -> int:
    return sum(len(clients(server, "pubsub")) for server in cluster.alive)


async def test_calls_continue_after_a_killed_master(
    cluster_with_replicas: Servers, redisson: AsyncRedisson
) -> None:
    """Pending items, a waiting take, new offers, the transfer and the subscription survive."""
    cluster = cluster_with_replicas
    name = next(f"q{n}" for n in range(99) if cluster.master_of(b"q%d" % n) is cluster.servers[0])
    key = name.encode()
    queue = redisson.get_blocking_queue(name)
    delayed = redisson.get_delayed_queue(queue)
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
    for number in range(20):
        await delayed.offer(f"{number}", delay=3 + number / 20)
    taking = start_async(queue.take)
    await sleep_async(0.2)
    before = workers_async()
    assert len(clients(cluster.servers[0], "pubsub")) == 1  # the kill of the master ends it
    replicate(cluster.master_of(key), cluster.alive)
    killing = start_async(lambda: aside_async(lambda: cluster.kill_master_of(key)))
    await surely(delayed, "meanwhile", 1)
    new = await killing.result(DEADLINE)
    found = [await taking.result(DEADLINE)]
    while len(found) < 21:
        value = await queue.poll(timeout=DEADLINE)
        assert value is not None
        found.append(value)
    assert Counter(found) == Counter(["meanwhile", *(f"{number}" for number in range(20))])
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
    receipt = await delayed.offer("after", delay=0.2)
    assert await queue.take() == "after"
    assert server_ms(new) >= receipt.due_ms
    assert await queue.size() == await delayed.size() == 0
    await until_async(lambda: workers_async() <= before, "nothing goes on that is not needed")
    await until_async(lambda: subscribers(cluster) == 1, "the others are closed")
    for server in cluster.alive:
        assert len(clients(server, "normal")) < 15


async def test_planned_failovers_lose_and_double_nothing(
    cluster_with_replicas: Servers, redisson: AsyncRedisson
) -> None:
    """Master and replica swap, back and forth, while items are offered, transferred and taken."""
    cluster = cluster_with_replicas
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
    offered, found = 0, []
    for _ in range(2):
        swapping = start_async(lambda: aside_async(lambda: cluster.failover(b"q")))
        while not swapping.done:
            await surely(delayed, f"{offered}", 0.2)
            offered += 1
            value = await queue.poll(timeout=0.01)
            found += [] if value is None else [value]
        await swapping.result(DEADLINE)
    while len(found) < offered:
        value = await queue.poll(timeout=DEADLINE)
        assert value is not None, f"{offered - len(found)} of {offered} are missing"
        found.append(value)
    assert Counter(found) == Counter(f"{number}" for number in range(offered))
    assert await queue.size() == await delayed.size() == 0
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
    await until_async(lambda: subscribers(cluster) == 1, "the others are closed")
    for server in cluster.alive:
        assert len(clients(server, "normal")) < 15


async def test_moving_slot_fails_no_call(cluster: Servers) -> None:
    """Offers, transfers and takes get MOVED, ASK and TRYAGAIN; no call fails."""
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(client, codec=StringCodec(), safety_interval=NEVER) as redisson,
    ):
        name = "moving_async"
        key = name.encode()
        queue = redisson.get_blocking_queue(name)
        delayed = redisson.get_delayed_queue(queue)
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        await delayed.offer("long", delay=NEVER)
        offered, found = 0, []
        for _ in range(3):
            moving = start_async(lambda: aside_async(lambda: hand_over(cluster, key)))
            while not moving.done:
                await delayed.offer(f"{offered}", delay=0.1)
                offered += 1
                value = await queue.poll(timeout=0.01)
                found += [] if value is None else [value]
            await moving.result(DEADLINE)
        while len(found) < offered:
            value = await queue.poll(timeout=DEADLINE)
            assert value is not None, f"{offered - len(found)} of {offered} are missing"
            found.append(value)
        assert Counter(found) == Counter(f"{number}" for number in range(offered))
        assert await delayed.read_all() == ["long"]
        names = QueueNames.of(name)
        owner = cluster.master_of(key)
        assert owner.run("ZCARD", names.timeout_set) == owner.run("LLEN", names.delay_list) == 1


async def test_frozen_node_delays_no_items_of_other_nodes(cluster: Servers) -> None:
    """The transfer of its items waits; the items of the other nodes are delivered meanwhile."""
    frozen = cluster.servers[0]
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "no")
    names = [f"frozen_async{n}" for n in range(12)]
    there = [name for name in names if cluster.master_of(name.encode()) is frozen]
    elsewhere = [name for name in names if name not in there]
    assert len(there) > 1
    assert len(elsewhere) > 1
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(
            client, codec=StringCodec(), safety_interval=NEVER, response_timeout=NEVER
        ) as redisson,
    ):
        queues = {name: redisson.get_blocking_queue(name) for name in names}
        for number, name in enumerate([*there, *elsewhere]):
            delayed = redisson.get_delayed_queue(queues[name])
            await delayed.offer(name, delay=0.5 + number / 100)
        frozen.pause()
        try:
            found = [await queues[name].poll(timeout=DEADLINE) for name in elsewhere]
            await queues[elsewhere[0]].offer("still there")
            found.append(await queues[elsewhere[0]].poll())
        finally:
            frozen.resume()
        assert found == [*elsewhere, "still there"]
        assert [await queues[name].poll(timeout=DEADLINE) for name in there] == there
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "yes")


async def test_connections_to_an_abandoned_node_are_closed(
    redisson: AsyncRedisson, cluster_with_replicas: Servers
) -> None:
    """The node hangs and its replica serves: the connections to the node are closed."""
    cluster = cluster_with_replicas
    old = cluster.master_of(b"left")
    before = held_to(old.port)
    queue = redisson.get_blocking_queue("left")
    waits = [lambda: queue.poll(timeout=0.2)] * 5
    assert await run_together_async(*waits) == [None] * 5
    assert len(held_to(old.port) - before) >= 5
    replicate(old, cluster.alive)
    old.pause()
    taking = start_async(queue.take)
    try:
        await until_async(lambda: held_to(old.port) <= before, "they are closed")
    finally:
        old.resume()
    await queue.add("x")
    assert await taking.result() == "x"

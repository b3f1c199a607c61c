"""A frozen master of a cluster: other nodes' items are on time, and its own are not lost."""

from collections import Counter

import pytest
from redis.asyncio import RedisCluster
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson import AsyncRedisson
from pyredisson._async.waits.one_of_many import request_with_timeout_async
from pyredisson.codecs import StringCodec
from tests._async.delayed.fault_offers import surely
from tests.support.faults_tools import clients, names_by_home, replicate
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import PATIENCE, sleep_async, start_async, until_async

NEVER = 600.0


async def test_slots_and_subscription_move_away_from_a_frozen_node(
    partial: Servers,
) -> None:
    """The frozen node is the first to be asked for the slots, and has the subscription.

    The response timeout is ten minutes: a call that waits for the frozen node would hang.
    """
    homes = names_by_home(partial, "slots_async")
    frozen, other = partial.servers[0], partial.servers[1]
    async with (
        RedisCluster.from_url(frozen.url) as client,
        AsyncRedisson(
            client, codec=StringCodec(), safety_interval=0.5, response_timeout=NEVER
        ) as redisson,
    ):
        names = [name for group in homes.values() for name in group]
        queues = {name: redisson.get_blocking_queue(name) for name in names}
        delayed = {name: redisson.get_delayed_queue(queue) for name, queue in queues.items()}
        healthy = [name for name in names if name not in homes[frozen]]
        for name, each in delayed.items():
            await each.offer(name, delay=0.5)
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        assert len(clients(frozen, "pubsub")) == 1
        waiting = [start_async(queues[name].take) for name in healthy]
        await sleep_async(0.1)
        frozen.pause()
        try:
            other.run("CLIENT", "KILL", "TYPE", "normal")
            assert [await one.result() for one in waiting] == healthy
            for name in healthy:
                await surely(delayed[name], "later", 0.1)
            for name in healthy:
                assert await queues[name].take() == "later"
            alive = [server for server in partial.servers if server is not frozen]
            await until_async(
                lambda: sum(len(clients(server, "pubsub")) for server in alive) == 1,
                "the subscription is at another node",
            )
            await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
        finally:
            frozen.resume()
        for name in homes[frozen]:
            assert await queues[name].poll(timeout=PATIENCE) == name
        for queue in queues.values():
            assert await queue.size() == 0


@pytest.mark.parametrize("idle", [False, True], ids=["no connection", "one of unknown number"])
async def test_call_with_a_short_limit_ends_at_a_frozen_node(partial: Servers, idle: bool) -> None:
    """The pool has no connection, or one whose client number is not known yet."""
    name = f"hurried_async_{idle}"
    frozen = partial.master_of(name.encode())
    async with (
        RedisCluster.from_url(partial.url) as client,
        AsyncRedisson(client, codec=StringCodec(), response_timeout=NEVER) as redisson,
    ):
        queue, link = redisson.get_queue(name), redisson._context.link
        assert await queue.size() == 0
        server = await link.topology.server(name)
        await server.leave()
        if idle:
            await (await server.exclusive()).done()
        frozen.pause()
        try:
            asking = start_async(lambda: request_with_timeout_async(link, queue._list.size(), 0.2))
            await until_async(lambda: asking.done, "it has given up")
        finally:
            frozen.resume()
        with pytest.raises(RedisTimeoutError):
            await asking.result()


async def test_thawed_node_loses_and_doubles_nothing(partial: Servers) -> None:
    """Takes and transfers that were in flight are abandoned and repeated; no item is lost.

    The node executes the abandoned requests when it thaws, in any order.
    """
    homes = names_by_home(partial, "thaws_async")
    frozen, other = partial.servers[0], partial.servers[1]
    name, full = homes[frozen][:2]
    elsewhere = homes[other][0]
    async with (
        RedisCluster.from_url(partial.url) as client,
        AsyncRedisson(client, codec=StringCodec(), response_timeout=1) as redisson,
    ):
        queue = redisson.get_blocking_queue(name)
        delayed = redisson.get_delayed_queue(queue)
        kept = redisson.get_blocking_queue(full)
        await kept.add_all(["1", "2", "3"])
        for number in range(30):
            await delayed.offer(f"{number}", delay=0.5 + number / 10)
        waiting = [start_async(queue.take) for _ in range(3)]
        found = [await one.result() for one in waiting]
        waiting = [start_async(queue.take)]
        await sleep_async(0.05)
        frozen.pause()
        waiting += [start_async(queue.take) for _ in range(2)]  # on open connections
        other.run("RPUSH", elsewhere, "x")
        assert await kept.poll_from_any(PATIENCE, elsewhere) == "x"
        await sleep_async(3.5)  # longer than a slice plus the response timeout
        frozen.resume()
        while len(found) < 30:
            await until_async(lambda: any(one.done for one in waiting), "any of them has one")
            ready = next(
                one for one in waiting if one.done
            )  # the longest wait is not always served next
            waiting.remove(ready)
            found.append(await ready.result())
            waiting.append(start_async(queue.take))
        assert Counter(found) == Counter(f"{number}" for number in range(30))
        for number in range(3):
            await queue.offer(f"{number}")
        assert sorted([await one.result() for one in waiting]) == ["0", "1", "2"]
        await until_async(lambda: not redisson._context.link.abandoned, "it has given back")
        assert await kept.read_all() == ["1", "2", "3"]
        assert await queue.size() == await delayed.size() == 0


async def test_calls_continue_at_the_promoted_replica_of_a_frozen_node(
    cluster_with_replicas: Servers,
) -> None:
    """Takes, offers and transfers continue at the new master; each item is delivered once."""
    cluster = cluster_with_replicas
    homes = names_by_home(cluster, "promoted_async")
    frozen = cluster.servers[0]
    name, elsewhere = homes[frozen][0], homes[cluster.servers[1]][0]
    async with (
        RedisCluster.from_url(frozen.url) as client,
        AsyncRedisson(
            client, codec=StringCodec(), safety_interval=0.5, response_timeout=1
        ) as redisson,
    ):
        queues = [redisson.get_blocking_queue(name), redisson.get_blocking_queue(elsewhere)]
        delayed = [redisson.get_delayed_queue(queue) for queue in queues]
        for number in range(20):
            for each in delayed:
                await each.offer(f"{number}", delay=1.5 + number / 10)
        waiting = [start_async(queue.take) for queue in queues]
        replicate(frozen, cluster.alive)
        frozen.pause()
        found: list[list[str]] = [[], []]
        try:
            await surely(delayed[0], "meanwhile", 0.1)
            await surely(delayed[1], "meanwhile", 0.1)
            for place, queue in enumerate(queues):
                found[place].append(await waiting[place].result())
                while len(found[place]) < 21:
                    found[place].append(await queue.take())
        finally:
            frozen.resume()
        expected = Counter(["meanwhile", *(f"{number}" for number in range(20))])
        assert [Counter(each) for each in found] == [expected, expected]
        await delayed[0].offer("after", delay=0.1)
        assert await queues[0].take() == "after"
        for each, queue in zip(delayed, queues, strict=True):
            assert await each.size() == await queue.size() == 0

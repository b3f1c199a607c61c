"""A frozen master of a cluster: the others' items are on time, its own are all there in the end."""

from collections import Counter

import pytest
from redis.asyncio import RedisCluster
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson import AsyncRedisson
from pyredisson._async.waits.one_of_many import within_async
from pyredisson.codecs import StringCodec
from tests._async.delayed.fault_offers import surely
from tests.support.faults_tools import clients, names_by_home, replicate
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import PATIENCE, sleep_async, start_async, until_async

NEVER = 600.0


async def test_the_slots_are_asked_for_and_the_subscription_goes_elsewhere(
    partial: Servers,
) -> None:
    """The frozen node is asked first for the slots, by a client that must ask, and is listened to.

    The client itself gives up nothing for ten minutes: whatever waits for the frozen node hangs.
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
async def test_a_hurried_question_opens_no_connection_for_long(
    partial: Servers, idle: bool
) -> None:
    """What another task has left to it: no connection, or one whose number nobody has asked for."""
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
            asking = start_async(lambda: within_async(link, queue._list.size(), 0.2))
            await until_async(lambda: asking.done, "it has given up")
        finally:
            frozen.resume()
        with pytest.raises(RedisTimeoutError):
            await asking.result()


async def test_it_thaws_after_it_was_given_up(partial: Servers) -> None:
    """Takes and transfers that were out when it froze are given up and begun again; none is lost.

    What was sent to it is executed when it thaws, in whatever order, for callers that have left.
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
        waiting += [start_async(queue.take) for _ in range(2)]  # on connections that are open
        other.run("RPUSH", elsewhere, "x")
        assert await kept.poll_from_any(PATIENCE, elsewhere) == "x"
        await sleep_async(3.5)  # longer than a slice and the response timeout
        frozen.resume()
        while len(found) < 30:
            await until_async(lambda: any(one.done for one in waiting), "any of them has one")
            ready = next(one for one in waiting if one.done)  # who waits longest is not always next
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


async def test_its_replica_is_promoted(cluster_with_replicas: Servers) -> None:
    """Takes, offers and transfers go on there; what was stored by then comes once, and no more."""
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

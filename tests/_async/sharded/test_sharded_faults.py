"""A consumer of all shards and its prefetched messages: kept, released, or expired."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from redis.asyncio import RedisCluster
from redis.exceptions import RedisError

from pyredisson import (
    AsyncRedisson,
    AsyncShardedConsumer,
    AsyncShardedQueue,
    ClosedError,
    KeyTypeError,
)
from pyredisson._async.consumers import consumer as consumers
from pyredisson._async.waits import poll as sweeping
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster as Servers
from tests.support.twins import (
    AsyncStarted,
    interrupt_async,
    sleep_async,
    start_async,
    until_async,
)

SHARDS, EACH = 8, 3
SOON = 0.05


@pytest.fixture
async def redisson(cluster: Servers) -> AsyncIterator[AsyncRedisson]:
    """A client of the cluster that soon skips a node that does not answer."""
    async with (
        RedisCluster.from_url(cluster.url) as client,
        AsyncRedisson(client, codec=StringCodec(), response_timeout=0.7) as redisson,
    ):
        yield redisson


@pytest.fixture
def raw(cluster: Servers) -> Iterator[Any]:
    """A plain client of the emptied cluster, whose nodes serve their slots without the others."""
    for server in cluster.servers:
        server.run("CONFIG", "SET", "cluster-require-full-coverage", "no")
    with cluster.client() as client:
        client.flushall(target_nodes="primaries")
        yield client


@pytest.fixture
def orders(redisson: AsyncRedisson, raw: Any) -> AsyncShardedQueue[str]:
    """A queue with some items in each shard."""
    orders = redisson.get_sharded_queue("orders", SHARDS, transfer=False)
    for name in orders.names:
        raw.rpush(name, *[f"{name} {number}" for number in range(EACH)])
    return orders


@pytest.fixture
async def consumer(
    redisson: AsyncRedisson, orders: AsyncShardedQueue[str], monkeypatch: pytest.MonkeyPatch
) -> AsyncShardedConsumer[str]:
    """A consumer that has delivered the first item of each shard and must renew the others."""
    monkeypatch.setattr(consumers, "_AHEAD", SOON)
    consumer = redisson.get_consumer(orders, prefetch=EACH, transfer=False)
    for each in consumer.consumers:
        assert (await each.take()).attempt == 1
    await sleep_async(2 * SOON)
    return consumer


@pytest.fixture
def frozen(cluster: Servers, orders: AsyncShardedQueue[str]) -> Iterator[RedisServer]:
    """The node of the first shard, which the test freezes."""
    server = cluster.master_of(orders.names[0].encode())
    yield server
    server.resume()


@pytest.fixture
def others(orders: AsyncShardedQueue[str], cluster: Servers, frozen: RedisServer) -> list[str]:
    """The names of the shards on other nodes."""
    return [name for name in orders.names if cluster.master_of(name.encode()) is not frozen]


def rest_of(names: list[str]) -> set[str]:
    """Return the items of these shards without the first one of each."""
    return {f"{name} {number}" for name in names for number in range(1, EACH)}


def all_in(raw: Any, names: list[str]) -> set[str]:
    return {value.decode() for name in names for value in raw.lrange(name, 0, -1)}


async def all_taken(orders: AsyncShardedQueue[str], takers: list[AsyncStarted[Any]]) -> list[Any]:
    """Offer as many items as takers, all due at one moment; return the results of the takers."""
    await sleep_async(0.1)
    moment = datetime.now(UTC) + timedelta(seconds=0.3)
    for number in range(len(takers)):
        await orders.offer(f"{number}", at=moment, key="one")
    return [await taker.result() for taker in takers]


async def test_all_waiting_takes_are_notified(
    redisson: AsyncRedisson, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The notifications are due items and the close. Polls do not help: they are an hour apart."""
    monkeypatch.setattr(sweeping, "FIRST_PAUSE", 3600)
    monkeypatch.setattr(sweeping, "LONGEST_PAUSE", 3600)
    orders = redisson.get_sharded_queue("orders", SHARDS)
    values = await all_taken(orders, [start_async(orders.take) for _ in range(3)])
    assert sorted(values) == ["0", "1", "2"]
    consumer = redisson.get_consumer(orders)
    messages = await all_taken(orders, [start_async(consumer.take) for _ in range(3)])
    assert sorted(message.value for message in messages) == ["0", "1", "2"]
    waiting = [start_async(consumer.take) for _ in range(3)]
    await sleep_async(0.1)
    await consumer.close()
    for each in waiting:
        with pytest.raises(ClosedError):
            await each.result()
    orders.destroy()


async def test_frozen_node_does_not_block_prefetched_messages(
    consumer: AsyncShardedConsumer[str],
    orders: AsyncShardedQueue[str],
    frozen: RedisServer,
    others: list[str],
) -> None:
    frozen.pause()
    found = [await consumer.take() for _ in range(len(others) * (EACH - 1))]
    assert {message.value for message in found} == rest_of(others)
    frozen.resume()
    while len(found) < SHARDS * (EACH - 1):
        found += await consumer.take_many(100)
    assert {message.value for message in found} == rest_of(list(orders.names))
    assert {message.attempt for message in found} == {1}


async def test_interrupted_take_many_loses_no_message(
    consumer: AsyncShardedConsumer[str],
    orders: AsyncShardedQueue[str],
    frozen: RedisServer,
    others: list[str],
) -> None:
    other = consumer.consumers[orders.names.index(others[0])]
    message = await other.take()
    assert message.consumer is other
    assert other._prefetched.ready, "this one is renewed"
    frozen.pause()
    taking = partial(consumer.take_many, 100)
    assert not await interrupt_async(taking, lambda: not other._prefetched.ready)
    frozen.resume()
    found = [message]
    while len(found) < SHARDS * (EACH - 1):
        found += await consumer.take_many(100)
    assert {message.value for message in found} == rest_of(list(orders.names))
    assert {message.attempt for message in found} == {1}


async def test_waiting_take_survives_an_outage_of_all_nodes(
    consumer: AsyncShardedConsumer[str],
    orders: AsyncShardedQueue[str],
    cluster: Servers,
    raw: Any,
) -> None:
    while len(await consumer.take_many(100)) > 0 and all_in(raw, list(orders.names)):
        pass
    taking = start_async(partial(consumer.take_many, 1, 60))
    await sleep_async(0.1)
    for server in cluster.servers:
        server.pause()
    await sleep_async(4)
    for server in cluster.servers:
        server.resume()
    raw.rpush(orders.names[0], "late")
    assert [message.value for message in await taking.result()] == ["late"]


async def test_take_names_the_shard_whose_key_has_another_type(
    redisson: AsyncRedisson, raw: Any
) -> None:
    orders = redisson.get_sharded_queue("orders", SHARDS, transfer=False)
    consumer = redisson.get_consumer(orders, transfer=False)
    assert await consumer.poll() is None
    raw.set(orders.names[-1], "no list")
    for _ in range(2):
        with pytest.raises(KeyTypeError, match=orders.names[-1]):
            await consumer.poll(1)
    raw.delete(orders.names[-1])
    raw.rpush(orders.names[-1], "later")
    assert (await consumer.take()).value == "later"


async def test_closing_while_a_node_does_not_answer(
    consumer: AsyncShardedConsumer[str],
    orders: AsyncShardedQueue[str],
    frozen: RedisServer,
    others: list[str],
    raw: Any,
) -> None:
    frozen.pause()
    with pytest.raises(RedisError):
        await consumer.close()
    assert all_in(raw, others) == rest_of(others)
    frozen.resume()
    await until_async(lambda: all_in(raw, list(orders.names)) >= rest_of(others), "it answers")
    await consumer.close()
    assert all_in(raw, list(orders.names)) == rest_of(list(orders.names))


async def test_frozen_node_does_not_block_settlements_on_other_nodes(
    redisson: AsyncRedisson,
    orders: AsyncShardedQueue[str],
    frozen: RedisServer,
    others: list[str],
    raw: Any,
) -> None:
    consumer = redisson.get_consumer(orders, transfer=False)
    messages = [message for each in consumer.consumers for message in await each.take_many(1)]
    frozen.pause()
    with pytest.raises(RedisError):
        await consumer.ack_many(messages)
    assert {message.consumer.name for message in messages if message.settled} == set(others)
    assert not any(raw.exists(ConsumerNames.of(name).leases) for name in others)


async def test_prefetched_message_of_a_shard_expires(redisson: AsyncRedisson, raw: Any) -> None:
    codes = redisson.get_sharded_queue("codes", 2)
    first = codes.queues[0]
    raw.rpush(first.name, "first")
    await redisson.get_delayed_queue(first, expire_after=2).offer("late", 0)
    await until_async(lambda: raw.llen(first.name) == 2, "it is moved")
    async with redisson.get_consumer(codes, prefetch=2) as consumer:
        assert (await consumer.take()).value == "first"
        [kept] = consumer.consumers[0]._prefetched.ready
        node, over = raw.get_node_from_key(first.name), kept._delivery.expires_ms
        await until_async(lambda: raw.time(target_nodes=node)[0] * 1000 > over, "it is over")
        assert await consumer.poll() is None
    [letter] = await redisson.get_dead_letters(codes).read_all()
    assert (letter.value, letter.reason) == ("late", "expired")

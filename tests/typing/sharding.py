"""The types of sharded queues that a user's program sees; see ``api.py``."""

from __future__ import annotations

from datetime import timedelta
from typing import assert_type

from pyredisson import (
    AsyncMessage,
    AsyncRedisson,
    AsyncShardedConsumer,
    AsyncShardedDeadLetters,
    AsyncShardedQueue,
    AsyncWorker,
    DeadLetter,
    DelayedQueue,
    Finding,
    InFlight,
    Message,
    PendingItem,
    Receipt,
    Redisson,
    ShardedConsumer,
    ShardedDeadLetters,
    ShardedQueue,
    Worker,
)
from pyredisson.codecs import StringCodec


def shards(client: Redisson) -> None:
    """A queue and the queues of its shards have the type of the codec."""
    orders = client.get_sharded_queue("orders", shards=32, codec=StringCodec())
    assert_type(orders, ShardedQueue[str])
    assert_type(orders.offer("a", timedelta(hours=1), key="k"), Receipt)
    assert_type(orders.offer("a", 5, dedup="k", if_exists="replace"), Receipt)
    assert_type(orders.offer_many([("a", 5)], key=lambda value: value), list[Receipt])
    assert_type(orders.take(), str)
    assert_type(orders.poll(1.5), str | None)
    assert_type(orders.delayed_queues[0], DelayedQueue[str])
    assert_type(orders.check(), list[Finding])
    for item in orders.items():
        assert_type(item, PendingItem[str])
    orders.offer(1, 5)  # type: ignore[arg-type]  # a text
    consumer = client.get_consumer(orders)
    assert_type(consumer, ShardedConsumer[str])
    assert_type(orders.in_flight(), list[InFlight[str]])
    assert_type(consumer.take(), Message[str])
    letters = client.get_dead_letters(orders)
    assert_type(letters, ShardedDeadLetters[str])
    assert_type(letters.read_all(), list[DeadLetter[str]])
    assert_type(Worker(client, orders, print).run(), int)


async def twins(client: AsyncRedisson) -> None:
    """The same with asyncio."""
    orders = client.get_sharded_queue("orders", codec=StringCodec())
    assert_type(orders, AsyncShardedQueue[str])
    assert_type(await orders.take(), str)
    consumer = client.get_consumer(orders)
    assert_type(consumer, AsyncShardedConsumer[str])
    assert_type(await consumer.take(), AsyncMessage[str])
    assert_type(client.get_dead_letters(orders), AsyncShardedDeadLetters[str])
    assert_type(await AsyncWorker(client, orders, print).run(), int)

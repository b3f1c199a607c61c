"""Sharded queues on one server: the behaviour that does not depend on nodes."""

from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson, AsyncShardedQueue
from pyredisson.server_errors import ServerError


@pytest.fixture
def orders(redisson: AsyncRedisson) -> AsyncShardedQueue[str]:
    """The queue of the tests, without a transfer task."""
    return redisson.get_sharded_queue("orders", 8, transfer=False)


async def test_sharded_queue_stores_one_item_for_each_dedup_key(
    orders: AsyncShardedQueue[str],
) -> None:
    keys = [f"order-{number}" for number in range(20)]
    first = [await orders.offer("v", 3600, dedup=key) for key in keys]
    assert len({receipt.queue for receipt in first}) > 3
    assert [await orders.offer("w", 3600, dedup=key) for key in keys] == first
    assert [receipt.queue for receipt in first] == [orders.names[orders.shard_of(k)] for k in keys]
    assert await orders.delayed_size() == 20
    assert [await orders.receipt_of(key) for key in keys] == first
    kept = await orders.offer("w", 1800, dedup="order-0", if_exists="earliest")
    assert (kept.entry, kept.stored) == (first[0].entry, False)
    assert await orders.cancel(kept)
    placed = await orders.offer("w", 3600, dedup="order-0", key="another shard")
    assert placed.stored
    assert await orders.receipt_of("order-0") is None
    assert await orders.receipt_of("order-0", key="another shard") == placed
    for options in ({"dedup": 5}, {"if_exists": "ignore"}):
        bad: Any = options
        with pytest.raises(TypeError, match="dedup"):
            await orders.offer("w", 3600, **bad)
    assert await orders.delayed_size() == 20


async def test_take_many_takes_from_all_shards(
    redisson: AsyncRedisson, orders: AsyncShardedQueue[str], raw: Any
) -> None:
    for name in orders.names:
        raw.rpush(name, *(f"{name} {number}" for number in range(3)))
    async with redisson.get_consumer(orders, prefetch=2) as consumer:
        sizes = [len(await consumer.take_many(limit, 0)) for limit in (1, 10, 100, 5)]
    assert sizes == [1, 10, 13, 0]


class InterruptError(BaseException):
    """An interruption that is not an `Exception`."""


@pytest.mark.parametrize("error", [ServerError, InterruptError])
async def test_take_many_that_fails_half_way_loses_nothing(
    redisson: AsyncRedisson,
    orders: AsyncShardedQueue[str],
    raw: Any,
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException],
) -> None:
    """The take from the third shard fails after two shards have returned their messages."""
    for name in orders.names:
        raw.rpush(name, *"abc")
    consumer, calls = redisson.get_consumer(orders), list[int]()
    take_into = AsyncConsumer._take_into

    async def failing(self: Any, *args: Any) -> None:
        calls.append(1)
        if len(calls) == 3:
            raise error
        await take_into(self, *args)

    monkeypatch.setattr(AsyncConsumer, "_take_into", failing)
    found: list[Any] = []
    try:
        found += await consumer.take_many(100, 0)
    except InterruptError:
        assert error is InterruptError
    assert len(found) == (6 if error is ServerError else 0)
    found += await consumer.take_many(100, 0)
    assert [await each.ack() for each in found] == [True] * 24
    assert len({each.delivery_id for each in found}) == 24

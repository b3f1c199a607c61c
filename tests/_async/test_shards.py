"""Queues with shards on one server: what does not depend on nodes."""

from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncShardedQueue


@pytest.fixture
def orders(redisson: AsyncRedisson) -> AsyncShardedQueue[str]:
    """The queue of the tests, which nobody transfers."""
    return redisson.get_sharded_queue("orders", 8, transfer=False)


async def test_one_item_for_each_dedup_key(orders: AsyncShardedQueue[str]) -> None:
    keys = [f"order-{number}" for number in range(20)]
    first = [await orders.offer("v", 3600, dedup=key) for key in keys]
    assert len({receipt.queue for receipt in first}) > 3
    assert [await orders.offer("w", 3600, dedup=key) for key in keys] == first
    assert [receipt.queue for receipt in first] == [orders.names[orders.shard_of(k)] for k in keys]
    assert await orders.delayed_size() == 20
    assert [await orders.receipt_of(key) for key in keys] == first
    kept = await orders.offer("w", 1800, dedup="order-0", if_exists="earliest")
    assert (kept.member, kept.stored) == (first[0].member, False)
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

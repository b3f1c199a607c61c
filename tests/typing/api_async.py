"""The types that a user's asyncio program sees; `api` is the synchronous variant.

What both variants share is only in `api`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, assert_type

import redis
import redis.asyncio

from pyredisson import (
    AsyncBlockingDeque,
    AsyncBlockingQueue,
    AsyncBucket,
    AsyncDelayedQueue,
    AsyncDeque,
    AsyncPoisonList,
    AsyncQueue,
    AsyncRedisson,
    End,
    PendingItem,
    Receipt,
    Redisson,
    TransferStats,
)
from pyredisson.codecs import DoubleCodec, IntegerCodec, LongCodec, StringCodec


async def async_clients() -> None:
    """The same for asyncio."""
    async with AsyncRedisson.from_url("redis://127.0.0.1:6379/0") as client:
        assert_type(client, AsyncRedisson)
        assert_type(client.transfer_stats(), Sequence[TransferStats])
    own = AsyncRedisson(redis.asyncio.Redis(), codec=LongCodec(), release="3.27.2")
    await own.aclose()
    with own:  # type: ignore[attr-defined]  # needs `async with`
        pass


async def async_codecs_decide(client: AsyncRedisson) -> None:
    """A handle is made without `await`."""
    assert_type(client.get_queue("q", StringCodec()), AsyncQueue[str])
    assert_type(client.get_deque("q", LongCodec()), AsyncDeque[int])
    assert_type(client.get_bucket("q", LongCodec()), AsyncBucket[int])
    assert_type(client.get_bucket("q"), AsyncBucket[Any])
    assert_type(client.get_blocking_queue("q", IntegerCodec()), AsyncBlockingQueue[int])
    assert_type(client.get_blocking_deque("q", DoubleCodec()), AsyncBlockingDeque[float])
    assert_type(client.get_queue("q"), AsyncQueue[Any])
    orders = client.get_blocking_queue("q", codec=StringCodec())
    assert_type(client.get_delayed_queue(orders), AsyncDelayedQueue[str])
    sync_orders = Redisson(redis.Redis()).get_queue("q")
    client.get_delayed_queue(sync_orders)  # type: ignore[arg-type]  # of the other world


async def async_queue(orders: AsyncQueue[str]) -> None:
    """Every operation is awaited."""
    assert_type(await orders.add("a"), bool)
    assert_type(await orders.poll(), str | None)
    assert_type(await orders.poll(3), list[str])
    assert_type(await orders.remove(), str)
    assert_type(await orders.remove("a"), bool)
    assert_type(await orders.size(), int)
    assert_type(await orders.read_all(), list[str])
    assert_type(orders.__aiter__(), AsyncIterator[str])
    assert_type([value async for value in orders], list[str])
    len(orders)  # type: ignore[arg-type]  # cannot be awaited: size()
    for _ in orders:  # type: ignore[attr-defined]  # needs `async for`
        break
    (await orders.poll()).upper()  # type: ignore[union-attr]  # there may be none


async def async_deque(orders: AsyncDeque[int]) -> None:
    """RDeque."""
    assert_type(await orders.add_first(1, 2), int)
    assert_type(await orders.pop(), int)
    assert_type(await orders.poll_last(), int | None)
    assert_type(await orders.poll_last(2), list[int])
    assert_type(await orders.move("other", End.LAST, End.FIRST), int | None)
    assert_type([value async for value in orders.descending_iterator()], list[int])


async def async_blocking_queue(orders: AsyncBlockingQueue[str]) -> None:
    """RBlockingQueue."""
    await orders.put("a")
    assert_type(await orders.take(), str)
    assert_type(await orders.poll(), str | None)
    assert_type(await orders.poll(3), list[str])
    assert_type(await orders.poll(timeout=5), str | None)
    assert_type(orders.remaining_capacity(), int)
    target: list[str] = []
    assert_type(await orders.drain_to(target), int)
    assert_type(await orders.poll_from_any_with_name(1, "b"), tuple[str, str] | None)
    assert_type(await orders.poll_first_from_any(1, "b", count=5), dict[str, list[str]])

    async def consumer(value: str) -> None:
        target.append(value)

    await orders.subscribe_on_elements(consumer).close()
    await orders.subscribe_on_elements(target.append).close()
    assert_type(await orders.poll(3, timeout=1), list[str])


async def async_poison(client: AsyncRedisson, orders: AsyncQueue[str]) -> None:
    """The poison list."""
    kept = client.get_poison_list(orders)
    assert_type(kept, AsyncPoisonList[str])
    assert_type([each.value async for each in kept], list[str | None])
    assert_type(await kept.requeue(raw=b"x"), int)
    assert_type(await kept.drop(), int)


async def async_blocking_deque(orders: AsyncBlockingDeque[bytes]) -> None:
    """RBlockingDeque."""
    assert_type(await orders.take_last(), bytes)
    assert_type(await orders.poll_last(), bytes | None)
    assert_type(await orders.poll_last(2), list[bytes])
    assert_type(await orders.poll_last(timeout=1), bytes | None)
    assert_type(await orders.move("other", End.FIRST, End.LAST, timeout=1), bytes | None)


async def rows() -> AsyncIterator[tuple[str, timedelta]]:
    """Rows of a database."""
    yield "a", timedelta(minutes=30)


async def async_delayed_queue(delayed: AsyncDelayedQueue[str]) -> None:
    """RDelayedQueue."""
    receipt = await delayed.offer("a", delay=timedelta(minutes=30))
    assert_type(receipt, Receipt)
    assert_type(await delayed.offer("a", at=datetime(2030, 1, 1, tzinfo=UTC)), Receipt)
    assert_type(await delayed.offer("a", 30, dedup="k", if_exists="extend"), Receipt)
    await delayed.offer_again(receipt)
    assert_type(await delayed.cancel(receipt), bool)
    assert_type(await delayed.retries_of(receipt), list[Receipt])
    assert_type(await delayed.reschedule(receipt, 30), Receipt | None)
    assert_type(await delayed.remaining_delay(receipt), timedelta | None)
    assert_type([item async for item in delayed.items()], list[PendingItem[str]])
    assert_type(await delayed.poll(), str | None)
    assert_type(await delayed.poll(3), list[str])
    assert_type(await delayed.remove(), str)
    assert_type(await delayed.remove("a"), bool)
    assert_type(await delayed.remove_if(lambda value: value.startswith("a")), bool)
    assert_type(await delayed.contains("a"), bool)
    assert_type(delayed.target, AsyncQueue[str])
    assert_type([value async for value in delayed], list[str])
    delayed.destroy()
    await delayed.destroy()  # type: ignore[func-returns-value, misc]  # nothing to wait for
    assert_type(await delayed.offer_many([("a", 30)]), list[Receipt])
    assert_type(await delayed.offer_many(rows(), receipts=False), int)
    await delayed.offer(1, 30)  # type: ignore[arg-type]  # another type than the codec's
    (await delayed.poll()).upper()  # type: ignore[union-attr]  # there may be none


async def async_handle(orders: AsyncQueue[str], delayed: AsyncDelayedQueue[str]) -> None:
    """RObject and RExpirable, of both kinds of queues."""
    for each in (orders, delayed):
        assert_type(await each.is_exists(), bool)
        assert_type(await each.dump(), tuple[bytes | None, ...])
        assert_type(await each.remain_time_to_live(), timedelta | None)
        assert_type(await each.get_expire_time(), datetime | None)


async def bucket(price: AsyncBucket[int]) -> None:
    """RBucket."""
    assert_type(await price.get(), int | None)
    await price.set(5)
    await price.set(None)
    await price.set(5, ttl=timedelta(minutes=1))
    assert_type(await price.try_set(5, 1.5), bool)
    assert_type(await price.get_and_set(6), int | None)
    assert_type(await price.compare_and_set(None, 6), bool)
    assert_type(await price.get_and_delete(), int | None)
    await price.set("text")  # type: ignore[arg-type]  # not an int

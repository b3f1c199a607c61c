"""The due time of a message at its first delivery, if pyredisson's transfer has recorded it."""

from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson, Receipt
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.kernel.due import from_epoch_ms
from tests.support.consuming import NAMES, texts, traces
from tests.support.state import pack, server_ms
from tests.support.twins import AsyncStarted, until_async

DUE = NAMES.queue.due


@pytest.fixture
async def redisson(url: str) -> AsyncIterator[AsyncRedisson]:
    """A client with `due_times=True`."""
    async with AsyncRedisson.from_url(url, codec=StringCodec(), due_times=True) as redisson:
        yield redisson


@pytest.fixture
def consumer(redisson: AsyncRedisson) -> AsyncConsumer[str]:
    """A consumer without a transfer task."""
    return redisson.get_consumer(redisson.get_queue("q"), transfer=False, prefetch=100)


@pytest.fixture(autouse=True)
def nothing_is_left(raw: Any) -> Iterator[None]:
    yield
    assert "due" not in traces(raw)


async def move(redisson: AsyncRedisson, **options: bool) -> None:
    """Transfer all pending items and record due times; `due_times=False` transfers as Java does."""
    options = {"due_times": True, **options}
    transfer = DelayedQueueProtocol(NAMES.queue, StringCodec()).transfer(2**52, 9000, **options)
    await redisson._context.link.request(transfer)


async def offer(redisson: AsyncRedisson, *values: str, delay: float = 0.01) -> list[Receipt]:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    return await delayed.offer_many([(value, delay) for value in values])


async def test_first_delivery_has_the_due_time(redisson: AsyncRedisson, raw: Any) -> None:
    """An immediate retry has the same due time. A retry with a delay has its own."""
    queue = redisson.get_queue("q")
    consumer = redisson.get_consumer(queue)
    waiting = AsyncStarted(consumer.take)
    receipt = await redisson.get_delayed_queue(queue).offer("a", 0.05)
    message = await waiting.result()
    assert message.due_at == from_epoch_ms(receipt.due_ms)
    assert message.due_at <= message.received_at
    await message.nack()
    again = await consumer.take()
    assert (again.attempt, again.due_at) == (2, message.due_at)
    assert await again.nack(0.05)
    last = await consumer.take()
    assert last.due_at is not None
    assert last.due_at > message.due_at
    assert await last.ack()
    assert traces(raw) == set()


async def test_transfer_process_records_due_times(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(
        url, codec=StringCodec(), due_times=True, transfer_process=True
    ) as redisson:
        queue = redisson.get_queue("q")
        receipt = await redisson.get_delayed_queue(queue).offer("a", 0.05)
        message = await redisson.get_consumer(queue).take()
        assert message.due_at == from_epoch_ms(receipt.due_ms)


async def test_take_many_has_the_due_time_of_each_message(
    redisson: AsyncRedisson, consumer: AsyncConsumer[str], raw: Any
) -> None:
    receipts = await offer(redisson, *map(str, range(2000)), delay=60)
    await move(redisson)
    for start in range(0, 2000, 100):
        messages = await consumer.take_many(100, 0)
        due = [from_epoch_ms(each.due_ms) for each in receipts[start : start + 100]]
        assert [message.due_at for message in messages] == due
        await consumer.ack_many(messages)


async def test_unknown_due_time_is_none(
    redisson: AsyncRedisson, consumer: AsyncConsumer[str], raw: Any
) -> None:
    """The value was never pending, or a transfer without `due_times` moved it."""
    raw.rpush("q", "java")
    await offer(redisson, "by another client")
    await move(redisson, due_times=False)
    messages = await consumer.take_many(9, 0)
    assert [(each.value, each.due_at) for each in messages] == [
        ("java", None),
        ("by another client", None),
    ]


async def test_client_without_due_times_records_nothing(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        queue = redisson.get_queue("q")
        await redisson.get_delayed_queue(queue).offer("a", 0.01)
        assert (await redisson.get_consumer(queue).take()).due_at is None
    assert traces(raw) == {"leases", "taken"}


async def test_equal_values_have_the_due_time_of_the_last_one(
    redisson: AsyncRedisson, consumer: AsyncConsumer[str], raw: Any
) -> None:
    """The transfer records the time of the last one. A value that is added later has none."""
    first, second = await offer(redisson, "same", "same")
    assert first.due_ms <= second.due_ms
    await move(redisson)
    messages = [await consumer.take_many(1, 0) for _ in range(2)]
    due = [each.due_at for [each] in messages]
    assert due == [from_epoch_ms(second.due_ms)] * 2
    raw.rpush("q", "same")
    assert (await consumer.take()).due_at is None


async def test_due_times_of_values_that_others_took_are_removed(
    redisson: AsyncRedisson, consumer: AsyncConsumer[str], raw: Any
) -> None:
    await offer(redisson, "a")
    await move(redisson)
    assert raw.lpop("q") == b"a"
    assert 0 < raw.pttl(DUE) <= 24 * 3600 * 1000, "nobody of ours need come"
    assert await consumer.poll() is None
    assert traces(raw) == set()


async def test_expiring_item_has_its_due_time(
    redisson: AsyncRedisson, consumer: AsyncConsumer[str], raw: Any
) -> None:
    """An expiring item does not need the recorded time, which is removed."""
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False, expire_after=3600)
    [late] = await offer(redisson, "first")
    receipt = await delayed.offer("a", 0.01)
    await move(redisson)
    messages = await consumer.take_many(9, 0)
    due = [from_epoch_ms(late.due_ms), from_epoch_ms(receipt.due_ms)]
    assert [each.due_at for each in messages] == due


async def test_recorded_due_times_are_bounded(
    redisson: AsyncRedisson, consumer: AsyncConsumer[str], raw: Any
) -> None:
    """At most 10,000 values, and 1 MiB of them in one transfer.

    A negative score is not recorded.
    """
    raw.hset(DUE, mapping={str(number): 1 for number in range(10_000)})
    await offer(redisson, "a")
    await move(redisson)
    assert raw.hlen(DUE) == 10_000
    assert (await consumer.take()).due_at is None
    raw.delete(DUE)
    raw.zadd(NAMES.queue.timeout_set, {pack(b"junk"): -5})
    for value in ("x" * 2**20, "y" * 2**19):
        await offer(redisson, value)
        await move(redisson)
    messages = [await consumer.take() for _ in range(3)]
    assert [each.due_at is None for each in messages] == [True, True, False]


async def test_transfer_works_although_the_key_has_another_type(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.set(DUE, "?")
    await offer(redisson, "a")
    await move(redisson)
    assert texts(raw) == ["a"]
    raw.delete(DUE)


async def test_transfer_without_the_right_to_record_due_times(
    acl_server: Any, root: Any, login: Any
) -> None:
    """The item is transferred, and no due time is recorded."""
    client = login("~*", "&*", "+@all", "-hset", codec=StringCodec(), due_times=True)
    await offer(client, "a")
    await move(client)
    assert root.lrange("q", 0, -1) == [b"a"]
    assert root.exists(DUE) == 0
    root.flushall()


async def test_a_check_finds_nothing_wrong(redisson: AsyncRedisson, raw: Any) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    await offer(redisson, "a")
    await move(redisson)
    assert raw.exists(DUE) == 1
    assert await delayed.check() == []
    assert await delayed.repair() == []
    raw.delete(DUE)


async def test_a_slow_consumer_s_lateness_is_seen(redisson: AsyncRedisson, raw: Any) -> None:
    """Half a second in the target queue is half a second of lateness."""
    [receipt] = await offer(redisson, "a")
    await until_async(lambda: server_ms(raw) >= receipt.due_ms, "it is due")
    await move(redisson)
    await until_async(lambda: server_ms(raw) >= receipt.due_ms + 500, "it has waited")
    message = await redisson.get_consumer(redisson.get_queue("q"), transfer=False).take()
    assert message.due_at is not None
    assert (message.received_at - message.due_at).total_seconds() >= 0.5

"""Pending items: cancelled, rescheduled and read, by receipt and by due time."""

import time
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from pyredisson import AsyncDelayedQueue, AsyncRedisson, DecodeError, Receipt
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.delayed.item_id import new_item_id
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.state import pack, pack_old, scored, server_ms, shape
from tests.support.twins import sleep_async, until_async

STRINGS = StringCodec()
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
CHANNEL = "redisson_delay_queue_channel:{q}"
HOUR = timedelta(hours=1)
FAR = 4_000_000_000_000


def delayed_queue(redisson: AsyncRedisson, codec: Any = STRINGS) -> AsyncDelayedQueue[Any]:
    return redisson.get_delayed_queue(redisson.get_queue("q", codec=codec), transfer=False)


# --- short receipts ------------------------------------------------------------------------------


@pytest.mark.parametrize("release", ["3.52.0", "3.19.3"])
async def test_a_short_receipt_does_what_the_whole_one_does(
    url: str, raw: redis.Redis, release: str
) -> None:
    """Many items have the same value and due time. Some are rescheduled."""
    moment = datetime(2100, 1, 1, tzinfo=UTC)
    async with AsyncRedisson.from_url(url, codec=STRINGS, release=release) as redisson:
        delayed = delayed_queue(redisson)
        receipts = await delayed.offer_many([("v*[?]\\" * 3, moment)] * 300)
        kept = {each.entry for each in receipts}
        for receipt in receipts[::60]:
            short = Receipt.parse(str(receipt.short()))
            left = await delayed.remaining_delay(short)
            assert left is not None
            assert left > timedelta(days=365)
            later = await delayed.reschedule(short, HOUR)
            assert later is not None
            assert later == later.short()
            assert raw.zscore(SET, receipt.entry) == later.due_ms
            assert await delayed.reschedule(short, at=moment) == short  # equal to the first
            assert await delayed.cancel(later) is True
            assert await delayed.cancel(short) is False
            assert await delayed.remaining_delay(short) is None
            assert await delayed.reschedule(short, 5) is None
            kept.remove(receipt.entry)
        assert set(raw.zrange(SET, 0, -1)) == set(raw.lrange(LIST, 0, -1)) == kept


async def test_a_short_receipt_takes_no_other_item(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """A short receipt matches no value of another length.

    If several items match, it is rejected.
    """
    delayed = delayed_queue(redisson)
    ours = Receipt("q", FAR, b"12345678", b"ours")
    for value in (b"other", b"our", b"", b"ours"):
        await delayed.offer_again(Receipt("q", FAR, b"12345678", value))
    await delayed.offer_again(Receipt("q", FAR, b"12345677", b"ours"))
    await delayed.offer_again(Receipt("q", FAR, b"12345679", b"ours"))
    assert await delayed.cancel(ours.short()) is True
    assert await delayed.cancel(ours.short()) is False
    twins = [Receipt("q", FAR, b"12345678", value) for value in (b"ours", b"_urs")]
    for due in (FAR, FAR - 1):
        for twin in twins:
            await delayed.offer_again(twin)
        await delayed.reschedule(twins[1], at=datetime.fromtimestamp(due / 1000, UTC))
        await delayed.reschedule(twins[0], at=datetime.fromtimestamp(due / 1000, UTC))
        with pytest.raises(ValueError, match="several items of queue 'q'"):
            await delayed.cancel(twins[0].short())
    assert raw.zcard(SET) == 7
    with pytest.raises(ValueError, match="no value"):
        await delayed.offer_again(ours.short())


# --- retries -------------------------------------------------------------------------------------


async def test_pending_retry_is_found_by_its_value(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """The receipt of the offer does not find it, because the retry is another item."""
    queue = redisson.get_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue)
    receipt = await delayed.offer("order-7", 0)
    other = await delayed.offer("order-8", HOUR)
    assert await delayed.retries_of(receipt) == []
    async with redisson.get_consumer(queue) as consumer:
        message = await consumer.take()
        assert await delayed.retries_of(receipt) == []
        assert await message.nack(HOUR)
        assert not await delayed.cancel(receipt)
        assert not await delayed.cancel(receipt.short())
        (retry,) = await delayed.retries_of(receipt)
        assert retry.value == receipt.value
        assert retry.entry in set(raw.zrange(SET, 0, -1))
        sooner = await delayed.reschedule(retry, 0)
        assert sooner is not None
        message = await consumer.take()
        assert message.attempt == 2
        assert await message.nack(HOUR)
        (retry,) = await delayed.retries_of(receipt)
        assert await delayed.cancel(retry) is True
    assert await delayed.retries_of(receipt) == await delayed.retries_of(other) == []
    assert raw.zrange(SET, 0, -1) == [other.entry]
    delayed.destroy()


# --- cancel -------------------------------------------------------------------------------------


async def test_cancel_walks_from_the_nearer_end(
    redisson: AsyncRedisson, raw: redis.Redis, server: RedisServer
) -> None:
    """The ids show which end is nearer. An item with a misleading id is cancelled, too."""
    delayed = delayed_queue(redisson)
    receipts = await delayed.offer_many([("v", HOUR)] * 2000)
    liar = Receipt("q", FAR, new_item_id(0, b"of early"), b"v")
    await delayed.offer_again(liar)
    with Monitor(server) as monitor:
        for receipt in (receipts[3], receipts[-3], liar):
            assert await delayed.cancel(receipt) is True
            assert await delayed.cancel(receipt) is False
    walks = [each.arguments[2] for each in monitor.commands if each.name == "LREM"]
    assert [walk for walk in walks if walk != b"none"] == [b"1", b"-1", b"1"]
    kept = [each.entry for each in receipts if each not in (receipts[3], receipts[-3])]
    assert raw.lrange(LIST, 0, -1) == kept
    assert raw.zcard(SET) == len(kept)


async def test_item_without_a_due_time_is_not_cancelled(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    delayed = delayed_queue(redisson)
    receipt = await delayed.offer("x", delay=HOUR)
    raw.delete(SET)
    assert await delayed.cancel(receipt) is False
    assert shape(raw) == {LIST: ["x"]}


async def test_each_item_is_either_cancelled_rescheduled_or_delivered(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """The calls compete with the transfer at the moment when each item is due."""
    target = redisson.get_blocking_queue("q", codec=LongCodec())
    delayed = redisson.get_delayed_queue(target)
    hour = datetime.now(UTC) + HOUR  # so the first 20 are certainly not due yet
    start = server_ms(raw) + 300
    moments = [datetime.fromtimestamp((start + 0.5 * n) / 1000, UTC) for n in range(20, 600)]
    receipts = await delayed.offer_many(list(enumerate([hour] * 20 + moments)))
    cancelled: list[int] = []
    again: list[int] = []
    for number, receipt in enumerate(receipts):
        if 20 <= number < 580:  # at most 3 ms before or after it is due
            left = receipt.due_ms + number % 7 - 3 - time.time() * 1000
            await sleep_async(max(left, 0) / 1000)
        elif number == 580:
            await until_async(lambda: raw.zcard(SET) == len(again), "what is left is delivered")
        if number % 2:
            if await delayed.cancel(receipt):
                cancelled.append(number)
        elif await delayed.reschedule(receipt, delay=HOUR):
            again.append(number)
    await until_async(lambda: raw.zcard(SET) == len(again), "all others are delivered")
    assert sorted(await delayed.read_all()) == again
    delivered = await target.read_all()
    assert sorted(cancelled + again + delivered) == list(range(600))
    assert {*range(580, 600)} <= {*delivered}
    assert {*range(20)} == {*cancelled, *again} & {*range(20)}


# --- reschedule ---------------------------------------------------------------------------------


@pytest.mark.parametrize("release", ["4.7.0", "3.21.0"])
async def test_rescheduled_item_keeps_its_place_in_the_list(
    redisson: AsyncRedisson, raw: redis.Redis, release: str
) -> None:
    queue = redisson.get_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue, transfer=False, wire_format=release)
    a, b, c = [await delayed.offer(value, delay=HOUR) for value in "abc"]
    moment = datetime(2096, 10, 2, 7, 6, 40, tzinfo=UTC)
    later = await delayed.reschedule(Receipt.parse(str(b)), at=moment)
    assert later is not None
    assert (later.due_ms, later.entry) == (FAR, b.entry)
    assert raw.lrange(LIST, 0, -1) == [a.entry, b.entry, c.entry]
    assert (b.entry, FAR) in scored(raw, SET.encode())
    assert raw.zcard(SET) == 3
    assert await delayed.cancel(b) is True  # the earlier receipt is still valid
    assert await delayed.reschedule(later, 5) is None
    assert raw.lrange(LIST, 0, -1) == [a.entry, c.entry]
    assert raw.zcard(SET) == 2


async def test_only_a_head_is_announced(redisson: AsyncRedisson, raw: Any) -> None:
    delayed = delayed_queue(redisson)
    a, b = await delayed.offer("a", delay=HOUR), await delayed.offer("b", delay=2 * HOUR)
    with raw.pubsub() as heard:
        heard.subscribe(CHANNEL)
        heard.get_message(timeout=5)
        first = await delayed.reschedule(b, HOUR / 2)  # the head now
        await delayed.reschedule(a, 3 * HOUR)
        await delayed.reschedule(b, 4 * HOUR)  # is no longer the head
        second = await delayed.reschedule(a, HOUR)
        assert first is not None
        assert second is not None
        for receipt in (first, second):
            message: Any = heard.get_message(timeout=5)
            assert message["data"] == str(receipt.due_ms).encode()
        assert heard.get_message(timeout=0.05) is None


async def test_an_earlier_time_wakes_a_transfer_task(redisson: AsyncRedisson) -> None:
    """Without the notification it would only check after the safety interval."""
    target = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(target)
    receipt = await delayed.offer("x", delay=HOUR)
    await delayed.reschedule(receipt, 0.05)
    assert await target.poll(timeout=5) == "x"
    assert await delayed.reschedule(receipt, 5) is None


async def test_bad_times_change_nothing(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    delayed = delayed_queue(redisson)
    receipt = await delayed.offer("x", delay=HOUR)
    before = scored(raw, SET.encode())
    with pytest.raises(TypeError, match="either delay= or at="):
        await delayed.reschedule(receipt)
    with pytest.raises(ValueError, match="negative"):
        await delayed.reschedule(receipt, -1)
    other = redisson.get_delayed_queue(redisson.get_queue("other", codec=STRINGS), transfer=False)
    with pytest.raises(ValueError, match="of queue 'q', not of 'other'"):
        await other.reschedule(receipt, 5)
    with pytest.raises(ValueError, match="of queue 'q', not of 'other'"):
        await other.remaining_delay(receipt)
    assert scored(raw, SET.encode()) == before


# --- reading ------------------------------------------------------------------------------------


async def test_the_remaining_delay_follows_the_servers_clock(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    delayed = delayed_queue(redisson)
    receipt = await delayed.offer("x", delay=HOUR)
    before = timedelta(milliseconds=receipt.due_ms - server_ms(raw))
    left = await delayed.remaining_delay(receipt)
    assert left is not None
    assert timedelta(milliseconds=receipt.due_ms - server_ms(raw) - 5000) <= left
    assert left <= before + timedelta(milliseconds=1)
    await delayed.reschedule(receipt, at=datetime(2000, 1, 1, tzinfo=UTC))
    assert await delayed.remaining_delay(receipt) == timedelta(0)
    await delayed.cancel(receipt)
    assert await delayed.remaining_delay(receipt) is None


async def test_items_of_all_formats_in_the_order_of_their_times(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    delayed = delayed_queue(redisson, LongCodec())
    ours = await delayed.offer(7, at=datetime.fromtimestamp(3_000_000_000, UTC))
    theirs = {pack(b"8"): FAR, pack_old(b"9", -3.0): 5, pack_old(b"bad", 2.0**63): 6}
    raw.zadd(SET, {**theirs, b"junk": 1})
    raw.rpush(LIST, *theirs, b"junk")
    items = [item async for item in delayed.items()]
    assert [(item.value, item.raw) for item in items] == [
        (9, b"9"),
        (None, b"bad"),
        (7, b"7"),
        (8, b"8"),
    ]
    assert items[2].receipt == ours
    assert isinstance(items[1].error, DecodeError)
    assert items[3].due_at == datetime(2096, 10, 2, 7, 6, 40, tzinfo=UTC)
    for item in items[::2]:
        assert await delayed.reschedule(item.receipt, HOUR)
    assert [await delayed.cancel(item.receipt) for item in items] == [True] * 4
    assert raw.lrange(LIST, 0, -1) == raw.zrange(SET, 0, -1) == [b"junk"]


@pytest.mark.parametrize("same", [True, False])
async def test_iteration_returns_each_item_once_despite_cancels(
    redisson: AsyncRedisson, raw: redis.Redis, same: bool
) -> None:
    """Items are cancelled after they were read, also the last of a page.

    All due times are equal, or all differ.
    """
    delayed = delayed_queue(redisson, LongCodec())
    receipts = await delayed.offer_many(
        [(n, datetime.fromtimestamp(FAR / 1000 + n * (not same), UTC)) for n in range(1700)]
    )
    gone: set[Receipt] = set()
    seen: list[Any] = []
    async for item in delayed.items():
        seen.append(item.value)
        if len(seen) % 500 in (0, 1, 250):  # the last of a page, too
            assert await delayed.cancel(item.receipt)
            gone.add(item.receipt)
    assert len(gone) > 8
    assert sorted(seen) == list(range(1700))
    assert {item.receipt async for item in delayed.items()} == {*receipts} - gone

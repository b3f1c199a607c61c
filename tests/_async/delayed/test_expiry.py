"""Expired items are dead-lettered or dropped, and never delivered. Other items are not affected."""

import time
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncDelayedQueue, AsyncRedisson
from pyredisson._async.consumers import consumer as consumers
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.cleanup import reap as reap_of
from pyredisson.protocol.consumers.consumer import Kept
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from tests.support.consuming import NAMES, texts, traces
from tests.support.state import server_ms
from tests.support.twins import AsyncStarted, sleep_async, until_async

Alone = Callable[..., AsyncConsumer[str]]
SOON, LONG = 0.05, 3600


def expiring(redisson: AsyncRedisson, expires: float, **options: Any) -> AsyncDelayedQueue[str]:
    """The delayed queue of ``q`` with an expiry and without a transfer task."""
    target = redisson.get_queue("q")
    return redisson.get_delayed_queue(target, transfer=False, expire_after=expires, **options)


async def move(redisson: AsyncRedisson) -> None:
    """Transfer all pending items as if they were due."""
    protocol = DelayedQueueProtocol(NAMES.queue, StringCodec())
    await redisson._context.link.request(protocol.transfer(4_000_000_000_000, 9000))


async def reap(redisson: AsyncRedisson) -> float | None:
    """Run the cleanup that a transfer task runs for consumers; return the time of the next one."""
    return (await redisson._context.link.request(reap_of(NAMES))).next_ms


async def dead(redisson: AsyncRedisson) -> list[tuple[Any, str, int]]:
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    return [(letter.value, letter.reason, letter.attempts) async for letter in letters]


@pytest.mark.parametrize("release", ["3.21.0", "3.21.1"])
async def test_expired_item_is_dead_lettered(
    redisson: AsyncRedisson, raw: Any, alone: Alone, release: str
) -> None:
    delayed = expiring(redisson, SOON, wire_format=release)
    await delayed.offer("a", 0)
    await delayed.offer_many([("b", 0), ("c", LONG)])
    raw.rpush("q", "java")
    await move(redisson)
    await sleep_async(2 * SOON)
    consumer = alone()
    first, second = await consumer.take_many(9, 0)
    assert (first.value, second.value) == ("java", "c"), "c expires an hour from now"
    assert sorted(await dead(redisson)) == [("a", "expired", 0), ("b", "expired", 0)]
    assert await consumer.ack_many([first, second]) == [True, True]
    assert traces(raw) == {"dead", "dead_letters"}
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    assert await letters.redrive() == 2
    assert {message.value for message in await consumer.take_many(9, 0)} == {"a", "b"}


async def test_item_that_is_taken_in_time_never_expires(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    delayed = expiring(redisson, 1)
    await delayed.offer("a", 0)
    await move(redisson)
    message = await alone().take()
    assert traces(raw) == {"leases", "taken"}
    await sleep_async(1.1)
    assert await message.nack()
    again = await alone().take()
    assert (again.value, again.attempt) == ("a", 2)


async def test_expiring_offer_rejects_a_dedup_key(redisson: AsyncRedisson, raw: Any) -> None:
    with pytest.raises(ValueError, match="dedup= does not go with expire_after="):
        await expiring(redisson, SOON).offer("a", LONG, dedup="key")
    assert raw.keys() == []


async def test_expired_item_is_dropped(redisson: AsyncRedisson, raw: Any, alone: Alone) -> None:
    await expiring(redisson, SOON, when_expired="drop").offer("a", 0)
    await move(redisson)
    await sleep_async(2 * SOON)
    assert await alone().poll() is None
    assert raw.keys() == []


async def test_transfer_task_dead_letters_expired_item_without_consumer(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), safety_interval=0.1) as redisson:
        queue = redisson.get_queue("q")
        await redisson.get_delayed_queue(queue, expire_after=0.2).offer("a", 0.05)
        await until_async(lambda: raw.zcard(NAMES.dead) == 1, "it has expired")
        assert texts(raw) == []
        assert await dead(redisson) == [("a", "expired", 0)]
        assert traces(raw) == {"dead", "dead_letters"}


async def test_equal_values_are_counted(redisson: AsyncRedisson, raw: Any, alone: Alone) -> None:
    """Two of three ready items with equal values expire. A pending item does not count."""
    for expires in (SOON, SOON, LONG):
        await expiring(redisson, expires).offer("same", 0)
    await move(redisson)
    await expiring(redisson, SOON).offer("same", LONG)
    await sleep_async(2 * SOON)
    consumer = alone()
    (found,) = await consumer.take_many(9, 0)
    assert found.value == "same"
    assert await consumer.poll() is None
    assert await dead(redisson) == [("same", "expired", 0)] * 2
    assert raw.zcard(NAMES.expiring) == 1
    await move(redisson)
    assert (await consumer.take()).value == "same"


async def test_expiry_records_of_removed_items_are_deleted(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    delayed = expiring(redisson, SOON)
    cancelled = await delayed.offer("cancelled", LONG)
    await delayed.offer("taken", 0)
    pending = await delayed.offer("pending", LONG)
    assert await delayed.cancel(cancelled)
    due = DelayedQueueProtocol(NAMES.queue, StringCodec()).transfer(pending.due_ms - 1, 9)
    await redisson._context.link.request(due)
    assert raw.lpop("q") == b"taken"
    assert raw.zcard(NAMES.expiring) == 3
    assert await alone().poll() is None
    assert raw.zrange(NAMES.expiring, 0, -1) == [pending.entry]
    assert await delayed.cancel(pending)
    raw.zadd(NAMES.expiring, {pending.entry: 1})
    raw.rpush("q", "other")
    assert await reap(redisson) is None
    assert traces(raw) == set()
    assert texts(raw) == ["other"]


async def test_expired_item_far_behind_is_dead_lettered_by_the_take(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    """The cleanup does not search a long queue. It returns when it will check again."""
    raw.rpush("q", *range(1500))
    await expiring(redisson, SOON).offer("a", 0)
    await move(redisson)
    await sleep_async(2 * SOON)
    again = await reap(redisson)
    assert again is not None
    assert raw.llen("q") == 1501
    assert await reap(redisson) == again
    consumer, found = alone(), 0
    while messages := await consumer.take_many(1000, 0):
        found += len(messages)
        assert await consumer.ack_many(messages)
    assert found == 1500
    assert await dead(redisson) == [("a", "expired", 0)]


async def test_item_that_a_killed_consumer_moved_still_expires(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    """The consumer was killed between its move and its script. The item returns to the queue."""
    await expiring(redisson, SOON).offer("a", 0)
    await move(redisson)
    raw.rpoplpush("q", NAMES.arriving)
    await sleep_async(2 * SOON)
    assert await reap(redisson) is not None
    assert texts(raw) == ["a"]
    assert await alone().poll() is None
    assert await dead(redisson) == [("a", "expired", 0)]


async def test_several_scripts_dead_letter_2500_expired_items(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    delayed = expiring(redisson, SOON)
    await delayed.offer_many([(str(number), 0) for number in range(2500)], receipts=False)
    await move(redisson)
    await sleep_async(2 * SOON)
    take = AsyncStarted(alone().take)
    await until_async(lambda: raw.llen("q") == 0, "all are buried")
    raw.rpush("q", "fresh")
    assert (await take.result()).value == "fresh"
    assert raw.zcard(NAMES.dead) == raw.hlen(NAMES.letters) == 2500
    assert raw.exists(NAMES.expiring, NAMES.expiries) == 0


async def test_pending_item_past_its_expiry_expires_after_the_transfer(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    """The offer sets the time of expiry. A later reschedule does not change it."""
    delayed = expiring(redisson, SOON)
    receipt = await delayed.offer("a", 0)
    assert await delayed.reschedule(receipt, LONG)
    await sleep_async(2 * SOON)
    again = await reap(redisson)
    assert again is not None
    assert again > receipt.due_ms + 3_000_000
    assert await delayed.size() == 1
    await move(redisson)
    assert await alone().poll() is None
    assert await dead(redisson) == [("a", "expired", 0)]


@pytest.mark.parametrize("release", ["3.21.0", "3.21.1"])
async def test_released_messages_still_expire(
    redisson: AsyncRedisson, raw: Any, alone: Alone, release: str
) -> None:
    """The close of a consumer releases its prefetched messages, and `release` returns others."""
    await expiring(redisson, 1, wire_format=release).offer_many(
        [("a", 0), ("b", 0.01), ("c", LONG)]
    )
    await move(redisson)
    async with alone(prefetch=9) as consumer:
        assert (await consumer.take()).value == "a"
    assert traces(raw) == {"leases", "taken", "expiring", "expiries"}
    consumer = alone()
    again = await consumer.take()
    assert (again.value, again.attempt) == ("b", 1)
    assert await consumer.release([again]) == [True]
    await until_async(lambda: raw.zcount(NAMES.expiring, 0, time.time() * 1000) > 0, "over")
    assert (await consumer.take()).value == "c"
    [(value, reason, attempts)] = await dead(redisson)
    assert (value, reason, attempts) == ("b", "expired", 0)
    assert await consumer.poll() is None
    assert traces(raw) == {"leases", "taken", "dead", "dead_letters"}


async def test_expire_dead_letters_drops_or_keeps_leased_messages(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    await expiring(redisson, 2).offer_many([("a", 0), ("b", LONG)])
    await expiring(redisson, 2, when_expired="drop").offer("c", 0)
    await move(redisson)
    consumer = alone(prefetch=9)
    messages = await consumer.take_many(3, 0)
    over = messages[1]._delivery.expires_ms
    await until_async(lambda: server_ms(raw) > over, "it is over")
    tokens = [message._token for message in messages]
    expire = consumer._protocol.expire([*tokens, b"unknown"])
    became = [Kept.EXPIRED, Kept.DROPPED, Kept.KEPT, Kept.LEASE_ENDED]
    assert await redisson._context.link.request(expire) == became
    assert await dead(redisson) == [("a", "expired", 0)]
    assert raw.zcard(NAMES.leases) == raw.hlen(NAMES.taken) == 1


@pytest.mark.parametrize("limit", [1, 9])
async def test_prefetched_item_that_expires_is_not_delivered(
    redisson: AsyncRedisson, raw: Any, alone: Alone, limit: int
) -> None:
    raw.rpush("q", "java")
    await expiring(redisson, 2).offer_many([("a", 0), ("b", 0), ("c", LONG)])
    await move(redisson)
    consumer = alone(prefetch=9)
    assert (await consumer.take()).value == "java"
    over = [message._delivery.expires_ms for message in consumer._prefetched.ready]
    assert len(over) == 3
    await until_async(lambda: server_ms(raw) > over[1], "it is over")
    assert [message.value for message in await consumer.take_many(limit, 0)] == ["c"]
    assert sorted(await dead(redisson)) == [("a", "expired", 0), ("b", "expired", 0)]
    assert raw.zcard(NAMES.leases) == 2


async def test_a_clock_of_this_machine_that_runs_ahead_expires_nothing(
    redisson: AsyncRedisson, raw: Any, alone: Alone, monkeypatch: pytest.MonkeyPatch
) -> None:
    await expiring(redisson, LONG).offer_many([("a", 0), ("b", 0)])
    await move(redisson)
    consumer = alone(prefetch=9)
    assert (await consumer.take()).value == "a"
    monkeypatch.setattr(consumers, "monotonic", lambda: time.monotonic() + 2 * LONG)
    assert (await consumer.take()).value == "b"
    assert await dead(redisson) == []


async def test_expired_prefetched_item_makes_room_for_the_next_value(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    raw.rpush("q", "first")
    await expiring(redisson, 2, when_expired="drop").offer("a", 0)
    await move(redisson)
    consumer = alone(prefetch=2)
    assert (await consumer.take()).value == "first"
    over = consumer._prefetched.ready[0]._delivery.expires_ms
    await until_async(lambda: server_ms(raw) > over, "it is over")
    raw.rpush("q", "second")
    message = await consumer.poll()
    assert message is not None
    assert message.value == "second"
    assert await dead(redisson) == []
    assert raw.zcard(NAMES.leases) == 2


async def test_prefetched_takes_without_expiry_send_no_command(alone: Alone, raw: Any) -> None:
    raw.rpush("q", *map(str, range(100)))
    consumer = alone(prefetch=50)
    await consumer.take()
    raw.config_resetstat()
    for _ in range(49):
        await consumer.take()
    assert set(raw.info("commandstats")) <= {"cmdstat_config|resetstat", "cmdstat_info"}


async def test_take_skips_an_expired_item_when_memory_is_full(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    """The take succeeds, although the expired item needs a record."""
    await expiring(redisson, SOON).offer_many([("a", 0), ("b", LONG)])
    await move(redisson)
    await sleep_async(2 * SOON)
    raw.config_set("maxmemory", 1)
    try:
        message = await alone().poll()
        assert message is not None
        assert message.value == "b"
    finally:
        raw.config_set("maxmemory", 0)


async def test_first_wait_that_finds_expiring_items_returns_a_message(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    """A very short wait also returns its value, and does not leave it in the list `arriving`."""
    consumers = [alone() for _ in range(20)]
    for consumer in consumers:
        assert await consumer.poll() is None
    await expiring(redisson, LONG).offer("later", LONG)
    for consumer in consumers:
        raw.rpush("q", "now")
        message = await consumer.poll(0.0001)
        assert message is not None
        assert raw.exists(NAMES.arriving) == 0

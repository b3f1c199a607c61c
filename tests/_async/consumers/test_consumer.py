"""Consumers: each taken message is settled or redelivered, and leaves no data behind."""

import struct
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncMessage, AsyncRedisson, ClosedError, KeyTypeError
from pyredisson._async.consumers import consumer as consumers
from pyredisson._runtime.concurrency import monotonic
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.entry import WireFormat
from tests.support.consuming import NAMES, end_leases, held, texts, traces
from tests.support.state import server_ms
from tests.support.twins import (
    AsyncStarted,
    sleep_async,
    until_async,
)

LONG = 3600

Alone = Callable[..., AsyncConsumer[str]]


async def blocked(raw: Any, count: int) -> None:
    """Wait until `count` clients wait on the server."""
    info: Any = raw.info
    await until_async(lambda: info("clients")["blocked_clients"] == count, "all wait")


# -------------------------------------------------------------- one message


async def test_acknowledged_message_leaves_no_data(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a", "b")
    consumer = alone()
    message = await consumer.take()
    assert (message.value, message.raw, message.attempt, message.due_at) == ("a", b"a", 1, None)
    assert texts(raw) == ["b"]
    assert traces(raw) == {"leases", "taken"}
    assert await message.ack()
    assert traces(raw) == set()
    for settle in (message.ack, message.nack, lambda: message.extend(5)):
        assert await settle() is False
    assert await message.reject("too late") is False
    assert texts(raw) == ["b"]
    assert traces(raw) == set()


async def test_nacked_message_returns_to_the_head_with_its_id(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a", "b")
    consumer = alone()
    first = await consumer.take()
    assert await first.nack()
    assert texts(raw) == ["a", "b"]
    again = await consumer.take()
    assert (again.value, again.id, again.attempt) == ("a", first.id, 2)
    assert await again.defer(0)
    third = await consumer.take()
    assert (third.id, third.attempt) == (first.id, 2)
    other = await consumer.take()
    assert other.id != first.id
    assert await third.ack()
    assert await other.ack()
    assert traces(raw) == set()


async def test_message_nacked_with_a_delay_is_redelivered(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "a")
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    consumer = redisson.get_consumer(delayed, transfer=False)
    first = await consumer.take()
    assert await first.nack(0.3)
    assert texts(raw) == []
    assert await delayed.read_all() == ["a"]
    redisson.get_delayed_queue(redisson.get_queue("q"))  # it is transferred from now on
    again = await consumer.take()
    assert (again.value, again.id, again.attempt) == ("a", first.id, 2)
    assert again.due_at is not None
    assert first.received_at < again.due_at <= again.received_at
    assert await again.defer(0.05)
    third = await consumer.poll(30)
    assert third is not None
    assert (third.id, third.attempt) == (first.id, 2)
    assert await third.ack()
    assert traces(raw) == set()


@pytest.mark.parametrize("release", ["3.21.0", "3.21.1"])
async def test_postponed_message_is_a_normal_pending_item(
    redisson: AsyncRedisson, raw: Any, release: str, alone: Alone
) -> None:
    """A poll of the delayed queue takes it. If another client took it, its record is removed."""
    raw.rpush("q", "a", "b")
    consumer = alone(wire_format=release)
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    for message in await consumer.take_many(2):
        assert await message.nack(LONG)
    assert traces(raw) == {"retried", "postponed"}
    assert await delayed.poll(2) == ["a", "b"]
    raw.rpush("q", "a")
    fresh = await consumer.take()
    assert fresh.attempt == 2, "an equal value has what is known of the other"
    assert await fresh.ack()
    raw.zadd(NAMES.postponed, dict.fromkeys(raw.zrange(NAMES.postponed, 0, -1), 1))
    assert await consumer.poll() is None
    assert traces(raw) == set()


async def test_record_with_an_ambiguous_old_format_id_is_removed(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a")
    consumer = alone()
    (message,) = await consumer.take_many(1)
    packed = b"\x10\0\0\0\0\0\xd0C"
    item_id = int(*struct.unpack("<d", packed)).to_bytes(8, "little")
    postpone = consumer._protocol.postpone(
        message._token, 60_000, item_id, WireFormat.LEGACY, started=True
    )
    assert await consumer._link.request(postpone)
    (entry,) = raw.zrange(NAMES.postponed, 0, -1)
    assert entry.startswith(packed)
    raw.delete(NAMES.queue.timeout_set, NAMES.queue.delay_list)  # another client took it
    raw.zadd(NAMES.postponed, {entry: 1})
    assert await consumer.poll() is None
    assert traces(raw) == set()


async def test_equal_value_does_not_use_the_record_of_a_pending_one(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a")
    consumer = alone()
    assert await (await consumer.take()).nack(LONG)
    raw.rpush("q", "a")
    assert (await consumer.take()).attempt == 1


async def test_the_oldest_record_of_equal_values_comes_first(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a", "a")
    consumer = alone()
    first, second = await consumer.take_many(2)
    assert await first.nack()
    assert await second.nack()
    assert [m.id for m in await consumer.take_many(2)] == [first.id, second.id]


async def test_record_of_a_message_taken_elsewhere_is_removed(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a")
    consumer = alone()
    assert await (await consumer.take()).nack()
    assert raw.lpop("q") == b"a"
    assert traces(raw) == {"returned"}
    assert await consumer.poll() is None
    assert traces(raw) == set()
    raw.rpush("q", "a")
    assert (await consumer.take()).attempt == 1


# -------------------------------------------------------------- leases


async def test_a_lease_that_ended(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a", "b")
    consumer = alone(lease=0.2)
    late = await consumer.take()
    await sleep_async(0.4)
    for settle in (late.ack, late.nack, lambda: late.extend(5), lambda: late.nack(5)):
        assert await settle() is False
    again, other = await alone().take_many(2)
    assert (again.value, again.id, again.attempt) == ("a", late.id, 2)
    assert other.value == "b"
    assert await late.ack() is False
    assert await again.ack()


async def test_a_lease_is_extended_and_never_shortened(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a")
    message = await alone(lease=LONG).take()
    [(_, before)] = raw.zrange(NAMES.leases, 0, -1, withscores=True)
    assert await message.extend(1)
    assert raw.zrange(NAMES.leases, 0, -1, withscores=True)[0][1] == before
    assert await message.extend(2 * LONG)
    assert raw.zrange(NAMES.leases, 0, -1, withscores=True)[0][1] > before


async def test_messages_of_a_crashed_consumer_return_in_their_order(alone: Alone, raw: Any) -> None:
    raw.rpush("q", "a", "b", "c", "d")
    gone = alone()
    lost = await gone.take_many(3)
    end_leases(raw)
    found = await alone().take_many(4)
    assert [(m.value, m.attempt) for m in found] == [("a", 2), ("b", 2), ("c", 2), ("d", 1)]
    assert [m.id for m in found[:3]] == [m.id for m in lost]


async def test_transfer_task_of_another_client_requeues_messages(
    alone: Alone, raw: Any, url: str
) -> None:
    """It needs no other consumer, and it may start after the leases."""
    raw.rpush("q", "a")
    await alone(lease=0.3).take()
    raw.rpush(NAMES.arriving, "b", "c")
    async with AsyncRedisson.from_url(url, safety_interval=0.5) as other:
        other.get_delayed_queue(other.get_queue("q", StringCodec()))
        await until_async(lambda: sorted(texts(raw)) == ["a", "b", "c"], "all are back")
    assert texts(raw) == ["a", "b", "c"]


async def test_unclaimed_message_of_a_crashed_consumer_is_delivered(alone: Alone, raw: Any) -> None:
    """Its consumer crashed between the wait and the script."""
    raw.rpush(NAMES.arriving, "a")
    raw.rpush("q", "b")
    found = await alone().take_many(2)
    assert [m.value for m in found] == ["a", "b"]


# -------------------------------------------------------------- waiting


async def test_a_wait_ends_when_something_comes(alone: Alone, raw: Any) -> None:
    consumer = alone()
    for value in ("a", "b"):
        waiting = AsyncStarted(consumer.take)
        await blocked(raw, 1)
        raw.rpush("q", value)
        assert (await waiting.result()).value == value
    assert traces(raw) == {"leases", "taken"}


async def test_waiting_is_no_polling(alone: Alone, raw: Any) -> None:
    consumer = alone()
    assert await consumer.poll(0.01) is None
    raw.config_resetstat()
    assert await consumer.poll(1.5) is None
    stats: Any = raw.info("commandstats")
    assert stats["cmdstat_evalsha"]["calls"] <= 2


async def test_take_works_after_a_script_flush(alone: Alone, raw: Any) -> None:
    """When the client sends the script's text, the message that ended the wait has arrived."""
    consumer = alone()
    waiting = AsyncStarted(consumer.take)
    await blocked(raw, 1)
    raw.script_flush()
    raw.rpush("q", "a")
    assert (await waiting.result()).value == "a"


async def test_many_wait_and_each_gets_one(alone: Alone, raw: Any) -> None:
    consumer = alone()
    waiting = [AsyncStarted(consumer.take) for _ in range(8)]
    await blocked(raw, 8)
    raw.rpush("q", *map(str, range(8)))
    found = [await each.result() for each in waiting]
    assert sorted(int(m.value) for m in found) == list(range(8))
    assert all(await consumer.ack_many(found))
    assert traces(raw) == set()


async def test_closing_ends_a_wait(alone: Alone) -> None:
    consumer = alone()
    waiting = AsyncStarted(consumer.take)
    await sleep_async(0.1)
    await consumer.close()
    with pytest.raises(ClosedError, match="consumer of 'q' is closed"):
        await waiting.result()
    with pytest.raises(ClosedError, match="consumer of 'q' is closed"):
        await consumer.poll()


async def test_iterating(alone: Alone, raw: Any) -> None:
    raw.rpush("q", *map(str, range(5)))
    seen = []
    async with alone() as consumer:
        async for message in consumer:
            seen.append(message.value)
            assert await message.ack()
            if len(seen) == 5:
                break
    assert seen == ["0", "1", "2", "3", "4"]


# -------------------------------------------------------------- prefetch


async def test_close_releases_prefetched_messages_without_an_attempt(
    alone: Alone, raw: Any
) -> None:
    raw.rpush("q", *map(str, range(10)))
    consumer = alone(prefetch=8)
    taken = await consumer.take()
    assert texts(raw) == ["8", "9"]
    await consumer.close()
    assert texts(raw) == [*map(str, range(1, 10))]
    assert await taken.ack()
    again = await alone().take()
    assert (again.value, again.attempt) == ("1", 1)


async def test_delivered_message_outlives_its_consumer(alone: Alone, raw: Any) -> None:
    """An exception that leaves the `with` block does not end the leases of delivered messages."""
    raw.rpush("q", "a", "b", "c")
    taken: list[AsyncMessage[str]] = []

    async def fail() -> None:
        async with alone(prefetch=3) as consumer:
            taken.extend(await consumer.take_many(2))
            raise LookupError

    with pytest.raises(LookupError):
        await fail()
    assert texts(raw) == ["c"]  # the undelivered message is released
    assert await taken[0].ack()
    assert await taken[1].nack()
    assert texts(raw) == ["b", "c"]


async def test_old_prefetched_leases_are_renewed_before_delivery(
    alone: Alone, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old lease is renewed. A message whose lease ended meanwhile is not delivered."""
    raw.rpush("q", *map(str, range(4)))
    consumer = alone(lease=LONG, prefetch=4)
    await consumer.take()
    for token, end in held(raw):  # half of the lease has passed
        raw.zadd(NAMES.leases, {token: end - 500 * LONG})
    monkeypatch.setattr(consumers, "monotonic", lambda: monotonic() + LONG / 2)
    [_, second, *_] = raw.zrange(NAMES.leases, 0, -1)
    raw.zadd(NAMES.leases, {second: 1})  # this lease has ended, so it may be requeued any time
    found = [await consumer.take() for _ in range(2)]
    left = [score - server_ms(raw) for _, score in held(raw)]
    assert [m.value for m in found] == ["2", "3"]
    assert sorted(end > 900 * LONG for end in left) == [False, False, True, True]
    assert all(await consumer.ack_many(found))


# -------------------------------------------------------------- errors


async def test_a_wrong_type_is_named(alone: Alone, raw: Any) -> None:
    raw.set("q", "text")
    with pytest.raises(KeyTypeError, match="'q'"):
        await alone().poll()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"lease": 0}, "lease must be more than 0"),
        ({"lease": float("inf")}, "lease must be more than 0 and finite"),
        ({"prefetch": 0}, "prefetch must be from 1 to 1000"),
        ({"prefetch": 1001}, "prefetch must be from 1 to 1000"),
    ],
)
async def test_bad_settings(alone: Alone, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        alone(**options)


async def test_truncated_record_does_not_block_other_messages(
    redisson: AsyncRedisson, raw: Any, alone: Alone
) -> None:
    raw.rpush("q", "a", "b", "c")
    cut, whole = await alone().take_many(2)
    raw.hset(NAMES.taken, cut._token, b"cut")
    assert not await cut.ack()
    end_leases(raw)
    assert [message.value for message in await alone().take_many(9)] == ["b", "c"]
    assert not await whole.ack()
    assert raw.hget(NAMES.taken, cut._token) == b"cut"

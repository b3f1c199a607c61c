"""`in_flight()`: the messages in flight, and the names of the consumers that hold them."""

import os
import socket
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker, DecodeError, InFlight
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from tests.support.consuming import NAMES, end_leases
from tests.support.monitor import Monitor
from tests.support.rights import OBSERVING_CONSUMERS
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, aside_async, start_async, until_async

LONG = 3600


def names(found: list[InFlight[Any]]) -> dict[Any, str | None]:
    return {each.value: each.consumer for each in found}


async def test_in_flight_lists_leased_messages(redisson: AsyncRedisson, raw: Any) -> None:
    queue = redisson.get_queue("q")
    assert await queue.in_flight() == []
    raw.rpush("q", "a", "b", "c", "d")
    long = redisson.get_consumer(queue, transfer=False, lease=LONG, consumer_name="long one")
    short = redisson.get_consumer(queue, transfer=False, consumer_name="schnöde")
    first = await long.take_many(2)
    second = await short.take()
    assert await second.nack()
    again = await short.take()
    found = await queue.in_flight()
    assert [(each.value, each.consumer, each.attempt) for each in found] == [
        ("c", "schnöde", 2),
        ("a", "long one", 1),
        ("b", "long one", 1),
    ]
    for message, shown in zip((again, *first), found, strict=True):
        assert (shown.id, shown.delivery_id, shown.raw) == (
            message.id,
            message.delivery_id,
            message.raw,
        )
        assert shown.received_at == message.received_at
        assert shown.error is None
    assert 29 < (found[0].lease_ends_at - found[0].received_at).total_seconds() < 31
    assert 3599 < (found[1].lease_ends_at - found[1].received_at).total_seconds() < 3601
    assert [each.value for each in await queue.in_flight(2)] == ["c", "a"]
    assert await queue.in_flight(0) == []
    assert await first[0].ack()
    assert [each.value for each in await queue.in_flight()] == ["c", "b"]


async def test_default_consumer_name_has_host_process_and_number(
    redisson: AsyncRedisson, raw: Any
) -> None:
    queue = redisson.get_queue("q")
    consumers = [redisson.get_consumer(queue, transfer=False) for _ in range(2)]
    raw.rpush("q", "a", "b")
    for consumer in consumers:
        await consumer.take()
    ones = {each.consumer_name for each in consumers}
    assert len(ones) == 2
    for one in ones:
        host, process, number = one.rsplit(":", 2)
        assert (host, process) == (socket.gethostname(), str(os.getpid()))
        assert number.isdigit()
    assert {each.consumer for each in await queue.in_flight()} == ones


async def test_invalid_consumer_name_is_rejected(redisson: AsyncRedisson) -> None:
    wrong: Any
    for wrong in (5, "", "x" * 201):
        with pytest.raises((TypeError, ValueError), match="consumer_name"):
            redisson.get_consumer(redisson.get_queue("q"), consumer_name=wrong)


async def test_in_flight_has_no_name_for_an_unnamed_consumer(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "a")
    queue = redisson.get_queue("q")
    await queue.is_exists()
    take = ConsumerProtocol(NAMES).take(1, 60_000, os.urandom(14))
    raw.execute_command(*take.fallback())
    assert names(await queue.in_flight()) == {"a": None}


async def test_in_flight_shows_undecodable_message_raw(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "text")
    await redisson.get_consumer(redisson.get_queue("q"), transfer=False).take()
    (found,) = await redisson.get_queue("q", codec=LongCodec()).in_flight()
    assert (found.value, found.raw) == (None, b"text")
    assert isinstance(found.error, DecodeError)


async def test_in_flight_lists_ended_leases_but_not_lost_messages(
    redisson: AsyncRedisson, raw: Any
) -> None:
    """A lease without a message is left out. An ended lease is listed until it is requeued."""
    raw.rpush("q", "a", "b")
    queue = redisson.get_queue("q")
    first, _ = await redisson.get_consumer(queue, transfer=False).take_many(2)
    raw.hdel(NAMES.taken, bytes.fromhex(first.delivery_id))
    end_leases(raw)
    (found,) = await queue.in_flight()
    assert found.value == "b"
    assert found.lease_ends_at < found.received_at


async def test_in_flight_reads_many_messages_in_pages(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", *range(1300))
    queue = redisson.get_queue("q")
    consumer = redisson.get_consumer(queue, transfer=False, lease=LONG)
    await consumer.take_many(1000)
    await consumer.take_many(300)
    assert [each.value for each in await queue.in_flight(1200)] == [str(n) for n in range(1200)]
    assert len(await queue.in_flight(2000)) == 1300
    assert len(await queue.in_flight()) == 1000
    text: Any = "5"
    with pytest.raises(TypeError, match="limit must be a number"):
        await queue.in_flight(text)


async def test_consumer_name_is_stored_once_per_lease(
    redisson: AsyncRedisson, raw: Any, server: RedisServer
) -> None:
    """Most takes do not send the name, so they cost nothing more. The key of the names expires."""
    raw.rpush("q", *range(50))
    queue = redisson.get_queue("q")
    consumer = redisson.get_consumer(queue, transfer=False, lease=30, consumer_name="me")
    monitor = Monitor(server)
    monitor.start()
    for _ in range(20):
        message = await consumer.take()
        assert await message.extend(20)
    executed = await aside_async(monitor.stop)
    noted = [each for each in executed if any(word[4:] == b"me" for word in each.arguments)]
    assert [each.name for each in noted if each.by_script][:1] == ["ZADD"]
    assert sum(each.name == "EVALSHA" or each.name == "EVAL" for each in noted) <= 2
    assert 59_000 < raw.pttl(NAMES.consumers) <= 61_000
    ((called, _),) = raw.zrange(NAMES.consumers, 0, -1, withscores=True)
    assert called[4:] == b"me"
    assert all(token.startswith(called[:4]) for token in raw.zrange(NAMES.leases, 0, -1))


async def test_consumer_name_is_kept_as_long_as_its_lease(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "a", "b")
    queue = redisson.get_queue("q")
    consumer = redisson.get_consumer(queue, transfer=False, lease=0.2, consumer_name="me")
    message = await consumer.take()
    assert await message.extend(LONG)
    assert raw.pttl(NAMES.consumers) > 2 * LONG * 1000 - 10_000
    other = redisson.get_consumer(queue, transfer=False, lease=0.01, consumer_name="other")
    assert (await other.take()).value == "b"
    await until_async(lambda: len(raw.zrangebyscore(NAMES.consumers, 0, "+inf")) > 0, "both")
    assert names(await queue.in_flight())["a"] == "me"


async def test_outdated_consumer_names_are_removed(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "a")
    raw.zadd(NAMES.consumers, {b"1234gone": 1, b"1235too": 2})
    await redisson.get_consumer(redisson.get_queue("q"), transfer=False, consumer_name="me").take()
    assert [each[4:] for each in raw.zrange(NAMES.consumers, 0, -1)] == [b"me"]


async def test_take_works_where_consumer_name_cannot_be_stored(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.set(NAMES.consumers, "text")
    raw.rpush("q", "a")
    message = await redisson.get_consumer(redisson.get_queue("q"), transfer=False).take()
    assert await message.extend(LONG)
    assert await message.ack()


async def test_sharded_consumer_has_the_same_name_in_each_shard(
    redisson: AsyncRedisson, raw: Any
) -> None:
    orders = redisson.get_sharded_queue("orders", 4, transfer=False)
    for name in orders.names:
        raw.rpush(name, name)
    consumer = redisson.get_consumer(orders, transfer=False)
    assert len(await consumer.take_many(4)) == 4
    assert names(await orders.in_flight()) == dict.fromkeys(orders.names, consumer.consumer_name)
    assert len(await orders.in_flight(3)) == 3


async def test_in_flight_lists_groups_of_a_window(redisson: AsyncRedisson, raw: Any) -> None:
    queue = redisson.get_queue("q")
    window = redisson.get_group_window(queue, size=2, max_wait=LONG, transfer=False)
    assert await window.in_flight() == []
    for value in "ab":
        await window.offer("key", value)
    consumer = redisson.get_consumer(window, transfer=False, consumer_name="me")
    message = await consumer.take()
    (found,) = await window.in_flight()
    assert (found.value, found.consumer, found.id) == (message.value, "me", message.id)
    raw.delete("pyredisson_groups:{q}")
    (found,) = await window.in_flight()
    assert found.value is None
    assert isinstance(found.error, DecodeError)


async def test_a_worker_has_a_name(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "a")
    queue = redisson.get_queue("q")
    held: list[Any] = []

    async def handler(value: str) -> None:
        held.append((await queue.in_flight())[0].consumer)
        worker.stop()

    worker = AsyncWorker(redisson, queue, handler, consumer_name="mails")
    running: AsyncStarted[int] = start_async(worker.run)
    assert await running.result() == 0
    assert held == ["mails"]


async def test_in_flight_works_with_observer_rights(
    root: Any, login: Callable[..., AsyncRedisson]
) -> None:
    root.rpush("q", "a")
    owner = login("~*", "&*", "+@all", codec=StringCodec())
    await owner.get_consumer(owner.get_queue("q"), transfer=False, consumer_name="me").take()
    keys = [f"~{key}" for key in (NAMES.leases, NAMES.taken, NAMES.consumers)]
    few = login(*keys, *OBSERVING_CONSUMERS, codec=StringCodec())
    assert names(await few.get_queue("q").in_flight()) == {"a": "me"}

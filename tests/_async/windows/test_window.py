"""Group windows: groups that are full, due, redelivered or dead-lettered. No keys remain."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson import (
    AsyncConsumer,
    AsyncGroupWindow,
    AsyncRedisson,
    AsyncWorker,
    Backoff,
    Group,
    KeyTypeError,
    MessageTooLongError,
)
from pyredisson.codecs import JsonJacksonCodec, LongCodec, StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.consuming import end_leases, texts, traces
from tests.support.proxy import FaultProxy
from tests.support.state import keys
from tests.support.twins import AsyncStarted, interrupt_async, run_together_async, until_async

LONG = 3600
Q = QueueNames.of("q")


@pytest.fixture
def window(redisson: AsyncRedisson) -> AsyncGroupWindow[str]:
    """A window for three values, without a transfer task."""
    return redisson.get_group_window(
        redisson.get_blocking_queue("q"), size=3, max_wait=LONG, transfer=False
    )


@pytest.fixture
def consumer(redisson: AsyncRedisson, window: AsyncGroupWindow[str]) -> AsyncConsumer[Group[str]]:
    """A consumer of the window, without a transfer task."""
    return redisson.get_consumer(window, transfer=False)


async def fill(window: AsyncGroupWindow[str], key: str, *values: str) -> None:
    for value in values:
        await window.offer(key, value)


async def test_a_full_group_is_delivered_and_leaves_nothing(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    first = await window.offer("area-7", "a")
    assert (first.key, first.size, first.closed) == ("area-7", 1, False)
    second = await window.offer("area-7", "b")
    assert (second.id, second.size, second.due_at) == (first.id, 2, first.due_at)
    other = await window.offer("area-8", "x")
    assert await window.pending() == [second, other]
    assert texts(raw) == []
    third = await window.offer("area-7", "c")
    assert (third.id, third.size, third.closed) == (first.id, 3, True)
    assert await window.pending() == [other]
    assert texts(raw) == [f"pyredisson_group:{first.id}"]
    assert raw.zcard(Q.timeout_set) == raw.llen(Q.delay_list) == 1
    message = await consumer.take()
    assert message.value == Group("area-7", first.id, ["a", "b", "c"], [b"a", b"b", b"c"])
    assert message.attempt == 1
    assert await message.ack()
    assert not await message.ack()
    assert await window.cancel("area-8") == 1
    assert keys(raw) == []


async def test_a_group_is_due_after_its_first_value(redisson: AsyncRedisson, raw: Any) -> None:
    """This client transfers due groups. A value that is offered afterwards starts another group."""
    queue = redisson.get_blocking_queue("q")
    window = redisson.get_group_window(queue, size=100, max_wait=timedelta(seconds=0.2))
    consumer = redisson.get_consumer(window)
    waiting = AsyncStarted(consumer.take)
    first = await window.offer("k", "a")
    message = await waiting.result()
    assert message.value.values == ["a"]
    assert message.received_at >= first.due_at
    late = await window.offer("k", "b")
    assert (late.size, late.id == first.id) == (1, False)
    assert await message.ack()
    again = await consumer.take()
    assert again.value.values == ["b"]
    assert await again.ack()
    assert keys(raw) == []
    window.destroy()
    window.destroy()


async def test_each_window_closes_a_group_at_its_own_size(
    window: AsyncGroupWindow[str], redisson: AsyncRedisson, raw: Any
) -> None:
    await window.offer("k", "waits")
    single = redisson.get_group_window(
        redisson.get_queue("q"), size=2, max_wait=LONG, transfer=False
    )
    assert (await single.offer("k", "joins")).closed
    one = redisson.get_group_window(redisson.get_queue("q"), size=1, max_wait=LONG, transfer=False)
    assert (await one.offer("k", "alone")).size == 1
    assert await window.pending() == []
    consumer = redisson.get_consumer(one, prefetch=10, transfer=False)
    found = await consumer.take_many(5)
    assert [each.value.values for each in found] == [["waits", "joins"], ["alone"]]
    assert await consumer.ack_many(found) == [True, True]
    assert keys(raw) == []


async def test_group_of_a_crashed_consumer_is_redelivered_whole(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    await fill(window, "k", "a", "b", "c")
    lost = await consumer.take()
    await window.offer("k", "d")
    end_leases(raw)
    again = await consumer.poll()
    assert again is not None
    assert (again.id, again.attempt, again.value) == (lost.id, 2, lost.value)
    assert not await lost.ack()
    assert await again.nack()
    third = await consumer.take()
    assert third.value.values == ["a", "b", "c"]
    assert await third.ack()
    assert [state.size for state in await window.pending()] == [1]


async def test_group_that_is_returned_with_a_delay_is_not_open(
    window: AsyncGroupWindow[str], redisson: AsyncRedisson, raw: Any
) -> None:
    """A value that is offered meanwhile starts a new group. Neither group loses a value."""
    await fill(window, "k", "a", "b", "c")
    consumer = redisson.get_consumer(window)
    message = await consumer.take()
    assert await message.nack(0.2)
    assert await window.pending() == []
    assert (await window.offer("k", "d")).size == 1
    again = await consumer.take()
    assert (again.attempt, again.value) == (2, message.value)
    assert again.due_at is not None
    assert await again.ack()
    assert await window.cancel("k") == 1
    assert await consumer.poll() is None
    assert keys(raw) == []


async def test_copies_of_a_leased_group_are_dropped(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    """Java's transfer leaves such copies when it stops half-way several times."""
    await fill(window, "k", "a", "b", "c")
    has = await consumer.take()
    raw.rpush("q", *[f"pyredisson_group:{has.value.id}"] * 3)
    assert await consumer.take_many(3, 0) == []
    assert not raw.exists("q")
    assert await has.ack()
    assert traces(raw) == set()


async def test_dead_groups_keep_their_values(
    window: AsyncGroupWindow[str],
    consumer: AsyncConsumer[Group[str]],
    redisson: AsyncRedisson,
    raw: Any,
) -> None:
    await fill(window, "k", "a", "b", "c")
    await fill(window, "l", "x", "y", "z")
    for message in await consumer.take_many(2):
        assert await message.reject("no such area")
    letters = redisson.get_dead_letters(window)
    found = [letter async for letter in letters]
    assert [letter.value.values for letter in found if letter.value] == [
        ["a", "b", "c"],
        ["x", "y", "z"],
    ]
    assert await letters.redrive(id=found[0].id) == 1
    again = await consumer.take()
    assert (again.value, again.attempt) == (found[0].value, 1)
    assert await again.ack()
    assert traces(raw) == {"dead", "dead_letters", "groups"}
    assert await letters.drop() == 1
    assert await letters.drop(id=found[1].id) == 0
    assert keys(raw) == []


async def test_undecodable_value_dead_letters_its_group(redisson: AsyncRedisson, raw: Any) -> None:
    """A consumer whose codec can decode all values gets the whole group."""
    queue = redisson.get_queue("q")
    options: Any = {"size": 2, "max_wait": LONG, "transfer": False}
    texts_of = redisson.get_group_window(queue, **options)
    numbers = redisson.get_group_window(queue, codec=LongCodec(), **options)
    await fill(texts_of, "k", "1", "two")
    await fill(texts_of, "l", "3", "4")
    raw.rpush("q", "no group")
    consumer = redisson.get_consumer(numbers, transfer=False)
    message = await consumer.take()
    assert message.value.values == [3, 4]
    assert await message.ack()
    assert await consumer.poll() is None
    letters = redisson.get_dead_letters(numbers)
    bad, none = [letter async for letter in letters]
    assert bad.value == Group("k", bad.raw.decode()[17:], [1], [b"1", b"two"])
    assert bad.error is not None
    assert "value 2 of 2" in bad.reason
    assert (none.value, none.raw) == (None, b"no group")
    assert "its group does not exist" in none.reason
    assert await letters.redrive() == 2
    readable = redisson.get_consumer(texts_of, transfer=False)
    assert (await readable.take()).value.values == ["1", "two"]


async def test_take_interrupted_between_lease_and_values_loses_nothing(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    """The next take returns the group, or the close of the consumer releases it."""
    for last in (False, True):
        await fill(window, "k", "a", "b", "c")
        ready = texts(raw)
        taken = await consumer._link.request(consumer._protocol.take(1, 1000 * LONG, bytes(14)))
        raw.client_pause(700)
        assert await interrupt_async(partial(consumer._store, taken), 0.05) == []
        assert texts(raw) == []
        if last:
            await consumer.close()
            assert texts(raw) == ready
        else:
            message = await consumer.take()
            assert (message.attempt, message.value.values) == (1, ["a", "b", "c"])
            assert await message.ack()


async def test_cancel_removes_only_an_open_group(
    window: AsyncGroupWindow[str], consumer: AsyncConsumer[Group[str]], raw: Any
) -> None:
    assert await window.cancel("k") == 0
    await fill(window, "k", "a", "b")
    assert await window.cancel("k") == 2
    assert keys(raw) == []
    await fill(window, "k", "a", "b", "c")
    assert await window.cancel("k") == 0
    message = await consumer.take()
    assert await window.cancel("k") == 0
    assert message.value.values == ["a", "b", "c"]
    assert await message.ack()
    assert keys(raw) == []


async def test_many_open_groups(window: AsyncGroupWindow[str]) -> None:
    for number in range(700):
        await window.offer(f"k{number % 550}", "a")
    states = await window.pending()
    assert sorted(state.size for state in states) == [1] * 400 + [2] * 150
    assert [state.due_at for state in states] == sorted(state.due_at for state in states)


async def test_concurrent_offers_lose_and_duplicate_nothing(
    url: str, redisson: AsyncRedisson, raw: Any
) -> None:
    """A key never has two open groups. No value is lost or delivered twice."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as other:
        windows = [
            client.get_group_window(client.get_queue("q"), size=7, max_wait=LONG, transfer=False)
            for client in (redisson, other)
        ]

        async def offer_all(window: AsyncGroupWindow[str], name: int) -> None:
            for number in range(100):
                await window.offer(f"k{number % 3}", f"{name}{number}")

        await run_together_async(
            *[partial(offer_all, each, name) for name, each in enumerate(windows * 3)]
        )
        states = await windows[0].pending()
    open_ones = {state.key: state.size for state in states}
    assert len(open_ones) == len(states)
    consumer = redisson.get_consumer(windows[0], transfer=False)
    found = await consumer.take_many(1000)
    assert {len(each.value.values) for each in found} == {7}
    values = [value for each in found for value in each.value.values]
    assert len(values) == len(set(values)) == 600 - sum(open_ones.values())
    for sender in range(6):  # the values of each sender are in order
        own = [value for value in values if value[0] == str(sender) and int(value[1:]) % 3 == 0]
        assert own == sorted(own, key=lambda value: int(value[1:]))


async def test_a_worker_handles_groups(redisson: AsyncRedisson, raw: Any) -> None:
    """A handler that raises gets the whole group again. Then the group is dead-lettered."""
    queue = redisson.get_queue("q")
    window = redisson.get_group_window(queue, size=2, max_wait=LONG)
    soon = redisson.get_group_window(queue, size=2, max_wait=0.05)
    seen: list[tuple[str, list[str]]] = []

    def handle(group: Group[str]) -> None:
        seen.append((group.key, group.values))
        if group.key == "bad":
            raise ValueError(group.key)

    worker = AsyncWorker(
        redisson, window, handle, max_deliveries=2, backoff=Backoff(first=0.05, jitter=0)
    )
    running = AsyncStarted(worker.run)
    await fill(window, "full", "a", "b")
    await fill(window, "bad", "x", "y")
    await fill(soon, "due", "c")
    await until_async(lambda: worker.stats().done == 2 and worker.stats().dead == 1, "all are done")
    worker.stop()
    assert await running.result() == 0
    assert sorted(seen) == [
        ("bad", ["x", "y"]),
        ("bad", ["x", "y"]),
        ("due", ["c"]),
        ("full", ["a", "b"]),
    ]
    letters = redisson.get_dead_letters(window)
    assert [letter.reason async for letter in letters] == ["ValueError: bad"]
    assert await letters.drop() == 1
    assert keys(raw) == []


async def test_group_entries_for_older_releases(redisson: AsyncRedisson, raw: Any) -> None:
    queue = redisson.get_queue("q", codec=JsonJacksonCodec())
    window = redisson.get_group_window(
        queue, size=2, max_wait=LONG, transfer=False, wire_format="3.19.3"
    )
    await window.offer("k", {"parcel": 1})
    [entry] = raw.lrange(Q.delay_list, 0, -1)
    assert int.from_bytes(entry[8:16], "little") == len(entry) - 16
    await window.offer("k", None)
    [token] = raw.lrange("q", 0, -1)
    assert token == entry[16:]
    assert (await queue.peek() or "").startswith("pyredisson_group:")
    message = await redisson.get_consumer(window, transfer=False).take()
    assert message.value.values == [{"parcel": 1}, None]


async def test_invalid_arguments_are_rejected_before_anything_is_written(
    redisson: AsyncRedisson, window: AsyncGroupWindow[str], raw: Any
) -> None:
    make: Any = redisson.get_group_window
    queue = redisson.get_queue("q")
    for size in (0, -1, 10_001):
        with pytest.raises(ValueError, match="size must be from 1 to 10000"):
            make(queue, size=size, max_wait=1)
    for text in ("5", 2.0, True, None):
        with pytest.raises(TypeError, match="size must be a number of values"):
            make(queue, size=text, max_wait=1)
    for after in (0, -1, float("inf"), timedelta(0), 10**300):
        with pytest.raises(ValueError, match=r"max_wait|due at"):
            make(queue, size=1, max_wait=after)
    with pytest.raises(TypeError, match="max_wait must be seconds"):
        make(queue, size=1, max_wait="1")
    with pytest.raises(TypeError, match="needs a queue that get_queue"):
        make("q", size=1, max_wait=1)
    with pytest.raises(TypeError, match="cannot encode"):
        make(redisson.get_queue("q", codec=LongCodec()), size=1, max_wait=1)
    bad: Any
    for bad in (b"k", 7, None):
        with pytest.raises(TypeError, match="the key of a group must be str"):
            await window.offer(bad, "v")
        with pytest.raises(TypeError, match="the key of a group must be str"):
            await window.cancel(bad)
    with pytest.raises(ValueError, match="StringCodec"):
        await window.offer("k", bad)
    assert keys(raw) == []
    raw.set("pyredisson_groups:{q}", "text")
    with pytest.raises(KeyTypeError, match="pyredisson_groups"):
        await window.offer("k", "v")
    assert "size=3 max_wait=3600" in repr(window)


async def test_an_offer_without_a_reply_may_be_stored(proxy: FaultProxy) -> None:
    """The client does not send it again."""
    async with AsyncRedisson.from_url(proxy.url, codec=StringCodec(), response_timeout=1) as client:
        window = client.get_group_window(
            client.get_queue("q"), size=5, max_wait=LONG, transfer=False
        )
        await window.offer("k", "a")
        proxy.drop_replies(1)
        with pytest.raises((ConnectionError, RedisConnectionError, RedisTimeoutError)):
            await window.offer("k", "b")
        assert [state.size for state in await window.pending()] == [2]


async def test_window_rejects_a_value_that_is_too_long(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), max_bytes=5) as client:
        window = client.get_group_window(
            client.get_queue("q"), size=2, max_wait=LONG, transfer=False
        )
        with pytest.raises(MessageTooLongError):
            await window.offer("k", "123456")
        assert keys(raw) == []
        for _ in range(2):
            await window.offer("k", "12345")
        message = await client.get_consumer(window, transfer=False).take()
        assert message.value.values == ["12345", "12345"]

"""Limits of offers: the length of a value, and the number of items in a queue."""

from functools import partial
from typing import Any

import pytest

from pyredisson import (
    AsyncDelayedQueue,
    AsyncRedisson,
    MessageTooLongError,
    NotNotifiedError,
    PartialOfferError,
    QueueFullError,
)
from pyredisson.codecs import StringCodec
from tests.support.consuming import texts
from tests.support.faults_tools import calls
from tests.support.monitor import Monitor
from tests.support.rights import CHANNEL, KEYS
from tests.support.server import RedisServer
from tests.support.twins import (
    AsyncStarted,
    interrupt_async,
    run_together_async,
    sleep_async,
    until_async,
)

LONG = 3600
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"


def bounded(redisson: AsyncRedisson, size: int, **options: Any) -> AsyncDelayedQueue[str]:
    """The delayed queue of ``q`` with a limit and without a transfer task."""
    target = redisson.get_queue("q")
    return redisson.get_delayed_queue(target, transfer=False, max_size=size, **options)


def waiting(raw: Any) -> int:
    """Return the number of pending items and ready values, read in one transaction."""
    pipe = raw.pipeline()
    pipe.zcard(SET)
    pipe.llen(LIST)
    pipe.llen("q")
    in_set, listed, ready = pipe.execute()
    assert in_set == listed
    return int(in_set + ready)


# -------------------------------------------------------------- length of a value


async def test_a_client_s_limit_holds_for_all_its_queues(url: str, raw: Any) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), max_bytes=3) as redisson:
        deque = redisson.get_blocking_deque("q")
        delayed = redisson.get_delayed_queue(deque, transfer=False)
        for store in (
            deque.add,
            deque.put,
            deque.add_first,
            lambda value: deque.add_all(["a", value]),
            lambda value: delayed.offer(value, LONG),
            lambda value: delayed.offer_many([("a", LONG), (value, LONG)]),
        ):
            with pytest.raises(MessageTooLongError) as caught:
                await store("long")
            assert (caught.value.key, caught.value.length, caught.value.limit) == ("q", 4, 3)
        assert raw.keys() == []
        raw.rpush("q", "written by Java")
        assert await deque.contains("written by Java")
        assert await deque.poll() == "written by Java"
        assert await deque.add("abc")
        await delayed.offer("abc", LONG)
        await redisson.get_bucket("b").set("a bucket is no queue")


@pytest.mark.usefixtures("full_batches")
async def test_a_delayed_queue_may_have_another_limit(redisson: AsyncRedisson, raw: Any) -> None:
    target = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(target, transfer=False, max_bytes=3)
    with pytest.raises(MessageTooLongError, match="max_bytes=3"):
        await delayed.offer("long", LONG)
    with pytest.raises(MessageTooLongError, match=r"item 1: .* 4 bytes long"):
        await delayed.offer_many([("abc", LONG), ("long", LONG)])
    with pytest.raises(PartialOfferError) as caught:
        await delayed.offer_many(iter([("abc", LONG)] * 300 + [("long", LONG)]))
    assert isinstance(caught.value.cause, MessageTooLongError)
    assert raw.zcard("redisson_delay_queue_timeout:{q}") == caught.value.count == 250
    assert await target.add("long")
    with pytest.raises(ValueError, match="max_bytes must be at least 1"):
        redisson.get_delayed_queue(target, max_bytes=0)


# -------------------------------------------------------------- number of items


async def test_limit_counts_pending_items_and_ready_values(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "ready")
    delayed = bounded(redisson, 3)
    first = await delayed.offer("a", LONG)
    await delayed.offer("b", LONG)
    with pytest.raises(QueueFullError) as caught:
        await delayed.offer("c", LONG)
    assert (caught.value.key, caught.value.size, caught.value.limit) == ("q", 3, 3)
    assert raw.zcard(SET) == raw.llen(LIST) == 2
    await delayed.offer_again(first)
    assert waiting(raw) == 3, "what is there needs no room"
    assert await delayed.cancel(first)
    with pytest.raises(QueueFullError):
        await bounded(redisson, 2).offer_again(first)
    await delayed.offer_again(first)
    assert await delayed.read_all() == ["b", "a"]
    await redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False).offer("c", LONG)
    assert waiting(raw) == 4, "others are not bounded"


@pytest.mark.parametrize("release", ["3.21.0", "3.21.1"])
async def test_bounded_offer_writes_the_same_as_an_unbounded_one(
    redisson: AsyncRedisson, raw: Any, release: str
) -> None:
    """Java sees the same entries, scores and published due times as from an unbounded queue."""
    channel = raw.pubsub()
    channel.subscribe(CHANNEL)
    delayed = bounded(redisson, 9, wire_format=release)
    receipts = [await delayed.offer("a", LONG), await delayed.offer("b", 2 * LONG)]
    receipts += await delayed.offer_many([("c", 1), ("d", LONG)])
    assert raw.lrange(LIST, 0, -1) == [receipt.entry for receipt in receipts]
    assert dict(raw.zrange(SET, 0, -1, withscores=True)) == {
        receipt.entry: receipt.due_ms for receipt in receipts
    }
    heard: list[int] = []
    while message := channel.get_message(timeout=0.2):
        if message["type"] == "message":
            heard.append(int(message["data"]))
    assert heard == [receipts[0].due_ms, receipts[2].due_ms]
    channel.close()


async def test_concurrent_producers_never_exceed_the_limit(
    redisson: AsyncRedisson, raw: Any
) -> None:
    delayed, refused = bounded(redisson, 40), list[int]()

    async def produce(number: int) -> None:
        for item in range(10):
            try:
                await delayed.offer(f"{number}-{item}", LONG)
            except QueueFullError:
                refused.append(number)

    await run_together_async(*[partial(produce, n) for n in range(16)])
    assert waiting(raw) == 40
    assert len(refused) == 120


async def test_producers_that_wait_for_room(redisson: AsyncRedisson, raw: Any) -> None:
    delayed = bounded(redisson, 5, when_full="wait")
    taken: list[str] = []

    async def produce(number: int) -> None:
        for item in range(4):
            await delayed.offer(f"{number}-{item}", LONG)

    producers = [AsyncStarted(partial(produce, n)) for n in range(8)]
    while len(taken) < 32:
        assert waiting(raw) <= 5
        taken += await delayed.poll(1)
        await sleep_async(0.002)
    for producer in producers:
        await producer.result()
    assert sorted(taken) == sorted(f"{n}-{item}" for n in range(8) for item in range(4))


async def test_waiting_offer_times_out_and_does_not_poll_busily(
    redisson: AsyncRedisson, raw: Any, server: RedisServer
) -> None:
    delayed = bounded(redisson, 1, when_full="wait", full_timeout=0.5)
    await delayed.offer("a", LONG)
    with Monitor(server) as monitor, pytest.raises(QueueFullError):
        await delayed.offer("b", LONG)
    looks = [each for each in monitor.commands if each.name.startswith("EVAL")]
    assert 2 <= len(looks) <= 7
    waits = bounded(redisson, 1, when_full="wait")
    assert await interrupt_async(lambda: waits.offer("c", LONG), 0.1) == []
    assert await delayed.read_all() == ["a"]


async def test_delay_runs_while_the_offer_waits_for_room(
    redisson: AsyncRedisson, server: RedisServer, raw: Any
) -> None:
    delayed = bounded(redisson, 1, when_full="wait")
    first = await delayed.offer("a", LONG)
    looks = calls(server, "evalsha")
    offer = AsyncStarted(lambda: delayed.offer("b", LONG))
    await until_async(lambda: calls(server, "evalsha") > looks, "it waits")
    await sleep_async(0.1)
    later = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    last = await later.offer("c", LONG)
    assert await delayed.cancel(last)
    assert await delayed.cancel(first)
    second = await offer.result()
    assert first.due_ms <= second.due_ms < last.due_ms


async def test_many_offers_are_stored_as_far_as_there_is_room(
    redisson: AsyncRedisson, raw: Any
) -> None:
    delayed = bounded(redisson, 300)
    items = [(str(number), LONG) for number in range(600)]
    with pytest.raises(PartialOfferError) as caught:
        await delayed.offer_many(items)
    error = caught.value
    assert isinstance(error.cause, QueueFullError)
    assert (error.count, len(error.unknown)) == (300, 0)
    assert list(error.stored) == list(range(300))
    assert list(error.unstored) == list(range(300, 600))
    assert await delayed.read_all() == [value for value, _ in items[:300]]
    await delayed.clear()
    for receipt in error.unstored.values():
        await delayed.offer_again(receipt)
    assert await delayed.read_all() == [value for value, _ in items[300:]]


async def test_offer_many_waits_for_room(redisson: AsyncRedisson, raw: Any) -> None:
    delayed = bounded(redisson, 7, when_full="wait", full_timeout=30)
    items = [(str(number), LONG) for number in range(100)]
    offers = AsyncStarted(lambda: delayed.offer_many(iter(items), receipts=False))
    taken: list[str] = []
    while len(taken) < 100:
        assert waiting(raw) <= 7
        taken += await delayed.poll(7)
        await sleep_async(0.002)
    assert taken == [value for value, _ in items]
    assert await offers.result() == 100


async def test_bounded_offer_without_publish_right_is_stored_and_raises(
    root: Any, login: Any
) -> None:
    words = ("+eval", "+evalsha", "+zadd", "+rpush", "+zrange", "+zcard", "+llen", "+zscore")
    own = "~pyredisson_expir*:{q}"
    delayed = bounded(login(*KEYS, own, *words, codec=StringCodec()), 9)
    with pytest.raises(NotNotifiedError) as caught:
        await delayed.offer("a", LONG)
    assert root.zrange(SET, 0, -1) == [caught.value.receipt.entry]
    with pytest.raises(NotNotifiedError) as many:
        await delayed.offer_many([("b", 5), ("c", LONG)])
    assert [receipt.value for receipt in many.value.receipts] == [b"b", b"c"]
    more = (f"&{CHANNEL}", "+publish", "+hget", "+hset")
    redisson = login(*KEYS, own, *words, *more, codec=StringCodec())
    await bounded(redisson, 9, expire_after=5).offer("d", 1)


async def test_due_items_reach_the_target(redisson: AsyncRedisson, raw: Any) -> None:
    target = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(target, max_size=2)
    await delayed.offer("a", 0.05)
    await delayed.offer_many([("b", 0.1)])
    await until_async(lambda: texts(raw) == ["a", "b"], "they are due")
    with pytest.raises(QueueFullError):
        await delayed.offer("c", 1)
    assert await target.take() == "a"
    await delayed.offer("c", LONG)
    delayed.destroy()

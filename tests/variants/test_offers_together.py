"""Offers that tasks make at the same moment travel in one script: contents, receipts, errors."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyredisson import (
    AsyncDelayedQueue,
    AsyncRedisson,
    NotNotifiedError,
    UncertainOfferError,
)
from pyredisson.codecs import ByteArrayCodec, StringCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.dump import dump
from tests.support.monitor import Monitor
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.state import shape

NAMES = QueueNames.of("q")
HOUR = 3600
Delayed = AsyncDelayedQueue[str]


@pytest.fixture
async def delayed(url: str) -> AsyncIterator[Delayed]:
    """The delayed queue ``q``, already used: its connection is open and its scripts are known."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield await used(redisson)


async def used(redisson: AsyncRedisson) -> Delayed:
    """Return a delayed queue that was already used and contains "before"."""
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    await offered(delayed, 1)
    await offered(delayed, 2)
    await delayed.delete()
    await delayed.offer("before", delay=HOUR)
    return delayed


async def offered(delayed: Delayed, count: int, delay: float = HOUR) -> list[Any]:
    """Offer "0", "1", ... at the same moment; return their receipts or errors."""
    calls = (delayed.offer(str(number), delay=delay) for number in range(count))
    return await asyncio.gather(*calls, return_exceptions=True)


@pytest.mark.parametrize("count", [1, 2, 7, 65, 700])
async def test_offers_together_are_stored_once_and_get_receipts(
    delayed: Delayed, raw: redis.Redis, count: int
) -> None:
    receipts = await offered(delayed, count)
    expected = ["before", *map(str, range(count))]
    found = shape(raw)
    assert found[NAMES.delay_list] == expected
    assert sorted(found[NAMES.timeout_set]) == sorted(expected)
    for number, receipt in enumerate(receipts):
        assert receipt.value == str(number).encode()
        assert raw.zscore(NAMES.timeout_set, receipt.entry) == receipt.due_ms
        assert await delayed.cancel(receipt)
    assert await delayed.read_all() == ["before"]


async def test_100_offers_travel_in_few_scripts_and_one_in_its_own(
    delayed: Delayed, server: RedisServer
) -> None:
    with Monitor(server) as monitor:
        await offered(delayed, 100)
        await delayed.offer("alone", delay=HOUR)
    sent = [each for each in monitor.commands if not each.by_script and each.name == "EVALSHA"]
    assert len(sent) < 20
    assert [len(each.arguments) for each in sent][-1] == 3 + 4 + 4
    scripted = [each.name for each in monitor.commands if each.by_script]
    assert scripted[-3:] == ["ZADD", "RPUSH", "ZRANGE"]


async def test_steady_offers_travel_in_two_halves(delayed: Delayed, server: RedisServer) -> None:
    """While the server stores one half of the offers, the loop collects the other half."""

    async def one() -> None:
        for _ in range(40):
            await delayed.offer("x", delay=HOUR)

    with Monitor(server) as monitor:
        await asyncio.gather(*(one() for _ in range(10)))
    sent = [each for each in monitor.commands if not each.by_script and each.name == "EVALSHA"]
    sizes = [max((len(each.arguments) - 7) // 2, 1) for each in sent]
    assert sizes[0] == 10  # the first script has them all
    assert max(sizes[1:]) == 5
    assert len(sizes) < 200  # of 400 offers


async def test_receipt_names_the_queue_although_its_handle_is_renamed(
    delayed: Delayed, raw: redis.Redis
) -> None:
    server = delayed._link.topology.known("q")
    assert server is not None
    for name in ("q2", "q3", "q4"):
        server.clock.invalidate()
        _, receipt = await asyncio.gather(delayed.rename(name), delayed.offer("x", delay=HOUR))
        timeouts = QueueNames.of(receipt.queue).timeout_set
        assert raw.zscore(timeouts, receipt.entry) == receipt.due_ms


async def test_offers_together_announce_the_earliest_once(delayed: Delayed, raw: Any) -> None:
    with raw.pubsub() as heard:
        heard.subscribe(NAMES.channel)
        assert heard.get_message(timeout=5)
        delays = [50, 20, 10, 40, 30]
        receipts = await asyncio.gather(*(delayed.offer("x", delay=each) for each in delays))
        message: Any = heard.get_message(timeout=5)
        assert int(message["data"]) == receipts[2].due_ms
        await asyncio.gather(*(delayed.offer("x", delay=each + 60) for each in delays))
        assert heard.get_message(timeout=0.1) is None


async def test_offers_to_several_queues_mix_with_other_calls(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        queues = [redisson.get_queue(name) for name in "abc"]
        delayed = [redisson.get_delayed_queue(queue, transfer=False) for queue in queues]
        for each in delayed:
            await each.offer("first", delay=HOUR)
        calls: list[Any] = []
        for number in range(90):
            calls.append(delayed[number % 3].offer(str(number), delay=HOUR))
            calls.append(queues[number % 3].add(str(number)))
            calls.append(delayed[number % 3].offer("x" * 5000, delay=HOUR))  # travels alone
        await asyncio.gather(*calls)
        for number, each in enumerate(delayed):
            pending = await each.read_all()
            assert sorted(pending) == sorted(
                ["first", *map(str, range(number, 90, 3)), *["x" * 5000] * 30]
            )
            assert await queues[number].read_all() == list(map(str, range(number, 90, 3)))


async def test_offers_together_survive_a_script_flush(delayed: Delayed, raw: redis.Redis) -> None:
    for _ in range(2):
        raw.script_flush()
        assert not [each for each in await offered(delayed, 40) if isinstance(each, Exception)]
    assert await delayed.size() == 81


async def test_each_refused_offer_raises_an_error_of_its_own(
    delayed: Delayed, raw: redis.Redis
) -> None:
    raw.delete(NAMES.delay_list)
    raw.set(NAMES.delay_list, "no list")
    errors = await offered(delayed, 30)
    assert all(isinstance(error, TypeError) for error in errors)  # KeyTypeError
    assert len(set(map(id, errors))) == 30
    assert raw.zcard(NAMES.timeout_set) == 1


async def test_refused_notification_is_raised_for_the_earliest(raw: redis.Redis, url: str) -> None:
    raw.acl_setuser("quiet", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-publish"])
    address = url.replace("redis://", "redis://quiet:any@")
    try:
        async with AsyncRedisson.from_url(address, codec=StringCodec()) as redisson:
            delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
            with pytest.raises(NotNotifiedError):
                await delayed.offer("before", delay=HOUR)
            calls = [delayed.offer(str(each), delay=each) for each in (30, 10, 20)]
            found = await asyncio.gather(*calls, return_exceptions=True)
        assert [type(each) for each in found] == [Receipt, NotNotifiedError, Receipt]
        assert isinstance(found[1], NotNotifiedError)
        assert found[1].receipt.value == b"10"
        assert raw.llen(NAMES.delay_list) == 4
    finally:
        raw.acl_deluser("quiet")


async def test_offer_cancelled_before_it_is_sent_stores_nothing(
    delayed: Delayed, raw: redis.Redis
) -> None:
    tasks = [asyncio.ensure_future(delayed.offer(str(each), delay=HOUR)) for each in range(6)]
    await asyncio.sleep(0)
    for task in tasks[::2]:
        task.cancel()
    found = await asyncio.gather(*tasks, return_exceptions=True)
    assert [each.value for each in found if isinstance(each, Receipt)] == [b"1", b"3", b"5"]
    assert await delayed.read_all() == ["before", "1", "3", "5"]
    assert sum(isinstance(each, asyncio.CancelledError) for each in found) == 3
    assert raw.llen(NAMES.delay_list) == raw.zcard(NAMES.timeout_set)


async def test_lost_replies_are_uncertain_each_with_its_receipt(
    proxy: FaultProxy, raw: redis.Redis
) -> None:
    async with AsyncRedisson.from_url(
        proxy.url, codec=StringCodec(), response_timeout=1
    ) as redisson:
        delayed = await used(redisson)
        proxy.drop_replies(1000)
        errors = await offered(delayed, 60)
        proxy.heal()
        assert all(isinstance(error, UncertainOfferError) for error in errors)
        assert sorted(int(error.receipt.value) for error in errors) == list(range(60))
        assert sorted(shape(raw)[NAMES.delay_list]) == sorted(["before", *map(str, range(60))])
        for error in errors:
            await delayed.offer_again(error.receipt)
        assert await delayed.size() == raw.zcard(NAMES.timeout_set) == 61


async def test_a_connection_that_breaks_is_replaced(delayed: Delayed, raw: redis.Redis) -> None:
    stored = 0
    for _ in range(5):
        results = asyncio.ensure_future(offered(delayed, 50))
        await asyncio.sleep(0)
        raw.client_kill_filter(_type="normal", skipme=True)
        for each in await results:
            assert isinstance(each, (Receipt, UncertainOfferError))
            stored += isinstance(each, Receipt)
    assert await delayed.size() >= stored
    assert raw.llen(NAMES.delay_list) == raw.zcard(NAMES.timeout_set)
    assert not [each for each in await offered(delayed, 50) if isinstance(each, Exception)]


ROWS = st.lists(
    st.tuples(st.integers(0, 5), st.binary(max_size=3), st.binary(min_size=5, max_size=5)),
    min_size=1,
    max_size=30,
    unique_by=lambda row: row[2],
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(before=ROWS, rows=ROWS)
def test_offers_together_store_the_same_as_single_offers(raw: Any, before: Any, rows: Any) -> None:
    """Both store the same keys with the same bytes, and announce the same time last."""
    protocol = DelayedQueueProtocol(NAMES, ByteArrayCodec())
    receipts = [Receipt("q", due, b"new" + item_id, value) for due, value, item_id in rows]
    calls = {
        "single": [protocol.offer(each).fallback() for each in receipts],
        "together": [protocol.offer_many(receipts).fallback()],
    }
    states, told = [], []
    for commands in calls.values():
        raw.flushall()
        for due, value, item_id in before:
            old = Receipt("q", due, b"old" + item_id, value)
            raw.execute_command(*protocol.offer(old).fallback())
        with raw.pubsub() as heard:
            heard.subscribe(NAMES.channel)
            heard.get_message(timeout=5)
            for command in commands:
                raw.execute_command(*command)
            raw.publish(NAMES.channel, "end")
            messages = []
            while (message := heard.get_message(timeout=5)) and message["data"] != b"end":
                messages.append(message["data"])
        states.append(dump(raw))
        told.append(messages[-1:])
    assert states[0] == states[1]
    assert told[0] == told[1]

"""`offer_many` with asynchronous iterators, and compared with the same single offers."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pyredisson import AsyncRedisson, PartialOfferError, Redisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed import batches as offering
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.state import shape
from tests.support.twins import PATIENCE

NAMES = QueueNames.of("q")
HOUR = 3600


async def rows(count: int) -> AsyncIterator[tuple[str, float]]:
    """Yield rows as a database does, 100 at a time."""
    for number in range(count):
        if number % 100 == 0:
            await asyncio.sleep(0)
        yield str(number), HOUR + number


@pytest.fixture
async def redisson(url: str) -> AsyncIterator[AsyncRedisson]:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


@pytest.mark.parametrize("count", [0, 1, 250, 600])
async def test_offer_many_from_an_asynchronous_iterator(
    redisson: AsyncRedisson, raw: redis.Redis, count: int
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    receipts = await delayed.offer_many(rows(count))
    assert [receipt.value.decode() for receipt in receipts] == await delayed.read_all()
    assert raw.zcard(NAMES.timeout_set) == await delayed.size() == count
    assert await delayed.offer_many(rows(count), receipts=False) == count


@pytest.mark.usefixtures("full_batches")
async def test_an_asynchronous_iterator_that_fails(redisson: AsyncRedisson) -> None:
    async def broken() -> AsyncIterator[tuple[str, float]]:
        async for row in rows(300):
            yield row
        raise LookupError("the database is gone")

    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    with pytest.raises(PartialOfferError, match="the database is gone") as caught:
        await delayed.offer_many(broken())
    assert list(caught.value.stored) == list(range(250))
    assert list(caught.value.unstored) == list(range(250, 300))
    assert await delayed.size() == 250


async def test_event_loop_runs_other_tasks_during_offer_many(redisson: AsyncRedisson) -> None:
    """Other tasks run between two chunks, also while a list is checked."""
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    task = asyncio.ensure_future(others())
    await delayed.offer_many([("x", HOUR)] * 5000)
    task.cancel()
    assert turns >= 5000 // 250


ITEMS = st.lists(st.tuples(st.text(max_size=2), st.integers(0, 5)), max_size=12)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(before=ITEMS, items=ITEMS)
def test_offer_many_equals_the_same_single_offers(
    url: str, raw: Any, before: Any, items: Any
) -> None:
    """Both store the same values in the same order. The last published due time is the head's."""
    found = []
    with Redisson.from_url(url, codec=StringCodec()) as redisson, pytest.MonkeyPatch.context() as m:
        m.setattr(offering, "_ITEMS", 3)
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        for together in (False, True):
            raw.flushdb()
            for value, hours in before:
                delayed.offer(value, delay=HOUR * hours)
            head = raw.zrange(NAMES.timeout_set, 0, 0)
            with raw.pubsub() as heard:
                heard.subscribe(NAMES.channel)
                heard.get_message(timeout=PATIENCE)
                if together:
                    delayed.offer_many([(value, HOUR * hours) for value, hours in items])
                else:
                    for value, hours in items:
                        delayed.offer(value, delay=HOUR * hours)
                raw.publish(NAMES.channel, "end")
                told = None
                while (message := heard.get_message(timeout=PATIENCE))["data"] != b"end":
                    told = int(message["data"])
            earliest: Any = raw.zrange(NAMES.timeout_set, 0, 0, withscores=True)
            assert told in (None, earliest[0][1] if earliest else None)
            new_head = bool(earliest) and [earliest[0][0]] != head
            assert (told is not None) == new_head
            found.append((shape(raw).get(NAMES.delay_list), new_head))
    assert found[0] == found[1]

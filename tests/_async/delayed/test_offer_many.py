"""`offer_many`: stored items, their order, and what the call reports of each item."""

import gc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import redis

from pyredisson import (
    AsyncDelayedQueue,
    AsyncRedisson,
    ClosedError,
    EncodeError,
    KeyTypeError,
    NotNotifiedError,
    PartialOfferError,
    Receipt,
)
from pyredisson.codecs import ByteArrayCodec, StringCodec
from pyredisson.protocol.delayed import batches as offering
from pyredisson.protocol.kernel.clock import ServerClock
from tests.support.faults_tools import calls
from tests.support.many import HOUR, LIST, NAMES, SET, Item, numbers, parts, pending, texts
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.state import scores, server_ms
from tests.support.twins import run_together_async

pytestmark = pytest.mark.usefixtures("full_batches")

Delayed = AsyncDelayedQueue[str]


@pytest.fixture
async def delayed(redisson: AsyncRedisson) -> Delayed:
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)


async def repaired(delayed: Delayed, error: PartialOfferError) -> None:
    """Offer all unknown and unstored items of the error again, as a program does."""
    for receipt in [*error.unknown.values(), *error.unstored.values()]:
        await delayed.offer_again(receipt)


# --- stored items -------------------------------------------------------------------------------


@pytest.mark.parametrize("form", [list, iter])
@pytest.mark.parametrize("count", [0, 1, 250, 251, 1100])
async def test_offer_many_stores_all_items_in_order(
    delayed: Delayed, raw: redis.Redis, count: int, form: Any
) -> None:
    before = server_ms(raw)
    receipts = await delayed.offer_many(form(numbers(count)))
    after = server_ms(raw)
    assert [receipt.value.decode() for receipt in receipts] == pending(raw) == texts(count)
    assert raw.lrange(LIST, 0, -1) == [receipt.entry for receipt in receipts]
    assert scores(raw) == {receipt.value.decode(): receipt.due_ms for receipt in receipts}
    for (_, delay), receipt in zip(numbers(count), receipts, strict=True):
        assert before <= receipt.due_ms - delay * 1000 <= after + 900  # a delay is whole seconds
    if receipts:
        assert await delayed.cancel(receipts[-1])


async def test_offer_many_without_receipts_returns_the_count(
    delayed: Delayed, raw: redis.Redis
) -> None:
    assert await delayed.offer_many(iter(numbers(600)), receipts=False) == 600
    assert await delayed.offer_many(numbers(5), receipts=False) == 5
    assert pending(raw) == texts(600) + texts(5)


async def test_long_iterator_needs_constant_memory(delayed: Delayed) -> None:
    def alive(kind: type) -> int:
        return sum(type(found) is kind for found in gc.get_objects())

    before, seen, receipts = alive(offering.Batch), [], []
    before_receipts = alive(Receipt)

    def counting() -> Iterator[Item]:
        for number, item in enumerate(numbers(5000)):
            if number % 500 == 499:
                seen.append(alive(offering.Batch) - before)
                receipts.append(alive(Receipt) - before_receipts)
            yield item

    assert await delayed.offer_many(counting(), receipts=False) == 5000
    assert len(seen) == 10
    assert max(seen) < 5000 / 250 / 2  # those under way
    assert max(receipts) <= 3 * 250


async def test_each_item_may_have_another_kind_of_delay(delayed: Delayed, raw: redis.Redis) -> None:
    moment = datetime(2100, 1, 1, tzinfo=UTC)
    before = server_ms(raw)
    receipts = await delayed.offer_many(
        [("s", 5), ("f", 5.5), ("d", timedelta(seconds=5)), ("at", moment), ("at once", 0)]
    )
    due = [receipt.due_ms - before for receipt in receipts]
    assert due[3] + before == 4_102_444_800_000
    for found, expected in zip(due, (5000, 5500, 5000, due[3], 0), strict=True):
        assert expected <= found <= expected + 60_000


async def test_offer_many_in_the_old_format(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec(), wire_format="3.21.0") as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        receipts = await delayed.offer_many(numbers(600))
        assert raw.lrange(LIST, 0, -1) == [receipt.entry for receipt in receipts]
        assert {len(receipt.item_id) for receipt in receipts} == {8}
        assert await delayed.read_all() == texts(600)
        assert await delayed.cancel(receipts[300])


async def test_1000_items_are_sent_in_four_scripts(delayed: Delayed, server: RedisServer) -> None:
    await delayed.offer_many(numbers(1))  # the server knows the script now
    with Monitor(server) as monitor:
        await delayed.offer_many(numbers(1000))
    sent = [each for each in monitor.commands if not each.by_script]
    scripts = [each for each in sent if each.name == "EVALSHA"]
    assert [(len(each.arguments) - 7) // 2 for each in scripts] == [250] * 4
    assert {each.name for each in sent} <= {"EVALSHA", "TIME", "TYPE"}
    assert [each.name for each in monitor.commands if each.by_script] == [
        *(["ZADD", "RPUSH", "ZRANGE"] * 4)
    ]


async def test_long_values_are_sent_in_smaller_chunks(
    redisson: AsyncRedisson, server: RedisServer
) -> None:
    queue = redisson.get_queue("q", codec=ByteArrayCodec())
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    before = calls(server, "rpush")
    await delayed.offer_many([(bytes(100_000), HOUR)] * 7)
    assert calls(server, "rpush") - before == 3
    assert await delayed.size() == 7


async def test_the_earliest_of_a_chunk_is_announced(delayed: Delayed, raw: Any) -> None:
    with raw.pubsub() as heard:
        heard.subscribe(NAMES.channel)
        assert heard.get_message(timeout=5)
        receipts = await delayed.offer_many([("x", 50), ("x", 10), ("x", 30)])
        message: Any = heard.get_message(timeout=5)
        assert int(message["data"]) == receipts[1].due_ms
        await delayed.offer_many([("x", 60), ("x", 70)])
        assert heard.get_message(timeout=0.1) is None


async def test_due_items_of_offer_many_are_delivered(redisson: AsyncRedisson) -> None:
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await delayed.offer_many((str(number), 0.001 * number) for number in range(300))
    assert [await queue.take() for _ in range(300)] == texts(300)


async def test_concurrent_calls_use_and_release_a_connection_each(
    delayed: Delayed, raw: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each call has its own connection and releases it.

    After a new connection a call asks for the server's time, on a second connection. The patches
    prevent that here.
    """
    monkeypatch.setattr(ServerClock, "stale", lambda self, now: self.taken is None)
    monkeypatch.setattr(ServerClock, "invalidate", lambda self: None)
    await delayed.offer_many(numbers(2))  # gets the server's time and loads the script
    await delayed.delete()
    for _ in range(5):
        await run_together_async(*[lambda: delayed.offer_many(numbers(600))] * 4)
    assert sorted(pending(raw)) == sorted(texts(600) * 20)
    clients: Any = raw.client_list(_type="normal")
    assert len(clients) < 8


# --- rejected items -----------------------------------------------------------------------------

BAD: dict[str, tuple[Any, type[Exception]]] = {
    "value": ((5, HOUR), EncodeError),
    "delay": (("x", -1), ValueError),
    "pair": ("x", TypeError),
}


@pytest.mark.parametrize(("item", "kind"), BAD.values(), ids=BAD)
async def test_bad_item_in_a_list_sends_nothing(
    delayed: Delayed, server: RedisServer, item: Any, kind: type[Exception]
) -> None:
    items: list[Any] = [*numbers(600), item]
    with Monitor(server) as monitor, pytest.raises(kind, match=r"^item 600: "):
        await delayed.offer_many(items)
    assert monitor.commands == []


@pytest.mark.parametrize("place", [0, 100, 600])
@pytest.mark.parametrize(("item", "kind"), BAD.values(), ids=BAD)
async def test_bad_item_of_an_iterator_sends_nothing_of_its_chunk(
    delayed: Delayed, raw: redis.Redis, item: Any, kind: type[Exception], place: int
) -> None:
    items: list[Any] = [*numbers(place), item, *numbers(5)]
    with pytest.raises(PartialOfferError, match=f"item {place}: ") as caught:
        await delayed.offer_many(iter(items))
    error = caught.value
    assert type(error.cause) is kind
    assert error.__cause__ is error.cause
    whole = place - place % 250
    assert parts(error, place) == {
        "stored": list(range(whole)),
        "unstored": list(range(whole, place)),
        "unknown": [],
    }
    assert pending(raw) == texts(whole)
    await repaired(delayed, error)
    assert pending(raw) == texts(place)


async def test_an_iterator_that_fails(delayed: Delayed, raw: redis.Redis) -> None:
    def broken() -> Iterator[Item]:
        yield from numbers(300)
        raise LookupError("the database is gone")

    with pytest.raises(PartialOfferError, match=r"300 items .* LookupError: .* is gone") as caught:
        await delayed.offer_many(broken(), receipts=False)
    assert (caught.value.count, caught.value.stored) == (250, {})
    assert sorted(caught.value.unstored) == list(range(250, 300))
    assert pending(raw) == texts(250)


@pytest.mark.parametrize("items", [5, None])
async def test_offer_many_rejects_a_value_that_is_not_iterable(
    delayed: Delayed, items: Any
) -> None:
    with pytest.raises(TypeError, match="iterable"):
        await delayed.offer_many(items)


async def test_a_key_of_a_wrong_type(delayed: Delayed, raw: redis.Redis) -> None:
    raw.set(LIST, "no list")
    with pytest.raises(KeyTypeError):
        await delayed.offer_many(numbers(5))
    assert raw.exists(SET) == 0


async def test_a_key_whose_type_becomes_wrong(delayed: Delayed, raw: redis.Redis) -> None:
    """Redis rejects the first chunk, so the error reports all items as unstored."""
    await delayed.offer_many(numbers(1))
    raw.delete(LIST, SET)
    raw.set(LIST, "no list")
    with pytest.raises(PartialOfferError) as caught:
        await delayed.offer_many(numbers(1000))
    assert isinstance(caught.value.cause, KeyTypeError)
    assert parts(caught.value, 1000)["unstored"] == list(range(1000))
    assert raw.exists(SET) == 0
    raw.delete(LIST)
    await repaired(delayed, caught.value)
    assert sorted(pending(raw), key=int) == texts(1000)


async def test_refused_notification_without_receipts_has_the_receipt_of_its_item(
    raw: Any, url: str
) -> None:
    raw.acl_setuser("quiet", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-publish"])
    address = url.replace("redis://", "redis://quiet:any@")
    try:
        async with AsyncRedisson.from_url(address, codec=StringCodec()) as redisson:
            quiet = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
            with pytest.raises(NotNotifiedError) as caught:
                await quiet.offer_many(numbers(600), receipts=False)
    finally:
        raw.acl_deluser("quiet")
    assert caught.value.receipts == [caught.value.receipt]
    assert caught.value.receipt.value == b"0"


async def test_a_refused_notification(delayed: Delayed, raw: Any, url: str) -> None:
    raw.acl_setuser("quiet", enabled=True, nopass=True, keys=["*"], commands=["+@all", "-publish"])
    address = url.replace("redis://", "redis://quiet:any@")
    try:
        async with AsyncRedisson.from_url(address, codec=StringCodec()) as redisson:
            quiet = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
            with pytest.raises(NotNotifiedError, match="is stored") as caught:
                await quiet.offer_many(numbers(600))
            await quiet.offer_many([("later", 2 * HOUR)])  # no new head, so no notification
    finally:
        raw.acl_deluser("quiet")
    assert [receipt.value.decode() for receipt in caught.value.receipts] == texts(600)
    assert caught.value.receipt is caught.value.receipts[0]
    assert pending(raw) == [*texts(600), "later"]


async def test_a_closed_client_that_knows_the_time(
    redisson: AsyncRedisson, delayed: Delayed
) -> None:
    await delayed.offer_many(numbers(5))
    await redisson.aclose()
    for items in (numbers(5), iter(numbers(5)), []):
        with pytest.raises(ClosedError):
            await delayed.offer_many(items)


async def test_a_closed_client(redisson: AsyncRedisson, delayed: Delayed) -> None:
    await redisson.aclose()
    with pytest.raises(ClosedError):
        await delayed.offer_many(numbers(5))


async def test_client_is_closed_during_offer_many(
    redisson: AsyncRedisson, delayed: Delayed, raw: redis.Redis
) -> None:
    def closing() -> Iterator[Item]:
        yield from numbers(600)
        delayed._link.closed = True
        yield from numbers(1000)[600:]

    with pytest.raises(PartialOfferError) as caught:
        await delayed.offer_many(closing())
    assert isinstance(caught.value.cause, ClosedError)
    delayed._link.closed = False
    assert pending(raw) == texts(caught.value.count)

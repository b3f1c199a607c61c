"""Offers: the stored bytes, arguments that are rejected before a write, and receipts."""

import math
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
import redis

from pyredisson import AsyncDelayedQueue, AsyncRedisson, EncodeError, Receipt, WireFormat
from pyredisson.codecs import LongCodec, StringCodec
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.state import pack, scored, scores, server_ms, shape
from tests.support.twins import PATIENCE, until_async

STRINGS = StringCodec()
LIST, SET = "redisson_delay_queue:{q}", "redisson_delay_queue_timeout:{q}"
CHANNEL = "redisson_delay_queue_channel:{q}"
HOUR = 3_600_000


def delayed_queue(redisson: AsyncRedisson, **options: Any) -> AsyncDelayedQueue[str]:
    return redisson.get_delayed_queue(redisson.get_queue("q", codec=STRINGS), **options)


# --- bytes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("release", "item_id", "entry"),
    [
        ("4.7.0", "0102030405060708", "080102030405060708050000000000000068656c6c6f"),
        ("3.21.1", "0000000000000000", "080000000000000000050000000000000068656c6c6f"),
        # The id is a signed number (here 1234567890123456789), stored as an IEEE double.
        ("3.21.0", "1581e97df4102211", "81e97df41022b143050000000000000068656c6c6f"),
        ("3.19.3", "ffffffffffffffff", "000000000000f0bf050000000000000068656c6c6f"),
    ],
)
async def test_entry_has_exactly_the_bytes_of_redisson(
    redisson: AsyncRedisson, raw: redis.Redis, release: str, item_id: str, entry: str
) -> None:
    delayed = delayed_queue(redisson, wire_format=release, transfer=False)
    due = 4_000_000_000_123
    form = WireFormat.of(release)
    receipt = Receipt("q", due, bytes.fromhex(item_id), b"hello", form)
    await delayed.offer_again(receipt)
    expected = bytes.fromhex(entry)
    assert receipt.entry == expected
    assert raw.lrange(LIST, 0, -1) == [expected]
    assert scored(raw, SET.encode()) == [(expected, due)]


@pytest.mark.parametrize("release", ["4.7.0", "3.21.0"])
@pytest.mark.parametrize("value", ["", "hello", "ä€𝄞\0", "x" * 100_000], ids=len)
async def test_an_offer_stores_what_its_receipt_says(
    redisson: AsyncRedisson, raw: redis.Redis, release: str, value: str
) -> None:
    delayed = delayed_queue(redisson, wire_format=release)
    receipt = await delayed.offer(value, delay=3600)
    assert receipt.wire_format is WireFormat.of(release)
    assert (receipt.queue, receipt.value) == ("q", value.encode())
    assert raw.lrange(LIST, 0, -1) == [receipt.entry]
    assert scored(raw, SET.encode()) == [(receipt.entry, receipt.due_ms)]
    assert len(receipt.item_id) == (8 if receipt.wire_format is WireFormat.LEGACY else 16)
    assert await delayed.peek() == value


async def test_ids_differ(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    delayed = delayed_queue(redisson, transfer=False)
    for _ in range(100):
        await delayed.offer("same", delay=3600)
    assert raw.zcard(SET) == raw.llen(LIST) == 100


@pytest.mark.parametrize(
    "moment", [{"delay": 3600}, {"at": datetime(2100, 1, 1, tzinfo=UTC)}], ids=str
)
async def test_ids_contain_the_time_of_the_offer(
    redisson: AsyncRedisson, raw: redis.Redis, moment: dict[str, Any]
) -> None:
    """The time is that of the server's clock. Later ids are greater."""
    delayed = delayed_queue(redisson, transfer=False)
    before = server_ms(raw)
    ids = [(await delayed.offer("x", **moment)).item_id for _ in range(10)]
    times = [int.from_bytes(each[1:8], "big") / 1000 for each in ids]
    assert times == sorted(times)
    assert before - 60_000 < times[0] < times[-1] < server_ms(raw) + 60_000
    assert {each[:1] for each in ids} == {b"P"}


async def test_items_with_ids_of_8_bytes_can_be_offered_and_cancelled(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """Java's ids are like this, and those of receipts from before ids had 16 bytes."""
    delayed = delayed_queue(redisson, transfer=False)
    old = Receipt.parse(str(Receipt("q", 4_000_000_000_123, b"12345678", b"x")))
    await delayed.offer_again(old)
    new = await delayed.offer("x", delay=3600)
    assert raw.lrange(LIST, 0, -1) == [old.entry, new.entry]
    assert await delayed.cancel(old) is True
    assert await delayed.cancel(old) is False
    assert raw.lrange(LIST, 0, -1) == raw.zrange(SET, 0, -1) == [new.entry]


async def test_client_writes_the_configured_format(url: str, raw: redis.Redis) -> None:
    async with AsyncRedisson.from_url(url, wire_format="3.19.3") as redisson:
        receipt = await delayed_queue(redisson).offer("x", delay=3600)
        assert receipt.wire_format is WireFormat.LEGACY
        receipt = await delayed_queue(redisson, wire_format="4.7.0").offer("x", delay=3600)
        assert receipt.wire_format is WireFormat.CURRENT
    assert shape(raw) == {LIST: ["x", "x"], SET: ["x", "x"]}


@pytest.mark.parametrize("release", ["", "new", "3.x"])
async def test_an_unknown_release_is_refused(redisson: AsyncRedisson, release: str) -> None:
    with pytest.raises(ValueError, match=r"wire_format is .*, not a Redisson release"):
        AsyncRedisson.from_url("redis://", wire_format=release)


@pytest.mark.parametrize("release", [4, b"4.7.0"])
async def test_a_release_is_a_text(redisson: AsyncRedisson, release: Any) -> None:
    with pytest.raises(TypeError, match="wire_format must be a Redisson release as a str"):
        AsyncRedisson.from_url("redis://", wire_format=release)


async def test_only_a_new_head_is_published(redisson: AsyncRedisson, server: RedisServer) -> None:
    delayed = delayed_queue(redisson, transfer=False)
    with Monitor(server) as monitor:
        first = await delayed.offer("first", delay=3600)
        await delayed.offer("later", delay=7200)
        earlier = await delayed.offer("earlier", delay=1800)
    published = [c.arguments for c in monitor.commands if c.name == "PUBLISH"]
    assert published == [
        (b"publish", CHANNEL.encode(), str(receipt.due_ms).encode()) for receipt in (first, earlier)
    ]


# --- due times ----------------------------------------------------------------------------------

DELAYS: dict[str, tuple[Any, float]] = {
    "int": (3600, HOUR),
    "float": (0.5, 500),
    "tiny": (0.0001, 0.1),
    "timedelta": (timedelta(minutes=30), HOUR / 2),
    "microseconds": (timedelta(seconds=100, microseconds=1), 100_000.001),
    "ten years": (timedelta(days=3650), 3650 * 24 * HOUR),
    "zero": (0, 0),
}


@pytest.mark.parametrize(("delay", "milliseconds"), DELAYS.values(), ids=DELAYS)
async def test_a_delay_counts_from_now_by_the_servers_clock(
    redisson: AsyncRedisson, raw: redis.Redis, delay: Any, milliseconds: float
) -> None:
    delayed = delayed_queue(redisson, transfer=False)
    before = server_ms(raw)
    receipt = await delayed.offer("x", delay=delay)
    after = server_ms(raw)
    assert receipt.due_ms >= before + milliseconds
    assert receipt.due_ms <= after + milliseconds + PATIENCE * 1000
    assert scores(raw) == {"x": receipt.due_ms}


MOMENTS: dict[str, tuple[datetime, int]] = {
    "UTC": (datetime(2100, 1, 1, tzinfo=UTC), 4_102_444_800_000),
    "zone": (datetime(2100, 1, 1, 2, tzinfo=timezone(timedelta(hours=2))), 4_102_444_800_000),
    "rounded up": (datetime(2100, 1, 1, 0, 0, 0, 1, tzinfo=UTC), 4_102_444_800_001),
    "milliseconds": (datetime(2100, 1, 1, 0, 0, 0, 1_000, tzinfo=UTC), 4_102_444_800_001),
    "past": (datetime(1999, 12, 31, tzinfo=UTC), 946_598_400_000),
    "far": (datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC), 253_402_300_800_000),
}


@pytest.mark.parametrize(("at", "due"), MOMENTS.values(), ids=MOMENTS)
async def test_at_is_the_score_of_the_entry(
    redisson: AsyncRedisson, raw: redis.Redis, at: datetime, due: int
) -> None:
    delayed = delayed_queue(redisson, transfer=False)
    assert (await delayed.offer("x", at=at)).due_ms == due
    assert scores(raw) == {"x": due}


Offer = Callable[[AsyncDelayedQueue[Any]], Any]

REFUSED: dict[str, tuple[type[Exception], str, Offer]] = {
    "negative": (ValueError, "negative", lambda d: d.offer("x", delay=-1)),
    "tiny": (ValueError, "negative", lambda d: d.offer("x", delay=-1e-12)),
    "timedelta": (ValueError, "negative", lambda d: d.offer("x", delay=timedelta(-1))),
    "NaN": (ValueError, "NaN", lambda d: d.offer("x", delay=math.nan)),
    "infinite": (ValueError, "infinite", lambda d: d.offer("x", delay=math.inf)),
    "overflow": (ValueError, "2\\*\\*53", lambda d: d.offer("x", delay=2.0**53)),
    "float max": (ValueError, "delay|2\\*\\*53", lambda d: d.offer("x", delay=1.7e308)),
    "big int": (ValueError, "2\\*\\*53", lambda d: d.offer("x", delay=2**63)),
    "timedelta max": (ValueError, "2\\*\\*53", lambda d: d.offer("x", delay=timedelta.max)),
    "text": (TypeError, "delay", lambda d: d.offer("x", delay=text("5"))),
    "bool": (TypeError, "delay", lambda d: d.offer("x", delay=True)),
    "neither": (TypeError, "delay= or at=", lambda d: d.offer("x")),
    "both": (
        TypeError,
        "delay= or at=",
        lambda d: d.offer("x", delay=1, at=datetime(2100, 1, 1, tzinfo=UTC)),
    ),
    "naive": (ValueError, "naive", lambda d: d.offer("x", at=datetime(2100, 1, 1))),
    "before 1970": (
        ValueError,
        "epoch millisecond -",
        lambda d: d.offer("x", at=datetime(1969, 12, 31, tzinfo=UTC)),
    ),
    "number for a moment": (TypeError, "datetime", lambda d: d.offer("x", at=text("now"))),
    "no text": (EncodeError, "writes str", lambda d: d.offer(5, delay=1)),
    "None": (EncodeError, "writes str", lambda d: d.offer(None, delay=1)),
}


def text(value: str) -> Any:
    return value


@pytest.mark.parametrize(("error", "match", "call"), REFUSED.values(), ids=REFUSED)
async def test_invalid_offer_is_rejected_before_anything_is_written(
    redisson: AsyncRedisson, raw: redis.Redis, error: type[Exception], match: str, call: Offer
) -> None:
    with pytest.raises(error, match=match):
        await call(delayed_queue(redisson, transfer=False))
    assert shape(raw) == {}


async def test_no_item_is_transferred_early(
    redisson: AsyncRedisson, raw: redis.Redis, server: RedisServer
) -> None:
    """Each item is pushed to the target when the server's clock has reached its score."""
    target = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(target)
    due: dict[bytes, int] = {}
    with Monitor(server) as monitor:
        for number in range(100):
            before = server_ms(raw)
            delay = (number * 37 % 100) / 200
            receipt = await delayed.offer(f"value {number}", delay=delay)
            assert receipt.due_ms >= before + delay * 1000
            due[receipt.value] = receipt.due_ms
        for _ in due:
            await target.take()
    pushed = [c for c in monitor.commands if c.arguments[:2] == (b"rpush", b"q")]
    moments = {value: c.seconds * 1000 for c in pushed for value in c.arguments[2:]}
    assert set(moments) == set(due)
    assert [value for value, moment in moments.items() if moment < due[value]] == []


async def test_items_come_in_the_order_of_their_due_times(redisson: AsyncRedisson) -> None:
    target = redisson.get_blocking_queue("q", codec=LongCodec())
    delayed = redisson.get_delayed_queue(target, transfer=False)
    now = datetime.now(UTC) + timedelta(milliseconds=100)
    for number in (3, 1, 4, 0, 2):
        await delayed.offer(number, at=now + timedelta(milliseconds=5 * number))
    redisson.get_delayed_queue(target)
    assert [await target.take() for _ in range(5)] == [0, 1, 2, 3, 4]


# --- receipts -----------------------------------------------------------------------------------


@pytest.mark.parametrize("release", ["4.7.0", "3.21.0"])
async def test_offering_again_stores_once_while_it_is_pending(
    redisson: AsyncRedisson, raw: redis.Redis, release: str
) -> None:
    delayed = delayed_queue(redisson, wire_format=release)
    receipt = await delayed.offer("x", delay=3600)
    other = delayed_queue(redisson, transfer=False)  # of the newer format
    for _ in range(3):
        await delayed.offer_again(receipt)
        await other.offer_again(receipt)
    assert raw.lrange(LIST, 0, -1) == [receipt.entry]
    assert scored(raw, SET.encode()) == [(receipt.entry, receipt.due_ms)]


@pytest.mark.parametrize("release", ["4.7.0", "3.21.0"])
async def test_offering_again_stores_a_lost_item(
    redisson: AsyncRedisson, raw: redis.Redis, release: str
) -> None:
    delayed = delayed_queue(redisson, wire_format=release)
    receipt = await delayed.offer("x", delay=3600)
    raw.flushall()
    await delayed.offer_again(receipt)
    assert raw.lrange(LIST, 0, -1) == [receipt.entry]
    assert scored(raw, SET.encode()) == [(receipt.entry, receipt.due_ms)]


async def test_a_receipt_is_of_one_queue(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    receipt = await delayed_queue(redisson).offer("x", delay=3600)
    other = redisson.get_delayed_queue(redisson.get_queue("other", codec=STRINGS))
    for call in (other.offer_again, other.cancel):
        with pytest.raises(ValueError, match="of queue 'q', not of 'other'"):
            await call(receipt)
    assert shape(raw) == {LIST: ["x"], SET: ["x"]}


async def test_offer_again_and_cancel_accept_only_receipts(redisson: AsyncRedisson) -> None:
    number: Any = 5
    text: Any = str(Receipt("q", 5, bytes(8), b"x"))
    for call in (delayed_queue(redisson).offer_again, delayed_queue(redisson).cancel):
        with pytest.raises(TypeError, match=r"receipt must be what offer\(\) returned, not 5$"):
            await call(number)
        with pytest.raises(TypeError, match=r"; Receipt\.parse\(\) reads text and bytes$"):
            await call(text)


@pytest.mark.parametrize("release", ["4.7.0", "3.21.0"])
async def test_cancel_takes_exactly_the_item(
    redisson: AsyncRedisson, raw: redis.Redis, release: str
) -> None:
    delayed = delayed_queue(redisson, wire_format=release)
    receipts = [await delayed.offer("same", delay=3600) for _ in range(3)]
    assert await delayed.cancel(Receipt.parse(str(receipts[1]))) is True
    assert raw.lrange(LIST, 0, -1) == [receipts[0].entry, receipts[2].entry]
    assert raw.zcard(SET) == 2
    assert await delayed.cancel(receipts[1]) is False


async def test_delivered_item_cannot_be_cancelled(redisson: AsyncRedisson) -> None:
    target = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(target)
    receipt = await delayed.offer("x", delay=0)
    assert await target.take() == "x"
    assert await delayed.cancel(receipt) is False
    assert await target.is_empty()


async def test_cancel_and_delivery_exclude_each_other(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    target = redisson.get_blocking_queue("q", codec=LongCodec())
    delayed = redisson.get_delayed_queue(target)
    receipts = [await delayed.offer(number, delay=0.002 * number) for number in range(100)]
    cancelled = [number for number in range(100) if await delayed.cancel(receipts[number])]
    await until_async(lambda: raw.zcard(SET) == 0, "all others are delivered")
    assert sorted(cancelled + await target.read_all()) == list(range(100))


async def test_receipt_can_be_rebuilt_from_its_fields(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """A receipt can be stored anywhere: its five fields are enough to build it again."""
    kept = await delayed_queue(redisson).offer("x", delay=3600)
    again = Receipt(kept.queue, kept.due_ms, kept.item_id, kept.value, kept.wire_format)
    assert again == kept
    assert again.entry == kept.entry == pack(b"x", kept.item_id)
    assert await delayed_queue(redisson).cancel(again)

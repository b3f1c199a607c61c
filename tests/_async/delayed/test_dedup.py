"""Offers with a dedup key: at most one is pending.

Tests of each rule, and of when a key is free.
"""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
import redis

from pyredisson import (
    AsyncDelayedQueue,
    AsyncRedisson,
    Receipt,
)
from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.dedup import IfExists
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.monitor import Monitor
from tests.support.server import RedisServer
from tests.support.state import scores, unpack
from tests.support.twins import run_together_async, sleep_async, until_async

STRINGS = StringCodec()
NAMES = QueueNames.of("q")
LIST, SET, KEYS = NAMES.delay_list, NAMES.timeout_set, NAMES.dedup
HOUR = timedelta(hours=1)
FAR = 4_000_000_000
RELEASES = pytest.mark.parametrize("release", ["4.7.0", "3.21.0"])


def delayed_queue(redisson: AsyncRedisson, **options: Any) -> AsyncDelayedQueue[str]:
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False, **options)


def at(seconds: int) -> datetime:
    return datetime.fromtimestamp(FAR + seconds, UTC)


def times(raw: redis.Redis) -> dict[str, int]:
    """Return the pending values and their due times in seconds after FAR."""
    return {value: round(score / 1000) - FAR for value, score in scores(raw).items()}


def listed(raw: Any) -> list[str]:
    """The pending values in the order of their offers."""
    return [unpack(entry).decode() for entry in raw.lrange(LIST, 0, -1)]


def keys(raw: Any) -> set[str]:
    return {key.decode() for key in raw.hkeys(KEYS)}


# --- the rules ----------------------------------------------------------------------------------

RULES: dict[str, tuple[dict[str, Any], int, bool, dict[str, int], list[str]]] = {
    "ignore_later": ({}, 7, False, {"a": 5, "x": 6}, ["a", "x"]),
    "ignore_sooner": ({"if_exists": "ignore"}, 2, False, {"a": 5, "x": 6}, ["a", "x"]),
    "replace_later": ({"if_exists": "replace"}, 7, True, {"x": 6, "b": 7}, ["x", "b"]),
    "replace_sooner": ({"if_exists": "replace"}, 2, True, {"x": 6, "b": 2}, ["x", "b"]),
    "extend_later": ({"if_exists": "extend"}, 7, False, {"a": 7, "x": 6}, ["a", "x"]),
    "extend_sooner": ({"if_exists": "extend"}, 2, False, {"a": 5, "x": 6}, ["a", "x"]),
    "earliest_later": ({"if_exists": "earliest"}, 7, False, {"a": 5, "x": 6}, ["a", "x"]),
    "earliest_sooner": ({"if_exists": "earliest"}, 2, False, {"a": 2, "x": 6}, ["a", "x"]),
    "earliest_same": ({"if_exists": "earliest"}, 5, False, {"a": 5, "x": 6}, ["a", "x"]),
}


@RELEASES
async def test_receipt_of_finds_the_pending_item_by_its_key(
    redisson: AsyncRedisson, raw: redis.Redis, release: str
) -> None:
    delayed = delayed_queue(redisson, wire_format=release)
    assert await delayed.receipt_of("k") is None
    await delayed.offer("other", HOUR, dedup="other")
    offered = await delayed.offer("a", HOUR, dedup="k")
    found = await delayed.receipt_of("k")
    assert found == offered
    assert found is not None
    moved = await delayed.reschedule(found, at=at(7))
    assert await delayed.receipt_of("k") == moved != found
    assert times(raw)["a"] == 7
    assert await delayed.cancel(found)
    assert await delayed.receipt_of("k") is None
    with pytest.raises(ValueError, match="empty"):
        await delayed.receipt_of("")


@RELEASES
@pytest.mark.parametrize(("options", "due", "stored", "after", "order"), RULES.values(), ids=RULES)
async def test_offer_while_an_item_with_its_key_is_pending(
    redisson: AsyncRedisson,
    raw: redis.Redis,
    release: str,
    options: Any,
    due: int,
    stored: bool,
    after: dict[str, int],
    order: list[str],
) -> None:
    """The receipt is that of the item that is pending then. The two offers may differ in format."""
    first = await delayed_queue(redisson).offer("a", at=at(5), dedup="k", if_exists="extend")
    assert first.stored
    await delayed_queue(redisson).offer("x", at=at(6))
    delayed = delayed_queue(redisson, wire_format=release)
    receipt = await delayed.offer("b", at=at(due), dedup="k", **options)
    assert receipt.stored is stored
    assert (receipt.value, receipt.due_ms // 1000 - FAR) == (
        (b"b", due) if stored else (b"a", after["a"])
    )
    assert times(raw) == after
    assert listed(raw) == order
    assert raw.zcard(SET) == len(after)
    parsed = Receipt.parse(str(receipt))
    assert parsed == receipt
    assert parsed.stored
    assert await delayed.cancel(parsed)
    assert (await delayed.offer("c", at=at(1), dedup="k")).stored


@RELEASES
async def test_dedup_keys_are_independent(
    redisson: AsyncRedisson, raw: redis.Redis, release: str
) -> None:
    """Different keys, and equal keys of two queues, are independent.

    One item has equal receipts.
    """
    delayed = delayed_queue(redisson, wire_format=release)
    queue = redisson.get_queue("q2")
    other = redisson.get_delayed_queue(queue, transfer=False, wire_format=release)
    found = [
        await queue.offer("v", HOUR, dedup=key)
        for queue in (delayed, other)
        for key in ("k", "größe", "k", "k\0")
    ]
    assert [each.stored for each in found] == [True, True, False, True] * 2
    assert found[0] == found[2]
    assert {each.receipt async for each in delayed.items()} == {*found[:4]}
    assert raw.zcard(SET) == 3


@RELEASES
async def test_concurrent_offers_with_a_key_leave_one_item(
    redisson: AsyncRedisson, raw: redis.Redis, release: str
) -> None:
    delayed = delayed_queue(redisson, wire_format=release)
    rules: tuple[IfExists, ...] = ("ignore", "replace", "extend", "earliest")
    for rule in rules:
        offer = partial(delayed.offer, delay=HOUR, dedup=rule, if_exists=rule)
        found = await run_together_async(*(partial(offer, f"v{n}") for n in range(16)))
        stored = [each for each in found if each.stored]
        if rule == "replace":
            assert len(stored) == 16
        else:
            assert len(stored) == 1
            assert {each.value for each in found} == {stored[0].value}
    assert raw.zcard(SET) == raw.llen(LIST) == 4


# --- announcements and clocks -------------------------------------------------------------------


async def test_only_a_head_is_announced(redisson: AsyncRedisson, raw: Any) -> None:
    delayed = delayed_queue(redisson)
    with raw.pubsub() as heard:
        heard.subscribe(NAMES.channel)
        heard.get_message(timeout=5)
        await delayed.offer("a", at=at(5), dedup="a")  # 5
        await delayed.offer("b", at=at(9), dedup="b")
        await delayed.offer("b", at=at(3), dedup="b")
        await delayed.offer("b", at=at(7), dedup="b", if_exists="replace")
        await delayed.offer("b", at=at(3), dedup="b", if_exists="earliest")  # 3
        await delayed.offer("b", at=at(2), dedup="b", if_exists="extend")
        await delayed.offer("b", at=at(8), dedup="b", if_exists="extend")  # no longer the head
        await delayed.offer("c", at=at(1), dedup="b", if_exists="replace")  # 1
        await delayed.offer("c", at=at(2), dedup="b", if_exists="extend")  # 2, still the head
        for due in (5, 3, 1, 2):
            assert heard.get_message(timeout=5)["data"] == b"%d" % ((FAR + due) * 1000)
        assert heard.get_message(timeout=0.05) is None


async def test_a_sooner_time_wakes_a_transfer_task(redisson: AsyncRedisson) -> None:
    target = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(target)
    await delayed.offer("x", HOUR, dedup="k")
    assert not (await delayed.offer("y", 0.05, dedup="k", if_exists="earliest")).stored
    assert await target.poll(timeout=5) == "x"
    assert (await delayed.offer("z", 0, dedup="k")).stored
    assert await target.poll(timeout=5) == "z"


async def test_debounce(redisson: AsyncRedisson) -> None:
    """Only the last item of a burst is delivered, once."""
    target = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(target)
    for number in range(20):
        delay = 0.1 if number == 19 else HOUR
        await delayed.offer(str(number), delay, dedup="k", if_exists="replace")
    assert await target.poll(timeout=5) == "19"
    assert await target.poll(timeout=0.05) is None
    assert await delayed.is_empty()


async def test_offer_with_a_new_key_sends_the_commands_of_a_plain_offer(
    redisson: AsyncRedisson, server: RedisServer
) -> None:
    """Both write the entry and publish its due time with the same commands, in the same order."""
    delayed = delayed_queue(redisson)
    await delayed.offer("x", HOUR, dedup="other")
    seen = []
    for delay, dedup in ((HOUR / 2, None), (HOUR / 3, "k")):
        with Monitor(server) as monitor:
            await delayed.offer("v", delay, dedup=dedup)
        names = [each.name for each in monitor.commands if each.by_script]
        seen.append([name for name in names if name in {"ZADD", "RPUSH", "ZRANGE", "PUBLISH"}])
    assert seen == [["ZADD", "RPUSH", "ZRANGE", "PUBLISH"]] * 2


# --- when a key is free -------------------------------------------------------------------------


@RELEASES
async def test_a_key_is_free_when_its_item_is_not_pending(
    redisson: AsyncRedisson, raw: redis.Redis, release: str
) -> None:
    """Any way of taking or removing the item frees its key."""
    delayed = delayed_queue(redisson, wire_format=release)

    java: Any = raw

    async def by_another(receipt: Receipt) -> None:
        java.zrem(SET, receipt.entry)
        java.lrem(LIST, 1, receipt.entry)

    ways: list[Any] = [
        delayed.cancel,
        by_another,
        lambda _: delayed.poll(),
        lambda _: delayed.remove("v"),
        lambda _: delayed.retain_all(["other"]),
        lambda _: delayed.delete(),
        lambda _: delayed.clear(),
        lambda _: delayed.poll_last_and_offer_first_to("r"),
    ]
    for way in ways:
        receipt = await delayed.offer("v", HOUR, dedup="k")
        assert receipt.stored
        assert not (await delayed.offer("w", HOUR, dedup="k")).stored
        await way(receipt)
        again = await delayed.offer("v", HOUR, dedup="k")
        assert again.stored
        assert again != receipt
        await delayed.clear()
        assert not raw.exists(KEYS)


async def test_item_that_is_stored_again_has_its_key(redisson: AsyncRedisson) -> None:
    """A rescheduled item is the same item. `offer_again` stores it with its key."""
    delayed = delayed_queue(redisson)
    receipt = await delayed.offer("v", HOUR, dedup="k")
    later = await delayed.reschedule(receipt, 2 * HOUR)
    assert later is not None
    found = await delayed.offer("w", HOUR, dedup="k")
    assert (found, found.stored, found.due_ms) == (later, False, later.due_ms)
    await delayed.offer("other", HOUR)
    assert await delayed.cancel(receipt)
    await delayed.offer_again(receipt)
    assert await delayed.offer("w", HOUR, dedup="k") == receipt


async def test_a_message_has_no_key(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    """The delivery frees the key. A message that is returned with a delay does not use it again."""
    target = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(target)
    await delayed.offer("v", 0, dedup="k")
    consumer = redisson.get_consumer(target)
    for settle in ("nack", "defer"):
        message = await consumer.take()
        assert await getattr(message, settle)(0.2 if settle == "nack" else 3600)
    assert (await delayed.offer("w", HOUR, dedup="k")).stored
    assert sorted(listed(raw)) == ["v", "w"]


# --- keys that remain in Redis ------------------------------------------------------------------


async def test_nothing_is_left_when_all_is_delivered(
    redisson: AsyncRedisson, raw: redis.Redis, url: str
) -> None:
    """A transfer task removes unused keys, also if others delivered the items. So does an offer."""
    async with AsyncRedisson.from_url(url, codec=STRINGS, safety_interval=0.1) as other:
        delayed = other.get_delayed_queue(other.get_queue("q"))
        for number in range(5):
            await delayed.offer("v", 0.01, dedup=f"k{number}")
        await until_async(lambda: not raw.exists(KEYS) and raw.llen("q") == 5, "no key is left")
        await delayed.offer("v", HOUR, dedup="k")
        raw.delete(LIST, SET)  # as Java's last transfer does
        await until_async(lambda: not raw.exists(KEYS), "no key is left of one that Java took")
    delayed = delayed_queue(redisson)
    for number in range(5):
        await delayed.offer("v", HOUR, dedup=f"k{number}")
    raw.delete(LIST, SET)
    await delayed.offer("v", HOUR, dedup="new")
    assert keys(raw) == {"new"}


async def test_keys_do_not_pile_up_while_something_is_pending(
    redisson: AsyncRedisson, raw: redis.Redis, url: str
) -> None:
    """Others remove the items from the timeout set. Each key is used once."""
    delayed = delayed_queue(redisson)
    await delayed.offer_many([("other", HOUR)] * 10)
    most = 0
    for number in range(600):
        receipt = await delayed.offer("v", HOUR, dedup=f"k{number}")
        if number % 30 < 20:
            raw.zrem(SET, receipt.entry)
        pending: Any = raw.zcard(SET)
        held: Any = raw.hlen(KEYS)
        most = max(most, held - pending)
    assert raw.zcard(SET) == 210
    assert most < 80  # of 400 unused keys
    raw.zremrangebyrank(SET, 5, -1)
    await delayed.offer("v", HOUR, dedup="last")
    async with AsyncRedisson.from_url(url, codec=STRINGS, safety_interval=0.05) as other:
        other.get_delayed_queue(other.get_queue("q"))
        for _ in range(20):
            await delayed.offer("due", 0.02)
            await sleep_async(0.05)
        await until_async(lambda: int(raw.hlen(KEYS)) <= 6, "few are left")
    assert "last" in keys(raw)


async def test_copied_or_renamed_queue_has_free_keys(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """All keys are free under another name, and none remain under the old name."""
    delayed = delayed_queue(redisson)
    await delayed.offer("v", HOUR, dedup="k")
    assert await delayed.copy("q3")
    await delayed.rename("q1")
    assert not raw.exists(KEYS)
    assert (await delayed.offer("v", HOUR, dedup="k")).stored
    assert await delayed.renamenx("q2")
    assert not raw.exists(QueueNames.of("q1").dedup)
    for name in ("q2", "q3"):
        there = redisson.get_delayed_queue(redisson.get_queue(name), transfer=False)
        assert (await there.offer("w", HOUR, dedup="k")).stored
        assert not (await there.offer("w", HOUR, dedup="k")).stored
        assert await (there.delete() if name == "q2" else there.unlink())
    assert raw.keys() == []
    raw.hset(KEYS, "k", "left")
    assert not await delayed_queue(redisson).is_exists()  # keys without items are no queue

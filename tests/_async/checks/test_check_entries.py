"""Checks of incomplete records of retried messages and of items that expire."""

from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncDelayedQueue, AsyncRedisson, FindingKind
from pyredisson._async.consumers.prefetched import AsyncPrefetched
from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.cleanup import reap
from pyredisson.protocol.consumers.consumer import BASE_BYTES
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from tests.support.consuming import NAMES as N
from tests.support.consuming import texts, traces
from tests.support.dump import dump
from tests.support.state import server_ms
from tests.support.twins import run_together_async

K = FindingKind
LONG = 3600
Alone = Callable[..., AsyncConsumer[str]]
Known = tuple[str, str]
RETRIES, EXPIRIES = (N.postponed, N.retried), (N.expiring, N.expiries)


@pytest.fixture
def delayed(redisson: AsyncRedisson) -> AsyncDelayedQueue[str]:
    """The queue ``q``, without transfers."""
    return redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)


async def put_back(redisson: AsyncRedisson, raw: Any, *values: str) -> None:
    """Nack messages with a delay of an hour and more, in this order."""
    raw.rpush("q", *values)
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False)
    for place, message in enumerate(await consumer.take_many(len(values))):
        assert await message.nack(LONG + place)


async def offer(redisson: AsyncRedisson, raw: Any, *values: str) -> None:
    """Offer items that expire and that are due after an hour and more, in this order."""
    target = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(target, transfer=False, expire_after=LONG)
    await delayed.offer_many([(value, LONG + place) for place, value in enumerate(values)])


Kept = Callable[..., Any]
BOTH = pytest.mark.parametrize(
    ("keep", "known", "kind"),
    [(put_back, RETRIES, K.RETRY_WITHOUT_TIME), (offer, EXPIRIES, K.EXPIRY_WITHOUT_TIME)],
    ids=["retries", "expiries"],
)


async def move(redisson: AsyncRedisson, now_ms: float) -> None:
    """Transfer the items that are due at `now_ms`."""
    transfer = DelayedQueueProtocol(N.queue, StringCodec()).transfer(int(now_ms), 9000)
    await redisson._context.link.request(transfer)


@BOTH
async def test_repair_restores_deleted_times(
    redisson: AsyncRedisson,
    delayed: AsyncDelayedQueue[str],
    raw: Any,
    keep: Kept,
    known: Known,
    kind: FindingKind,
) -> None:
    """Pending and transferred items get their times again. Entries of taken items are removed."""
    times, entries = known
    await keep(redisson, raw, "taken", "there", "pending")
    await move(redisson, server_ms(raw) + (LONG + 1.5) * 1000)
    assert raw.lpop("q") == b"taken"
    before = raw.zrange(times, 0, -1, withscores=True)
    raw.delete(times)
    [found] = await delayed.check()
    assert (found.kind, found.key, found.count) == (kind, entries, 3)
    state = dump(raw)
    assert await delayed.repair() == [found]
    assert dump(raw) == state
    [done] = await delayed.repair(dry_run=False)
    assert (done.kind, done.count) == (kind, 3)
    assert raw.zrange(times, 0, -1, withscores=True) == before[1:]
    assert raw.zcard(entries) == 2
    assert await delayed.check() == []


@BOTH
async def test_repair_restores_some_deleted_times(
    redisson: AsyncRedisson,
    delayed: AsyncDelayedQueue[str],
    raw: Any,
    keep: Kept,
    known: Known,
    kind: FindingKind,
) -> None:
    """Many items, half of them with equal values, need several pages. Nothing else changes."""
    times, entries = known
    values = [("same" if number % 2 else str(number)) for number in range(900)]
    await keep(redisson, raw, *values)
    await move(redisson, server_ms(raw) + (LONG + 600.5) * 1000)
    before = dump(raw)
    raw.zrem(times, *raw.zrange(times, 0, -1)[::3])
    [found] = await delayed.check()
    assert (found.kind, found.key, found.count) == (kind, entries, 300)
    await delayed.repair(dry_run=False)
    assert dump(raw) == before
    assert await delayed.check() == []


@pytest.mark.parametrize("first", [b"\0", b"\xff"])
async def test_an_id_may_begin_with_any_byte(
    redisson: AsyncRedisson,
    delayed: AsyncDelayedQueue[str],
    raw: Any,
    monkeypatch: pytest.MonkeyPatch,
    first: bytes,
) -> None:
    """More equal values than a script compares one by one. It finds each record by its place."""
    monkeypatch.setattr(AsyncPrefetched, "base", lambda _: first * BASE_BYTES)
    await put_back(redisson, raw, *["same"] * 40)
    assert await delayed.check() == []


async def test_repair_removes_times_without_retries(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone
) -> None:
    await put_back(redisson, raw, "first", "second")
    raw.zrem(N.retried, raw.zrange(N.retried, 0, 0)[0])
    [found] = await delayed.check()
    assert (found.kind, found.key, found.count) == (K.TIME_WITHOUT_RETRY, N.postponed, 1)
    assert await delayed.repair(dry_run=False) == [found]
    assert await delayed.check() == []
    await move(redisson, server_ms(raw) + 2 * LONG * 1000)
    messages = await alone().take_many(2)
    assert sorted(message.attempt for message in messages) == [1, 2]
    assert all(await alone().ack_many(messages))
    assert traces(raw) == set()


async def test_repair_restores_deleted_expiries(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any
) -> None:
    """A restored item becomes a dead letter when it expires, whatever its outcome was before."""
    await offer(redisson, raw, "early", "late")
    await move(redisson, server_ms(raw) + (LONG + 0.5) * 1000)
    before = raw.zrange(N.expiries, 0, -1)
    raw.delete(N.expiries)
    [found] = await delayed.check()
    assert (found.kind, found.key, found.count) == (K.TIME_WITHOUT_EXPIRY, N.expiring, 2)
    assert await delayed.repair(dry_run=False) == [found]
    assert await delayed.check() == []
    after = raw.zrange(N.expiries, 0, -1)
    assert len(after) == 2
    assert len({*after} & {*before}) == 1, "when an item was due is known while it is pending"
    raw.delete(N.expiries)
    raw.zadd(N.expiring, {raw.zrange(N.expiring, 0, 0)[0]: 1})
    await delayed.repair(dry_run=False)
    await redisson._context.link.request(reap(N))
    letters = redisson.get_dead_letters(delayed.target)
    assert [(letter.value, letter.reason) async for letter in letters] == [("early", "expired")]
    assert texts(raw) == []
    assert raw.zcard(N.expiring) == raw.zcard(N.expiries) == 1


async def test_check_beside_running_work_finds_nothing(
    redisson: AsyncRedisson, delayed: AsyncDelayedQueue[str], raw: Any, alone: Alone
) -> None:
    """Messages are nacked with and without a delay, expire, are cancelled and released."""
    over = list[bool]()
    expiring = redisson.get_delayed_queue(delayed.target, transfer=False, expire_after=0.02)
    lasting = redisson.get_delayed_queue(delayed.target, transfer=False, expire_after=LONG)
    consumer, others = alone(), alone(prefetch=7)

    async def working() -> list[Any]:
        done = 0
        while not over or done < 10:
            done += 1
            values = [("same" if number % 2 else str(number)) for number in range(20)]
            await expiring.offer_many([(value, 0) for value in values])
            await lasting.offer_many([(value, 0.01) for value in values])
            receipt = await lasting.offer("cancelled", LONG)
            assert await lasting.reschedule(receipt, 2 * LONG)
            assert await lasting.cancel(receipt)
            await move(redisson, server_ms(raw) + done % 3)
            for place, message in enumerate(await consumer.take_many(15, timeout=0)):
                assert await (message.nack(0.01 * (place % 5)) if place % 3 else message.ack())
            if prefetched := await others.poll():
                assert await prefetched.ack()
            await redisson._context.link.request(reap(N))
            raw.lpop("q")
        return []

    async def checking() -> list[Any]:
        try:
            return [await delayed.check() for _ in range(15)]
        finally:
            over.append(True)

    found, _ = await run_together_async(checking, working)
    assert found == [[]] * 15
    await others.close()
    assert await delayed.repair(dry_run=False) == []

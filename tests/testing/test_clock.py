"""Each kind of time in Redis follows the clock of `pyredisson.testing`."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from pyredisson import (
    AsyncRedisson,
    AsyncWorker,
    DelayedQueue,
    Hooks,
    RateType,
    Redisson,
    Worker,
)
from pyredisson._sync.background.subscriptions import Subscriptions
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.testing import Clock, RedissonServer

HALF_AN_HOUR = timedelta(minutes=30)


def delayed(redisson: Redisson, name: str = "orders") -> DelayedQueue[str]:
    return redisson.get_delayed_queue(redisson.get_queue(name, StringCodec()))


def test_an_item_arrives_when_it_is_due_and_not_before(redisson: Redisson, clock: Clock) -> None:
    queue = delayed(redisson)
    queue.offer("order-1", HALF_AN_HOUR)
    clock.advance(minutes=29, seconds=55)
    assert (queue.target.poll(), len(queue)) == (None, 1)
    clock.advance(seconds=5)
    assert queue.target.poll() == "order-1"
    assert timedelta(minutes=29) < clock.ahead <= HALF_AN_HOUR


def test_later_offer_counts_from_the_new_time(redisson: Redisson, clock: Clock) -> None:
    queue = delayed(redisson)
    queue.offer("order-1", 3600)
    clock.advance(HALF_AN_HOUR)
    receipt = queue.offer("order-2", 3600)  # at once: the client must not use an old sample
    assert receipt.due_ms > clock.now().timestamp() * 1000 + 3_500_000
    queue.offer("order-3", at=clock.now() + timedelta(hours=2))
    clock.advance(HALF_AN_HOUR)
    assert [queue.target.poll(), queue.target.poll()] == ["order-1", None]
    clock.advance(minutes=30)
    clock.advance(hours=1)
    assert [queue.target.poll(), queue.target.poll()] == ["order-2", "order-3"]
    queue.offer("order-4", 0.05)  # the time also continues by itself
    assert redisson.get_blocking_queue("orders", StringCodec()).poll(timeout=10) == "order-4"


def test_item_of_a_queue_without_transfer_stays_pending(redisson: Redisson, clock: Clock) -> None:
    target = redisson.get_queue("orders", StringCodec())
    alone = redisson.get_delayed_queue(target, transfer=False)
    alone.offer("order-1", 60)
    clock.advance(hours=1)
    assert (target.poll(), len(alone)) == (None, 1)


def test_leases_and_retries_follow_the_clock(redisson: Redisson, clock: Clock) -> None:
    queue = redisson.get_queue("orders", StringCodec())
    with redisson.get_consumer(queue, lease=30) as consumer:
        queue.offer("order-1")
        first = consumer.poll()
        assert first is not None
        clock.advance(seconds=29)
        assert consumer.poll() is None
        clock.advance(seconds=2)
        second = consumer.poll()
        assert second is not None
        assert (first.ack(), second.attempt, second.nack(delay=600)) == (False, 2, True)
        clock.advance(minutes=9)
        assert consumer.poll() is None
        clock.advance(minutes=1)
        third = consumer.poll()
        assert third is not None
        assert (third.attempt, third.ack()) == (3, True)


def test_items_that_expire(redisson: Redisson, clock: Clock) -> None:
    target = redisson.get_queue("codes", StringCodec())
    redisson.get_delayed_queue(target, expire_after=60).offer("code-1", 60)
    clock.advance(minutes=1)
    assert len(target) == 1
    clock.advance(minutes=1)
    (letter,) = redisson.get_dead_letters(target).read_all()
    assert (letter.value, letter.reason) == ("code-1", "expired")


def test_items_that_expire_before_the_client_is_subscribed(
    redisson: Redisson, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Subscriptions, "add", lambda *_: None)
    test_items_that_expire(redisson, clock)


@pytest.mark.parametrize("slow_replies", [1, 2, 1000])
def test_due_items_arrive_from_a_slow_server(
    redisson: Redisson, clock: Clock, monkeypatch: pytest.MonkeyPatch, slow_replies: int
) -> None:
    """The first replies to TIME take 0.2 s longer."""
    sample, left = ServerClock.sample, iter(range(slow_replies))

    def slow(clock: ServerClock, sent: float, received: float, *rest: Any) -> bool:
        longer = 0.1 if next(left, None) is not None else 0
        return sample(clock, sent - longer, received + longer, *rest)

    monkeypatch.setattr(ServerClock, "sample", slow)
    queue = delayed(redisson)
    queue.offer("order-1", 60)
    clock.advance(seconds=30)
    clock.advance(seconds=30)
    assert queue.target.poll() == "order-1"
    test_items_that_expire(redisson, clock)


def test_windows_and_dedup_keys_follow_the_clock(redisson: Redisson, clock: Clock) -> None:
    groups = redisson.get_queue("groups", StringCodec())
    window = redisson.get_group_window(groups, size=100, max_wait=600)
    window.offer("mail", "a")
    clock.advance(minutes=9)
    assert len(window.pending()) == 1
    window.offer("mail", "b")
    clock.advance(minutes=1)
    with redisson.get_consumer(window) as consumer:
        message = consumer.poll()
        assert message is not None
        assert message.value.values == ["a", "b"]
    queue = delayed(redisson)
    queue.offer("order-1", 60, dedup="order-1")
    clock.advance(minutes=1)
    assert queue.offer("order-2", 60, dedup="order-1").stored


@pytest.mark.parametrize("missed", ["once", "skip", "all"])
def test_each_occurrence_of_a_schedule_comes(redisson: Redisson, clock: Clock, missed: str) -> None:
    queue = delayed(redisson, "reports")
    schedule = redisson.get_schedule(queue)
    schedule.add("daily", "report", every=timedelta(days=1), missed=missed)  # type: ignore[arg-type]  # a parameter
    clock.advance(days=3)
    assert queue.target.poll(10) == ["report"] * 3
    (entry,) = schedule.entries()
    assert timedelta() < entry.next_at - clock.now() <= timedelta(days=1)
    schedule.destroy()
    clock.advance(days=3)  # no process offers the occurrence after the next
    assert queue.target.poll(10) == ["report"]


def test_keys_expire_at_their_time(redisson: Redisson, clock: Clock) -> None:
    bucket = redisson.get_bucket("bucket", StringCodec())
    later, there = (
        redisson.get_bucket("later", StringCodec()),
        redisson.get_bucket("there", StringCodec()),
    )
    bucket.set("a", ttl=60)
    clock.advance(seconds=30)
    later.set("b")
    later.expire_at(clock.now() + timedelta(seconds=60))
    there.set("c")
    expires = later.get_expire_time()
    assert expires is not None
    assert abs(expires - clock.now() - timedelta(seconds=60)) < timedelta(seconds=10)
    clock.advance(seconds=30)
    assert (bucket.get(), later.get()) == (None, "b")
    clock.advance(seconds=30)
    assert (later.get(), there.get()) == (None, "c")


def test_entries_of_maps_and_sets_expire(redisson: Redisson, clock: Clock) -> None:
    cache = redisson.get_map_cache("cache", StringCodec())
    cache.put("ttl", "1", ttl=60)
    cache.put("idle", "2", max_idle=60)
    seen = redisson.get_set_cache("seen", StringCodec())
    seen.add("a", ttl=60)
    clock.advance(seconds=50)
    assert (cache.get("idle"), cache.get("ttl"), seen.read_all()) == ("2", "1", ["a"])
    clock.advance(seconds=50)
    assert (cache.get("idle"), cache.get("ttl"), seen.read_all()) == ("2", None, [])
    clock.advance(seconds=61)
    assert cache.get("idle") is None


def test_local_copies_expire(redisson: Redisson, clock: Clock) -> None:
    cached = redisson.get_local_cached_map("cached", StringCodec(), time_to_live=60)
    cached.put("a", "1")
    while not cached.get_cached_map():  # as soon as it is subscribed
        cached.get("a")
    clock.advance(seconds=50)
    assert cached.get_cached_map() == {"a": "1"}
    clock.advance(seconds=50)
    assert (cached.get_cached_map(), cached.get("a")) == ({}, "1")


def test_listener_of_a_map_receives_an_expiry(redisson: Redisson, clock: Clock) -> None:
    cache = redisson.get_map_cache("cache", StringCodec(), evict=True)
    heard = threading.Event()
    cache.add_listener(lambda event: heard.set(), "expired")
    cache.put("a", "1", ttl=3600)
    clock.advance(hours=1)
    assert heard.wait(30)


def test_waiting_lock_is_acquired_when_the_lease_ends(redisson: Redisson, clock: Clock) -> None:
    redisson.get_lock("lock").lock(lease=3600)
    waiting, acquired = redisson.get_lock("lock"), list[bool]()
    thread = threading.Thread(target=lambda: acquired.append(waiting.try_lock(30)))
    thread.start()
    clock.advance(hours=1)
    thread.join()
    assert acquired == [True]


def test_permits_are_free_after_their_time(redisson: Redisson, clock: Clock) -> None:
    limiter = redisson.get_rate_limiter("limiter")
    limiter.try_set_rate(RateType.OVERALL, 1, 3600)
    semaphore = redisson.get_permit_expirable_semaphore("semaphore")
    semaphore.try_set_permits(1)
    assert (limiter.try_acquire(), limiter.try_acquire()) == (True, False)
    assert semaphore.try_acquire(lease=60)
    clock.advance(minutes=59)
    assert not limiter.try_acquire()
    assert semaphore.try_acquire(lease=60)
    clock.advance(minutes=1)
    assert limiter.try_acquire()


@pytest.mark.parametrize("kind", ["get_lock", "get_fair_lock", "get_fenced_lock"])
def test_lease_of_a_lock_ends_and_a_renewed_lock_stays(
    redisson: Redisson, clock: Clock, kind: str
) -> None:
    renewed, leased = getattr(redisson, kind)("renewed"), getattr(redisson, kind)("leased")
    renewed.lock()
    leased.lock(lease=60)
    clock.advance(hours=1)
    assert (renewed.is_locked(), leased.is_locked()) == (True, False)
    renewed.unlock()


def test_a_waiting_call_gets_what_arrives(redisson: Redisson, clock: Clock) -> None:
    queue, found = delayed(redisson), list[str | None]()
    blocking = redisson.get_blocking_queue("orders", StringCodec())
    thread = threading.Thread(target=lambda: found.append(blocking.poll(timeout=30)))
    thread.start()
    queue.offer("order-1", HALF_AN_HOUR)
    clock.advance(HALF_AN_HOUR)
    thread.join()
    assert found == ["order-1"]


@contextmanager
def working(worker: Worker) -> Iterator[None]:
    with worker.running():
        yield


def test_worker_handles_and_retries_as_the_clock_moves(
    redisson: Redisson, clock: Clock, clocked: RedissonServer
) -> None:
    cancelled: list[str] = []

    def cancel(order: str) -> None:
        if not cancelled:
            cancelled.append("failed")
            raise ValueError(order)
        cancelled.append(order)

    queue = delayed(redisson)
    with Worker(redisson, queue, cancel).running():
        queue.offer("order-1", HALF_AN_HOUR)
        clock.advance(minutes=29)
        clocked.wait_handled()
        assert cancelled == []
        clock.advance(minutes=1)
        clocked.wait_handled("orders")
        assert cancelled == ["failed"]
        clock.advance(hours=1)  # the pause before the second attempt
        clocked.wait_handled()
        assert cancelled == ["failed", "order-1"]


@pytest.mark.parametrize("shards", [0, 4])
def test_message_that_a_worker_handles_stays_in_flight(
    redisson: Redisson, clock: Clock, clocked: RedissonServer, shards: int
) -> None:
    """The worker renews its lease, although the clock moves by an hour."""
    begun, end, handled = threading.Event(), threading.Event(), list[str]()

    def handle(order: str) -> None:
        begun.set()
        end.wait(30)
        handled.append(order)

    queue = (
        redisson.get_sharded_queue("orders", shards, codec=StringCodec())
        if shards
        else redisson.get_delayed_queue(redisson.get_queue("orders", StringCodec()))
    )
    worker = Worker(redisson, queue, handle)
    with worker.running():
        queue.offer("order-1", 1)
        clock.advance(seconds=1)
        assert begun.wait(30)
        clock.advance(hours=1)
        end.set()
        clocked.wait_handled()
    stats = worker.stats()
    assert (handled, stats.done, stats.lease_expired) == (["order-1"], 1, 0)


async def test_asyncio_worker_handles_items_as_the_clock_moves(
    async_redisson: AsyncRedisson, clock: Clock, clocked: RedissonServer
) -> None:
    cancelled: list[str] = []

    async def cancel(order: str) -> None:
        cancelled.append(order)

    queue = async_redisson.get_delayed_queue(async_redisson.get_queue("orders"))
    async with AsyncWorker(async_redisson, queue, cancel).running():
        await queue.offer("order-1", HALF_AN_HOUR)
        clock.advance(minutes=29)
        await clocked.wait_handled_async()
        assert cancelled == []
        await asyncio.to_thread(clock.advance, minutes=1)  # from another thread, too
        await clocked.wait_handled_async()
        assert cancelled == ["order-1"]


async def test_a_task_that_waits_for_a_later_item(clocked: RedissonServer, clock: Clock) -> None:
    """The transfer task of its client also follows the new time."""
    async with AsyncRedisson.from_url(clocked.url, safety_interval=600) as redisson:
        target = redisson.get_blocking_queue("orders", StringCodec())
        await redisson.get_delayed_queue(target).offer("order-1", 60.2)
        clock.advance(seconds=60)
        assert await target.poll(timeout=30) == "order-1"


def test_hooks_see_the_transfers(clocked: RedissonServer, clock: Clock) -> None:
    class Seen(Hooks):
        def __init__(self) -> None:
            self.moved: list[tuple[str, int]] = []

        def on_transfer(self, queue: str, moved: int) -> None:
            self.moved.append((queue, moved))

    seen = Seen()
    with Redisson.from_url(clocked.url, hooks=seen, due_times=True) as redisson:
        queue = delayed(redisson)
        receipt = queue.offer("order-1", HALF_AN_HOUR)
        clock.advance(HALF_AN_HOUR)
        with redisson.get_consumer(queue) as consumer:
            message = consumer.poll()
        assert message is not None
        assert message.due_at is not None
        assert message.due_at.timestamp() * 1000 == pytest.approx(receipt.due_ms)
    assert seen.moved == [("orders", 1)]


def test_other_databases_and_a_new_start(clocked: RedissonServer, clock: Clock) -> None:
    other = clocked.url.removesuffix("0") + "3"
    with Redisson.from_url(other) as redisson:
        bucket = redisson.get_bucket("bucket", StringCodec())
        bucket.set("a", ttl=60)
        clock.advance(minutes=1)
        assert bucket.get() is None
        bucket.set("b")
        clocked.reset()
        assert (bucket.get(), clock.ahead) == (None, timedelta())


def test_clock_rejects_negative_time(clock: Clock) -> None:
    clock.advance()
    assert clock.ahead == timedelta()
    with pytest.raises(ValueError, match="does not run backwards"):
        clock.advance(minutes=-1)
    with pytest.raises(TypeError, match=r"by must be a timedelta, not 30; or give seconds="):
        clock.advance(30)  # type: ignore[arg-type]  # on purpose

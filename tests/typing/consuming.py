"""The types of consumers that a user's program sees; see ``api.py``."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_type

from pyredisson import (
    AsyncBlockingQueue,
    AsyncConsumer,
    AsyncDeadLetters,
    AsyncDelayedQueue,
    AsyncGroupWindow,
    AsyncMessage,
    AsyncRedisson,
    AsyncSchedule,
    AsyncWorker,
    Backoff,
    BlockingQueue,
    Consumer,
    DeadLetter,
    DeadLetters,
    DecodeError,
    Defer,
    DelayedQueue,
    Durable,
    Finding,
    FindingKind,
    Group,
    GroupState,
    GroupWindow,
    Hooks,
    InFlight,
    Message,
    NotReplicatedError,
    Queue,
    Redisson,
    Schedule,
    ScheduleEntry,
    TimeLimitError,
    Worker,
    WorkerStats,
)
from pyredisson.codecs.base import Codec


def consumer(client: Redisson, orders: BlockingQueue[str], delayed: DelayedQueue[int]) -> None:
    """Messages have the queue's type."""
    with client.get_consumer(orders, lease=timedelta(minutes=1), prefetch=10) as consumer:
        assert_type(consumer, Consumer[str])
        assert_type(consumer.take(), Message[str])
        assert_type(consumer.poll(1.5), Message[str] | None)
        assert_type(consumer.take_many(10, timeout=5), list[Message[str]])
        for message in consumer:
            assert_type(message.value, str)
    assert_type(client.get_consumer(delayed, consumer_name="me").consumer_name, str)
    assert_type(client.get_consumer(delayed), Consumer[int])
    for held in orders.in_flight(limit=5):
        assert_type(held, InFlight[str])
        assert_type((held.value, held.consumer), tuple[str | None, str | None])
        assert_type(held.lease_ends_at, datetime)
    client.get_consumer("orders")  # type: ignore[call-overload]  # a queue, which knows its codec


def pauses(orders: BlockingQueue[str]) -> None:
    """A pause has no result."""
    orders.pause()
    assert_type(orders.is_paused(), bool)
    orders.resume()


def message(order: Message[str], consumer: Consumer[str]) -> None:
    """The properties of a message, and the ways to settle it."""
    assert_type(order.raw, bytes)
    assert_type(order.id, str)
    assert_type(order.attempt, int)
    assert_type(order.received_at, datetime)
    assert_type(order.due_at, datetime | None)
    assert_type(order.ack(), bool)
    assert_type(order.nack(), bool)
    order.nack(delay=5)
    order.defer(timedelta(seconds=5))
    order.reject("why")
    order.extend(30)
    assert_type(consumer.ack_many([order]), list[bool])
    order.value = "other"  # type: ignore[misc]  # a message is as it was taken


def dead_letters(client: Redisson, orders: BlockingQueue[str]) -> None:
    """Letters have the queue's type."""
    letters = client.get_dead_letters(orders)
    assert_type(letters, DeadLetters[str])
    for letter in letters:
        assert_type(letter, DeadLetter[str])
        assert_type(letter.value, str | None)
        assert_type(letter.error, DecodeError | None)
        assert_type(letter.traceback, str | None)
        letters.redrive(id=letter.id)
    assert_type(letters.read_all(), list[DeadLetter[str]])
    assert_type(letters.drop(limit=10), int)


async def twins(client: AsyncRedisson, orders: AsyncBlockingQueue[str]) -> None:
    """The same with asyncio."""
    async with client.get_consumer(orders) as consumer:
        assert_type(consumer, AsyncConsumer[str])
        assert_type(await consumer.take(), AsyncMessage[str])
        async for message in consumer:
            assert_type(await message.ack(), bool)
    assert_type(await orders.in_flight(), list[InFlight[str]])
    letters = client.get_dead_letters(orders)
    assert_type(letters, AsyncDeadLetters[str])
    assert_type([letter async for letter in letters], list[DeadLetter[str]])


def durable(client: Redisson, orders: BlockingQueue[str], error: NotReplicatedError) -> None:
    """The settings for the confirmation of a write."""
    both = Durable(1, fsync=True, timeout=timedelta(seconds=1))
    assert_type(client.get_delayed_queue(orders, durable=both), DelayedQueue[str])
    assert_type(client.get_consumer(orders, durable=both), Consumer[str])
    assert_type(error.confirmed, int | None)
    assert_type(error.results, list[bool])
    both.replicas = 2  # type: ignore[misc]  # it is a value
    Durable(1, True)  # type: ignore[call-arg]  # say what it is


def hooks() -> None:
    """A client's hooks are an instance."""
    Redisson.from_url("redis://127.0.0.1", hooks=Hooks(), due_times=True)
    AsyncRedisson.from_url("redis://127.0.0.1", hooks=Hooks)  # type: ignore[arg-type]  # the class


def checks(client: Redisson, delayed: DelayedQueue[int]) -> None:
    """A finding has a kind that a program can compare."""
    for finding in delayed.check():
        assert_type(finding, Finding)
        assert_type(finding.kind, FindingKind)
        assert_type(finding.examples, tuple[bytes, ...])
        assert_type(finding.text, str)
        finding.count = 0  # type: ignore[misc]  # a finding is as it was found
    assert_type(delayed.repair(), list[Finding])
    delayed.repair(dry_run=False, orphans="drop")
    delayed.repair(orphans="keep")  # type: ignore[arg-type]  # no such word


async def async_checks(delayed: AsyncDelayedQueue[int]) -> None:
    """The same with asyncio."""
    assert_type(await delayed.check(), list[Finding])
    assert_type(await delayed.repair(dry_run=False), list[Finding])


def worker(client: Redisson, orders: BlockingQueue[str], urgent: Queue[str]) -> None:
    """A worker takes queues of one type and a function with an argument of that type."""

    def handle(order: str) -> None:
        raise Defer(timedelta(seconds=5))

    worker = Worker(
        client,
        [urgent, orders],
        handle,
        backoff=Backoff(first=1, factor=2, limit=60, jitter=0.1),
        on_error={ValueError: "dead", TimeLimitError: "retry"},
        time_limit=10,
        durable=Durable(replicas=1),
        give_up_after=timedelta(minutes=1),
    )
    assert_type(worker.stats(), WorkerStats)
    assert_type(worker.stats().done, int)
    assert_type(worker.run(), int)
    assert_type(worker.healthy, bool)
    with worker.running(on_error=print) as same:
        assert_type(same, Worker)
    worker.stop()
    Worker(client, orders, handle, on_error={ValueError: "again"})  # type: ignore[dict-item]  # no fate


async def async_worker(client: AsyncRedisson, orders: AsyncBlockingQueue[str]) -> None:
    """The same with asyncio."""

    async def handle(order: str) -> None:
        """Do it."""

    worker = AsyncWorker(client, orders, handle, threads=4)
    assert_type(await worker.run(), int)
    async with worker.running(on_error=lambda error: None) as same:
        assert_type(same, AsyncWorker)


def windows(client: Redisson, areas: BlockingQueue[str], parcels: Codec[int]) -> None:
    """The values of groups have the type of the queue, or of the codec of the window."""
    window = client.get_group_window(areas, size=50, max_wait=timedelta(minutes=1))
    assert_type(window, GroupWindow[str])
    assert_type(window.offer("area-7", "parcel"), GroupState)
    assert_type(window.pending(), list[GroupState])
    assert_type(window.in_flight(), list[InFlight[Group[str]]])
    assert_type(window.cancel("area-7"), int)
    window.offer("area-7", 7)  # type: ignore[arg-type]  # no text
    numbers = client.get_group_window(areas, size=50, max_wait=60, codec=parcels)
    assert_type(numbers, GroupWindow[int])
    assert_type(client.get_consumer(numbers), Consumer[Group[int]])
    assert_type(client.get_dead_letters(numbers), DeadLetters[Group[int]])

    def handle(group: Group[int]) -> None:
        assert_type(group.values, list[int])

    Worker(client, numbers, handle)


async def async_windows(client: AsyncRedisson, areas: AsyncBlockingQueue[str]) -> None:
    """The same with asyncio."""
    window = client.get_group_window(areas, size=50, max_wait=60)
    assert_type(window, AsyncGroupWindow[str])
    assert_type(await window.offer("area-7", "parcel"), GroupState)
    message = await client.get_consumer(window).take()
    assert_type(message.value.values, list[str])


def recurring(client: Redisson, delayed: DelayedQueue[int], orders: Queue[int]) -> None:
    """Entries have the queue's type."""
    schedule = client.get_schedule(delayed)
    assert_type(schedule, Schedule[int])
    assert_type(schedule.add("n", 5, cron="0 9 * * *", timezone="UTC"), ScheduleEntry[int])
    schedule.add("n", 5, every=timedelta(minutes=5), start=datetime.now(), missed="all")
    schedule.add("n", "5", every=5)  # type: ignore[arg-type]  # no value of this queue
    schedule.add("n", 5, every=5, missed="some")  # type: ignore[arg-type]  # no such word
    assert_type(schedule.remove("n"), bool)
    for entry in schedule.entries():
        assert_type(entry.value, int | None)
        assert_type(entry.next_at, datetime)
        assert_type(entry.every, timedelta | None)
    client.get_schedule(orders)  # type: ignore[arg-type]  # occurrences are pending somewhere


async def async_recurring(client: AsyncRedisson, delayed: AsyncDelayedQueue[int]) -> None:
    """The same with asyncio."""
    schedule = client.get_schedule(delayed)
    assert_type(schedule, AsyncSchedule[int])
    assert_type(await schedule.add("n", 5, every=5), ScheduleEntry[int])
    assert_type(await schedule.entries(), list[ScheduleEntry[int]])

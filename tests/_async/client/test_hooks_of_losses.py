"""Hooks and statistics include messages that no handler gets, or that it handles in vain."""

from collections.abc import AsyncIterator
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker, DecodeError, Hooks, TimeLimitError, WorkerStats
from pyredisson.codecs import StringCodec
from tests.support.consuming import NAMES, end_leases
from tests.support.state import server_ms
from tests.support.twins import AsyncStarted, sleep_async, until_async

BAD = b"\xff\xfe"


class Heard(Hooks):
    """Records the events of messages, in particular of lost ones."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []

    def on_deliver(self, queue: str, message: Any) -> None:
        self.told.append(("deliver", message.raw))

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        self.told.append(("retry", message.raw, type(error), delay))

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        assert len(message.id) == 32
        self.told.append(("dead", message.raw, message.value, reason.partition(":")[0]))

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        self.told.append(("drop", message.raw, message.value, error))

    def on_lease_end(self, queue: str, message: Any) -> None:
        self.told.append(("lease end", message.raw))

    def on_undecodable(self, queue: str, error: DecodeError) -> None:
        self.told.append(("undecodable", error.raw))

    def on_expire(self, queue: str, message: Any) -> None:
        assert message.due_at is not None
        assert message.received_at > message.due_at
        self.told.append(("expired", message.raw))


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
async def redisson(url: str, heard: Heard) -> AsyncIterator[AsyncRedisson]:
    """A client with hooks."""
    async with AsyncRedisson.from_url(
        url, codec=StringCodec(), hooks=heard, safety_interval=0.1
    ) as redisson:
        yield redisson


UNDECODABLE = [("undecodable", BAD), ("dead", BAD, None, "cannot be decoded")]


async def test_hooks_receive_undecodable_messages_of_a_consumer(
    redisson: AsyncRedisson, heard: Heard, raw: Any
) -> None:
    raw.rpush("q", BAD, "a")
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False)
    assert (await consumer.take()).value == "a"
    assert heard.told == UNDECODABLE


async def test_hooks_receive_undecodable_messages_of_a_worker(
    redisson: AsyncRedisson, heard: Heard, raw: Any
) -> None:
    raw.rpush("q", BAD)
    worker = AsyncWorker(redisson, redisson.get_queue("q"), print)
    running = AsyncStarted(worker.run)
    await until_async(lambda: worker.stats() == WorkerStats(dead=1), "it is counted")
    worker.stop()
    assert await running.result() == 0
    assert heard.told == UNDECODABLE


async def test_hooks_receive_undecodable_messages_of_a_shard_worker(
    redisson: AsyncRedisson, heard: Heard
) -> None:
    orders = redisson.get_sharded_queue("orders", 2)
    await redisson.get_queue(orders.names[1], codec=StringCodec("latin-1")).add("\xff\xfe")
    worker = AsyncWorker(redisson, orders, print)
    running = AsyncStarted(worker.run)
    await until_async(lambda: worker.stats() == WorkerStats(dead=1), "it is counted")
    worker.stop()
    assert await running.result() == 0
    assert heard.told == UNDECODABLE


async def test_undecodable_message_with_an_ended_lease_is_reported_once(
    redisson: AsyncRedisson,
    heard: Heard,
    raw: Any,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lease ends before the rejection; the next delivery emits the event."""
    raw.rpush("q", BAD)
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False)
    reject, attempts = consumer._rejected, list[int]()

    async def too_late(*words: Any) -> bool:
        attempts.append(len(heard.told))
        if len(attempts) == 1:
            end_leases(raw)
        return await reject(*words)

    monkeypatch.setattr(consumer, "_rejected", too_late)  # a moment that is hard to meet
    assert await consumer.poll() is None
    assert (attempts, heard.told) == ([0, 0], UNDECODABLE)
    assert len(caplog.records) == 1


KINDS = [("dead", ("dead", b"a", None, "expired")), ("drop", ("drop", b"a", None, None))]


async def offer_expiring(redisson: AsyncRedisson, raw: Any, fate: str, expires: float) -> int:
    """Put ``a`` into the queue; return when it expires, by the server's clock."""
    queue = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(
        queue,
        transfer=False,
        expire_after=expires,
        when_expired="dead" if fate == "dead" else "drop",
    )
    receipt = await delayed.offer("a", 0)
    moving = redisson.get_delayed_queue(queue)
    await until_async(lambda: not raw.exists(NAMES.queue.timeout_set), "it is moved")
    moving.destroy()
    return receipt.due_ms + int(expires * 1000)


@pytest.mark.parametrize(("fate", "last"), KINDS)
async def test_hooks_receive_expired_messages_of_a_worker(
    url: str, redisson: AsyncRedisson, heard: Heard, raw: Any, fate: str, last: tuple[Any, ...]
) -> None:
    """The worker's take finds it, as its client runs no transfer task."""
    over = await offer_expiring(redisson, raw, fate, 0.3)
    await until_async(lambda: server_ms(raw) > over, "it is over")
    async with AsyncRedisson.from_url(url, codec=StringCodec(), hooks=heard) as alone:
        alone._context.transfers.acquire = lambda names: None  # type: ignore[method-assign]  # a transfer task would find it first
        worker = AsyncWorker(alone, alone.get_queue("q"), print)
        running = AsyncStarted(worker.run)
        count = {"dead": WorkerStats(dead=1), "drop": WorkerStats(dropped=1)}[fate]
        await until_async(lambda: worker.stats() == count, "it is counted")
        worker.stop()
        assert await running.result() == 0
    assert heard.told == [("expired", b"a"), last]


@pytest.mark.parametrize(("fate", "last"), KINDS)
async def test_hooks_receive_messages_that_expired_while_prefetched(
    redisson: AsyncRedisson, heard: Heard, raw: Any, fate: str, last: tuple[Any, ...]
) -> None:
    raw.rpush("q", "first")
    over = await offer_expiring(redisson, raw, fate, 1)
    consumer = redisson.get_consumer(redisson.get_queue("q"), prefetch=9, transfer=False)
    assert (await consumer.take()).value == "first"
    await until_async(lambda: server_ms(raw) > over, "it is over")
    assert await consumer.poll() is None
    assert heard.told == [("expired", b"a"), (*last[:2], "a", last[3])], "its value was read"


@pytest.mark.parametrize("process", [False, True])
@pytest.mark.parametrize(("fate", "last"), KINDS)
async def test_hooks_receive_expired_messages_of_a_transfer_task(
    url: str, raw: Any, heard: Heard, fate: str, last: tuple[Any, ...], process: bool
) -> None:
    async with AsyncRedisson.from_url(
        url, codec=StringCodec(), hooks=heard, safety_interval=0.1, transfer_process=process
    ) as redisson:
        await redisson.get_delayed_queue(
            redisson.get_queue("q"),
            expire_after=0.1,
            when_expired="dead" if fate == "dead" else "drop",
        ).offer("a", 0)
        await until_async(lambda: len(heard.told) == 2, "it is told")

        def counted() -> bool:
            return [each.expired for each in redisson.transfer_stats()] == [1]

        await until_async(counted, "it is counted")
    assert heard.told == [("expired", b"a"), last]
    assert raw.zcard(NAMES.dead) == (fate == "dead")


async def test_hooks_receive_a_lease_that_ends_in_a_handler(
    redisson: AsyncRedisson, heard: Heard, raw: Any
) -> None:
    raw.rpush("q", "a")

    def handle(value: str) -> None:
        worker.stop()  # before the lease ends: else the worker may take the message again
        end_leases(raw)

    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle)
    assert await AsyncStarted(worker.run).result() == 0
    assert heard.told == [("deliver", b"a"), ("lease end", b"a")]
    assert worker.stats() == WorkerStats(lease_expired=1)


async def test_hooks_receive_a_retry_if_stop_abandons_a_handler(
    redisson: AsyncRedisson, heard: Heard, raw: Any
) -> None:
    raw.rpush("q", "a")

    async def handle(value: str) -> None:
        worker.stop()
        await sleep_async(1.5)

    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle, stop_timeout=0.1)
    assert await AsyncStarted(worker.run).result() == 1
    assert heard.told == [("deliver", b"a"), ("retry", b"a", TimeLimitError, 0.0)]

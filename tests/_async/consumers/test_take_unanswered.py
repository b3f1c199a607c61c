"""A take whose reply is lost: its messages are released at once, and no attempt is counted."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import pytest
from redis.exceptions import RedisError

from pyredisson import AsyncConsumer, AsyncRedisson, AsyncWorker, WorkerStats
from pyredisson._async.consumers import unanswered
from pyredisson.codecs import StringCodec
from tests.support.consuming import NAMES, held, texts, traces
from tests.support.faults_tools import calls
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, sleep_async, until_async

Alone = Callable[..., AsyncConsumer[str]]

LEASE = 600
"""Seconds: longer than any test."""


@pytest.fixture
async def redisson(proxy: FaultProxy) -> AsyncIterator[AsyncRedisson]:
    """A client behind a proxy, with a short response timeout."""
    async with AsyncRedisson.from_url(
        proxy.url, codec=StringCodec(), response_timeout=0.5, safety_interval=LEASE
    ) as redisson:
        yield redisson
        proxy.heal()


@pytest.fixture
def alone(redisson: AsyncRedisson) -> Alone:
    """Make consumers without a transfer task."""
    return partial(redisson.get_consumer, redisson.get_queue("q"), lease=LEASE, transfer=False)


class Loser:
    """Loses the reply to the next take that returns messages, and all replies after it."""

    def __init__(self, proxy: FaultProxy) -> None:
        self._proxy = proxy
        self.armed = self.has_lost = False

    def arm(self) -> None:
        """Lose the next such reply."""
        self.armed, self.has_lost = True, False
        self._proxy.filter_replies(self._judge)

    def _judge(self, frame: bytes) -> bytes | None:
        taken = frame.startswith(b"*") and b"\r\n$16\r\n" in frame[:40]
        self.has_lost = self.has_lost or (self.armed and taken)
        return None if self.has_lost else frame

    async def cut(self, noticed: Callable[[], bool] | None = None) -> None:
        """Wait for the loss; then end the connections, or wait until the loss is noticed."""
        await until_async(lambda: self.has_lost, "a reply is lost")
        if noticed is not None:
            await until_async(noticed, "it is noticed")
        self._proxy.heal(cut=noticed is None)


@pytest.fixture
def loser(proxy: FaultProxy) -> Loser:
    return Loser(proxy)


async def lose_a_look(consumer: AsyncConsumer[str], loser: Loser) -> None:
    """Let a consumer take messages, and lose the reply."""
    assert consumer._link.reached
    loser.arm()
    with pytest.raises(RedisError):
        await consumer.take_many(10, 0)
    await loser.cut()


async def ready(consumer: AsyncConsumer[str], raw: Any, *values: str) -> AsyncConsumer[str]:
    """Poll the empty queue once, then push the values; return the consumer."""
    assert await consumer.poll() is None
    raw.rpush("q", *values)
    return consumer


def facts(found: list[Any]) -> list[tuple[str, int]]:
    return [(message.value, message.attempt) for message in found]


async def test_consumer_releases_messages_of_an_unanswered_poll(
    alone: Alone, loser: Loser, raw: Any
) -> None:
    consumer = await ready(alone(), raw, "a", "b", "c")
    await lose_a_look(consumer, loser)
    assert len(held(raw)) == 3
    found = await consumer.take_many(10, 0)
    assert facts(found) == [("a", 1), ("b", 1), ("c", 1)]
    assert await consumer.ack_many(found) == [True] * 3
    assert traces(raw) == set()


@pytest.mark.parametrize("reset", [False, True])
async def test_consumer_releases_messages_of_an_unanswered_wait(
    alone: Alone, loser: Loser, raw: Any, reset: bool
) -> None:
    consumer = alone()
    assert await consumer.poll() is None
    loser.arm()
    taking = AsyncStarted(partial(consumer.take_many, 2))
    await until_async(lambda: raw.info("clients")["blocked_clients"] == 1, "it waits")
    raw.rpush("q", "a")
    await loser.cut(None if reset else lambda: "q" in consumer._link.failing)
    raw.rpush("q", "b")
    found = await taking.result()
    found += await consumer.take_many(2, 0) if len(found) == 1 else []
    assert sorted(facts(found)) == [("a", 1), ("b", 1)]


@pytest.mark.parametrize("reset", [False, True])
async def test_worker_of_two_queues_survives_an_unanswered_wait(
    redisson: AsyncRedisson, loser: Loser, raw: Any, reset: bool
) -> None:
    seen: list[tuple[str, int]] = []

    async def handle(message: Any) -> None:
        seen.append((message.value, message.attempt))

    queues = [redisson.get_queue(name) for name in ("p", "q")]
    worker = AsyncWorker(redisson, queues, handle, lease=LEASE, pass_message=True)
    running = AsyncStarted(worker.run)
    await until_async(lambda: raw.info("clients")["blocked_clients"] > 0, "it waits")
    loser.arm()
    raw.rpush("q", "a")
    await loser.cut(None if reset else lambda: bool(redisson._context.link.failing))
    await until_async(lambda: worker.stats().done == 1, "it is handled")
    worker.stop()
    assert await running.result() == 0
    assert seen == [("a", 1)]


async def test_worker_dead_letters_no_message_of_an_unanswered_take(
    redisson: AsyncRedisson, loser: Loser, raw: Any
) -> None:
    seen: list[int] = []

    async def handle(message: Any) -> None:
        seen.append(message.attempt)

    worker = AsyncWorker(
        redisson,
        redisson.get_queue("q"),
        handle,
        lease=LEASE,
        max_deliveries=1,
        pass_message=True,
    )
    running = AsyncStarted(worker.run)
    for number in range(1, 4):
        loser.arm()
        raw.rpush("q", "a")
        await loser.cut()
        await until_async(partial(lambda n: len(seen) == n, number), "it is handled")
    worker.stop()
    assert await running.result() == 0
    assert seen == [1, 1, 1]
    assert worker.stats() == WorkerStats(done=3)


async def test_take_of_a_frozen_server_counts_no_attempt(own_server: RedisServer) -> None:
    """When the server continues, it executes a take whose client no longer waits."""
    async with AsyncRedisson.from_url(
        own_server.url, codec=StringCodec(), response_timeout=0.3, safety_interval=LEASE
    ) as redisson:
        queue = redisson.get_queue("q")
        consumer = redisson.get_consumer(queue, lease=LEASE, transfer=False)
        assert await consumer.poll() is None
        own_server.run("RPUSH", "q", "a")
        own_server.pause()
        with pytest.raises(RedisError):
            await consumer.poll()
        own_server.resume()
        message = await consumer.poll(20)
        assert message is not None
        assert message.attempt == 1


async def test_a_take_that_arrives_later(
    alone: Alone, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A take may be stuck in the network, so the consumer repeats its check for a while."""
    monkeypatch.setattr(unanswered, "FIRST_PAUSE", 0.05)
    consumer = await ready(alone(), raw, "a")
    take = consumer._check(5)
    consumer._prefetched.unanswered.add((take,), None)
    message = await consumer.poll()
    assert message is not None
    assert await message.nack()
    await consumer._link.request(take)
    assert await consumer.poll() is None
    await sleep_async(0.1)
    again = await consumer.poll()
    assert again is not None
    assert again.attempt == 2


async def test_consumer_stops_checking_for_a_take_that_never_ran(
    server: RedisServer, alone: Alone, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unanswered, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(unanswered, "LONGEST_PAUSE", 0.04)
    consumer = alone()
    consumer._prefetched.unanswered.add((consumer._check(5),), None)
    for _ in range(4):
        assert await consumer.poll() is None
        await sleep_async(0.05)
    before = calls(server, "evalsha")
    assert await consumer.poll() is None
    assert calls(server, "evalsha") - before == 1


async def test_expiring_messages_of_an_unanswered_take_are_released(
    redisson: AsyncRedisson, loser: Loser, raw: Any
) -> None:
    queue = redisson.get_queue("q")
    delayed = redisson.get_delayed_queue(queue, expire_after=LEASE)
    consumer = redisson.get_consumer(queue, lease=LEASE)
    await delayed.offer("a", delay=0)
    message = await consumer.take()
    assert await message.nack()
    await delayed.offer("b", delay=0)
    await until_async(lambda: len(texts(raw)) == 2, "both are there")
    await lose_a_look(consumer, loser)
    assert facts(await consumer.take_many(2, 0)) == [("a", 2), ("b", 1)]
    assert raw.exists(NAMES.expiry[0]) == 0


async def test_close_releases_messages_of_an_unanswered_poll(
    alone: Alone, loser: Loser, raw: Any
) -> None:
    consumer = await ready(alone(), raw, "a")
    await lose_a_look(consumer, loser)
    await consumer.close()
    assert (texts(raw), held(raw)) == (["a"], [])
    found = await alone().poll()
    assert found is not None
    assert found.attempt == 1


async def test_other_task_releases_no_message_of_a_pending_wait(
    alone: Alone, proxy: FaultProxy, raw: Any
) -> None:
    """A wait that continues may still receive its reply, so no other task releases its messages."""
    consumer = alone()
    assert await consumer.poll() is None
    taking = AsyncStarted(consumer.take)
    await until_async(lambda: raw.info("clients")["blocked_clients"] == 1, "it waits")
    proxy.hold_replies()
    raw.rpush("q", "a")
    await until_async(lambda: "q" in consumer._link.failing or taking.done, "it notices")
    proxy.release()
    found = [message for message in [await consumer.poll()] if message is not None]
    found.append(await taking.result() if not found else found[0])
    assert {message.attempt for message in found} == {1}
    assert await found[-1].ack()
    if not taking.done:
        raw.rpush("q", "end")
        assert (await taking.result()).value == "end"

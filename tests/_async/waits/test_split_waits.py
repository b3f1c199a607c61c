"""A proxy that sends blocking commands on their own connection: a later script runs first."""

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson._async.consumers import consumer as consumers
from pyredisson._async.waits import slices as waiting
from pyredisson.codecs import StringCodec
from tests.support.consuming import texts, traces
from tests.support.gateway import Gateway
from tests.support.profiles import PROFILES
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, interrupt_async, sleep_async

Alone = Callable[..., AsyncConsumer[str]]
PATIENCE, LEASE = 30, 600


@pytest.fixture
def gateway(server: RedisServer) -> Iterator[Gateway]:
    with Gateway(server, PROFILES["splits"]) as gateway:
        yield gateway


@pytest.fixture
def proxy(gateway: Gateway) -> Iterator[FaultProxy]:
    with FaultProxy(gateway) as proxy:
        yield proxy


@pytest.fixture
async def alone(raw: Any, proxy: FaultProxy) -> AsyncIterator[Alone]:
    """A factory of consumers without a transfer task."""
    options: dict[str, Any] = {"safety_interval": LEASE, "response_timeout": 0.5}
    async with AsyncRedisson.from_url(proxy.url, codec=StringCodec(), **options) as redisson:
        yield partial(redisson.get_consumer, redisson.get_queue("q"), lease=LEASE, transfer=False)
        proxy.heal()


@pytest.fixture
def patiently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each wait last longer than the test, so that only an element can end it."""
    for module in (waiting, consumers):
        monkeypatch.setattr(module, "SLICE", 2.0 * PATIENCE)


async def idle_message(consumer: AsyncConsumer[str], raw: Any) -> None:
    """Let a consumer wait, then push a message."""
    found = AsyncStarted(consumer.take)
    await sleep_async(0.1)
    raw.rpush("q", "a")
    message = await found.result(PATIENCE)
    assert (message.value, message.attempt) == ("a", 1)
    assert await message.ack()


@pytest.mark.usefixtures("patiently")
async def test_waiting_consumer_gets_a_pushed_message_at_once(alone: Alone, raw: Any) -> None:
    consumer = alone()
    assert await consumer.poll() is None
    for _ in range(2):
        await idle_message(consumer, raw)
    assert traces(raw) == set()


@pytest.mark.usefixtures("patiently")
async def test_stored_message_is_taken_without_another_push(alone: Alone, raw: Any) -> None:
    """The consumer has learned that a script runs before the wait that was sent ahead of it."""
    consumer = alone()
    assert await consumer.poll() is None
    for _ in range(3):
        await idle_message(consumer, raw)
    for _ in range(3):
        raw.rpush("q", "a")
        message = await AsyncStarted(consumer.take).result(PATIENCE)
        assert await message.ack()
    await idle_message(consumer, raw)
    assert traces(raw) == set()


@pytest.mark.usefixtures("patiently")
async def test_waiting_consumer_continues_after_a_pause(alone: Alone, raw: Any) -> None:
    consumer = alone()
    queue = consumer._queue
    assert await consumer.poll() is None
    await queue.pause()
    assert await consumer.poll() is None
    found = AsyncStarted(consumer.take)
    await sleep_async(0.1)
    raw.rpush("q", "a")
    await queue.resume()
    assert await (await found.result(PATIENCE)).ack()


@pytest.mark.parametrize("known", [False, True], ids=["unknown", "known"])
async def test_interrupted_consumer_loses_nothing(alone: Alone, raw: Any, known: bool) -> None:
    """The client cannot end the wait early, so the wait may still pop an element."""
    consumer = alone()
    assert await consumer.poll() is None
    for _ in range(3 * known):
        await idle_message(consumer, raw)
    later = threading.Timer(0.5, raw.rpush, ("q", "a"))
    later.start()
    found = await interrupt_async(consumer.take, 0.2)
    later.join()
    assert [message.value for message in found] + texts(raw) == ["a"]
    assert found or traces(raw) <= {"returned"}


async def test_message_of_a_lost_reply_is_redelivered(
    alone: Alone, raw: Any, proxy: FaultProxy
) -> None:
    """The element of the lost reply is requeued, and does not count as a delivery."""
    consumer = alone()
    assert await consumer.poll() is None
    lost: list[bytes] = []

    def judge(frame: bytes) -> bytes | None:
        if frame.startswith(b"*") and b"\r\n$16\r\n" in frame[:40]:
            lost.append(frame)
        return None if lost else frame

    proxy.filter_replies(judge)
    found = AsyncStarted(consumer.take)
    await sleep_async(0.1)
    raw.rpush("q", "a")
    while not lost:
        await sleep_async(0.01)
    proxy.heal(cut=True)
    message = await found.result(PATIENCE)
    assert (message.value, message.attempt) == ("a", 1)

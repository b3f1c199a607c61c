"""A proxy that gives what waits a connection of its own: a script behind it runs before it."""

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
    """Make consumers that no transfer task helps."""
    options: dict[str, Any] = {"safety_interval": LEASE, "response_timeout": 0.5}
    async with AsyncRedisson.from_url(proxy.url, codec=StringCodec(), **options) as redisson:
        yield partial(redisson.get_consumer, redisson.get_queue("q"), lease=LEASE, transfer=False)
        proxy.heal()


@pytest.fixture
def patiently(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each wait last longer than the test: what comes has ended it."""
    for module in (waiting, consumers):
        monkeypatch.setattr(module, "SLICE", 2.0 * PATIENCE)


async def idle_message(consumer: AsyncConsumer[str], raw: Any) -> None:
    """Let a consumer wait, and bring it a message."""
    found = AsyncStarted(consumer.take)
    await sleep_async(0.1)
    raw.rpush("q", "a")
    message = await found.result(PATIENCE)
    assert (message.value, message.attempt) == ("a", 1)
    assert await message.ack()


@pytest.mark.usefixtures("patiently")
async def test_who_waits_has_it_at_once(alone: Alone, raw: Any) -> None:
    consumer = alone()
    assert await consumer.poll() is None
    for _ in range(2):
        await idle_message(consumer, raw)
    assert traces(raw) == set()


@pytest.mark.usefixtures("patiently")
async def test_what_is_there_does_not_wait_for_the_next(alone: Alone, raw: Any) -> None:
    """As soon as it is known that a script runs before the wait that is sent ahead of it."""
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
async def test_a_pause_that_ends(alone: Alone, raw: Any) -> None:
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
async def test_who_is_interrupted_loses_nothing(alone: Alone, raw: Any, known: bool) -> None:
    """The wait cannot be ended before its time, and may bring something by then."""
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


async def test_a_reply_that_is_lost(alone: Alone, raw: Any, proxy: FaultProxy) -> None:
    """What was taken when it was asked again goes back, and counts as no delivery."""
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

"""Consumers whose steps are interrupted: the messages that they took are delivered or released."""

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import pytest
from redis.exceptions import RedisError, ResponseError

from pyredisson import AsyncConsumer, AsyncRedisson, ClosedError
from pyredisson._async.consumers import consumer as consumers
from pyredisson.codecs import StringCodec
from tests.support.consuming import NAMES, held, texts
from tests.support.faults_tools import calls
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, interrupt_async, sleep_async, until_async

Alone = Callable[..., AsyncConsumer[str]]

SOON = 0.05
"""Seconds after which these tests renew the leases of prefetched messages."""


class Picky(StringCodec):
    """Cannot decode a value that begins with "bad"."""

    def decode(self, data: bytes) -> str:
        if data.startswith(b"bad"):
            raise ValueError(data)
        return super().decode(data)


@pytest.fixture
async def redisson(proxy: FaultProxy) -> AsyncIterator[AsyncRedisson]:
    """A client behind a proxy."""
    async with AsyncRedisson.from_url(
        proxy.url, codec=Picky(), response_timeout=1, safety_interval=600
    ) as redisson:
        yield redisson
        proxy.heal()


@pytest.fixture
def alone(redisson: AsyncRedisson, monkeypatch: pytest.MonkeyPatch) -> Alone:
    """Make consumers without a transfer task that renew leases soon."""
    monkeypatch.setattr(consumers, "_AHEAD", SOON)
    queue = redisson.get_queue("q")
    return partial(redisson.get_consumer, queue, lease=30, prefetch=10, transfer=False)


@pytest.fixture
async def some(alone: Alone, raw: Any) -> AsyncConsumer[str]:
    """A consumer that delivered one of ten messages and must renew the leases of the others."""
    raw.rpush("q", *map(str, range(10)))
    consumer = alone()
    assert (await consumer.take()).value == "0"
    await sleep_async(2 * SOON)
    return consumer


def cut_off(proxy: FaultProxy) -> None:
    """Begin an outage."""
    proxy.refuse()
    proxy.reset_all()


async def rest_of(consumer: AsyncConsumer[str]) -> list[tuple[str, int]]:
    """Return the values that a consumer still delivers, with their attempts."""
    return [(each.value, each.attempt) for each in await consumer.take_many(1000, 0)]


ALL = [(f"{number}", 1) for number in range(1, 10)]

# -------------------------------------------------------------- renewals


async def test_a_renewal_waits_for_the_end_of_an_outage(
    some: AsyncConsumer[str], proxy: FaultProxy, raw: Any
) -> None:
    cut_off(proxy)
    taking = AsyncStarted(some.take)
    await until_async(lambda: taking.done or "q" in some._link.failing, "it notices")
    assert not taking.done
    proxy.heal()
    first = await taking.result()
    assert [(first.value, first.attempt), *await rest_of(some)] == ALL
    assert len(held(raw)) == 10
    assert some._link.failing == {}


async def test_poll_that_fails_in_an_outage_loses_nothing(
    some: AsyncConsumer[str], proxy: FaultProxy, raw: Any
) -> None:
    cut_off(proxy)
    for timeout in (0, 0.2):
        with pytest.raises(RedisError):
            await some.poll(timeout)
    proxy.heal()
    assert await rest_of(some) == ALL


async def test_take_can_be_interrupted_during_an_outage(
    some: AsyncConsumer[str], proxy: FaultProxy
) -> None:
    cut_off(proxy)
    assert not await interrupt_async(some.take, lambda: "q" in some._link.failing)
    proxy.heal()
    assert await rest_of(some) == ALL


async def test_an_outage_between_the_lease_and_the_values_of_a_group(
    redisson: AsyncRedisson, proxy: FaultProxy, raw: Any
) -> None:
    queue = redisson.get_queue("q")
    window = redisson.get_group_window(queue, size=2, max_wait=3600, transfer=False)
    for key in "abcd":
        await window.offer("k", key)
    for then in ("go on", "close"):
        ready, consumer = texts(raw), redisson.get_consumer(window, transfer=False)
        taken = await consumer._link.request(consumer._protocol.take(1, 60_000, bytes(14)))
        cut_off(proxy)
        with pytest.raises(RedisError):
            await consumer._store(taken)
        proxy.heal()
        if then == "go on":
            message = await consumer.take()
            assert (message.attempt, message.value.values) == (1, ["a", "b"])
            assert await message.ack()
        else:
            await consumer.close()
            assert texts(raw) == ready


async def test_first_take_raises_at_once_without_a_server(proxy: FaultProxy, alone: Alone) -> None:
    cut_off(proxy)
    with pytest.raises(RedisError):
        await AsyncStarted(alone().take).result()


@pytest.mark.parametrize("then", ["go on", "close"])
async def test_an_interrupted_renewal(
    some: AsyncConsumer[str], proxy: FaultProxy, server: RedisServer, raw: Any, then: str
) -> None:
    proxy.hold_replies()
    before = calls(server, "evalsha")
    assert not await interrupt_async(some.take, lambda: calls(server, "evalsha") > before)
    proxy.release()
    if then == "go on":
        assert await rest_of(some) == ALL
    await some.close()
    assert texts(raw) == ([] if then == "go on" else [value for value, _ in ALL])


async def test_prefetched_messages_are_delivered_during_an_outage(
    alone: Alone, proxy: FaultProxy, raw: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "_AHEAD", 3600)
    raw.rpush("q", *map(str, range(10)))
    consumer = alone()
    await consumer.take()
    cut_off(proxy)
    assert await rest_of(consumer) == ALL
    with pytest.raises(RedisError):
        await consumer.poll()


async def test_two_takes_renew_leases_at_the_same_time(
    some: AsyncConsumer[str], proxy: FaultProxy, raw: Any
) -> None:
    """Each message is delivered once."""
    proxy.delay(0.2)
    both = [AsyncStarted(partial(some.take_many, 5)) for _ in range(2)]
    found = [message.value for each in both for message in await each.result()]
    proxy.heal()
    assert sorted([*found, *[value for value, _ in await rest_of(some)]]) == [v for v, _ in ALL]
    assert len(held(raw)) == 10


# -------------------------------------------------------------- closing


async def test_close_releases_messages_of_a_pending_wait(
    alone: Alone, proxy: FaultProxy, raw: Any
) -> None:
    consumer = alone()
    assert await consumer.poll() is None
    taking = AsyncStarted(consumer.take)
    await until_async(lambda: raw.info("clients")["blocked_clients"] == 1, "it waits")
    proxy.hold_replies()
    values = [f"{number}" for number in range(10)]
    raw.rpush("q", *values)
    await until_async(lambda: len(held(raw)) == 10, "they are on their way")
    closing = AsyncStarted(consumer.close)
    await until_async(lambda: consumer._closed, "it is closed")
    proxy.release()
    await closing.result()
    assert (texts(raw), held(raw)) == (values, []), "when close() returns"
    with pytest.raises(ClosedError):
        await taking.result()


async def test_closing_ends_a_wait_at_once(alone: Alone, raw: Any) -> None:
    consumer = alone()
    assert await consumer.poll() is None
    taking = AsyncStarted(consumer.take)
    await until_async(lambda: raw.info("clients")["blocked_clients"] == 1, "it waits")
    await consumer.close()
    assert raw.info("clients")["blocked_clients"] == 0
    with pytest.raises(ClosedError):
        await taking.result()


async def test_close_can_be_repeated_after_an_outage(
    some: AsyncConsumer[str], proxy: FaultProxy, raw: Any
) -> None:
    cut_off(proxy)
    with pytest.raises(RedisError):
        await some.close()
    with pytest.raises(ClosedError):
        await some.take()
    proxy.heal()
    await some.close()
    assert texts(raw) == [value for value, _ in ALL]
    raw.delete("q")
    await some.close()
    assert texts(raw) == []


async def test_client_close_releases_what_consumer_close_could_not(
    some: AsyncConsumer[str], redisson: AsyncRedisson, proxy: FaultProxy, raw: Any
) -> None:
    cut_off(proxy)
    with pytest.raises(RedisError):
        await some.close()
    proxy.heal()
    await redisson.aclose()
    assert texts(raw) == [value for value, _ in ALL]


async def test_a_close_that_is_interrupted(
    some: AsyncConsumer[str], proxy: FaultProxy, server: RedisServer, raw: Any
) -> None:
    proxy.hold_replies()
    before = calls(server, "evalsha")
    await interrupt_async(some.close, lambda: calls(server, "evalsha") > before)
    proxy.release()
    await some.close()
    assert (texts(raw), len(held(raw))) == ([value for value, _ in ALL], 1)


async def test_a_lost_reply_to_a_close(
    some: AsyncConsumer[str], proxy: FaultProxy, raw: Any
) -> None:
    proxy.drop_replies(1)
    await some.close()
    assert (texts(raw), len(held(raw))) == ([value for value, _ in ALL], 1)


# -------------------------------------------------------------- undecodable values


async def test_failed_rejection_loses_no_message(alone: Alone, raw: Any) -> None:
    """Decodable messages are delivered. Undecodable ones are dead-lettered once that works."""
    raw.rpush("q", "a", "bad 1", "b", "bad 2", "c")
    raw.set(NAMES.dead, "of another type")
    consumer = alone()
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        await consumer.take()
    assert await rest_of(consumer) == [("a", 1), ("b", 1), ("c", 1)]
    raw.delete(NAMES.dead)
    assert await consumer.poll() is None
    assert raw.zcard(NAMES.dead) == 2
    assert len(held(raw)) == 3


@pytest.mark.parametrize("then", ["go on", "close"])
async def test_an_interrupted_rejection(
    alone: Alone, proxy: FaultProxy, raw: Any, then: str
) -> None:
    raw.rpush("q", "bad 1", "a", "bad 2", "b")
    consumer = alone()
    assert await alone().poll(0.001) is not None
    raw.flushall()
    raw.rpush("q", "bad 1", "a", "bad 2", "b")
    proxy.filter_replies(lambda frame: None if raw.zcard(NAMES.dead) else frame)
    assert not await interrupt_async(consumer.take, lambda: raw.zcard(NAMES.dead) == 1)
    proxy.heal()
    if then == "go on":
        assert await rest_of(consumer) == [("a", 1), ("b", 1)]
        assert await consumer.poll() is None
        assert raw.zcard(NAMES.dead) == 2
    await consumer.close()
    assert texts(raw) == ([] if then == "go on" else ["a", "bad 2", "b"])


async def test_an_outage_while_something_is_rejected(
    alone: Alone, proxy: FaultProxy, raw: Any
) -> None:
    raw.rpush("q", "bad", "a")
    consumer = alone()
    proxy.filter_replies(lambda frame: None if raw.zcard(NAMES.dead) else frame)
    taking = AsyncStarted(consumer.take)
    await until_async(lambda: raw.zcard(NAMES.dead) == 1, "it is dead")
    cut_off(proxy)
    proxy.heal()
    message = await taking.result()
    assert (message.value, message.attempt, len(held(raw))) == ("a", 1, 1)

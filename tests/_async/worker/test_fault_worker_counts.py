"""The counts and hook calls of a worker where replies are lost and leases end."""

import logging
import re
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson import AsyncMessage, AsyncRedisson, AsyncWorker, Backoff, Defer, Hooks, WorkerStats
from pyredisson.codecs import StringCodec
from tests.support.clock import SteppedServer
from tests.support.consuming import end_leases, held, texts, traces
from tests.support.faults_tools import server_ms
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, until_async

SETTLED = re.compile(rb"(\*1\r\n)?:1\r\n|:[0-9]{13}\r\n")
"""A reply to a settling command: 1, or the time at which the message is due."""
LOST = (RedisConnectionError, RedisTimeoutError)


class Told(Hooks):
    """Counts the events of messages."""

    def __init__(self) -> None:
        self.count = Counter[str]()

    def on_ack(self, queue: str, message: Any) -> None:
        self.count["ack"] += 1

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        self.count["retry"] += 1

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        self.count["dead"] += 1

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        assert isinstance(error, IndexError)
        self.count["drop"] += 1

    def on_lease_end(self, queue: str, message: Any) -> None:
        self.count["lost"] += 1


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
async def redisson(proxy: FaultProxy, told: Told) -> AsyncIterator[AsyncRedisson]:
    """A client behind the proxy, with a short response timeout."""
    async with AsyncRedisson.from_url(
        proxy.url, codec=StringCodec(), response_timeout=1, hooks=told
    ) as redisson:
        yield redisson


class Loser:
    """Loses the reply to the next settling command, and all replies after it."""

    def __init__(self, proxy: FaultProxy) -> None:
        self._proxy = proxy
        self._armed = False
        self.has_lost = False
        proxy.filter_replies(self._judge)

    def arm(self) -> None:
        """Lose the next such reply."""
        self._armed = True

    async def cut(self) -> None:
        """Wait until the reply is lost, and end the connections."""
        await until_async(lambda: self.has_lost, "a reply is lost")
        self._proxy.heal(cut=True)

    def _judge(self, frame: bytes) -> bytes | None:
        self.has_lost = self.has_lost or (self._armed and bool(SETTLED.fullmatch(frame)))
        return None if self.has_lost else frame


@pytest.fixture
def loser(proxy: FaultProxy) -> Loser:
    return Loser(proxy)


ERRORS: dict[str, Exception | None] = {
    "done": None,
    "retried": ValueError("retried"),
    "deferred": Defer(0.01),
    "dead": KeyError("dead"),
    "dropped": IndexError("dropped"),
}
HOOKS = {"done": "ack", "dropped": "drop", "retried": "retry", "deferred": "retry", "dead": "dead"}


@pytest.mark.parametrize("fate", ERRORS)
async def test_a_lost_reply_is_no_lost_message(
    redisson: AsyncRedisson,
    raw: Any,
    loser: Loser,
    told: Told,
    caplog: pytest.LogCaptureFixture,
    fate: str,
) -> None:
    seen: list[str] = []

    async def handle(value: str) -> None:
        seen.append(value)
        if len(seen) == 1:
            loser.arm()
            if (error := ERRORS[fate]) is not None:
                raise error

    worker = AsyncWorker(
        redisson,
        redisson.get_queue("q"),
        handle,
        backoff=Backoff(first=0.01),
        lease=5,
        on_error={KeyError: "dead", IndexError: "drop"},
    )
    running = AsyncStarted(worker.run)
    with caplog.at_level(logging.INFO, "pyredisson"):
        raw.rpush("q", "a")
        await loser.cut()
        again = fate in ("retried", "deferred")
        await until_async(lambda: len(seen) == 1 + again, "it comes again, or not")
        await until_async(lambda: not traces(raw) - {"dead", "dead_letters"}, "it is settled")
        worker.stop()
        assert await running.result() == 0
    counts: dict[str, int] = {fate: 1, "done": 1} if again else {fate: 1}
    assert worker.stats() == WorkerStats(**counts)
    assert told.count == Counter([HOOKS[each] for each in counts])
    assert not re.search("(is|may be) redelivered", caplog.text)


@pytest.mark.parametrize("fate", ERRORS)
async def test_a_lease_that_ended(redisson: AsyncRedisson, raw: Any, told: Told, fate: str) -> None:
    """The message is redelivered and then has its intended outcome."""
    seen: list[str] = []

    async def handle(value: str) -> None:
        seen.append(value)
        if len(seen) == 1:
            end_leases(raw)
        if (error := ERRORS[fate]) is not None and len(seen) < 3:
            raise error

    worker = AsyncWorker(
        redisson,
        redisson.get_queue("q"),
        handle,
        backoff=Backoff(first=0.01),
        lease=5,
        on_error={KeyError: "dead", IndexError: "drop"},
    )
    running = AsyncStarted(worker.run)
    raw.rpush("q", "a")
    again = fate in ("retried", "deferred")
    await until_async(lambda: len(seen) == 2 + again, "it comes again")
    await until_async(lambda: not traces(raw) - {"dead", "dead_letters"}, "it is settled")
    worker.stop()
    assert await running.result() == 0
    counts: dict[str, int] = {fate: 1, "done": 1} if again else {fate: 1}
    assert worker.stats() == WorkerStats(lease_expired=1, **counts)
    assert told.count == Counter(["lost", *(HOOKS[each] for each in counts)])


async def test_lost_reply_to_an_ack_of_the_handler(
    redisson: AsyncRedisson, raw: Any, loser: Loser, told: Told
) -> None:
    """The handler raises the error of `ack()`. The message counts as done; no hook is called."""
    seen: list[str] = []

    async def handle(message: AsyncMessage[str]) -> None:
        seen.append(message.value)
        loser.arm()
        await message.ack()

    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle, pass_message=True)
    running = AsyncStarted(worker.run)
    raw.rpush("q", "a")
    await loser.cut()
    await until_async(lambda: worker.stats().done == 1, "it is done")
    worker.stop()
    assert await running.result() == 0
    assert worker.stats() == WorkerStats(done=1)
    assert (seen, told.count) == (["a"], Counter())


async def test_message_with_a_lost_ack_request_is_redelivered(
    redisson: AsyncRedisson, raw: Any, proxy: FaultProxy
) -> None:
    """Not the reply but the request is lost. It is repeated after the end of the lease."""
    seen: list[str] = []

    async def handle(value: str) -> None:
        seen.append(value)
        if len(seen) == 1:
            proxy.black_hole()

    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle, lease=0.5)
    running = AsyncStarted(worker.run)
    raw.rpush("q", "a")
    await until_async(lambda: seen == ["a"], "it is handled")
    await until_async(lambda: worker.stats().lease_expired == 1, "its lease is over")
    proxy.heal(cut=True)
    await until_async(lambda: worker.stats().done == 1, "it is handled again")
    worker.stop()
    assert await running.result() == 0
    assert seen == ["a", "a"]
    assert worker.stats() == WorkerStats(done=1, lease_expired=1)


# --- without a worker ---------------------------------------------------------------------------


WAYS: dict[str, Callable[[AsyncMessage[str]], Any]] = {
    "ack": lambda message: message.ack(),
    "nack": lambda message: message.nack(60),
    "back": lambda message: message.nack(),
    "defer": lambda message: message.defer(60),
    "reject": lambda message: message.reject("why"),
}


@pytest.mark.parametrize("way", WAYS)
async def test_repeated_settlement_succeeds_after_a_lost_reply(
    redisson: AsyncRedisson, raw: Any, loser: Loser, way: str
) -> None:
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False)
    raw.rpush("q", "a")
    message = await consumer.take()
    loser.arm()
    settling = AsyncStarted(lambda: WAYS[way](message))
    await loser.cut()
    with pytest.raises(LOST):
        await settling.result()
    assert not message.settled
    other = "reject" if way != "reject" else "ack"
    assert not await WAYS[other](message)  # another settlement fails
    assert await WAYS[way](message)
    assert message.settled
    assert texts(raw) == (["a"] if way == "back" else [])


async def test_a_lease_that_was_extended(
    redisson: AsyncRedisson, raw: Any, loser: Loser, server: RedisServer
) -> None:
    """The second `ack()` is after the end of the first lease and before the extended end."""
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False, lease=0.5)
    raw.rpush("q", "a")
    message = await consumer.take()
    [(_, end)] = held(raw)
    assert await message.extend(60)
    loser.arm()
    settling = AsyncStarted(message.ack)
    await loser.cut()
    with pytest.raises(LOST):
        await settling.result()
    await until_async(lambda: server_ms(server) > end, "its first lease is over")
    assert await message.ack()


@pytest.fixture(scope="module")
def stepped() -> Iterator[SteppedServer]:
    with SteppedServer() as server:
        yield server


async def test_a_server_s_clock_that_jumps(stepped: SteppedServer) -> None:
    """All leases have ended then, whatever the client's clock says."""
    with FaultProxy(stepped) as proxy:
        async with AsyncRedisson.from_url(
            proxy.url, codec=StringCodec(), response_timeout=1
        ) as redisson:
            queue = redisson.get_queue("q")
            consumer = redisson.get_consumer(queue, transfer=False)
            await queue.add("a")
            message = await consumer.take()
            proxy.black_hole()
            with pytest.raises(LOST):
                await message.ack()
            proxy.heal()
            stepped.step(60)
            again = await redisson.get_consumer(queue, transfer=False).take()
            assert (again.value, again.attempt) == ("a", 2)
            assert not await message.ack()
            assert await again.ack()
            stepped.step(0)

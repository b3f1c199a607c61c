"""Workers that are misused: no message is lost, and the error explains the mistake."""

import logging
from functools import partial
from typing import Any

import pytest

from pyredisson import AsyncRedisson, AsyncWorker, ClosedError, WorkerStats
from pyredisson._async.worker.leases import AsyncLeases
from pyredisson._async.worker.settlements import AsyncSettlement, AsyncSettlements
from pyredisson._async.worker.tracker import AsyncDeliveryTracker
from pyredisson.codecs import StringCodec
from pyredisson.protocol.worker.outcome import Fate
from tests.support.consuming import texts, traces
from tests.support.server import RedisServer
from tests.support.twins import PATIENCE, AsyncStarted, until_async


def generates(_value: Any) -> Any:
    """A generator function: a call does not run its body."""
    yield


class Generates:
    def __call__(self, _value: Any) -> Any:
        yield


async def test_handler_may_raise_system_exit_and_keyboard_interrupt(
    redisson: AsyncRedisson, raw: Any
) -> None:
    """An error that is no `Exception` is a normal failure, and the worker continues."""
    errors: dict[str, BaseException] = {
        "exit": SystemExit(3),
        "interrupt": KeyboardInterrupt(),
    }
    raw.rpush("q", *errors, "good")
    seen: list[str] = []

    async def handler(value: str) -> None:
        seen.append(value)
        if value in errors:
            raise errors[value]
        worker.stop()

    queue = redisson.get_queue("q")
    worker = AsyncWorker(redisson, queue, handler, concurrency=1, max_deliveries=1)
    assert await AsyncStarted(worker.run).result() == 0
    assert seen == [*errors, "good"]
    assert worker.stats() == WorkerStats(done=1, dead=2)
    letters = [letter async for letter in redisson.get_dead_letters(queue)]
    assert {letter.value: letter.reason for letter in letters} == {
        name: f"RuntimeError: the handler raised {error!r}" for name, error in errors.items()
    }
    assert all("in handler" in (letter.traceback or "") for letter in letters)


async def test_generator_function_is_no_valid_handler(redisson: AsyncRedisson, raw: Any) -> None:
    """A call of it runs nothing, so its message does not count as done."""
    queue = redisson.get_queue("q")
    for each in (generates, partial(generates), Generates()):
        with pytest.raises(TypeError, match="a call runs nothing of it"):
            AsyncWorker(redisson, queue, each)
        with pytest.raises(TypeError, match="a call runs nothing of it"):
            redisson.get_blocking_queue("q").subscribe_on_elements(each)
    raw.rpush("q", "a")

    def handler(value: str) -> Any:
        worker.stop()
        return generates(value)

    worker = AsyncWorker(redisson, queue, handler, max_deliveries=1)
    assert await AsyncStarted(worker.run).result() == 0
    assert worker.stats() == WorkerStats(dead=1)


async def test_a_worker_runs_once(redisson: AsyncRedisson, raw: Any) -> None:
    worker = AsyncWorker(redisson, redisson.get_queue("q"), print)
    worker.stop()
    assert await AsyncStarted(worker.run).result() == 0
    raw.rpush("q", "a")
    with pytest.raises(RuntimeError, match="has run already; make another one"):
        await worker.run()
    assert texts(raw) == ["a"]


async def test_a_worker_of_a_client_that_is_closed(url: str) -> None:
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        worker = AsyncWorker(redisson, redisson.get_queue("q"), print)
    with pytest.raises(ClosedError, match="client is closed"):
        await worker.run()


async def test_wrong_worker_arguments_are_rejected(redisson: AsyncRedisson, url: str) -> None:
    queue = redisson.get_queue("q")
    with pytest.raises(TypeError, match=r"Worker works with \w*Redisson, not with 'redis://"):
        AsyncWorker(url, queue, print)  # type: ignore[arg-type]  # no client
    with pytest.raises(TypeError, match=r"get_queue\(\) returns, got 'orders'"):
        AsyncWorker(redisson, "orders", print)
    with pytest.raises(TypeError, match=r"backoff must be Backoff\(first=1\) or the like, not 5"):
        AsyncWorker(redisson, queue, print, backoff=5)  # type: ignore[arg-type]  # a number
    with pytest.raises(TypeError, match="concurrency must be a whole number, not '8'"):
        AsyncWorker(redisson, queue, print, concurrency="8")  # type: ignore[arg-type]  # a text
    with pytest.raises(TypeError, match=r"batch_size must be a whole number, not 1\.5"):
        AsyncWorker(redisson, queue, print, batch_size=1.5)  # type: ignore[arg-type]  # no int


async def test_a_reason_is_a_text(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "a")
    message = await redisson.get_consumer(redisson.get_queue("q")).take()
    with pytest.raises(TypeError, match=r"reason must be str, not ValueError\('x'\)"):
        await message.reject(ValueError("x"))  # type: ignore[arg-type]  # no text
    assert await message.ack()
    assert traces(raw) == set()


async def test_outage_is_logged_once(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Settlements and renewals are retried more often, but each has only one warning."""

    def said(text: str, level: int = logging.DEBUG) -> int:
        found = [one for one in caplog.records if text in one.getMessage()]
        return sum(one.levelno >= level for one in found)

    own_server.run("RPUSH", "q", "a")
    caplog.set_level(logging.DEBUG, "pyredisson")
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        message = await redisson.get_consumer(redisson.get_queue("q")).take()
        own_server.kill()
        link = redisson._context.link
        settlements, leases = (
            AsyncSettlements(link, AsyncDeliveryTracker(), 600),
            AsyncLeases(link, 0.1, None),
        )
        renewing = AsyncStarted(leases.keep)
        settlements.put(AsyncSettlement(message, Fate.DONE))
        leases.hold([message])
        for text in ("cannot be settled now", "are not renewed now"):
            await until_async(partial(lambda text: said(text) >= 3, text), text)
            assert said(text, logging.WARNING) == 1
        own_server.start()
        await settlements.stop(PATIENCE)
        assert message.settled
        await leases.stop()
        await renewing.result()

"""`Worker.running()` starts a worker beside other code, stops it, and reports if it fails."""

import signal
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis.exceptions import RedisError

from pyredisson import AsyncRedisson, AsyncWorker, WorkerStats
from pyredisson.codecs import StringCodec
from tests.support.consuming import traces
from tests.support.refusals import refusal, url_of
from tests.support.server import RedisServer
from tests.support.twins import sleep_async, until_async


async def handle(value: str) -> None:
    await sleep_async(0.05)


@pytest.fixture
def heard() -> Iterator[list[int]]:
    """The SIGTERMs that this process received."""
    found: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: found.append(number))
    yield found
    signal.signal(signal.SIGTERM, before)


async def body(worker: AsyncWorker, noticed: Callable[[], bool], error: Exception | None) -> None:
    """Run a worker until `noticed()` is true; then raise `error`, if it is set."""
    async with worker.running():
        await until_async(noticed, "it is noticed")
        if error is not None:
            raise error


async def test_worker_runs_in_the_body_and_finishes_at_its_end(
    redisson: AsyncRedisson, raw: Any, heard: list[int]
) -> None:
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle)
    assert not worker.healthy
    async with worker.running() as same:
        assert same is worker
        raw.rpush("q", "a")
        await until_async(lambda: worker.stats().running == 1, "it is handled")
        assert worker.healthy
    assert not worker.healthy
    assert worker.stats() == WorkerStats(done=1)
    assert traces(raw) == set()
    assert heard == []


async def test_worker_stopped_in_the_body_is_no_failure(
    redisson: AsyncRedisson, heard: list[int]
) -> None:
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle)
    async with worker.running():
        await until_async(lambda: worker.healthy, "it runs")
        worker.stop()
        await until_async(lambda: not worker.healthy, "it has ended")
    assert heard == []


async def test_worker_that_fails_sends_sigterm_to_its_process(heard: list[int]) -> None:
    with RedisServer() as server:
        async with AsyncRedisson.from_url(url_of(server), codec=StringCodec()) as redisson:
            worker = AsyncWorker(redisson, redisson.get_queue("q"), handle)
            with refusal(server, "noperm"), pytest.raises(RedisError, match="permissions"):
                await body(worker, lambda: bool(heard), None)


async def test_worker_that_fails_calls_on_error_instead_of_sigterm(
    heard: list[int], caplog: pytest.LogCaptureFixture
) -> None:
    told: list[Exception] = []

    def on_error(error: Exception) -> None:
        told.append(error)
        raise ValueError("told")

    with RedisServer() as server:
        async with AsyncRedisson.from_url(url_of(server), codec=StringCodec()) as redisson:
            worker = AsyncWorker(redisson, redisson.get_queue("q"), handle)
            with refusal(server, "noperm"), pytest.raises(RedisError, match="permissions"):
                async with worker.running(on_error=on_error):
                    await until_async(lambda: bool(told), "it is told")
    assert heard == []
    assert "on_error of <" in caplog.text


async def test_error_of_the_body_is_raised(redisson: AsyncRedisson) -> None:
    worker = AsyncWorker(redisson, redisson.get_queue("q"), handle)
    with pytest.raises(ZeroDivisionError):
        await body(worker, lambda: worker.healthy, ZeroDivisionError())
    assert not worker.healthy

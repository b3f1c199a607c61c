"""The log lines of a worker and its consumers, and their fields."""

import logging
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson, AsyncWorker, Backoff, Defer
from pyredisson.protocol.kernel.log_fields import FIELDS
from tests.support.consuming import end_leases
from tests.support.twins import AsyncStarted, until_async


async def work(redisson: AsyncRedisson, *errors: Exception, **options: Any) -> str:
    """Run a worker whose handler raises one of the errors a delivery; return its stats as text."""

    def handle(_: Any) -> None:
        error = left.pop(0)
        if not left:
            worker.stop()
        raise error

    left = list(errors)
    backoff = Backoff(first=0.01, jitter=0)
    queues = [redisson.get_queue("q"), redisson.get_queue("r")]
    worker = AsyncWorker(redisson, queues, handle, backoff=backoff, **options)
    assert await AsyncStarted(worker.run).result() == 0
    return repr(worker.stats())


async def test_a_failure_is_one_line_and_the_last_one_has_its_traceback(
    redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    raw.rpush("q", "a")
    errors = (Defer(0.01), ValueError("no"), KeyError("no"))
    with caplog.at_level(logging.DEBUG, "pyredisson"):
        await work(redisson, *errors, max_deliveries=2, consumer_name="me")
    said = [one for one in caplog.records if hasattr(one, "attempt")]
    texts = [(one.levelname, one.getMessage().partition(" ")[2][33:]) for one in said]
    assert texts == [
        ("INFO", "of 'q', attempt 1 of 2: defer in 0.01 s after Defer: redelivered in 0.01 s"),
        ("WARNING", "of 'q', attempt 1 of 2: retry in 0.01 s after ValueError: no"),
        ("DEBUG", " its traceback"),
        ("ERROR", "of 'q', attempt 2 of 2: dead after KeyError: 'no'"),
    ]
    traced = [one.exc_info[1] if one.exc_info else None for one in said]
    assert traced == [None, None, *errors[1:]]
    fields = [{name: vars(one).get(name) for name in FIELDS} for one in said]
    [identity] = {each["message_id"] for each in fields}
    assert len(str(identity)) == 32
    assert {each["consumer"] for each in fields} == {"me"}
    assert [(each["queue"], each["attempt"]) for each in fields] == [
        *(("q", 1), ("q", 1), ("q", 1), ("q", 2))
    ]


async def test_an_error_of_a_batch_is_traced_once(
    redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    raw.rpush("q", "a", "b", "c")
    with caplog.at_level(logging.WARNING, "pyredisson"):
        await work(redisson, ValueError("no"), max_deliveries=1, batch_size=3)
    assert [bool(one.exc_info) for one in caplog.records] == [True, False, False]


async def test_dead_letter_of_a_crashed_consumer_is_logged(
    redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    raw.rpush("q", "a")
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False)
    await consumer.take()
    end_leases(raw)
    raw.rpush("q", "b")
    with caplog.at_level(logging.ERROR, "pyredisson"):
        await work(redisson, KeyError("b"), max_deliveries=1)
    dead = [
        one
        for one in caplog.records
        if "is now a dead letter: delivered 1 times" in one.getMessage()
    ]
    assert [(vars(one)["queue"], vars(one)["attempt"]) for one in dead] == [("q", 2)]


async def test_start_and_stop_of_a_worker_are_logged(
    redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    raw.rpush("q", "a")
    with caplog.at_level(logging.INFO, "pyredisson"):
        stats = await work(redisson, ValueError("no"), concurrency=3)
    said = [one for one in caplog.records if vars(one)["queue"] == "q, r"]
    assert [(one.levelname, one.msg, one.args) for one in said if "stops" not in one.msg] == [
        ("INFO", "the worker of %s starts, for up to %d at a time", ("q, r", 3)),
        ("INFO", "the worker of %s has stopped: %r", said[-1].args),
    ]
    assert stats in said[-1].getMessage()
    assert "stops; " in said[1].getMessage()


async def test_pause_and_resume_are_logged_once(
    redisson: AsyncRedisson,
    raw: Any,
    alone: Callable[..., AsyncConsumer[str]],
    caplog: pytest.LogCaptureFixture,
) -> None:
    queue, consumer = redisson.get_queue("q"), alone()
    with caplog.at_level(logging.INFO, "pyredisson"):
        assert await consumer.poll() is None
        await queue.pause()
        assert [await consumer.poll(), await consumer.poll(0.01)] == [None, None]
        await queue.resume()
        assert [await consumer.poll(), await consumer.poll(0.01)] == [None, None]
    assert [(one.levelname, one.getMessage(), vars(one)["queue"]) for one in caplog.records] == [
        ("INFO", "queue 'q' is paused: nothing is taken from it", "q"),
        ("INFO", "queue 'q' is no longer paused", "q"),
    ]


async def test_transfer_process_sends_the_fields_of_its_log(
    url: str, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    raw.zadd("redisson_delay_queue_timeout:{q}", {b"of no format": 1})
    async with AsyncRedisson.from_url(url, transfer_process=True) as redisson:
        redisson.get_delayed_queue(redisson.get_queue("q"))
        await until_async(lambda: bool(caplog.records), "it says that there is poison")
    assert vars(caplog.records[0])["queue"] == "q"

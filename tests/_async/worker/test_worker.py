"""Workers: outcomes of messages, retries, dead letters, several queues, batches and stops."""

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

from pyredisson import (
    AsyncMessage,
    AsyncRedisson,
    AsyncWorker,
    Backoff,
    Defer,
    TimeLimitError,
    WorkerStats,
)
from pyredisson.codecs import StringCodec
from tests.support.consuming import end_leases, held, texts, traces
from tests.support.server import RedisServer
from tests.support.twins import AsyncStarted, sleep_async, until_async

QUICK = Backoff(first=0.05, limit=0.2)


class Seen:
    """A handler that records its values, and stops its worker after `stop_after` calls."""

    def __init__(
        self, stop_after: int, fails: Callable[[Any, int], Exception | None] = lambda *_: None
    ):
        self.values: list[Any] = []
        self.worker: AsyncWorker | None = None
        self._stop_after = stop_after
        self._fails = fails

    def __call__(self, value: Any) -> None:
        self.values.append(value)
        error = self._fails(value, self.values.count(value))
        if len(self.values) >= self._stop_after and self.worker is not None:
            self.worker.stop()
        if error is not None:
            raise error


async def work(redisson: AsyncRedisson, seen: Seen, queue: Any = "q", **options: Any) -> int:
    """Run a worker until its handler stops it; return the result of `run()`."""
    queues = [redisson.get_queue(name) for name in ([queue] if isinstance(queue, str) else queue)]
    seen.worker = AsyncWorker(redisson, queues, seen, **{"backoff": QUICK, **options})
    return await AsyncStarted(seen.worker.run).result()


async def reasons(redisson: AsyncRedisson) -> list[tuple[Any, str, int]]:
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    return [(letter.value, letter.reason, letter.attempts) async for letter in letters]


async def test_each_message_is_handled_once(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", *map(str, range(300)))
    seen = Seen(300)
    assert await work(redisson, seen) == 0
    assert sorted(map(int, seen.values)) == list(range(300))
    assert seen.worker is not None
    assert seen.worker.stats() == WorkerStats(done=300)
    assert traces(raw) == set()


async def test_failing_message_is_retried_and_then_dead_lettered(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "good", "twice", "never")

    def fails(value: str, times: int) -> Exception | None:
        bad = value == "never" or (value == "twice" and times < 3)
        return ValueError(f"{value} {times}") if bad else None

    seen = Seen(1 + 3 + 4, fails)
    assert await work(redisson, seen, max_deliveries=4) == 0
    assert {value: seen.values.count(value) for value in seen.values} == {
        "good": 1,
        "twice": 3,
        "never": 4,
    }
    assert await reasons(redisson) == [("never", "ValueError: never 4", 4)]
    letters = redisson.get_dead_letters(redisson.get_queue("q"))
    [letter] = [letter async for letter in letters]
    assert "in fails" not in (letter.traceback or "")
    assert "raise error" in (letter.traceback or "")
    assert seen.worker is not None
    assert seen.worker.stats() == WorkerStats(done=2, retried=5, dead=1)
    assert traces(raw) == {"dead", "dead_letters"}


async def test_exception_class_decides_the_outcome(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "dead", "drop")
    errors = {"dead": KeyError("dead"), "drop": ValueError("drop")}
    seen = Seen(2, lambda value, _: errors[value])
    on_error = {LookupError: "dead", ValueError: "drop"}
    assert await work(redisson, seen, on_error=on_error) == 0
    assert await reasons(redisson) == [("dead", "KeyError: 'dead'", 1)]
    assert seen.worker is not None
    assert seen.worker.stats() == WorkerStats(dead=1, dropped=1)


async def test_a_handler_that_waits_for_a_lock_counts_no_attempt(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "a")
    seen = Seen(6, lambda _, times: Defer(0.02) if times < 6 else None)
    assert await work(redisson, seen, max_deliveries=1) == 0
    assert seen.worker is not None
    assert seen.worker.stats() == WorkerStats(done=1, deferred=5)


async def test_message_that_is_never_settled_is_dead_lettered(
    redisson: AsyncRedisson, raw: Any
) -> None:
    """Here, `nack()` has the effect of a consumer's crash."""
    raw.rpush("q", "kills", "b")
    consumer = redisson.get_consumer(redisson.get_queue("q"), transfer=False)
    for _ in range(2):
        assert await (await consumer.take()).nack()
    seen = Seen(1)
    assert await work(redisson, seen, max_deliveries=2) == 0
    assert seen.values == ["b"]
    [(value, reason, attempts)] = await reasons(redisson)
    assert (value, attempts) == ("kills", 3)
    assert reason == "delivered 2 times; the last consumer crashed, or its lease ended"


async def test_the_lease_of_a_long_handler_is_renewed(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "long")
    ends: list[float] = []
    release: list[bool] = []

    async def handler(value: str) -> None:
        while not release:
            ends.extend(end for _, end in held(raw))
            await sleep_async(0.02)

    worker = AsyncWorker(redisson, redisson.get_queue("q"), handler, lease=1.2)
    running = AsyncStarted(worker.run)
    await until_async(lambda: bool(ends), "it is handled")
    other = redisson.get_consumer(redisson.get_queue("q"))
    assert await other.poll(2) is None
    release.append(True)
    worker.stop()
    assert await running.result() == 0
    assert len(set(ends)) > 2
    assert worker.stats() == WorkerStats(done=1)
    assert traces(raw) == set()


async def test_a_time_limit(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "slow")

    async def handler(value: str) -> None:
        worker.stop()
        for _ in range(3000):
            await sleep_async(0.01)

    worker = AsyncWorker(
        redisson, redisson.get_queue("q"), handler, time_limit=0.1, max_deliveries=1
    )
    assert await AsyncStarted(worker.run).result() == 0
    assert await reasons(redisson) == [
        ("slow", "TimeLimitError: the handler took more than 0.1 s", 1)
    ]
    assert issubclass(TimeLimitError, TimeoutError)


async def test_batches(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", *map(str, range(7)))
    seen = Seen(3)
    assert await work(redisson, seen, batch_size=3, concurrency=1) == 0
    assert seen.values == [["0", "1", "2"], ["3", "4", "5"], ["6"]]


async def test_a_batch_waits_to_be_full(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "a")
    seen = Seen(1)
    running = AsyncStarted(lambda: work(redisson, seen, batch_size=2, batch_wait=30))
    await until_async(lambda: traces(raw) == {"leases", "taken"}, "it is taken")
    raw.rpush("q", "b")
    assert await running.result() == 0
    assert seen.values == [["a", "b"]]


async def test_batch_is_handled_if_its_queue_gets_a_wrong_type_during_the_wait(
    redisson: AsyncRedisson, raw: Any
) -> None:
    raw.rpush("q", "a")
    seen = Seen(1)
    running = AsyncStarted(lambda: work(redisson, seen, batch_size=2, batch_wait=3600))
    await until_async(lambda: traces(raw) == {"leases", "taken"}, "it is taken")
    raw.set("q", "text")
    await until_async(lambda: seen.values == [["a"]], "it is handled")
    raw.delete("q")
    assert await running.result() == 0


async def test_a_handler_that_settles(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("q", "ack", "reject", "leave")

    async def handler(messages: list[AsyncMessage[str]]) -> None:
        for message in messages:
            if message.value == "ack":
                assert await message.ack()
            elif message.value == "reject":
                assert await message.reject("by hand")
        worker.stop()

    worker = AsyncWorker(
        redisson, redisson.get_queue("q"), handler, batch_size=3, pass_message=True
    )
    assert await AsyncStarted(worker.run).result() == 0
    assert await reasons(redisson) == [("reject", "by hand", 1)]
    assert texts(raw) == []
    assert traces(raw) == {"dead", "dead_letters"}


async def test_priorities(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("low", *map(str, range(5)))
    raw.rpush("high", *"abcde")
    seen = Seen(10)
    assert await work(redisson, seen, ["high", "low"], concurrency=1) == 0
    assert seen.values == [*"abcde", *"01234"]


async def test_fairness(redisson: AsyncRedisson, raw: Any) -> None:
    raw.rpush("low", *map(str, range(5)))
    raw.rpush("high", *"abcde")
    seen = Seen(10)
    assert await work(redisson, seen, ["high", "low"], concurrency=1, fair=True) == 0
    assert "".join(seen.values) in ("a0b1c2d3e4", "0a1b2c3d4e")


async def test_waiting_for_several_queues(redisson: AsyncRedisson, raw: Any) -> None:
    seen = Seen(4)
    running = AsyncStarted(lambda: work(redisson, seen, ["one", "two", "three"], concurrency=1))
    for number, name in enumerate(("three", "one", "two", "three")):
        await sleep_async(0.05)
        raw.rpush(name, name)
        await until_async(lambda n=number: len(seen.values) > n, "it is handled")  # type: ignore[misc]  # a default
    assert await running.result() == 0
    assert seen.values == ["three", "one", "two", "three"]
    assert traces(raw) == set()


async def test_undecodable_values_do_not_stop_a_worker(
    redisson: AsyncRedisson, raw: Any, caplog: pytest.LogCaptureFixture
) -> None:
    raw.rpush("q", b"\xff\xfe", "a")
    seen = Seen(1)
    assert await work(redisson, seen) == 0
    assert seen.values == ["a"]
    [(value, reason, _)] = await reasons(redisson)
    assert value is None
    assert reason.startswith("cannot be decoded")
    assert seen.worker is not None
    assert seen.worker.stats() == WorkerStats(done=1, dead=1)


async def test_a_stop_that_takes_too_long(redisson: AsyncRedisson, raw: Any) -> None:
    """A released message does not count as done, even if its handler ends later."""
    raw.rpush("q", "stuck")
    ended: list[bool] = []

    async def handler(value: str) -> None:
        worker.stop()
        try:
            await sleep_async(1.5)
        finally:
            ended.append(True)

    worker = AsyncWorker(redisson, redisson.get_queue("q"), handler, stop_timeout=0.1)
    assert await AsyncStarted(worker.run).result() == 1
    assert texts(raw) == ["stuck"]
    await until_async(lambda: bool(ended), "the handler has ended")
    await sleep_async(0.1)
    assert worker.stats() == WorkerStats(retried=1)


async def test_a_stop_in_an_outage(
    own_server: RedisServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        own_server.run("RPUSH", "q", "stuck")

        async def handler(value: str) -> None:
            own_server.kill()
            worker.stop()
            await sleep_async(1.5)

        worker = AsyncWorker(redisson, redisson.get_queue("q"), handler, stop_timeout=0.1)
        assert await AsyncStarted(worker.run).result() == 1
    assert "cannot be released now" in caplog.text
    own_server.start()
    assert own_server.run("ZCARD", "pyredisson_leases:{q}") == 1


@pytest.mark.parametrize(
    ("options", "error", "said"),
    [
        ({"concurrency": 0}, ValueError, "concurrency must be at least 1"),
        ({"batch_size": 0}, ValueError, "batch_size must be at least 1"),
        ({"batch_size": 1001}, ValueError, "batch_size must be at most 1000, not 1001"),
        ({"on_error": [ValueError]}, TypeError, "on_error must be a mapping of exception classes"),
        ({"lease": 0}, ValueError, "lease must be more than 0"),
        ({"time_limit": 0}, ValueError, "time_limit must be more than 0 and finite, not 0"),
        ({"batch_wait": -1}, ValueError, "batch_wait must be at least 0 and finite, not -1"),
        ({"stop_timeout": -1}, ValueError, "stop_timeout must be at least 0 and finite"),
        ({"max_deliveries": 0}, ValueError, "max_deliveries must be at least 1"),
        ({"on_error": {"x": "dead"}}, TypeError, "'x' is not an exception class"),
    ],
)
async def test_bad_settings(
    redisson: AsyncRedisson, options: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        AsyncWorker(redisson, redisson.get_queue("q"), print, **options)
    with pytest.raises(TypeError, match="needs a queue that get_queue"):
        AsyncWorker(redisson, "q", print)
    with pytest.raises(TypeError, match="the handler must be a function"):
        AsyncWorker(redisson, redisson.get_queue("q"), "print")  # type: ignore[arg-type]  # no function


PROGRAM = """
import sys, time
from pyredisson import Redisson, Worker
from pyredisson.codecs import StringCodec

def handle(value):
    print(value, flush=True)
    time.sleep(float(sys.argv[2]))

with Redisson.from_url(sys.argv[1]) as redisson:
    sys.exit(Worker(redisson, redisson.get_queue("q", StringCodec()), handle).run())
"""


def started(url: str, seconds: float) -> subprocess.Popen[str]:
    words = [sys.executable, "-c", PROGRAM, url, str(seconds)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, text=True)


def first_line(child: subprocess.Popen[str]) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


async def test_message_is_handled_after_kill_and_finished_on_sigterm(url: str, raw: Any) -> None:
    """After `kill -9`, the next worker handles the message. After SIGTERM, a worker finishes it."""
    raw.rpush("q", "a")
    killed = started(url, 60)
    assert first_line(killed) == "a"
    killed.kill()
    killed.communicate()
    end_leases(raw)
    other = started(url, 0.5)
    assert first_line(other) == "a"
    other.terminate()
    rest, _ = other.communicate()
    assert (rest, other.returncode) == ("", 0)
    assert traces(raw) == set()


async def test_an_outage(redisson: AsyncRedisson, server: RedisServer, raw: Any) -> None:
    """Connections are cut again and again. Each message is handled, and none remains."""
    raw.rpush("q", *map(str, range(200)))
    codec = StringCodec()
    values: set[str] = set()

    async def handler(value: str) -> None:
        values.add(value)
        if len(values) % 20 == 0:
            raw.client_kill_filter(skipme=True)
        if len(values) == 200:
            worker.stop()

    worker = AsyncWorker(redisson, redisson.get_queue("q", codec), handler, lease=0.6)
    assert await AsyncStarted(worker.run).result() == 0
    assert len(values) == 200
    left = redisson.get_consumer(redisson.get_queue("q", codec))
    while again := await left.poll(1.0):
        assert await again.ack()
    assert traces(raw) == set()

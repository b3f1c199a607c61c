"""Prometheus metrics of a client and its workers, on a real server."""

import socket
import threading
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from pyredisson import AsyncRedisson, AsyncWorker, Backoff, Defer
from pyredisson._runtime.concurrency import monotonic
from pyredisson.codecs import StringCodec
from pyredisson.metrics import PrometheusHooks
from tests.support.twins import sleep_async, until_async

ON_ERROR: Any = {KeyError: "dead", IndexError: "drop"}
QUEUE = {"queue": "q"}


@pytest.fixture
def registry() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
async def redisson(url: str, registry: CollectorRegistry) -> AsyncIterator[AsyncRedisson]:
    hooks = PrometheusHooks(registry)
    async with AsyncRedisson.from_url(
        url, codec=StringCodec(), hooks=hooks, due_times=True, safety_interval=0.5
    ) as redisson:
        yield redisson


def of_outcomes(registry: CollectorRegistry) -> dict[str, float]:
    return {
        sample.labels["outcome"]: sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if sample.name == "pyredisson_deliveries_total"
    }


async def test_each_delivery_has_one_outcome(
    redisson: AsyncRedisson, registry: CollectorRegistry
) -> None:
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    failed: set[str] = set()

    async def handle(message: Any) -> None:
        errors = {"dead": KeyError("why"), "dropped": IndexError("why")}
        if message.value in errors:
            raise errors[message.value]
        if message.value in ("retried", "deferred") and message.value not in failed:
            failed.add(message.value)
            raise ValueError("why") if message.value == "retried" else Defer(0.01)
        if message.value == "settled":
            await message.ack()
        if message.value == "rejected":
            await message.reject("why")

    worker = AsyncWorker(
        redisson, queue, handle, pass_message=True, on_error=ON_ERROR, backoff=Backoff(0.01)
    )
    values = ("acked", "retried", "deferred", "dead", "dropped", "settled", "rejected")
    await delayed.offer_many([(value, 0) for value in values])
    async with worker.running():
        # each of the seven has an outcome, and two are delivered twice
        await until_async(lambda: sum(of_outcomes(registry).values()) == 9, "nine outcomes")
    expected = {"acked": 4, "retried": 1, "deferred": 1, "dead": 2, "dropped": 1}
    assert of_outcomes(registry) == expected

    value = registry.get_sample_value
    assert value("pyredisson_offers_total", QUEUE) == 7
    transferred = value("pyredisson_transferred_total", QUEUE)
    assert transferred == 9  # includes the two that were requeued with a delay
    # this client's transfers recorded each due time
    assert value("pyredisson_delivery_lateness_seconds_count", QUEUE) == 9
    assert 0 <= (value("pyredisson_delivery_lateness_seconds_sum", QUEUE) or -1) < 60
    assert value("pyredisson_handler_seconds_count", QUEUE) == 9
    errors = {kind: value("pyredisson_errors_total", QUEUE | {"kind": kind}) for kind in KINDS}
    assert errors == {"KeyError": 1, "IndexError": 1, "ValueError": 1, "Defer": None}


KINDS = ("KeyError", "IndexError", "ValueError", "Defer")


async def test_undecodable_message_counts_as_dead(
    redisson: AsyncRedisson, registry: CollectorRegistry, raw: Any
) -> None:
    queue = redisson.get_blocking_queue("q")
    raw.rpush("q", b"\xff")
    worker = AsyncWorker(redisson, queue, print)
    async with worker.running():
        await until_async(lambda: of_outcomes(registry) == {"dead": 1}, "the dead letter")
    assert registry.get_sample_value("pyredisson_undecodable_total", QUEUE) == 1
    assert registry.get_sample_value("pyredisson_handler_seconds_count", QUEUE) is None
    value = registry.get_sample_value
    await until_async(lambda: value("pyredisson_dead", QUEUE) == 1, "the next read")


async def test_lateness_is_measured_by_the_servers_clock(
    redisson: AsyncRedisson, registry: CollectorRegistry
) -> None:
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await delayed.offer("old", at=datetime(2024, 1, 1, tzinfo=UTC))
    worker = AsyncWorker(redisson, queue, lambda _value: None)
    async with worker.running():
        await until_async(lambda: of_outcomes(registry) == {"acked": 1}, "the acknowledgement")
    late = registry.get_sample_value("pyredisson_delivery_lateness_seconds_sum", QUEUE)
    years = (datetime.now(UTC) - datetime(2024, 1, 1, tzinfo=UTC)).total_seconds()
    assert late == pytest.approx(years, abs=60)


async def test_gauges_of_each_queue_of_the_client(
    redisson: AsyncRedisson, registry: CollectorRegistry, raw: Any
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    redisson.get_queue("r")
    await delayed.offer("due", at=datetime(2024, 1, 1, tzinfo=UTC))
    await delayed.offer("later", delay=60)
    raw.rpush("q", "a", "b", "c")
    raw.rpush("other", "a")
    text = generate_latest(registry).decode()
    assert 'pyredisson_pending{queue="q"} 2.0' in text
    assert 'pyredisson_ready{queue="q"} 3.0' in text
    assert 'pyredisson_ready{queue="r"} 0.0' in text
    assert '"other"' not in text
    for name in ("in_progress", "dead", "poison"):
        assert f'pyredisson_{name}{{queue="q"}} 0.0' in text
    late = registry.get_sample_value("pyredisson_oldest_overdue_seconds", QUEUE)
    assert late is not None
    assert late > 86400


async def test_gauges_end_with_the_client(
    redisson: AsyncRedisson, registry: CollectorRegistry
) -> None:
    redisson.get_queue("q")
    assert registry.get_sample_value("pyredisson_ready", QUEUE) == 0
    await redisson.aclose()
    assert registry.get_sample_value("pyredisson_ready", QUEUE) is None
    await until_async(
        lambda: not any("metrics" in each.name for each in threading.enumerate()),
        "the end of the threads",
    )


async def test_gauges_are_read_once_a_second_in_one_request(
    redisson: AsyncRedisson, registry: CollectorRegistry, raw: Any
) -> None:
    for number in range(20):
        redisson.get_queue(f"q{number}")
    registry.get_sample_value("pyredisson_ready", {"queue": "q0"})  # loads the script
    before = raw.info("stats")["total_commands_processed"]
    for _ in range(50):
        generate_latest(registry)
    commands = raw.info("stats")["total_commands_processed"] - before
    assert commands < 20 * 30  # each script counts its own commands; 50 reads would be 8,000


async def test_a_scrape_without_redis_keeps_the_counters(
    registry: CollectorRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"redis://127.0.0.1:{silent.getsockname()[1]}"
        hooks = PrometheusHooks(registry)
        redisson = AsyncRedisson.from_url(url, codec=StringCodec(), hooks=hooks)
        redisson.get_queue("q")
        hooks.on_transfer("q", 3)
        started = monotonic()
        text = generate_latest(registry).decode()
        assert monotonic() - started < 20  # 2 s, on a busy machine
        assert 'pyredisson_transferred_total{queue="q"} 3.0' in text
        assert 'pyredisson_ready{queue="q"}' not in text
        await sleep_async(1.1)  # the last result is old
        monkeypatch.setattr("pyredisson._observing.gauges.PATIENCE", 60.0)
        started = monotonic()
        assert 'pyredisson_ready{queue="q"}' not in generate_latest(registry).decode()
        assert monotonic() - started < 20  # the second scrape does not wait
        await redisson.aclose()


async def test_wake_ups_of_a_transfer_have_causes(
    redisson: AsyncRedisson, registry: CollectorRegistry
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"))

    def count(cause: str) -> float:
        labels = QUEUE | {"cause": cause}
        return registry.get_sample_value("pyredisson_transfer_wakeups_total", labels) or 0

    while not count("notified"):  # repeats if a safety poll finds the item first
        await delayed.offer("a", delay=0.05)
        await sleep_async(0.1)
    await delayed.offer_many([("a", 0.1), ("b", 1.2)])
    await until_async(lambda: count("due") >= 1 and count("safety") >= 1, "the wake-ups")
    assert count("subscribed") >= 1
    assert count("retry") == 0


async def test_an_outage_is_counted_once(registry: CollectorRegistry, own_server: Any) -> None:
    hooks = PrometheusHooks(registry)
    async with AsyncRedisson.from_url(
        own_server.url, codec=StringCodec(), hooks=hooks, safety_interval=0.2
    ) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
        assert await delayed.size() == 0
        own_server.kill()

        def count() -> float:
            labels = QUEUE | {"kind": "connection"}
            return registry.get_sample_value("pyredisson_errors_total", labels) or 0

        def retried() -> float:
            labels = QUEUE | {"cause": "retry"}
            return registry.get_sample_value("pyredisson_transfer_wakeups_total", labels) or 0

        await until_async(lambda: retried() >= 3, "three tries")
        assert count() == 1


async def test_two_clients_share_the_hooks(registry: CollectorRegistry, url: str) -> None:
    hooks = PrometheusHooks(registry)
    async with (
        AsyncRedisson.from_url(url, codec=StringCodec(), hooks=hooks) as one,
        AsyncRedisson.from_url(url, codec=StringCodec(), hooks=hooks) as another,
    ):
        one.get_queue("q")
        another.get_queue("r")
        for queue in ("q", "r"):
            assert registry.get_sample_value("pyredisson_ready", {"queue": queue}) == 0


async def test_more_than_two_hundred_queues_are_counted_together(
    redisson: AsyncRedisson, registry: CollectorRegistry, raw: Any
) -> None:
    for number in range(230):
        redisson.get_queue(f"q{number}")
        raw.rpush(f"q{number}", "a", "b")
    text = generate_latest(registry).decode()
    assert text.count("pyredisson_ready{") == 201
    assert 'pyredisson_ready{queue="other"} 60.0' in text

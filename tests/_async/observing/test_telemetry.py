"""OpenTelemetry: spans that are linked through Redis, and the metrics, on a real server."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF

from pyredisson import AsyncRedisson, AsyncWorker, Backoff
from pyredisson.codecs import StringCodec
from pyredisson.telemetry import OpenTelemetryHooks
from tests.support.twins import until_async


class Telemetry:
    """The spans and metrics of a test."""

    def __init__(self) -> None:
        self._spans = InMemorySpanExporter()
        provider = TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(self._spans))
        self.reader = InMemoryMetricReader()
        self.hooks = OpenTelemetryHooks(provider, MeterProvider([self.reader]))

    def spans(self, name: str) -> list[ReadableSpan]:
        return [each for each in self._spans.get_finished_spans() if each.name == name]

    def metrics(self) -> dict[tuple[str, ...], Any]:
        data: Any = self.reader.get_metrics_data()
        return {
            (metric.name, *point.attributes.values()): getattr(point, "value", None)
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
            for point in metric.data.data_points
        }


@pytest.fixture
def telemetry() -> Telemetry:
    return Telemetry()


@pytest.fixture
async def redisson(url: str, telemetry: Telemetry) -> AsyncIterator[AsyncRedisson]:
    async with AsyncRedisson.from_url(
        url, codec=StringCodec(), hooks=telemetry.hooks, due_times=True
    ) as redisson:
        yield redisson


def context_of(span: ReadableSpan) -> tuple[int, int]:
    context = span.get_span_context()
    assert context is not None
    return context.trace_id, context.span_id


def linked_to(span: ReadableSpan) -> list[tuple[int, int]]:
    return [(each.context.trace_id, each.context.span_id) for each in span.links]


async def handled(redisson: AsyncRedisson, handle: Any, count: int, **options: Any) -> None:
    """Let a worker handle messages until `count` are done or dead-lettered."""
    queue = redisson.get_blocking_queue("q")
    worker = AsyncWorker(redisson, queue, handle, backoff=Backoff(0.01), **options)
    async with worker.running():

        def settled() -> int:
            stats = worker.stats()
            return stats.done + stats.dead

        await until_async(lambda: settled() == count, "the outcomes")


async def test_spans_of_a_message_are_linked_to_its_offer(
    redisson: AsyncRedisson, telemetry: Telemetry
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
    inside: list[tuple[int, int]] = []

    def handle(_value: str) -> None:
        context = trace.get_current_span().get_span_context()
        inside.append((context.trace_id, context.span_id))

    await delayed.offer("a", delay=0.01)
    await handled(redisson, handle, 1)
    (offered,), (delivered,), (processed,) = (
        telemetry.spans(f"{name} q") for name in ("offer", "deliver", "process")
    )
    assert linked_to(delivered) == [context_of(offered)]
    assert linked_to(processed) == [context_of(offered)]
    assert processed.parent is not None
    assert processed.parent.span_id == context_of(delivered)[1]
    assert inside == [context_of(processed)]
    kinds = [each.kind for each in (offered, delivered, processed)]
    assert kinds == [trace.SpanKind.PRODUCER, trace.SpanKind.CONSUMER, trace.SpanKind.CONSUMER]
    attributes = dict(processed.attributes or {})
    assert attributes.pop("messaging.message.id")
    assert attributes == {
        "messaging.system": "redisson",
        "messaging.destination.name": "q",
        "messaging.operation.name": "process",
        "messaging.operation.type": "process",
        "pyredisson.attempt": 1,
    }


async def test_each_attempt_has_spans_with_the_link(
    redisson: AsyncRedisson, telemetry: Telemetry
) -> None:
    def handle(_value: str) -> None:
        raise ValueError("never")

    await redisson.get_delayed_queue(redisson.get_queue("q")).offer("a", delay=0)
    await handled(redisson, handle, 1, max_deliveries=2)
    (offered,) = telemetry.spans("offer q")
    attempts = telemetry.spans("process q")
    assert [linked_to(each) for each in attempts] == [[context_of(offered)]] * 2
    assert [each.status.status_code for each in attempts] == [trace.StatusCode.ERROR] * 2
    assert [(each.attributes or {})["error.type"] for each in attempts] == ["ValueError"] * 2


async def test_a_batch_is_linked_to_each_of_its_offers(
    redisson: AsyncRedisson, telemetry: Telemetry
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"))
    await delayed.offer_many([("a", 0), ("b", 0)])
    await delayed.offer("c", delay=0)
    await until_async(
        lambda: telemetry.metrics().get(("pyredisson.transferred", "q")) == 3, "the items"
    )
    await handled(redisson, lambda _values: None, 3, batch_size=10)
    offers = [context_of(each) for each in telemetry.spans("offer q")]
    assert len(offers) == 2
    (processed,) = telemetry.spans("process q")
    links, deliveries = linked_to(processed), telemetry.spans("deliver q")
    assert links == [offers[0], offers[0], offers[1], *map(context_of, deliveries)]
    assert (processed.attributes or {})["messaging.batch.message_count"] == 3


async def test_other_kinds_of_offers_store_a_trace_context(
    redisson: AsyncRedisson, telemetry: Telemetry, raw: Any
) -> None:
    queue = redisson.get_queue("q")
    await redisson.get_delayed_queue(queue, transfer=False).offer("a", delay=60, dedup="key")
    bounded = redisson.get_delayed_queue(queue, transfer=False, max_size=10)
    await bounded.offer("b", delay=60)
    await bounded.offer_many([("c", 60)])
    sharded = redisson.get_sharded_queue("s", 2, transfer=False)
    await sharded.offer("d", delay=60)
    await sharded.offer_many([("e", 60)])
    assert len(telemetry.spans("offer q")) == 3
    keys = list(raw.scan_iter(b"pyredisson_trace:*"))
    assert len(keys) == 5
    assert all(3_600_000 < raw.pttl(key) <= 3_660_000 for key in keys)


async def test_failed_offer_has_a_span_with_an_error(
    redisson: AsyncRedisson, telemetry: Telemetry, raw: Any
) -> None:
    raw.set("redisson_delay_queue:{q}", "text")
    with pytest.raises(Exception, match="redisson_delay_queue"):
        await redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False).offer("a", 1)
    (offered,) = telemetry.spans("offer q")
    assert offered.status.status_code is trace.StatusCode.ERROR


async def test_unsampled_offers_store_no_trace_context(url: str, raw: Any) -> None:
    hooks = OpenTelemetryHooks(TracerProvider(sampler=ALWAYS_OFF))
    async with AsyncRedisson.from_url(url, codec=StringCodec(), hooks=hooks) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
        await delayed.offer("a", delay=60)
        await delayed.offer_many([("b", 60)])
        assert await delayed.size() == 2
    assert not raw.keys("pyredisson_trace*")


async def test_stored_bytes_that_are_no_context_are_ignored(
    redisson: AsyncRedisson, telemetry: Telemetry, raw: Any
) -> None:
    delayed = redisson.get_delayed_queue(redisson.get_queue("q"), transfer=False)
    bad = (b"\xff", b"[]", b'{"traceparent": 1}', b'{"traceparent": "no"}')
    for number, each in enumerate(bad):
        await delayed.offer(str(number), delay=60)
        (key,) = raw.keys("pyredisson_trace*")
        raw.rpush("q", str(number))
        raw.set(key, each)
        await handled(redisson, lambda _value: None, 1)
        raw.delete(key)
    assert [linked_to(each) for each in telemetry.spans("process q")] == [[]] * len(bad)


async def test_metrics_count_offers_transfers_and_deliveries(
    redisson: AsyncRedisson, telemetry: Telemetry, raw: Any
) -> None:
    await redisson.get_delayed_queue(redisson.get_queue("q")).offer("a", delay=0)
    await handled(redisson, lambda _value: None, 1)
    raw.rpush("q", "b", "c")

    def ready() -> Any:
        return telemetry.metrics().get(("pyredisson.ready", "q"))

    await until_async(lambda: ready() == 2, "the next read of the gauges")
    found = telemetry.metrics()
    assert found["pyredisson.offers", "q"] == 1
    assert found["pyredisson.transferred", "q"] == 1
    assert found["pyredisson.deliveries", "q", "acked"] == 1
    assert ("pyredisson.delivery_lateness", "q") in found
    assert ("pyredisson.handler", "q") in found
    assert found["pyredisson.pending", "q"] == 0

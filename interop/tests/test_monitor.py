"""Metrics and traces on queues that Java shares: Java reads the same bytes."""

from functools import partial
from typing import Any

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import CollectorRegistry

from interop.tests.conftest import Clients
from pyredisson import DecodeError, Redisson, Worker
from pyredisson.codecs import JsonJacksonCodec, StringCodec
from pyredisson.metrics import PrometheusHooks
from pyredisson.telemetry import OpenTelemetryHooks
from tests.support.twins import until


@pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])
def test_java_takes_traced_items(java_client: Clients, url: str, raw: Any, release: str) -> None:
    hooks = OpenTelemetryHooks(TracerProvider(), MeterProvider([InMemoryMetricReader()]))
    theirs = java_client(release).blocking_queue("q", codec="String")
    with Redisson.from_url(
        url, codec=StringCodec(), hooks=hooks, wire_format=release, due_times=True
    ) as python:
        delayed = python.get_delayed_queue(python.get_queue("q"))
        delayed.offer("a", delay=0.2)
        delayed.offer_many([("b", 0.3), ("c", 0.4)])
        assert len(raw.keys("pyredisson_trace*")) == 3
        assert [theirs.call("take") for _ in "abc"] == list("abc")


@pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])
def test_metrics_and_traces_of_an_item_that_java_transferred(
    java_client: Clients, url: str, raw: Any, release: str
) -> None:
    """Its due time is unknown, and it has no trace."""
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    registry, labels = CollectorRegistry(), {"queue": "q"}
    theirs = java_client(release).delayed_queue("q", codec="String")
    for hooks in (PrometheusHooks(registry), OpenTelemetryHooks(provider)):
        theirs.call("offer", "task", 10, "MILLISECONDS")
        until(lambda: raw.llen("q") == 1, "Java's transfer")
        with Redisson.from_url(url, codec=StringCodec(), hooks=hooks, due_times=True) as python:
            worker = Worker(python, python.get_queue("q"), lambda _value: None)
            with worker.running():
                until(partial(_is_done, worker), "the item")
            if isinstance(hooks, PrometheusHooks):
                assert registry.get_sample_value("pyredisson_pending", labels) == 0
    value = registry.get_sample_value
    assert value("pyredisson_deliveries_total", labels | {"outcome": "acked"}) == 1
    assert value("pyredisson_delivery_lateness_seconds_count", labels) is None
    spans = exporter.get_finished_spans()
    assert {each.name: len(each.links) for each in spans} == {"deliver q": 0, "process q": 0}
    theirs.destroy()


@pytest.mark.parametrize("release", ["3.19.3", "4.7.0"])
def test_poison_gauge_rises_if_java_writes_with_another_codec(
    java_client: Clients, url: str, release: str
) -> None:
    """The gauge is that of the alert PyredissonPoison. The item stays in the poison list."""
    registry = CollectorRegistry()
    theirs = java_client(release).delayed_queue("q", codec="Kryo5")
    with Redisson.from_url(
        url, codec=JsonJacksonCodec(), hooks=PrometheusHooks(registry)
    ) as python:
        queue = python.get_blocking_queue("q")
        python.get_delayed_queue(queue)
        theirs.call("offer", "task", 10, "MILLISECONDS")
        with pytest.raises(DecodeError):
            queue.poll(timeout=30)
        labels = {"queue": "q"}
        until(lambda: registry.get_sample_value("pyredisson_poison", labels) == 1, "the gauge")
    theirs.destroy()


def _is_done(worker: Worker) -> bool:
    return worker.stats().done == 1

"""Gauges and carried contexts in a cluster, and gauges behind Sentinel."""

from typing import Any

import redis
import redis.asyncio
import redis.asyncio.sentinel
import redis.sentinel
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from prometheus_client import CollectorRegistry

from pyredisson import AsyncRedisson, AsyncWorker
from pyredisson.codecs import StringCodec
from pyredisson.metrics import PrometheusHooks
from pyredisson.telemetry import OpenTelemetryHooks
from tests.support.topology import RedisCluster, SentinelGroup
from tests.support.twins import close_cluster_async, until_async

NAMES = ("orders", "mails", "bills", "app:{1}:q", "{tag}")


async def test_gauges_of_all_nodes(cluster: RedisCluster) -> None:
    registry = CollectorRegistry()
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    hooks = PrometheusHooks(registry)
    async with AsyncRedisson(client, codec=StringCodec(), hooks=hooks) as redisson:
        for name in NAMES:
            queue = redisson.get_queue(name)
            await redisson.get_delayed_queue(queue, transfer=False).offer("a", delay=60)

        def pending() -> list[float | None]:
            labels = [{"queue": name} for name in NAMES]
            return [registry.get_sample_value("pyredisson_pending", each) for each in labels]

        await until_async(lambda: pending() == [1] * len(NAMES), "the gauges of all queues")
    await close_cluster_async(client)


async def test_spans_are_linked_in_a_cluster(cluster: RedisCluster) -> None:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    client: Any = redis.asyncio.RedisCluster.from_url(cluster.url)
    hooks = OpenTelemetryHooks(provider)
    async with AsyncRedisson(client, codec=StringCodec(), hooks=hooks) as redisson:
        queues = [redisson.get_queue(f"traced {name}") for name in NAMES]
        for queue in queues:
            await redisson.get_delayed_queue(queue).offer_many([("a", 0), ("b", 0)])
        worker = AsyncWorker(redisson, queues, lambda _value: None)
        async with worker.running():
            await until_async(lambda: worker.stats().done == 2 * len(NAMES), "all are handled")
    await close_cluster_async(client)
    processed = [each for each in exporter.get_finished_spans() if each.name.startswith("process")]
    assert [len(each.links) for each in processed] == [1] * 2 * len(NAMES)


async def test_gauges_behind_sentinel(sentinels: SentinelGroup) -> None:
    registry = CollectorRegistry()
    kind: Any = redis.asyncio.sentinel.Sentinel  # not annotated in redis-py
    watchers = kind(sentinels.addresses)
    client = watchers.master_for(sentinels.service_name)
    hooks = PrometheusHooks(registry)
    async with AsyncRedisson(client, codec=StringCodec(), hooks=hooks) as redisson:
        await redisson.get_queue("q").add("a")

        def ready() -> float | None:
            return registry.get_sample_value("pyredisson_ready", {"queue": "q"})

        await until_async(lambda: ready() == 1, "the gauges")
    for watcher in watchers.sentinels:
        await watcher.aclose()
    await client.aclose()

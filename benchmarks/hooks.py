"""The cost of hooks: their part alone, and offers of one thread with and without them."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.sampling import ALWAYS_OFF, ALWAYS_ON, Sampler
from prometheus_client import CollectorRegistry

from benchmarks.measure import PAYLOAD, Bench
from pyredisson import Hooks, Receipt, Redisson
from pyredisson._runtime.user_code import HookDispatcher
from pyredisson.codecs import StringCodec
from pyredisson.metrics import PrometheusHooks
from pyredisson.telemetry import OpenTelemetryHooks

NAME = "hooks"
HOOKS: dict[str, Callable[[], Hooks | None]] = {
    "no hooks": lambda: None,
    "Hooks without methods": Hooks,
    "Prometheus": lambda: PrometheusHooks(CollectorRegistry()),
    "OpenTelemetry, not sampled": lambda: _telemetry(ALWAYS_OFF),
    "OpenTelemetry, each offer sampled": lambda: _telemetry(ALWAYS_ON),
}


def _telemetry(sampler: Sampler) -> Hooks:
    return OpenTelemetryHooks(TracerProvider(sampler), MeterProvider())


def run(bench: Bench) -> None:
    """Measure in this process, in turns."""
    count = 1_000 if bench.quick else 10_000
    events = {name: make() for name, make in HOOKS.items()}
    alone = {
        name: partial(_event, hooks, 10 * count)
        for name, hooks in events.items()
        if hooks is not None and not hooks.carries  # spans are not events
    }
    found = bench.interleave(alone, what="events")
    bench.record(NAME, "the event of an offer: processor time", found, unit="us")
    clients = {name: _client(bench, make()) for name, make in HOOKS.items()}
    offers = bench.interleave(
        {name: partial(_offers, offer, count) for name, offer in clients.items()}, what="offers"
    )
    bench.record(NAME, "offers, 1 thread: processor time", offers, unit="us", reference="no hooks")


def _event(hooks: Hooks, count: int) -> float:
    """Return the microseconds of one event."""
    emit, receipt = HookDispatcher(hooks), Receipt("bench", 5, bytes(8), b"v")
    start = time.process_time()
    for _ in range(count):
        emit("on_offer", "bench", receipt)
    return (time.process_time() - start) / count * 1e6


def _client(bench: Bench, hooks: Hooks | None) -> Callable[[], object]:
    url = bench.server.url
    redisson = bench.stack.enter_context(Redisson.from_url(url, codec=StringCodec(), hooks=hooks))
    queue = redisson.get_queue(f"bench-hooks-{id(redisson)}")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    return partial(delayed.offer, PAYLOAD, 3600)


def _offers(offer: Callable[[], object], count: int) -> float:
    """Return the client's processor time of an offer in microseconds."""
    start = time.process_time()
    for _ in range(count):
        offer()
    return (time.process_time() - start) / count * 1e6

"""OpenTelemetry traces and metrics of clients, workers and queues; see docs/monitor.md.

Example::

    from pyredisson import Redisson
    from pyredisson.telemetry import OpenTelemetryHooks

    redisson = Redisson.from_url("redis://127.0.0.1:6379/0", hooks=OpenTelemetryHooks())
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from typing import Any

try:
    from opentelemetry import context, metrics, propagate, trace
    from opentelemetry.metrics import CallbackOptions, MeterProvider, Observation
    from opentelemetry.trace import Link, Span, SpanKind, Status, StatusCode, TracerProvider
except ImportError as error:
    raise ImportError(
        "pyredisson.telemetry needs opentelemetry-api: pip install opentelemetry-api "
        "(pyredisson's extra 'otel')"
    ) from error

from pyredisson._observing.measuring import (
    COUNTERS,
    GAUGES,
    HISTOGRAMS,
    MeasuringHooks,
    Metric,
)
from pyredisson._runtime.concurrency import StateLock
from pyredisson._support.error_text import text_of
from pyredisson.protocol.worker.outcome import Defer

__all__ = ["OpenTelemetryHooks"]


class OpenTelemetryHooks(MeasuringHooks):
    """Records spans of offers, deliveries and calls of handlers, and the metrics.

    The metrics have the same meaning as the metrics of `pyredisson.metrics`. The context of an
    offer's span is stored in a separate key of pyredisson, not in the item. Workers whose client
    has these hooks read it, and their spans link to the offer's span. Java reads the same bytes
    as without these hooks.

    Args:
        tracer_provider: the provider of the tracer; None for the global provider.
        meter_provider: the provider of the meter; None for the global provider.
    """

    carries = True

    def __init__(
        self,
        tracer_provider: TracerProvider | None = None,
        meter_provider: MeterProvider | None = None,
    ) -> None:
        super().__init__()
        self._tracer = trace.get_tracer("pyredisson", tracer_provider=tracer_provider)
        self._spans: dict[int, tuple[Span, Any]] = {}
        self._delivered: dict[str, Span] = {}
        meter = metrics.get_meter("pyredisson", meter_provider=meter_provider)
        self._lock = StateLock()
        self._counts: dict[Metric, Counter[tuple[str, str]]] = {
            each: Counter() for each in COUNTERS
        }
        for each in COUNTERS:  # a counter of the SDK would cost about 10 us for each offer
            total = [partial(self._total, each)]
            meter.create_observable_counter(f"pyredisson.{each.name}", total, "", each.text)
        self._histograms = {
            each: meter.create_histogram(f"pyredisson.{each.name}", "s", each.text)
            for each in HISTOGRAMS
        }
        for field, each in GAUGES.items():
            unit = "s" if field == "oldest_overdue" else ""
            read = [partial(self._read, field)]
            meter.create_observable_gauge(f"pyredisson.{each.name}", read, unit, each.text)

    def _count(self, metric: Metric, queue: str, label: str = "", number: int = 1) -> None:
        counts, labels = self._counts[metric], (self._queues(queue), label)
        with self._lock.held:
            counts[labels] += number

    def _total(self, metric: Metric, _options: CallbackOptions) -> Iterable[Observation]:
        with self._lock.held:
            found = list(self._counts[metric].items())
        for (queue, label), number in found:
            more = {metric.label: label} if metric.label else {}
            yield Observation(number, {"queue": queue, **more})

    def _observe(self, metric: Metric, queue: str, seconds: float) -> None:
        self._histograms[metric].record(seconds, {"queue": self._queues(queue)})

    def _read(self, field: str, _options: CallbackOptions) -> Iterable[Observation]:
        for queue, stats in self._gauges.read().items():
            if (value := getattr(stats, field)) >= 0:  # -1: a key of another type
                yield Observation(value, {"queue": queue})

    # -------------------------------------------------------------- spans

    def offering(self, queue: str, count: int) -> AbstractContextManager[bytes | None]:
        """See `Hooks`."""
        return self._offering(queue, count)

    @contextmanager
    def _offering(self, queue: str, count: int) -> Iterator[bytes | None]:
        attributes = _attributes(queue, "offer", "send", count)
        with self._tracer.start_as_current_span(
            f"offer {queue}", kind=SpanKind.PRODUCER, attributes=attributes
        ) as span:
            carrier: dict[str, str] = {}
            if span.get_span_context().trace_flags.sampled:
                propagate.inject(carrier)
            yield json.dumps(carrier).encode() if carrier else None

    def on_deliver(self, queue: str, message: Any) -> None:
        """Record the span from the take to the handler; see `Hooks`."""
        super().on_deliver(queue, message)
        attributes = _attributes(queue, "deliver", "receive", 1) | _identity(message)
        now = time.time_ns()
        waited_ms = max(message._now_ms() - message._delivery.taken_ms, 0)
        span = self._tracer.start_span(
            f"deliver {queue}",
            context.Context(),
            SpanKind.CONSUMER,
            attributes,
            _links([message]),
            start_time=now - int(waited_ms * 1_000_000),
        )
        span.end(now)
        self._delivered[message.delivery_id] = span

    def on_handle(self, queue: str, messages: Sequence[Any]) -> None:
        """Start the span of a call of the handler, and make the span current; see `Hooks`."""
        delivered = [self._delivered.pop(each.delivery_id) for each in messages]
        parent, links = context.Context(), _links(messages)
        attributes = _attributes(queue, "process", "process", len(messages))
        if len(messages) == 1:
            parent = trace.set_span_in_context(delivered[0], parent)
            attributes |= _identity(messages[0])
        else:
            links += [Link(each.get_span_context()) for each in delivered]
        span = self._tracer.start_span(
            f"process {queue}", parent, SpanKind.CONSUMER, attributes, links
        )
        token = context.attach(trace.set_span_in_context(span))
        self._spans[id(messages)] = span, token

    def on_handled(
        self, queue: str, messages: Sequence[Any], seconds: float, error: Exception | None
    ) -> None:
        """End the span of the handler's call; see `Hooks`."""
        super().on_handled(queue, messages, seconds, error)
        span, token = self._spans.pop(id(messages))
        context.detach(token)
        if error is not None and not isinstance(error, Defer):
            span.record_exception(error)
            span.set_attribute("error.type", type(error).__name__)
            span.set_status(Status(StatusCode.ERROR, text_of(error)))
        span.end()


def _attributes(queue: str, name: str, kind: str, count: int) -> dict[str, str | int]:
    """Return attributes by the semantic conventions of messaging."""
    found: dict[str, str | int] = {
        "messaging.system": "redisson",
        "messaging.destination.name": queue,
        "messaging.operation.name": name,
        "messaging.operation.type": kind,
    }
    return found | ({"messaging.batch.message_count": count} if count > 1 else {})


def _identity(message: Any) -> dict[str, str | int]:
    return {"messaging.message.id": message.id, "pyredisson.attempt": message.attempt}


def _links(messages: Sequence[Any]) -> list[Link]:
    """Return links to the offers' spans; a message without the context of a span has none."""
    found = []
    for message in messages:
        if (span := _producer(message.carried)) is not None:
            found.append(Link(span.get_span_context()))
    return found


def _producer(carried: bytes | None) -> Span | None:
    """Return the span with the carried context; None if `carried` is not a valid context."""
    try:
        carrier = json.loads(carried or b"{}")
    except ValueError:
        return None
    if not (isinstance(carrier, dict) and all(isinstance(v, str) for v in carrier.values())):
        return None
    span = trace.get_current_span(propagate.extract(carrier, context.Context()))
    return span if span.get_span_context().is_valid else None

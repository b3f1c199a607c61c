"""Prometheus metrics of clients, workers and queues; see docs/monitor.md.

Example::

    from prometheus_client import start_http_server
    from pyredisson import Redisson
    from pyredisson.metrics import PrometheusHooks

    start_http_server(9464)
    redisson = Redisson.from_url("redis://127.0.0.1:6379/0", hooks=PrometheusHooks())
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

try:
    import prometheus_client
    from prometheus_client.core import GaugeMetricFamily
    from prometheus_client.registry import Collector
except ImportError as error:
    raise ImportError(
        "pyredisson.metrics needs prometheus-client: pip install prometheus-client "
        "(pyredisson's extra 'prometheus')"
    ) from error

from pyredisson._observing.labels import OTHER, Labels
from pyredisson._observing.measuring import (
    BUCKETS,
    COUNTERS,
    GAUGES,
    HISTOGRAMS,
    MeasuringHooks,
    Metric,
)

__all__ = ["PrometheusHooks"]


class PrometheusHooks(MeasuringHooks):
    """Exports counters of events, histograms of times, and gauges of queues.

    Pass one object as `hooks` to all clients of the process. There are gauges for
    each queue of which a client has an object. A scrape reads the gauges, at most once a second. It
    waits at most 2 s for Redis. Queues that could not be read by then are missing. The first 200
    queues have labels with their names. All others share the label "other".

    Args:
        registry: a `prometheus_client.CollectorRegistry`; None for `prometheus_client.REGISTRY`.

    Raises:
        ValueError: the registry has these metrics already.
    """

    def __init__(self, registry: prometheus_client.CollectorRegistry | None = None) -> None:
        super().__init__()
        home = prometheus_client.REGISTRY if registry is None else registry
        self._children: dict[Metric, _Children] = {}
        for metric in COUNTERS:
            labels = ("queue", metric.label) if metric.label else ("queue",)
            name = f"pyredisson_{metric.name}_total"
            counter = prometheus_client.Counter(name, metric.text, labels, registry=home)
            self._children[metric] = _Children(counter, self._queues)
        for metric in HISTOGRAMS:
            name = f"pyredisson_{metric.name}_seconds"
            histogram = prometheus_client.Histogram(
                name, metric.text, ("queue",), registry=home, buckets=BUCKETS
            )
            self._children[metric] = _Children(histogram, self._queues)
        home.register(_GaugeCollector(self))

    def _count(self, metric: Metric, queue: str, label: str = "", number: int = 1) -> None:
        self._children[metric][queue, label].inc(number)

    def _observe(self, metric: Metric, queue: str, seconds: float) -> None:
        self._children[metric][queue, ""].observe(seconds)


class _Children(dict[tuple[str, str], Any]):
    """The time series of one metric by their labels; faster than `metric.labels()`."""

    def __init__(self, metric: Any, queues: Labels) -> None:
        super().__init__()
        self._metric = metric
        self._queues = queues

    def __missing__(self, labels: tuple[str, str]) -> Any:
        queue, label = labels
        name = self._queues(queue)
        child = self._metric.labels(*((name, label) if label else (name,)))
        if name != OTHER:
            self[labels] = child
        return child


class _GaugeCollector(Collector):
    """Reads the gauges at each scrape."""

    def __init__(self, hooks: PrometheusHooks) -> None:
        self._hooks = hooks

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Return the gauges without values, so that registration does not read Redis."""
        return [self._family(field) for field in GAUGES]

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Return the gauges of all queues."""
        found = self._hooks._gauges.read()
        for field in GAUGES:
            family = self._family(field)
            for queue, stats in found.items():
                if (value := getattr(stats, field)) >= 0:  # -1: a key of another type
                    family.add_metric([queue], value)
            yield family

    @staticmethod
    def _family(field: str) -> GaugeMetricFamily:
        unit = "_seconds" if field == "oldest_overdue" else ""
        metric = GAUGES[field]
        return GaugeMetricFamily(f"pyredisson_{metric.name}{unit}", metric.text, labels=("queue",))

"""Hooks that turn events into counters and histograms, which a subclass exports.

The rule: each delivery to a handler is counted with exactly one outcome.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from pyredisson._observing.gauges import Gauges
from pyredisson._observing.labels import Labels
from pyredisson.errors import DecodeError
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.worker.hooks import Hooks
from pyredisson.protocol.worker.outcome import Defer

__all__ = ["BUCKETS", "COUNTERS", "GAUGES", "HISTOGRAMS", "MeasuringHooks", "Metric"]


class Metric(NamedTuple):
    """A metric: its name without prefix and suffix, its description, and its second label."""

    name: str
    text: str
    label: str = ""


OFFERS = Metric("offers", "Items that this process has offered.")
TRANSFERRED = Metric("transferred", "Due items that this process has transferred.")
DELIVERIES = Metric("deliveries", "Deliveries to workers, by their outcome.", "outcome")
UNDECODABLE = Metric("undecodable", "Values that could not be decoded.")
ERRORS = Metric("errors", "Exceptions of handlers by class, and lost connections.", "kind")
WAKEUPS = Metric("transfer_wakeups", "Wake-ups of the transfer task, by their cause.", "cause")
LATENESS = Metric("delivery_lateness", "Time from the due time to the handler.")
HANDLER = Metric("handler", "Duration of a call of the handler.")

COUNTERS = (OFFERS, TRANSFERRED, DELIVERIES, UNDECODABLE, ERRORS, WAKEUPS)
HISTOGRAMS = (LATENESS, HANDLER)
"""The values are seconds."""
GAUGES = {
    "pending": Metric("pending", "Items that wait for their due time or their transfer."),
    "oldest_overdue": Metric("oldest_overdue", "Seconds since the oldest pending item is due."),
    "ready": Metric("ready", "Elements of the target list."),
    "in_progress": Metric("in_progress", "Messages that consumers hold."),
    "dead": Metric("dead", "Dead letters."),
    "poison": Metric("poison", "Entries and values that could not be decoded."),
}
"""The gauges, by the name of their field in `QueueStats`."""
BUCKETS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)
"""The upper bounds of the buckets of the histograms, in seconds."""


class MeasuringHooks(Hooks):
    """Counts events and measures durations; a subclass defines `_count` and `_observe`."""

    def __init__(self) -> None:
        self._queues = Labels()
        self._kinds = Labels()
        self._gauges = Gauges(self._queues)

    def _count(self, metric: Metric, queue: str, label: str = "", number: int = 1) -> None:
        raise NotImplementedError

    def _observe(self, metric: Metric, queue: str, seconds: float) -> None:
        raise NotImplementedError

    def on_open(self, client: Any) -> None:
        """See `Hooks`."""
        self._gauges.open(client)

    def on_close(self, client: Any) -> None:
        """See `Hooks`."""
        self._gauges.close(client)

    def on_queue(self, client: Any, queue: str) -> None:
        """See `Hooks`."""
        self._gauges.add(client, queue)

    def on_offer(self, queue: str, receipt: Receipt) -> None:
        """See `Hooks`."""
        self._count(OFFERS, queue)

    def on_transfer(self, queue: str, count: int) -> None:
        """See `Hooks`."""
        self._count(TRANSFERRED, queue, number=count)

    def on_deliver(self, queue: str, message: Any) -> None:
        """See `Hooks`."""
        lateness = message.lateness
        if lateness is not None:
            self._observe(LATENESS, queue, lateness)

    def on_handled(
        self, queue: str, messages: Sequence[Any], seconds: float, error: Exception | None
    ) -> None:
        """See `Hooks`."""
        self._observe(HANDLER, queue, seconds)
        if error is not None and not isinstance(error, Defer):
            self._count(ERRORS, queue, self._kinds(type(error).__name__))

    def on_ack(self, queue: str, message: Any) -> None:
        """See `Hooks`."""
        self._count(DELIVERIES, queue, "acked")

    def on_retry(self, queue: str, message: Any, error: Exception, delay: float) -> None:
        """See `Hooks`."""
        self._count(DELIVERIES, queue, "deferred" if isinstance(error, Defer) else "retried")

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        """See `Hooks`."""
        self._count(DELIVERIES, queue, "dead")

    def on_drop(self, queue: str, message: Any, error: Exception | None) -> None:
        """See `Hooks`."""
        self._count(DELIVERIES, queue, "dropped")

    def on_settle(self, queue: str, message: Any, outcome: str) -> None:
        """See `Hooks`."""
        self._count(DELIVERIES, queue, outcome)

    def on_lease_end(self, queue: str, message: Any) -> None:
        """See `Hooks`."""
        self._count(DELIVERIES, queue, "lease_expired")

    def on_undecodable(self, queue: str, error: DecodeError) -> None:
        """See `Hooks`."""
        self._count(UNDECODABLE, queue)

    def on_wake(self, queue: str, cause: str) -> None:
        """See `Hooks`."""
        self._count(WAKEUPS, queue, cause)

    def on_outage(self, queue: str) -> None:
        """See `Hooks`."""
        self._count(ERRORS, queue, "connection")

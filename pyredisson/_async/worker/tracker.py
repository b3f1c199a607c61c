"""The outcome of each delivery of a worker, for its counters and hooks.

The rule: a delivery is opened before a handler gets its message, and closed once. A second close
does nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from pyredisson._async.consumers.by_priority import AnyConsumer, all_of
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._runtime.concurrency import StateLock
from pyredisson.protocol.worker.outcome import SETTLED, Fate
from pyredisson.stats import WorkerStats

_COUNTERS = {
    Fate.DONE: "done",
    Fate.RETRY: "retried",
    Fate.DEFER: "deferred",
    Fate.DEAD: "dead",
    Fate.DROP: "dropped",
    None: "lease_expired",
}
_WITHOUT_HANDLER = {"on_dead_letter": Fate.DEAD, "on_drop": Fate.DROP}


class AsyncDeliveryTracker:
    """The deliveries of one worker.

    Args:
        emit: calls a hook by its name; None if there are no hooks. It becomes the attribute `hook`.
    """

    def __init__(self, emit: Callable[..., None] | None = None) -> None:
        self.hook = emit
        self._lock = StateLock()
        self._open: dict[bytes, AsyncMessage[Any]] = {}
        self.stats = WorkerStats()

    def open(self, messages: Iterable[AsyncMessage[Any]]) -> None:
        """Track deliveries that handlers will get."""
        with self._lock.held:
            self._open.update((message._token, message) for message in messages)

    def close(self, message: AsyncMessage[Any], fate: Fate | None) -> bool:
        """Count the outcome of a delivery; return False if the delivery is not open.

        `fate` is None if the message was not settled: its lease had ended, the settlement failed,
        or the worker has ended. Then `on_lease_end` is called.
        """
        with self._lock.held:
            if self._open.pop(message._token, None) is None:
                return False
            self._count(fate)
        if fate is None:
            self.emit("on_lease_end", message)
        return True

    def _count(self, fate: Fate | None) -> None:
        counter = _COUNTERS[fate]
        self.stats = replace(self.stats, **{counter: getattr(self.stats, counter) + 1})

    def left(self) -> list[AsyncMessage[Any]]:
        """Return the messages whose deliveries are still open."""
        with self._lock.held:
            return list(self._open.values())

    def emit(self, name: str, message: AsyncMessage[Any], *args: Any) -> None:
        """Call a hook for a message of this worker."""
        if self.hook is not None:
            self.hook(name, message.consumer.key, message, *args)

    def emit_settled(self, message: AsyncMessage[Any]) -> None:
        """Call `on_settle` for a message, if its handler settled it before the lease ended."""
        if message._became is not None:
            self.emit("on_settle", message, SETTLED[message._became])

    def listen_to(self, consumers: Iterable[AnyConsumer]) -> None:
        """Receive the consumers' events about messages that no handler gets."""
        for each in all_of(consumers):
            each._emit = self.on_event

    def on_event(self, name: str, queue: str, *args: Any) -> None:
        """Call a hook for a message that no handler gets; count it if it is dead or dropped."""
        if name in _WITHOUT_HANDLER:
            with self._lock.held:
                self._count(_WITHOUT_HANDLER[name])
        if self.hook is not None:
            self.hook(name, queue, *args)

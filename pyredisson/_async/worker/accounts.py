"""What becomes of each delivery of a worker, for its counters and hooks.

The rule: a delivery is opened when a handler is to have it, and closed once; whoever closes it
again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from pyredisson._async.consumers.by_priority import AnyConsumer, all_of
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._runtime.concurrency import StateLock
from pyredisson.protocol.worker.outcome import Fate
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


class AsyncAccounts:
    """The deliveries of one worker.

    Args:
        emit: calls a hook by its name.
    """

    def __init__(self, emit: Callable[..., None] | None = None) -> None:
        self._hook = emit
        self._lock = StateLock()
        self._open: dict[bytes, AsyncMessage[Any]] = {}
        self.stats = WorkerStats()

    def open(self, messages: Iterable[AsyncMessage[Any]]) -> None:
        """Begin the accounts of these."""
        with self._lock.held:
            self._open.update((message._token, message) for message in messages)

    def close(self, message: AsyncMessage[Any], fate: Fate | None) -> bool:
        """Count what became of a message, None where its lease had ended; False if it was."""
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
        """Return those of which nothing is known yet."""
        with self._lock.held:
            return list(self._open.values())

    def emit(self, name: str, message: AsyncMessage[Any], *facts: Any) -> None:
        """Call a hook."""
        if self._hook is not None:
            self._hook(name, message.consumer.key, message, *facts)

    def hear(self, consumers: Iterable[AnyConsumer]) -> None:
        """Hear what consumers let no handler have."""
        for each in all_of(consumers):
            each._emit = self.heard

    def heard(self, name: str, queue: str, *facts: Any) -> None:
        """Count what a consumer let no handler have, and call its hook."""
        if name in _WITHOUT_HANDLER:
            with self._lock.held:
                self._count(_WITHOUT_HANDLER[name])
        if self._hook is not None:
            self._hook(name, queue, *facts)

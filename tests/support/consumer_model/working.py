"""The model's workers: each handles a few messages, with outcomes that the model chooses."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import rule

from pyredisson import Backoff, Defer, Hooks, Message, Worker
from tests.support.consumer_model.book import UNIT
from tests.support.consumer_model.consuming import Consuming
from tests.support.consumer_model.holder import LEASE, token_of
from tests.support.consumer_model.machine import WAYS
from tests.support.consumer_model.places import Places
from tests.support.consumer_model.rig import NAMES
from tests.support.twins import until

FATES = ["ok", "retry", "dead", "drop", "defer", "ack"]
_ERRORS: dict[str, Callable[[], Exception]] = {
    "retry": lambda: ValueError("again"),
    "dead": lambda: KeyError("dead"),
    "drop": lambda: IndexError("dropped"),
    "defer": lambda: Defer(UNIT),
}


@dataclass(eq=False)
class Shift(Hooks):
    """The outcomes of a worker's handlers, in order; after the last one the worker stops."""

    fates: list[str]
    most: int
    handled: list[tuple[Message[str], str]] = field(default_factory=list)
    buried: list[Message[str]] = field(default_factory=list)
    """Messages that had been delivered too often."""
    over: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def on_dead_letter(
        self, queue: str, message: Any, reason: str, error: Exception | None
    ) -> None:
        """Note messages whose handlers did not run; expired ones are found in the keys."""
        if error is None and reason != "expired":
            self.buried.append(message)

    def handle(self, message: Message[str]) -> None:
        """Use the next outcome."""
        with self._lock:
            fate = self.fates.pop(0) if self.fates else "ok"
            self.handled.append((message, fate))
            if not self.fates:
                self.over.set()
        if fate == "ack":
            message.ack()
        elif fate in _ERRORS:
            raise _ERRORS[fate]()


class Working(Consuming):
    """The model with workers."""

    @rule(
        fates=st.lists(st.sampled_from(FATES), min_size=1, max_size=4),
        most=st.sampled_from([2, 1000]),
        way=WAYS,
    )
    def work(self, fates: list[str], most: int, way: str) -> None:
        """Run a worker, which releases unfinished messages.

        After a lost reply, a lease without a holder remains.
        """
        self.transfer()
        self.provide()
        before, shift = self.places(), Shift(fates, most)
        with self.rig.client(hooks=shift, response_timeout=30) as redisson:
            worker = Worker(
                redisson,
                redisson.get_queue("q"),
                shift.handle,
                concurrency=2,
                lease=LEASE,
                max_deliveries=most,
                backoff=Backoff(first=UNIT, limit=UNIT, jitter=0),
                on_error={KeyError: "dead", IndexError: "drop"},
                pass_message=True,
            )
            codes: list[int] = []
            running = threading.Thread(target=lambda: codes.append(worker.run()))
            with self.rig.losing() if way == "lost" else nullcontext():
                running.start()
                self.rig.close_slot()
                until(lambda: shift.over.is_set() or self._is_idle(worker), "the worker is done")
                worker.stop()
                running.join()
        assert codes == [0]
        self._account(shift, before, lost=way == "lost")

    def _is_idle(self, worker: Worker) -> bool:
        """Return whether the queue and the worker are empty; nothing else changes the queue."""
        now = self.rig.now_ms()
        commands = [
            ("LLEN", NAMES.queue.name),
            ("LLEN", NAMES.arriving),
            ("ZCOUNT", NAMES.leases, "-inf", now),
        ]
        return not any(self.rig.read(commands)) and worker.stats().running == 0

    def _account(self, shift: Shift, before: Places, *, lost: bool) -> None:
        """Note each delivery and its outcome."""
        places = self.places()
        self.book.forget_ended(places)
        for message in shift.buried:
            self._deliver(message, before)
            self.book.buried(self.book.settled(token_of(message)).value)
        for message, fate in shift.handled:
            self._deliver(message, before)
            lease = self.book.settled(token_of(message))
            if fate in ("ok", "drop", "ack"):
                self.book.remove(lease.value)
            elif fate == "dead" or (fate == "retry" and message.attempt >= shift.most):
                self.book.buried(lease.value)
            elif fate == "defer":
                self.deferred(lease)
            else:
                self.postponed(lease)
        if lost:
            self.adopt_for_nobody(places)

    def _deliver(self, message: Message[str], before: Places) -> None:
        assert self.book.expiry.get(message.value, before.now_ms + 1) > before.now_ms
        self.book.taken(message._delivery, 0, None)

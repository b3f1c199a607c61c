"""Java on the stage: it offers, transfers, and moves some items to a list of its own."""

from __future__ import annotations

import itertools
import random
import threading
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from interop.peer import JavaPeer
from interop.soak.actors import QUEUES
from interop.soak.notes import Notes

__all__ = ["JavaActor"]


class JavaActor:
    """A Java Redisson whose offers are noted as the others' are."""

    def __init__(self, url: str, notes: Notes) -> None:
        self._url = url
        self._notes = notes
        self._stack = ExitStack()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        peer = self._stack.enter_context(JavaPeer())
        self._client: Any = self._stack.enter_context(peer.client(self._url))
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        self._thread.join()
        self._stack.close()

    def _run(self) -> None:
        chance = random.Random(0)
        queues = [self._client.blocking_queue(name, codec="String") for name in QUEUES]
        delayed = [self._client.delayed_queue(name, codec="String") for name in QUEUES]
        for number in itertools.count():
            if self._over.is_set():
                return
            value, place = f"java-{number}", chance.randrange(len(QUEUES))
            self._notes.put("i", value)
            try:
                delayed[place].call("offer", value, chance.randrange(2000), "MILLISECONDS")
                self._notes.put("o", value)
                taken = queues[place].call("poll") if number % 10 == 0 else None
            except Exception:  # whether it is stored is not known; Java does not say
                self._over.wait(0.05)
                continue
            if taken is not None:
                self._notes.put("d", taken)
                self._notes.put("h", taken)

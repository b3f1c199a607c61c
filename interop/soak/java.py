"""Java on the stage: it offers, transfers, and moves some items to a list of its own."""

from __future__ import annotations

import itertools
import random
import threading
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self

from interop.peer import JavaPeer
from interop.soak.notes import Notes
from interop.soak.places import QUEUES, Address
from interop.soak.stage import javas
from tests.support.topology import SentinelGroup

__all__ = ["JavaActor"]


class JavaActor:
    """A Java Redisson whose offers are noted like those of the other actors."""

    def __init__(self, address: Address, notes: Notes, producers: int, rate: float) -> None:
        self._address = address
        self._pause = 1 / rate
        self._notes = notes
        self._stack = ExitStack()
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._run, args=(number,)) for number in range(producers)
        ]

    def __enter__(self) -> Self:
        peer = self._stack.enter_context(JavaPeer())
        master = SentinelGroup.service_name if self._address.mode == "sentinel" else None
        self._client: Any = self._stack.enter_context(
            peer.client(*self._address.urls, mode=self._address.mode, master=master)
        )
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()
        self._stack.close()

    def _run(self, mine: int) -> None:
        """Offer, and move each tenth item away by one command: a lost reply of `poll` loses it."""
        chance = random.Random(mine)
        queues = [self._client.blocking_queue(name, codec="String") for name in QUEUES]
        delayed = [self._client.delayed_queue(name, codec="String") for name in QUEUES]
        for number in itertools.count():
            if self._over.is_set():
                return
            self._over.wait(self._pause)
            value, place = f"java{mine}-{number}", chance.randrange(len(QUEUES))
            self._notes.put("i", value)
            try:
                delayed[place].call("offer", value, chance.randrange(2000), "MILLISECONDS")
                self._notes.put("o", value)
                if number % 10 == 0:
                    queues[place].call("pollLastAndOfferFirstTo", javas(QUEUES[place]))
            except Exception:  # Java does not say whether the item is stored
                self._over.wait(0.05)

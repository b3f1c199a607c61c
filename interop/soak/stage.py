"""The stage: the servers, the actors on them, and the items that remain in the servers."""

from __future__ import annotations

import itertools
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import redis

from interop.soak.notes import Notes
from interop.soak.places import QUEUES, Place
from pyredisson._support import die_with_parent
from pyredisson.protocol.consumers.delivery import RECORD
from pyredisson.protocol.delayed.entry import unpack
from pyredisson.protocol.kernel.names import ConsumerNames

__all__ = ["Stage", "javas"]

NAMES = [ConsumerNames.of(queue) for queue in QUEUES]
_PAGE = 10_000


def javas(queue: str) -> str:
    """Return the list to which Java moves what it takes."""
    return f"{{{queue}}}:java"


class Stage:
    """Processes that use a place.

    Args:
        place: where the servers are.
        cast: how many actors of each kind.
        chance: decides which address an actor uses.
        rate: items that each producer offers in a second, at most.
    """

    def __init__(
        self, place: Place, cast: dict[str, int], chance: random.Random, rate: float
    ) -> None:
        self.place = place
        self.chance = chance
        self.cast = cast
        self._rate = rate
        self._numbers = itertools.count()
        self._actors: dict[str, list[subprocess.Popen[bytes]]] = {kind: [] for kind in cast}
        self._folder = tempfile.TemporaryDirectory(prefix="pyredisson-soak-")
        self.directory = Path(self._folder.name)
        self.twice = Notes(self.directory / "twice.notes")
        """Notes of the items that the soak itself has duplicated."""
        self.unplanned = 0
        """Masters that were replaced without a fault of the soak: Redis may lose items then."""
        self._masters = self._ports()

    def __enter__(self) -> Self:
        for kind, count in self.cast.items():
            for _ in range(count):
                self._add(kind)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for actors in self._actors.values():
            for actor in actors:
                actor.kill()
                actor.wait()
        self._folder.cleanup()

    # -------------------------------------------------------------- actors

    def _add(self, kind: str) -> None:
        """Start an actor; a third of them use the address on whose way replies are lost."""
        address = self.place.aside if self.chance.random() < 1 / 3 else self.place.address
        words = [kind, str(address), str(self.directory), f"{kind}{next(self._numbers)}"]
        words.append(str(self._rate))
        launcher = ["-IS", die_with_parent.__file__, str(os.getpid())]
        program = [sys.executable, *launcher, sys.executable, "-m", "interop.soak.actors", *words]
        log = (self.directory / f"{words[3]}.log").open("wb")
        self._actors[kind].append(subprocess.Popen(program, stdout=log, stderr=log))

    def one_of(self, kind: str) -> subprocess.Popen[bytes]:
        """Return an actor."""
        return self.chance.choice(self._actors[kind])

    def replace(self, kind: str) -> None:
        """Kill an actor, and start another one."""
        actor = self.one_of(kind)
        actor.kill()
        actor.wait()
        self._actors[kind].remove(actor)
        self._add(kind)

    def end(self, kind: str) -> list[int]:
        """Send SIGTERM to all actors of a kind; return their exit codes."""
        actors, self._actors[kind] = self._actors[kind], []
        for actor in actors:
            actor.terminate()
        return [actor.wait() for actor in actors]

    def logs(self) -> str:
        """Return what actors printed, which should only be outages."""
        return "".join(path.read_text() for path in sorted(self.directory.glob("*.log")))

    # -------------------------------------------------------------- masters

    def _ports(self) -> set[int]:
        return {server.port for server in self.place.masters}

    def watch(self, *, planned: bool) -> None:
        """Compare the masters with those before; count an unplanned change."""
        masters = self._ports()
        self.unplanned += not planned and masters != self._masters
        self._masters = masters

    # -------------------------------------------------------------- what is in Redis

    def left(self, of: Sequence[ConsumerNames] = NAMES) -> dict[str, list[str]]:
        """Return values: pending (due, not due or in flight), dead, and moved by Java."""
        client = self.place.address.client()
        pending: list[bytes] = []
        dead: list[bytes] = []
        moved: list[bytes] = []
        for names in of:
            pending += client.lrange(names.queue.name, 0, -1) + client.lrange(names.arriving, 0, -1)
            pending += [unpack(m).value for m in client.zrange(names.queue.timeout_set, 0, -1)]
            pending += [record[RECORD.size :] for record in client.hvals(names.taken)]
            for letter in client.hvals(names.letters):
                dead.append(letter[4 + int.from_bytes(letter[:4], "big") + RECORD.size :])
            moved += _paged(client, javas(names.queue.name))
        client.close()
        places = {"pending": pending, "dead": dead, "java": moved}
        return {place: [value.decode() for value in values] for place, values in places.items()}

    def settle(self, seconds: float) -> bool:
        """Wait until nothing is pending; return False if no item was settled for `seconds`."""
        client = self.place.address.client()
        least, deadline = sys.maxsize, time.monotonic() + seconds
        while time.monotonic() < deadline:
            time.sleep(0.5)
            try:
                waiting = sum(_waits(client, names) for names in NAMES)
            except redis.RedisError:
                continue
            if not waiting:
                return True
            if waiting < least:
                least, deadline = waiting, time.monotonic() + seconds
        return False


def _waits(client: Any, names: ConsumerNames) -> int:
    """Return how many items of a queue are not settled."""
    lists = client.llen(names.queue.name) + client.llen(names.arriving)
    return int(lists + client.zcard(names.queue.timeout_set) + client.hlen(names.taken))


def _paged(client: Any, name: str) -> list[bytes]:
    """Read a long list."""
    found: list[bytes] = []
    while page := client.lrange(name, len(found), len(found) + _PAGE - 1):
        found += page
    return found

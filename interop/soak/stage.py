"""The stage: a server that keeps what it acknowledged, and the actors on it."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import redis

from interop.soak.actors import QUEUES
from pyredisson.protocol.names import ConsumerNames
from pyredisson.protocol.objects.member import unpack
from pyredisson.protocol.objects.taken import RECORD
from tests.support.server import RedisServer

__all__ = ["Stage"]

NAMES = [ConsumerNames.of(queue) for queue in QUEUES]


class Stage:
    """A server with an append-only file, and processes that use it."""

    def __init__(self, cast: dict[str, int]) -> None:
        self._cast = cast
        self._numbers = itertools.count()
        self._actors: dict[str, list[subprocess.Popen[bytes]]] = {kind: [] for kind in cast}
        self._folder = tempfile.TemporaryDirectory(prefix="pyredisson-soak-")
        self.directory = Path(self._folder.name)
        self.server = RedisServer("--busy-reply-threshold", "200", aof=True)

    def __enter__(self) -> Self:
        self.server.start()
        for kind, count in self._cast.items():
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
        self.server.close()
        self._folder.cleanup()

    def _add(self, kind: str) -> None:
        words = [kind, self.server.url, str(self.directory), f"{kind}{next(self._numbers)}"]
        program = [sys.executable, "-m", "interop.soak.actors", *words]
        log = (self.directory / f"{words[-1]}.log").open("wb")
        self._actors[kind].append(subprocess.Popen(program, stdout=log, stderr=log))

    def one_of(self, kind: str, chance: random.Random) -> subprocess.Popen[bytes]:
        """Return an actor."""
        return chance.choice(self._actors[kind])

    def replace(self, kind: str, chance: random.Random) -> None:
        """Kill an actor, and let another one begin."""
        actor = self.one_of(kind, chance)
        actor.kill()
        actor.wait()
        self._actors[kind].remove(actor)
        self._add(kind)

    def end(self, kind: str) -> list[int]:
        """Tell all actors of a kind to stop; their exit codes."""
        actors, self._actors[kind] = self._actors[kind], []
        for actor in actors:
            actor.terminate()
        return [actor.wait() for actor in actors]

    def alive(self, kind: str) -> bool:
        """Tell whether all actors of a kind still run."""
        return all(actor.poll() is None for actor in self._actors[kind])

    def logs(self) -> str:
        """Return what actors printed, which should be nothing."""
        return "".join(path.read_text() for path in sorted(self.directory.glob("*.log")))

    # -------------------------------------------------------------- what is in Redis

    def left(self) -> dict[str, list[str]]:
        """Return the values that are pending (due or not, or in hand), and those that are dead."""
        client: Any = self.server.client()
        pending: list[bytes] = []
        dead: list[bytes] = []
        for names in NAMES:
            pending += client.lrange(names.queue.name, 0, -1) + client.lrange(names.arriving, 0, -1)
            pending += [unpack(m).value for m in client.zrange(names.queue.timeout_set, 0, -1)]
            pending += [record[RECORD.size :] for record in client.hvals(names.taken)]
            for letter in client.hvals(names.letters):
                dead.append(letter[4 + int.from_bytes(letter[:4], "big") + RECORD.size :])
        return {
            "pending": [value.decode() for value in pending],
            "dead": [value.decode() for value in dead],
        }

    def settle(self, seconds: float) -> bool:
        """Wait until nothing is pending any more, while workers go on."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if not self.left()["pending"]:
                    return True
            except redis.RedisError:
                pass
            time.sleep(0.5)
        return False

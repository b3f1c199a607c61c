"""The faults: each a function that does harm to the stage and makes it good again."""

from __future__ import annotations

import contextlib
import random
import signal
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import redis

if TYPE_CHECKING:
    from interop.soak.stage import Stage

__all__ = ["FAULTS"]


def kill_a_worker(stage: Stage, chance: random.Random) -> None:
    """Kill -9; another one takes its place."""
    stage.replace("worker", chance)


def kill_a_producer(stage: Stage, chance: random.Random) -> None:
    """Kill -9; another one takes its place."""
    stage.replace("producer", chance)


def freeze_a_worker(stage: Stage, chance: random.Random) -> None:
    """SIGSTOP, for shorter or longer than a lease."""
    actor = stage.one_of("worker", chance)
    actor.send_signal(signal.SIGSTOP)
    time.sleep(chance.uniform(0.2, 4.0))
    actor.send_signal(signal.SIGCONT)


def cut_connections(stage: Stage, _: random.Random) -> None:
    """CLIENT KILL of all, a few times."""
    for _attempt in range(3):
        for kind in ("normal", "pubsub"):
            with contextlib.suppress(redis.RedisError):
                stage.server.run("CLIENT", "KILL", "TYPE", kind)
        time.sleep(0.05)


def forget_scripts(stage: Stage, _: random.Random) -> None:
    """SCRIPT FLUSH."""
    stage.server.run("SCRIPT", "FLUSH")


def crash_the_server(stage: Stage, chance: random.Random) -> None:
    """Kill -9; it comes back with its append-only file."""
    stage.server.kill()
    time.sleep(chance.uniform(0, 1.0))
    stage.server.start()


def freeze_the_server(stage: Stage, chance: random.Random) -> None:
    """SIGSTOP, for shorter or longer than clients wait for a reply."""
    stage.server.pause()
    time.sleep(chance.uniform(0.2, 3.0))
    stage.server.resume()


def fill_the_memory(stage: Stage, _: random.Random) -> None:
    """No memory is left, and nothing may be evicted."""
    stage.server.run("CONFIG", "SET", "maxmemory", 1)
    time.sleep(0.5)
    stage.server.run("CONFIG", "SET", "maxmemory", 0)


def keep_it_busy(stage: Stage, _: random.Random) -> None:
    """A script of somebody else's that takes long: BUSY."""
    loop = "local t = redis.call('time') repeat local n = redis.call('time') until n[1] - t[1] > 1"
    with contextlib.suppress(redis.RedisError):
        stage.server.run("EVAL", loop, 0)


FAULTS: list[Callable[[Stage, random.Random], None]] = [
    kill_a_worker,
    kill_a_producer,
    freeze_a_worker,
    cut_connections,
    forget_scripts,
    crash_the_server,
    freeze_the_server,
    fill_the_memory,
    keep_it_busy,
]

"""Faults for a server while the library works, and counters of the commands that it executed.

Rule: a fault runs in its own thread with its own connection, so it continues while the library
waits.
"""

import asyncio
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import redis

from tests.support.proxy import FaultProxy
from tests.support.relay import HasPort
from tests.support.resp import is_published
from tests.support.server import RedisServer
from tests.support.topology import RedisCluster, wait_until

PONG = b"*2\r\n$4\r\npong\r\n"
"""The start of the answer to PING on a subscribed connection (RESP2)."""


class Repeatedly:
    """Calls ``function`` repeatedly inside the ``with``; ``times`` counts the calls.

    An error of redis-py is ignored. Any other error ends the thread and is raised at the end.
    """

    def __init__(self, function: Callable[[], Any], pause: float = 0.01) -> None:
        self.times = 0
        self._function = function
        self._pause = pause
        self._end = threading.Event()
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True, name="fault")

    def _run(self) -> None:
        try:
            while not self._end.is_set():
                with suppress(redis.RedisError):
                    self._function()
                self.times += 1
                self._end.wait(self._pause)
        except BaseException as error:
            self._error = error

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end.set()
        self._thread.join()
        if self._error is not None and error is None:
            raise self._error


class SlowRepliesProxy(FaultProxy):
    """A proxy whose ``hold_replies`` holds only replies: published messages pass at once."""

    async def _deliver(self, connection: Any) -> None:
        while item := await connection.outbox.get():
            due, frame = item
            await asyncio.sleep(max(0.0, due - self._loop.time()))
            if not is_published(frame):
                await self._open.wait()
            connection.client.write(frame)
            await connection.client.drain()


class NoInfoProxy(FaultProxy):
    """A proxy that closes the connection at INFO replication, as twemproxy at unknown commands."""

    ended = 0

    async def _pump_requests(self, reader: asyncio.StreamReader, connection: Any) -> None:
        while chunk := await reader.read(65536):
            if b"replication" in chunk:
                self.ended += 1
                return
            connection.server.write(chunk)


def deaf(frame: bytes) -> bytes | None:
    """A filter for ``FaultProxy``: subscriptions no longer receive anything, not even a PONG."""
    return None if is_published(frame) or frame.startswith(PONG) else frame


def calls(server: HasPort, command: str) -> int:
    """Return how often the server has executed a command, including calls of scripts."""
    with redis.Redis(port=server.port, protocol=2) as client:
        stats: Any = client.info("commandstats")
    found: dict[str, Any] = stats.get(f"cmdstat_{command}", {})
    return int(found.get("calls", 0))


def clients(server: HasPort, kind: str) -> set[int]:
    """Return ids of the server's connections: ``normal`` (with this call's) or ``pubsub``."""
    with redis.Redis(port=server.port, protocol=2) as client:
        listed: Any = client.client_list(_type=kind)
    return {int(entry["id"]) for entry in listed}


class PushOnceRefused:
    """Lets ``interrupt`` interrupt a wait on ``q``, and appends to ``q`` after the interruption.

    It is the moment of ``interrupt``. The interrupted call sends a command without permission; when
    the server has rejected this command, the values are appended.
    """

    def __init__(self, raw: Any, *values: str) -> None:
        self._raw, self._values, self._before = raw, values, 0
        self._thread = threading.Thread(target=self._push, daemon=True)

    def __call__(self) -> bool:
        if not self._raw.info("clients")["blocked_clients"]:
            return False
        self._before = self._refused()
        self._thread.start()
        return True

    def join(self) -> None:
        """Wait until the values are appended."""
        self._thread.join()

    def _refused(self) -> int:
        return int(self._raw.info("errorstats").get("errorstat_NOPERM", {}).get("count", 0))

    def _push(self) -> None:
        wait_until(lambda: self._refused() > self._before, "something is refused")
        self._raw.rpush("q", *self._values)


def server_ms(server: HasPort) -> float:
    """The server's time, in epoch milliseconds."""
    with redis.Redis(port=server.port, protocol=2) as client:
        answer: Any = client.time()
    seconds, micros = answer
    return float(seconds) * 1000 + float(micros) / 1000


def settled(value: Callable[[], Any]) -> Callable[[], bool]:
    """Return a condition: the value has not changed in more than 20 checks."""
    last, unchanged = value(), 0

    def same() -> bool:
        nonlocal last, unchanged
        found = value()
        last, unchanged = found, unchanged + 1 if found == last else 0
        return unchanged > 20

    return same


def hand_over(cluster: RedisCluster, key: bytes) -> None:
    """Move the slot of ``key`` to another master; the move takes at least 0.3 s."""
    source = cluster.master_of(key)
    target = next(server for server in cluster.servers if server is not source)
    cluster.begin_move(key, target)
    time.sleep(0.3)
    cluster.finish_move(key, target)


def replicate(master: RedisServer, servers: Iterable[RedisServer]) -> None:
    """Wait until the replicas of ``master`` have all its current data."""

    def offset(server: RedisServer, field: str) -> int:
        lines = server.run("INFO", "replication").decode().splitlines()
        return int(dict(line.split(":", 1) for line in lines[1:])[field])

    def reached() -> bool:
        return all(offset(replica, "slave_repl_offset") >= goal for replica in replicas)

    goal = offset(master, "master_repl_offset")
    port = f"master_port:{master.port}\r".encode()
    replicas = [server for server in servers if port in server.run("INFO", "replication")]
    assert replicas
    wait_until(reached, "the replicas have it")


def names_by_home(cluster: RedisCluster, prefix: str) -> dict[RedisServer, list[str]]:
    """Return names of queues for each master, at least two."""
    found: dict[RedisServer, list[str]] = {}
    for number in range(18):
        name = f"{prefix}{number}"
        found.setdefault(cluster.master_of(name.encode()), []).append(name)
    assert min(map(len, found.values())) > 1
    return found

"""Where the servers are: one with an append-only file, a Sentinel group, or a cluster.

Replication is asynchronous, so a master that dies has acknowledged what nobody else has; that is
Redis' own loss, which this library can neither prevent nor be blamed for. The rule: before a place
lets a master die it holds all writes there (CLIENT PAUSE) until its replica has everything. What
is lost after that, we have lost.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import redis
from redis.sentinel import Sentinel

from tests.support.clock import SteppedServer, has_compiler
from tests.support.faults_tools import replicate
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.tls import Certificates, TlsServer
from tests.support.topology import RedisCluster, SentinelGroup, wait_until

__all__ = ["PLACES", "TICKS", "Address", "Clustered", "Guarded", "Place", "Single", "held"]

QUEUES = ("soak-a", "soak-b", "soak-c")
TICKS = "soak-ticks"
"""A queue whose items are all equal: they are counted."""
_BUSY = 200
_PATIENCE = 3000
"""Milliseconds until a master that does not answer is replaced: this machine has much to do."""


class Address:
    """How an actor reaches the servers; `str` of it goes on a command line."""

    def __init__(self, mode: str, *urls: str) -> None:
        self.mode = mode
        self.urls = urls

    def __str__(self) -> str:
        return json.dumps([self.mode, *self.urls])

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read what `str` wrote."""
        return cls(*json.loads(text))

    def client(self) -> Any:
        """Make a client of redis-py."""
        if self.mode == "cluster":
            return redis.RedisCluster.from_url(self.urls[0])
        if self.mode == "sentinel":
            make: Any = Sentinel  # without annotations
            sentinels = [url.removeprefix("redis://").split(":") for url in self.urls]
            manager = make([(host, int(port)) for host, port in sentinels])
            return manager.master_for(SentinelGroup.service_name)
        return redis.Redis.from_url(self.urls[0])


class Place:
    """Servers, and ways to them."""

    def __init__(self) -> None:
        self.stack = ExitStack()

    @property
    def servers(self) -> list[RedisServer]:
        """All servers with data that run."""
        raise NotImplementedError

    @property
    def address(self) -> Address:
        """The way to them."""
        raise NotImplementedError

    @property
    def aside(self) -> Address:
        """Another way, on which replies may be lost."""
        return self.address

    @property
    def plain(self) -> Address:
        """A way without TLS."""
        return self.address

    @property
    def masters(self) -> list[RedisServer]:
        """Those that take writes."""
        return [server for server in self.servers if _says(server, b"role:master")]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stack.close()


class Single(Place):
    """One server, which keeps what it acknowledged; a way to it leads through a bad network."""

    def __init__(self, *, tls: bool = False) -> None:
        super().__init__()
        context = None
        words = ("--lua-time-limit", f"{_BUSY}")
        self.server: RedisServer
        if tls:
            folder = self.stack.enter_context(tempfile.TemporaryDirectory(prefix="pyredisson-ca-"))
            certificates = Certificates.make(Path(folder))
            self.server, context = TlsServer(certificates), certificates.server_context
            self.server.arguments += words
        elif has_compiler():
            self.server = SteppedServer(*words, aof=True)
        else:
            self.server = RedisServer(*words, aof=True)
        self.stack.enter_context(self.server)
        self.proxy = self.stack.enter_context(FaultProxy(self.server, context))

    @property
    def servers(self) -> list[RedisServer]:
        """The only one."""
        return [self.server]

    @property
    def address(self) -> Address:
        """The server's own."""
        return Address("single", self.server.url)

    @property
    def aside(self) -> Address:
        """The proxy's."""
        url = self.server.url
        port = urlsplit(url).port
        return Address("single", url.replace(f":{port}/", f":{self.proxy.port}/"))

    @property
    def plain(self) -> Address:
        """The door without TLS."""
        return Address("single", f"redis://127.0.0.1:{self.server.port}/0")


class Guarded(Place):
    """A master and a replica, and Sentinels."""

    def __init__(self) -> None:
        super().__init__()
        self.group = self.stack.enter_context(SentinelGroup())
        for server in self.group.servers:
            _set(server, "lua-time-limit", _BUSY)
        for sentinel in self.group.sentinels:
            words = ("SENTINEL", "SET", self.group.service_name)
            sentinel.run(*words, "down-after-milliseconds", _PATIENCE)

    @property
    def servers(self) -> list[RedisServer]:
        """The master and its replica."""
        return self.group.alive

    @property
    def address(self) -> Address:
        """The Sentinels'."""
        urls = (f"redis://{host}:{port}" for host, port in self.group.addresses)
        return Address("sentinel", *urls)


class Clustered(Place):
    """Three masters, each with a replica."""

    def __init__(self) -> None:
        super().__init__()
        self.cluster = self.stack.enter_context(RedisCluster(replicas=1))
        for server in self.cluster.servers:
            _set(server, "lua-time-limit", _BUSY)
            _set(server, "cluster-node-timeout", _PATIENCE)

    @property
    def servers(self) -> list[RedisServer]:
        """Those of the six that run."""
        return self.cluster.alive

    @property
    def address(self) -> Address:
        """One node's: the others are learnt there."""
        return Address("cluster", self.cluster.url)


PLACES = {"server": Single, "sentinel": Guarded, "cluster": Clustered}


@contextmanager
def held(master: RedisServer, servers: list[RedisServer]) -> Iterator[None]:
    """Let a master acknowledge nothing that its replica has not, until it is one itself."""
    port = b"master_port:%d\r" % master.port
    copies = [server for server in servers if _says(server, port)]
    assert copies, "a master has no replica to promote"
    wait_until(lambda: all(_says(copy, b"link_status:up") for copy in copies), "the replica is up")
    master.run("CLIENT", "PAUSE", 60_000, "WRITE")
    replicate(master, servers)
    yield
    wait_until(lambda: _says(master, b"role:slave"), "the old master is a replica")
    master.run("CLIENT", "UNPAUSE")


def _says(server: RedisServer, words: bytes) -> bool:
    return words in server.run("INFO", "replication")


def _set(server: RedisServer, name: str, value: int) -> None:
    """Set it now, and when the server starts again."""
    server.run("CONFIG", "SET", name, value)
    server.arguments += (f"--{name}", f"{value}")

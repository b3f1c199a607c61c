"""The servers of a soak: one with an append-only file, a Sentinel group, or a cluster.

Replication is asynchronous, so a master that crashes may lose what it has acknowledged. That is
Redis' own loss, which this library cannot prevent. The rule: before a place lets a master crash, it
holds all writes there (CLIENT PAUSE) until its replica has everything. What is lost after that,
pyredisson has lost.
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
"""A queue whose items are all equal: they are only counted."""
_BUSY = 200
_PATIENCE = 3000
"""Milliseconds until a silent master is replaced; the machine is busy, so this is long."""


class Address:
    """How an actor reaches the servers; `str` of it is an argument of a command line."""

    def __init__(self, mode: str, *urls: str) -> None:
        self.mode = mode
        self.urls = urls

    def __str__(self) -> str:
        return json.dumps([self.mode, *self.urls])

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read the text that `str` wrote."""
        return cls(*json.loads(text))

    def client(self) -> Any:
        """Return a client of redis-py."""
        if self.mode == "cluster":
            return redis.RedisCluster.from_url(self.urls[0])
        if self.mode == "sentinel":
            make: Any = Sentinel  # it has no annotations
            sentinels = [url.removeprefix("redis://").split(":") for url in self.urls]
            manager = make([(host, int(port)) for host, port in sentinels])
            return manager.master_for(SentinelGroup.service_name)
        return redis.Redis.from_url(self.urls[0])


class Place:
    """Servers, and addresses for them."""

    def __init__(self) -> None:
        self.stack = ExitStack()

    @property
    def servers(self) -> list[RedisServer]:
        """All servers with data that run."""
        raise NotImplementedError

    @property
    def address(self) -> Address:
        """The address of the servers."""
        raise NotImplementedError

    @property
    def aside(self) -> Address:
        """Another address, on whose way replies may be lost."""
        return self.address

    @property
    def plain(self) -> Address:
        """An address without TLS."""
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
    """One server, which keeps what it acknowledged, and a proxy with network faults."""

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
        """The only server."""
        return [self.server]

    @property
    def address(self) -> Address:
        """The server's own address."""
        return Address("single", self.server.url)

    @property
    def aside(self) -> Address:
        """The proxy's address."""
        url = self.server.url
        port = urlsplit(url).port
        return Address("single", url.replace(f":{port}/", f":{self.proxy.port}/"))

    @property
    def plain(self) -> Address:
        """The server's address without TLS."""
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
        """The addresses of the Sentinels."""
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
        """Those of the six servers that run."""
        return self.cluster.alive

    @property
    def address(self) -> Address:
        """The address of one node, which names the others."""
        return Address("cluster", self.cluster.url)


PLACES = {"server": Single, "sentinel": Guarded, "cluster": Clustered}


@contextmanager
def held(master: RedisServer, servers: list[RedisServer]) -> Iterator[None]:
    """Let a master acknowledge nothing that its replica does not have, until it is a replica."""
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
    """Set an option now, and for each start of the server."""
    server.run("CONFIG", "SET", name, value)
    server.arguments += (f"--{name}", f"{value}")

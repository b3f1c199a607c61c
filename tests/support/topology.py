"""A Redis Cluster and a Sentinel group on loopback, made of ``RedisServer``.

Both are ready when the ``with`` begins: a write to any slot works, and the Sentinels
would agree on a failover. No redis-cli is needed. Rule: a helper that changes something returns
when all nodes know it.
"""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

import redis
from redis.cluster import ClusterNode
from redis.crc import key_slot
from redis.exceptions import RedisError
from redis.sentinel import Sentinel

from tests.support.server import RedisServer

_SLOTS = 16384

_CLUSTER = {"cluster-node-timeout": "1000", "cluster-require-full-coverage": "yes"}
"""The settings of cluster nodes at their start: they meet quickly."""
_PATIENT = {"cluster-node-timeout": "60000"}
"""Later settings of clusters without replicas: a node that freezes for 1 s does not fail."""


def wait_until(condition: Callable[[], bool], what: str, seconds: float = 30) -> None:
    """Return when ``condition`` holds; an error of redis-py means "not yet"."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if condition():
                return
        except RedisError:
            pass
        time.sleep(0.02)
    raise TimeoutError(f"not within {seconds} s: {what}")


class _Group:
    """Servers that start and end together."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self.servers: list[RedisServer] = []
        """The servers with data, including killed ones."""

    @property
    def alive(self) -> list[RedisServer]:
        """The servers of ``servers`` that run."""
        return [server for server in self.servers if server.is_running]

    def _start(self, server: RedisServer) -> RedisServer:
        return self._stack.enter_context(server)

    def _make(self) -> None:
        raise NotImplementedError

    def __enter__(self) -> Self:
        try:
            self._make()
        except BaseException:
            self._stack.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stack.close()

    def _server_at(self, port: int) -> RedisServer:
        return next(server for server in self.servers if server.port == port)


@dataclass(frozen=True)
class _Node:
    """A line of CLUSTER NODES."""

    identity: str
    port: int
    flags: frozenset[str]
    master: str
    linked: bool
    slots: tuple[range, ...]


def _parse_node(line: str) -> _Node:
    identity, address, flags, master, _, _, _, link, *slots = line.split()
    ranges = [part.split("-") for part in slots if not part.startswith("[")]  # "[": being moved
    return _Node(
        identity,
        int(address.split("@")[0].rpartition(":")[2]),
        frozenset(flags.split(",")),
        master,
        link == "connected",
        tuple(range(int(ends[0]), int(ends[-1]) + 1) for ends in ranges),
    )


def _nodes(server: RedisServer) -> list[_Node]:
    """Return the nodes of the cluster, according to ``server``."""
    text = server.run("CLUSTER", "NODES")
    return [_parse_node(line) for line in text.decode().splitlines()]


def _myself(server: RedisServer) -> _Node:
    return next(node for node in _nodes(server) if "myself" in node.flags)


class RedisCluster(_Group):
    """Three masters, each with ``replicas`` replicas (0 or 1).

    With replicas the nodes notice a killed master in 1 s.
    ``server`` makes each node.
    """

    def __init__(
        self, replicas: int = 0, *, server: Callable[..., RedisServer] = RedisServer
    ) -> None:
        super().__init__()
        self._replicas = replicas
        self._server = server

    @property
    def url(self) -> str:
        """Address of one node, from which a cluster client gets the others."""
        return self.alive[0].url.removesuffix("/0")

    def client(self, **options: Any) -> redis.RedisCluster:
        """A cluster client; the caller closes it."""
        node: Any = ClusterNode  # redis-py does not annotate it, nor Sentinel
        nodes = [node("127.0.0.1", server.port) for server in self.alive]
        return redis.RedisCluster(startup_nodes=nodes, **options)

    @contextmanager
    def serving_the_rest(self) -> Iterator[None]:
        """Let the nodes serve their slots while another node is stopped."""
        for server in self.servers:
            server.run("CONFIG", "SET", "cluster-require-full-coverage", "no")
        try:
            yield
        finally:
            for server in self.servers:
                server.run("CONFIG", "SET", "cluster-require-full-coverage", "yes")

    @contextmanager
    def naming(self, kind: str, hostname: str = "") -> Iterator[None]:
        """Let the nodes name each other in another way than by address."""
        try:
            self._name_by(kind, hostname)
            yield
        finally:
            self._name_by("ip", "")

    def _name_by(self, kind: str, hostname: str) -> None:
        for server in self.servers:
            server.run("CONFIG", "SET", "cluster-announce-hostname", hostname)
            server.run("CONFIG", "SET", "cluster-preferred-endpoint-type", kind)

    def renew(self) -> None:
        """Empty all nodes, end their clients, undo what a test has set; wait until they agree."""
        for server in self.servers:
            server.resume()
            self._configure(server)
            server.run("FLUSHALL")
            server.run("SCRIPT", "FLUSH")
            server.run("CLIENT", "KILL", "TYPE", "normal")
        wait_until(self._is_ok, "the cluster is ok")

    def names_of_two(self, prefix: str) -> tuple[str, str]:
        """Return two keys of different masters."""
        one, *others = (f"{prefix}{number}" for number in range(20))
        home = self.master_of(one.encode())
        return one, next(name for name in others if self.master_of(name.encode()) is not home)

    def master_of(self, key: bytes) -> RedisServer:
        """The server that all running nodes consider the master of ``key``."""
        owners = {self._owner(server, key_slot(key)) for server in self.alive}
        if len(owners) != 1:
            raise RedisError(f"the nodes do not agree: {owners}")
        return self._server_at(owners.pop())

    def kill_master_of(self, key: bytes) -> RedisServer:
        """Kill the master of ``key``; return the replica that has taken over."""
        dead = self.master_of(key)
        dead.kill()
        return self._new_master(key, dead)

    def failover(self, key: bytes) -> RedisServer:
        """Swap the master of ``key`` with its replica without data loss; return the new master."""
        old = self.master_of(key)
        identity = _myself(old).identity

        def replicas() -> list[RedisServer]:
            return [server for server in self.alive if _myself(server).master == identity]

        def ready() -> bool:
            known = len(old.run("CLUSTER", "REPLICAS", identity)) == 1
            return known and all(map(_is_replica_online, replicas()))

        asked = -math.inf

        def swapped() -> bool:
            nonlocal asked
            if self.master_of(key) is not old:
                return True
            if time.monotonic() > asked + 6:  # the node forgets a request after 5 s
                asked = time.monotonic()
                replicas()[0].run("CLUSTER", "FAILOVER")
            return False

        wait_until(
            ready, "the master knows its replica"
        )  # else it ignores the request without an error
        wait_until(swapped, "the replica takes over")
        return self._new_master(key, old)

    def begin_move(self, key: bytes, target: RedisServer) -> None:
        """Start to move ``key``'s slot: the old node answers ASK for keys that it does not have."""
        source = self.master_of(key)
        slot = key_slot(key)
        target.run("CLUSTER", "SETSLOT", slot, "IMPORTING", _myself(source).identity)
        source.run("CLUSTER", "SETSLOT", slot, "MIGRATING", _myself(target).identity)

    def finish_move(self, key: bytes, target: RedisServer) -> None:
        """Move the keys of the slot and assign it to ``target``: the old node answers MOVED."""
        source, slot = self.master_of(key), key_slot(key)
        for name in source.run("CLUSTER", "GETKEYSINSLOT", slot, 100_000):
            source.run("MIGRATE", "127.0.0.1", target.port, name, 0, 10_000, "REPLACE")
        masters = [server for server in self.alive if "master" in _myself(server).flags]
        for server in [target, source, *masters]:
            server.run("CLUSTER", "SETSLOT", slot, "NODE", _myself(target).identity)
        wait_until(lambda: self.master_of(key) is target, "the slot has moved")

    def _new_master(self, key: bytes, old: RedisServer) -> RedisServer:
        wait_until(lambda: self.master_of(key) is not old, "a replica takes over")
        wait_until(self._is_ok, "the cluster is ok")
        return self.master_of(key)

    def _owner(self, server: RedisServer, slot: int) -> int:
        nodes = _nodes(server)
        return next((n.port for n in nodes if any(slot in part for part in n.slots)), 0)

    def _make(self) -> None:
        options = ["--cluster-enabled", "yes"]
        for name, value in _CLUSTER.items():
            options += [f"--{name}", value]
        count = 3 * (1 + self._replicas)
        self.servers = [self._start(self._server(*options)) for _ in range(count)]
        masters, replicas = self.servers[:3], self.servers[3:]
        for number, server in enumerate(self.servers):
            server.run("CLUSTER", "SET-CONFIG-EPOCH", number + 1)
            server.run("CLUSTER", "MEET", "127.0.0.1", masters[0].port)
        for number, master in enumerate(masters):
            slots = range(_SLOTS * number // 3, _SLOTS * (number + 1) // 3)
            master.run("CLUSTER", "ADDSLOTS", *slots)
        wait_until(lambda: all(_is_meshed(server, count) for server in self.servers), "nodes meet")
        for replica, master in zip(replicas, masters, strict=False):
            replica.run("CLUSTER", "REPLICATE", _myself(master).identity)
        wait_until(lambda: all(map(_is_replica_online, replicas)), "replicas are online")
        wait_until(self._is_ok, "the cluster is ok")
        for server in self.servers:
            self._configure(server)

    def _configure(self, server: RedisServer) -> None:
        for name, value in (_CLUSTER if self._replicas else _CLUSTER | _PATIENT).items():
            server.run("CONFIG", "SET", name, value)

    def _is_ok(self) -> bool:
        states = [server.run("CLUSTER", "INFO") for server in self.alive]
        agreed = {
            frozenset((n.port, n.slots) for n in _nodes(server) if n.slots) for server in self.alive
        }
        return all(b"cluster_state:ok" in state for state in states) and len(agreed) == 1


def _is_meshed(server: RedisServer, count: int) -> bool:
    nodes = _nodes(server)
    return len(nodes) == count and all(n.linked and "handshake" not in n.flags for n in nodes)


def _is_replica_online(server: RedisServer) -> bool:
    return b"master_link_status:up" in _info(server)


def _info(server: RedisServer) -> bytes:
    return bytes(server.run("INFO", "replication"))


class SentinelGroup(_Group):
    """One master, one replica, three Sentinels that notice a killed master in 1 s.

    A killed server may be started again: the Sentinels make it a replica.
    """

    service_name = "mymaster"

    def __init__(self) -> None:
        super().__init__()
        self.sentinels: list[RedisServer] = []

    @property
    def addresses(self) -> list[tuple[str, int]]:
        """Host and port of each Sentinel."""
        return [("127.0.0.1", server.port) for server in self.sentinels]

    @property
    def master(self) -> RedisServer:
        """The server that all Sentinels consider the master."""
        ports = {
            int(s.run("SENTINEL", "GET-MASTER-ADDR-BY-NAME", self.service_name)[1])
            for s in self.sentinels
        }
        if len(ports) != 1:
            raise RedisError(f"the Sentinels do not agree: {ports}")
        return self._server_at(ports.pop())

    def sentinel(self, **options: Any) -> Sentinel:
        """A client of the Sentinels, for ``master_for(group.service_name)``."""
        make: Any = Sentinel
        client: Sentinel = make(self.addresses, **options)
        return client

    def kill_master(self) -> RedisServer:
        """Kill the master; return the replica that has taken over."""
        dead = self.master
        dead.kill()
        return self._new_master(dead)

    def failover(self) -> RedisServer:
        """Let the Sentinels swap master and replica; return the new master."""
        old = self.master

        def started() -> bool:
            if self.master is old:  # fails if it has had no contact with the replica for a while
                self.sentinels[0].run("SENTINEL", "FAILOVER", self.service_name)
            return True

        wait_until(started, "a Sentinel begins")
        return self._new_master(old)

    def _new_master(self, old: RedisServer) -> RedisServer:
        wait_until(lambda: self.master is not old, "the Sentinels choose another master")
        new = self.master
        wait_until(lambda: b"role:master" in _info(new), "the new master knows")
        return new

    def _make(self) -> None:
        self.servers = [self._start(RedisServer())]
        master = self.servers[0].port
        self.servers.append(self._start(RedisServer("--replicaof", "127.0.0.1", str(master))))
        name = self.service_name
        config = (
            f"sentinel monitor {name} 127.0.0.1 {master} 2\n"
            f"sentinel down-after-milliseconds {name} 1000\n"
            f"sentinel failover-timeout {name} 3000\n"
        )
        self.sentinels = [self._start(RedisServer("--sentinel", config=config)) for _ in range(3)]
        wait_until(self._is_ready, "the Sentinels would agree on a failover")

    def _is_ready(self) -> bool:
        """Each Sentinel knows the two others and the replica."""
        for sentinel in self.sentinels:
            sentinel.run("SENTINEL", "CKQUORUM", self.service_name)  # an error when not
            known = sentinel.run("SENTINEL", "REPLICAS", self.service_name)
            others = sentinel.run("SENTINEL", "SENTINELS", self.service_name)
            if len(known) != 1 or len(others) != 2:
                return False
        return _is_replica_online(self.servers[1])

"""Where a key lives: one server, a Sentinel's master, or the nodes of a cluster.

All three are made from a redis-py client that is only read, never used: its
connection class and settings.  The rule: an address is looked up before each
command, so a failover needs no special case; a MOVED or a dead node only makes
the next look-up ask again.
"""

from __future__ import annotations

import contextlib
from typing import Any, Protocol

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.connections import (
    AsyncRedis,
    AsyncRedisCluster,
    cluster_settings_async,
    socket_timeout_async,
    wanted_async,
)
from pyredisson._transport.errors import WrongClientError, connection_error, no_cluster, refuse_fake
from pyredisson._transport.sentinel_settings import watchers_of
from pyredisson._transport.settings import rest_of, settings_for
from pyredisson.protocol.kernel.cluster import Address, Redirection, SlotMap
from pyredisson.server_errors import ServerError


class AsyncTopology(Protocol):
    """Finds the server for a key."""

    clustered: bool

    async def server(self, key: str) -> AsyncServer:
        """Return the server that holds the key."""
        ...

    def known(self, key: str) -> AsyncServer | None:
        """Return the server that holds the key, where nobody has to be asked."""
        ...

    async def any_server(self) -> AsyncServer:
        """Return a server to subscribe at; where one was lost, another node."""
        ...

    async def redirect(self, redirection: Redirection) -> AsyncServer:
        """Return where to send a command that was refused with MOVED or ASK."""
        ...

    async def lost(self, server: AsyncServer | None) -> None:
        """A server is gone, or serves no more: look around before its keys are asked for again."""
        ...

    def home(self, key: str) -> Address | None:
        """Return where a key lives as far as is known, without asking; None is "somewhere"."""
        ...

    def servers(self) -> list[AsyncServer]:
        """Return the servers to which there are connections, but for Sentinels."""
        ...

    async def close(self) -> None:
        """Close the idle connections for good, and each of the others when it comes back."""
        ...


class AsyncSingle:
    """One server; what stands behind its address may change."""

    clustered = False

    def __init__(self, client: Any, timeout: float, life: AsyncLifetime) -> None:
        source = client.connection_pool
        settings = settings_for(source.connection_kwargs, timeout, socket_timeout_async(timeout))
        self._server = AsyncServer(
            lambda: AsyncServerConnection(source.connection_class(**settings), timeout, life),
            timeout,
            rest_of(source.connection_kwargs),
        )

    async def server(self, key: str) -> AsyncServer:
        """Return the only one."""
        return self._server

    def known(self, key: str) -> AsyncServer | None:
        """Return the only one."""
        return self._server

    async def any_server(self) -> AsyncServer:
        """Return the only one."""
        return self._server

    async def redirect(self, redirection: Redirection) -> AsyncServer:
        """Refuse: one server redirects nobody."""
        raise no_cluster(redirection)

    def home(self, key: str) -> Address | None:
        """Return None: there is one place."""
        return None

    async def lost(self, server: AsyncServer | None) -> None:
        """Drop the idle connections: they may lead to a server that is none any more."""
        await self._server.leave()

    def servers(self) -> list[AsyncServer]:
        """Return the only one."""
        return [self._server]

    async def close(self) -> None:
        """Close the connections for good."""
        await self._server.end()


_NO_CLUSTER = "cluster support disabled"
PROBE = 1.0
"""Seconds that a node has to say who serves which slot before another one is asked."""


class AsyncCluster:
    """The masters of a cluster, from CLUSTER SLOTS."""

    clustered = True

    def __init__(self, client: Any, timeout: float, life: AsyncLifetime) -> None:
        self._client = client
        self._timeout = timeout
        self._life = life
        self._first: list[Address] = []
        self._slots: SlotMap | None = None
        self._suspects: set[Address] = set()
        self._troubles: dict[Address, float] = {}
        self._servers: dict[Address, AsyncServer] = {}

    def _at(self, address: Address) -> AsyncServer:
        if address not in self._servers:
            self._servers[address] = self._made(address, self._timeout)
        return self._servers[address]

    def _made(self, address: Address, timeout: float) -> AsyncServer:
        connection_class, given, self._first = cluster_settings_async(self._client)
        host, port = address
        settings = settings_for(given, timeout, socket_timeout_async(timeout))
        settings |= {"host": host, "port": port}
        return AsyncServer(
            lambda: AsyncServerConnection(connection_class(**settings), timeout, self._life),
            timeout,
            rest_of(given),
        )

    def _known(self) -> list[Address]:
        if not self._first:
            self._first = cluster_settings_async(self._client)[2]
        masters = self._slots.masters() if self._slots else []
        known = dict.fromkeys([*masters, *self._servers, *self._first])
        return sorted(known, key=lambda address: self._troubles.get(address, 0.0))

    async def _refresh(self) -> SlotMap:
        """Ask one node after the other, those that were in trouble last; then patiently."""
        problem: Exception = connection_error("no node of the cluster is known")
        for timeout in sorted({min(PROBE, self._timeout), self._timeout}):
            for address in self._known():
                try:
                    reply = await self._slots_of(address, timeout)
                except (ServerError, OSError) as error:
                    problem = error
                    self._troubles[address] = monotonic()
                    continue
                self._slots = slots = SlotMap.parse(reply, address)
                self._suspects.clear()
                await self._leave_others(slots)
                return slots
        if _NO_CLUSTER in str(problem):
            raise WrongClientError(
                f"the server is no node of a cluster ({problem}); make the client with Redis"
            ) from problem
        raise connection_error(f"no node of the cluster answers: {problem}") from problem

    async def _leave_others(self, slots: SlotMap) -> None:
        """Close the idle connections to nodes that serve no slot, or are gone."""
        masters = set(slots.masters())
        for address, server in list(self._servers.items()):
            if address not in masters:
                await server.leave()

    async def _slots_of(self, address: Address, timeout: float) -> Any:
        """Ask on a connection of its own, which nothing else holds up."""
        server = self._made(address, timeout)
        try:
            return await server.call("CLUSTER", "SLOTS")
        finally:
            await server.end()

    async def server(self, key: str) -> AsyncServer:
        """Return the master of the key's slot."""
        address = self.home(key)
        if address is None or address in self._suspects:
            address = (await self._refresh()).find(key)
        if address is None:
            raise connection_error(f"no node of the cluster serves the slot of key {key!r}")
        return self._at(address)

    def known(self, key: str) -> AsyncServer | None:
        """Return the master of the key's slot, unless the slots have to be asked for."""
        address = self.home(key)
        if address is None or address in self._suspects:
            return None
        return self._servers.get(address)

    async def any_server(self) -> AsyncServer:
        """Return one of the masters: messages reach all nodes."""
        if self._slots is None or self._suspects:
            with contextlib.suppress(ServerError):
                await self._refresh()
        return self._at(self._known()[0])

    async def redirect(self, redirection: Redirection) -> AsyncServer:
        """Follow MOVED (for good) and ASK (this once)."""
        if redirection.moved and self._slots:
            self._slots.moved(redirection.slot, redirection.address)
        return self._at(redirection.address)

    def home(self, key: str) -> Address | None:
        """Return the master of the key's slot, as far as is known."""
        return self._slots.find(key) if self._slots else None

    async def lost(self, server: AsyncServer | None) -> None:
        """Ask for the slots again before the next command to that server; others go on."""
        for address, each in list(self._servers.items()):
            if each is server:
                self._suspects.add(address)
                self._troubles[address] = monotonic()

    def servers(self) -> list[AsyncServer]:
        """Return the nodes that were needed."""
        return list(self._servers.values())

    async def close(self) -> None:
        """Close the connections to all nodes for good."""
        for server in self.servers():
            await server.end()


def topology_async(client: Any, timeout: float, life: AsyncLifetime) -> AsyncTopology:
    """Return the topology of a redis-py client.

    Raises:
        TypeError: not a client of this world; say which one to use. Or one of fakeredis.
    """
    refuse_fake(client)
    if isinstance(client, AsyncRedisCluster):
        return AsyncCluster(client, timeout, life)
    if isinstance(client, AsyncRedis):
        watchers = watchers_of(client)
        if watchers is not None:
            from pyredisson._async.topology.sentinel import AsyncSentinel  # noqa: PLC0415 - seldom

            return AsyncSentinel(client, watchers, timeout, life)
        return AsyncSingle(client, timeout, life)
    hint = "; for a URL there is from_url()" if isinstance(client, str) else ""
    given = type(client)
    raise TypeError(f"{wanted_async}, not {given.__module__}.{given.__qualname__}{hint}")

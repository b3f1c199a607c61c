"""Where a key lives: one server, a Sentinel's master, or the nodes of a cluster.

All three use the connection class and the settings of a redis-py client, and nothing else of the
client. The rule: the address is looked up before each command, so a failover needs no special case.
MOVED changes the known node of one slot. A dead node makes the next look-up ask for the slots.
"""

from __future__ import annotations

import contextlib
import math
from typing import Any, Protocol

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.connections import (
    AsyncRedis,
    AsyncRedisCluster,
    socket_timeout_async,
    wanted_async,
)
from pyredisson._transport.errors import WrongClientError, connection_error, refuse_fake
from pyredisson._transport.settings import ping_after_of, settings_for, warn_of_limit
from pyredisson.protocol.kernel.cluster import Address, Redirection, SlotMap, reachable
from pyredisson.server_errors import ServerError


class AsyncTopology(Protocol):
    """Finds the server for a key."""

    clustered: bool
    look_at: float
    """The monotonic time from which on `look` is called after a reply."""

    async def server(self, key: str) -> AsyncServer:
        """Return the server that holds the key."""
        ...

    def known(self, key: str) -> AsyncServer | None:
        """Return the server that holds the key; None if `server` must be called instead."""
        ...

    async def any_server(self) -> AsyncServer:
        """Return a server for a subscription; in a cluster, lost nodes are chosen last."""
        ...

    async def redirect(self, redirection: Redirection, source: AsyncServer | None) -> AsyncServer:
        """Return the server for a command that `source` answered with MOVED or ASK."""
        ...

    async def lost(self, server: AsyncServer | None) -> None:
        """Note that a server was lost or no longer serves: its keys must be looked up again."""
        ...

    async def look(self) -> None:
        """Check whether another server took over, if replies do not show that; raise no error."""
        ...

    def home(self, key: str) -> Address | None:
        """Return the address of a key's cluster node without a request.

        Return None if the node is not known, or outside of a cluster.
        """
        ...

    def servers(self) -> list[AsyncServer]:
        """Return the servers with connections, without Sentinels."""
        ...

    async def masters(self) -> list[AsyncServer]:
        """Return all masters, which together have all keys."""
        ...

    async def close(self) -> None:
        """Close the idle connections for good, and all others after their release."""
        ...


_NO_CLUSTER = "cluster support disabled"
PROBE = 1.0
"""Seconds for a reply to CLUSTER SLOTS, before another node is asked."""


class AsyncCluster:
    """The masters of a cluster, from CLUSTER SLOTS."""

    clustered = True
    look_at = math.inf

    def __init__(self, client: Any, timeout: float, life: AsyncLifetime) -> None:
        from pyredisson._transport.cluster_settings import cluster_settings_async  # noqa: PLC0415 - seldom

        self._settings = cluster_settings_async(client)
        self._timeout = timeout
        self._life = life
        self._slots: SlotMap | None = None
        self._suspects: set[Address] = set()
        self._troubles: dict[Address, float] = {}
        self._servers: dict[Address, AsyncServer] = {}

    def at(self, address: Address) -> AsyncServer:
        """Return the node at an address that this process can connect to."""
        if address not in self._servers:
            self._servers[address] = self._new_server(address, self._timeout)
        return self._servers[address]

    def _new_server(self, address: Address, timeout: float) -> AsyncServer:
        connection_class, given, *_ = self._settings
        host, port = address
        settings = settings_for(given, timeout, socket_timeout_async(timeout))
        settings |= {"host": host, "port": port}
        return AsyncServer(
            lambda: AsyncServerConnection(connection_class(**settings), timeout, self._life),
            timeout,
            ping_after_of(given),
        )

    def _known(self) -> list[Address]:
        masters = self._slots.masters() if self._slots else []
        known = dict.fromkeys([*masters, *self._servers, *self._settings.nodes])
        return sorted(known, key=lambda address: self._troubles.get(address, 0.0))

    def reachable(self, address: Address, source: AsyncServer | None) -> Address:
        """Return the address to connect to, for an address in a reply of `source`."""
        asked = next((at for at, each in self._servers.items() if each is source), ("", 0))
        return reachable(address, asked, self._settings.remap)

    async def _refresh(self) -> SlotMap:
        """Ask one node after the other for the slots, nodes that failed recently last.

        If no node answers within `PROBE` seconds, ask all again, with a longer timeout.
        """
        problem: Exception = connection_error("no node of the cluster is known")
        deadline = monotonic() + self._timeout
        for timeout in sorted({min(PROBE, self._timeout), self._timeout}):
            for address in self._known():
                left = deadline - monotonic()
                if left <= 0:
                    break
                try:
                    reply = await self._slots_of(address, min(timeout, left))
                except (ServerError, OSError) as error:
                    problem = error
                    self._troubles[address] = monotonic()
                    continue
                self._slots = slots = SlotMap.parse(reply, address, self._settings.remap)
                self._suspects.clear()
                await self._leave_others(slots)
                return slots
        if _NO_CLUSTER in str(problem):
            raise WrongClientError(
                f"the server is not a cluster node ({problem}); make the client with Redis, not "
                "RedisCluster"
            ) from problem
        raise connection_error(f"no node of the cluster answers: {problem}") from problem

    async def _leave_others(self, slots: SlotMap) -> None:
        """Close the idle connections to nodes that serve no slot, or left the cluster."""
        masters = set(slots.masters())
        for address, server in list(self._servers.items()):
            if address not in masters:
                await server.leave()

    async def _slots_of(self, address: Address, timeout: float) -> Any:
        """Ask on a new connection, which no other command can delay."""
        server = self._new_server(address, timeout)
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
        return self.at(address)

    def known(self, key: str) -> AsyncServer | None:
        """Return the master of the key's slot.

        Return None if the slots must be asked for first, or if the node was not used before.
        """
        address = self.home(key)
        if address is None or address in self._suspects:
            return None
        return self._servers.get(address)

    async def any_server(self) -> AsyncServer:
        """Return a node that has not failed, if possible: ordinary messages reach all nodes."""
        if self._slots is None or self._suspects:
            with contextlib.suppress(ServerError):
                await self._refresh()
        return self.at(self._known()[0])

    async def redirect(self, redirection: Redirection, source: AsyncServer | None) -> AsyncServer:
        """Return the node that MOVED or ASK names; MOVED also changes the slot's known node."""
        address = self.reachable(redirection.address, source)
        if redirection.moved and self._slots:
            self._slots.moved(redirection.slot, address)
        return self.at(address)

    async def look(self) -> None:
        """Do nothing: a replica answers MOVED, and nodes forward messages to each other."""

    def home(self, key: str) -> Address | None:
        """Return the known master of the key's slot, or None."""
        return self._slots.find(key) if self._slots else None

    async def lost(self, server: AsyncServer | None) -> None:
        """Note that the next look-up of a key of this server must ask for the slots."""
        for address, each in list(self._servers.items()):
            if each is server:
                self._suspects.add(address)
                self._troubles[address] = monotonic()

    def servers(self) -> list[AsyncServer]:
        """Return the nodes that have been used."""
        return list(self._servers.values())

    async def masters(self) -> list[AsyncServer]:
        """Return the nodes that serve slots."""
        slots = self._slots if self._slots and not self._suspects else await self._refresh()
        return [self.at(address) for address in slots.masters()]

    async def close(self) -> None:
        """Close the connections to all nodes for good."""
        for server in self.servers():
            await server.end()


def topology_async(client: Any, timeout: float, life: AsyncLifetime) -> AsyncTopology:
    """Return the topology of a redis-py client.

    Raises:
        TypeError: `client` is not a redis-py client of this variant (asyncio or threads), or is a
            client of fakeredis. The text names the class to use.
    """
    refuse_fake(client)
    if isinstance(client, AsyncRedisCluster):
        return AsyncCluster(client, timeout, life)
    if isinstance(client, AsyncRedis):
        warn_of_limit(client.connection_pool)
        if hasattr(client.connection_pool, "sentinel_manager"):
            from pyredisson._async.topology.sentinel import AsyncSentinelMaster  # noqa: PLC0415 - seldom
            from pyredisson._transport.sentinel_settings import watchers_of  # noqa: PLC0415 - seldom

            if (watchers := watchers_of(client)) is not None:
                return AsyncSentinelMaster(client, watchers, timeout, life)
        from pyredisson._async.topology.single import AsyncSingle  # noqa: PLC0415 - imports this one

        return AsyncSingle(client, timeout, life)
    hint = "; for a URL there is from_url()" if isinstance(client, str) else ""
    given = type(client)
    raise TypeError(f"{wanted_async}, not {given.__module__}.{given.__qualname__}{hint}")

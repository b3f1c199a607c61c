"""One server at one address, which another server may take over.

A managed service moves the address to the new master. The old master may continue as a replica, and
its connections stay open. A write gets READONLY there. A read gets old data. If the replica has no
connection to its master, a subscription gets no messages. The rule: while calls or subscriptions
need the server, its role is read every few seconds, with longer pauses after errors. Calls and
subscriptions leave a replica if the address leads to a master.
"""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING, Any

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.connections import socket_timeout_async
from pyredisson._transport.errors import no_cluster
from pyredisson._transport.settings import ping_after_of, settings_for
from pyredisson.errors import ClosedError
from pyredisson.protocol.kernel.capabilities import is_of_command
from pyredisson.protocol.kernel.cluster import Address, Redirection
from pyredisson.server_errors import ReplyError, ServerError

if TYPE_CHECKING:
    from pyredisson.protocol.kernel.replication import Replication

log = logging.getLogger("pyredisson")

INTERVAL = 5.0
"""Seconds between two requests for the role, which take the server 20 µs each."""


class AsyncSingle:
    """One server; another server may take over its address."""

    clustered = False

    def __init__(self, client: Any, timeout: float, life: AsyncLifetime) -> None:
        source = client.connection_pool
        settings = settings_for(source.connection_kwargs, timeout, socket_timeout_async(timeout))
        self._server = AsyncServer(
            lambda: AsyncServerConnection(source.connection_class(**settings), timeout, life),
            timeout,
            ping_after_of(source.connection_kwargs),
        )
        self._pause = INTERVAL
        self.look_at = monotonic() + self._pause
        self._history: bytes | None = None

    async def server(self, key: str) -> AsyncServer:
        """Return the only server."""
        return self._server

    def known(self, key: str) -> AsyncServer | None:
        """Return the only server."""
        return self._server

    async def any_server(self) -> AsyncServer:
        """Return the only server; first read its role, if that is not known."""
        if self._history is None:
            await self._look()
        return self._server

    async def redirect(self, redirection: Redirection, source: AsyncServer | None) -> AsyncServer:
        """Raise: only cluster nodes redirect."""
        raise no_cluster(redirection)

    async def look(self) -> None:
        """Read the role, if `look_at` has passed, and stop using the connections to a replica.

        If the address leads to another master now, end the subscriptions as well.
        """
        if monotonic() >= self.look_at:
            await self._look()

    async def _look(self) -> None:
        self.look_at = monotonic() + self._pause
        try:
            now = await self._replication()
            was_replica = now.replica
            if was_replica:
                await self._server.leave()
                now = await self._replication()
        except (ServerError, OSError, ClosedError) as error:
            if isinstance(error, ReplyError) and is_of_command(str(error)):  # INFO is rejected
                self.look_at, self._history = math.inf, b""
            else:  # a proxy that does not accept INFO may end the connection, and calls on it
                self._pause *= 2
            return
        self._pause = INTERVAL
        self.look_at = monotonic() + INTERVAL
        if now.replica:
            return
        before, self._history = self._history, now.history
        if was_replica:
            log.warning("the server is a replica now: calls go to the master at its address")
        if was_replica or before not in (None, now.history):
            await self._server.end_subscriptions()

    async def _replication(self) -> Replication:
        from pyredisson.protocol.kernel.replication import QUESTION, Replication  # noqa: PLC0415 - seldom

        return Replication.parse(await self._server.call(*QUESTION))

    def home(self, key: str) -> Address | None:
        """Return None: all keys have the same server."""
        return None

    async def lost(self, server: AsyncServer | None) -> None:
        """Drop the idle connections: they may lead to a server that no longer serves."""
        await self._server.leave()

    def servers(self) -> list[AsyncServer]:
        """Return the only server."""
        return [self._server]

    async def masters(self) -> list[AsyncServer]:
        """Return the only server."""
        return [self._server]

    async def close(self) -> None:
        """Close the connections for good."""
        await self._server.end()

"""The master that Sentinels name: the topology, and the task that watches for a new one.

A master that was replaced in a failover keeps serving for seconds. The writes that it acknowledges
in these seconds are lost. The rule: once a Sentinel has named a new master, no command goes to the
old master. A reply of the old master counts as lost, unless the operation takes elements.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from typing import Any, NoReturn

from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.topology.sentinels import AsyncSentinels
from pyredisson._runtime.concurrency import AsyncEvent, AsyncTask, StateLock
from pyredisson._transport.connections import socket_timeout_async
from pyredisson._transport.errors import no_cluster
from pyredisson._transport.sentinel_settings import SentinelSettings, master_settings_async
from pyredisson._transport.settings import ping_after_of, settings_for
from pyredisson.protocol.kernel.cluster import Address, Redirection
from pyredisson.server_errors import ServerConnectionError, ServerTimeoutError

log = logging.getLogger("pyredisson")

INTERVAL = 1.0
"""Seconds without a message after which a Sentinel is asked for the master."""


class AsyncSentinelMaster:
    """The master that Sentinels name now."""

    clustered = False
    look_at = math.inf

    def __init__(
        self, client: Any, watchers: SentinelSettings, timeout: float, life: AsyncLifetime
    ) -> None:
        self._life = life
        self._pool = client.connection_pool
        self._name = watchers.name
        self._timeout = timeout
        self._sentinels = AsyncSentinels(watchers, timeout, life)
        self._lock = StateLock()
        self._address: Address | None = None
        self._server: AsyncServer | None = None
        self._doubted = False
        self._former: list[AsyncServer] = []
        self._watch: AsyncWatch | None = None
        self._closing = False

    async def server(self, key: str) -> AsyncServer:
        """Return the master."""
        self._ensure_watched()
        server = self._server
        if server is None or self._doubted:
            return await self._find_master()
        return server

    def known(self, key: str) -> AsyncServer | None:
        """Return the master.

        Return None if the Sentinels must be asked first, or the watch task must be started.
        """
        watched = self._watch is not None and self._watch.alive
        return self._server if watched and not self._doubted else None

    async def any_server(self) -> AsyncServer:
        """Return the master."""
        return await self.server("")

    async def redirect(self, redirection: Redirection, source: AsyncServer | None) -> NoReturn:
        """Raise: only cluster nodes redirect."""
        raise no_cluster(redirection)

    async def look(self) -> None:
        """Do nothing: the watch task looks."""

    def home(self, key: str) -> Address | None:
        """Return None: all keys have the same server."""
        return None

    async def lost(self, server: AsyncServer | None) -> None:
        """Drop the master's idle connections; the next look-up asks the Sentinels.

        Do nothing if `server` is not the current master.
        """
        if server is not None and server is self._server:
            self._doubted = True
            await server.leave()

    def servers(self) -> list[AsyncServer]:
        """Return the master, and former masters whose waits have not been ended yet."""
        return [server for server in (*self._former, self._server) if server is not None]

    async def masters(self) -> list[AsyncServer]:
        """Return the master."""
        return [await self.server("")]

    async def close(self) -> None:
        """End the watch task, and close the connections for good."""
        with self._lock.held:
            self._closing = True
            servers = self.servers()
        if self._watch is not None:
            await self._watch.stop()
        for server in servers:
            await server.end()
        await self._sentinels.close()

    # -------------------------------------------------------------- finding the master

    def _ensure_watched(self) -> None:
        """Start the watch task, if none runs in this process and event loop."""
        if self._watch is not None and self._watch.alive:
            return
        with self._lock.held:
            if not self._closing and (self._watch is None or not self._watch.alive):
                self._watch = AsyncWatch(self._sentinels, self._on_change, self._life)
                self._watch.start()

    async def _find_master(self, first: int | None = None) -> AsyncServer:
        """Ask the Sentinels for the master.

        If none names a master, return the last known master, or raise if there was none.
        """
        try:
            address = await self._sentinels.master(first)
        except ServerConnectionError as error:
            self._doubted = False
            if self._server is None:
                raise
            log.debug("the Sentinels do not answer: %s", error)
            return self._server
        return self._set_master(address)

    def _set_master(self, address: Address) -> AsyncServer:
        with self._lock.held:
            self._doubted = False
            before, old = self._address, self._server
            if old is not None and address == before:
                return old
            self._address, self._server = address, self._new_server(address)
            new = self._server
            if old is not None:
                old.demoted = True
                self._former.append(old)
        if before is not None:
            log.warning(
                "%s:%d is now the master %r instead of %s:%d", *address, self._name, *before
            )
        return new

    def _new_server(self, address: Address) -> AsyncServer:
        pool = self._pool
        given = settings_for(
            pool.connection_kwargs, self._timeout, socket_timeout_async(self._timeout)
        )
        settings = master_settings_async(given, pool, address)
        return AsyncServer(
            lambda: AsyncServerConnection(
                pool.connection_class(**settings), self._timeout, self._life
            ),
            self._timeout,
            ping_after_of(pool.connection_kwargs),
        )

    async def _on_change(self, number: int | None) -> None:
        """Ask the Sentinels for the master, Sentinel `number` first.

        Then end all waits and subscriptions at former masters.
        """
        await self._find_master(number)
        while self._former:
            former = self._former[-1]
            await former.send_away()
            self._former.remove(former)


class AsyncWatch:
    """Listens to one Sentinel, and calls `ask` after each message, silence or error.

    Args:
        sentinels: the Sentinels.
        ask: called with the number of the Sentinel that sent a message, or with None
            after a silence or an error.
        life: the lifetime of the client.
    """

    def __init__(
        self, sentinels: AsyncSentinels, ask: Callable[[int | None], Any], life: AsyncLifetime
    ) -> None:
        self._sentinels = sentinels
        self._ask = ask
        self._life = life
        self._at = 0
        self._conn: AsyncServerConnection | None = None
        self._wakeup = AsyncEvent()
        self._closing = False
        self._task: AsyncTask | None = None

    @property
    def alive(self) -> bool:
        """Whether the watch task runs in this process and event loop."""
        return self._task is not None and self._task.alive

    def start(self) -> None:
        """Start the task."""
        self._task = self._life.begin(self._work, "pyredisson sentinels")

    async def stop(self) -> None:
        """End the task."""
        self._closing = True
        if self._task is None or not self._task.alive:
            await self._hang_up()
            return
        conn = self._conn
        if conn is not None:
            await conn.abort()
        self._wakeup.set()
        await self._task.stop(2.0)

    async def _work(self) -> None:
        try:
            while not self._closing:
                number = await self._next_report()
                if self._closing:
                    return
                try:
                    await self._ask(number)
                except Exception as error:
                    log.debug("the Sentinels could not be asked: %r", error)
                if self._sentinels.rests(self._at):
                    await self._hang_up()
        finally:
            await self._hang_up()

    async def _next_report(self) -> int | None:
        """Return the number of the Sentinel that sent a message.

        Return None after `INTERVAL` seconds without a message, or after an error.
        """
        try:
            if self._conn is None:
                self._at, self._conn = await self._sentinels.listen()
            await self._conn.wait(INTERVAL)
        except ServerTimeoutError:
            return None
        except Exception as error:
            log.debug("cannot listen to a Sentinel: %r", error)
            await self._hang_up()
            await self._wakeup.wait(INTERVAL)
            return None
        return self._at

    async def _hang_up(self) -> None:
        conn, self._conn = self._conn, None
        if conn is not None:
            await conn.close()

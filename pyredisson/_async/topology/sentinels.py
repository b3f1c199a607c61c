"""The Sentinels of one master: which one to ask, and where to listen.

The rule: one answer is enough, unless another Sentinel has reported a newer state. A Sentinel that
does not answer is asked last for a while.
"""

from __future__ import annotations

from typing import Any

from pyredisson._async.link.capabilities import refused
from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.server import AsyncServer
from pyredisson._runtime.concurrency import monotonic
from pyredisson._transport.connections import socket_timeout_async
from pyredisson._transport.errors import connection_error, reply_error
from pyredisson._transport.sentinel_settings import AsyncMasterNotFoundError, SentinelSettings
from pyredisson._transport.settings import ping_after_of, settings_for
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.sentinel import CHANNELS, Sighting, Sightings
from pyredisson.server_errors import AuthenticationError, ReplyError, ServerError

_REST = 30.0
"""Seconds for which a Sentinel that failed is asked last."""


class AsyncSentinels:
    """Asks the Sentinels in turn for the master.

    Args:
        watchers: the Sentinels of a redis-py client, and the name of the master.
        timeout: seconds that a reply may take, unless the Sentinel's `socket_timeout` is shorter.
        life: the lifetime of the client.
    """

    def __init__(self, watchers: SentinelSettings, timeout: float, life: AsyncLifetime) -> None:
        self._watchers = watchers
        self._servers = [_server(kind, given, timeout, life) for kind, given in watchers.sentinels]
        self._sightings = Sightings()
        self._rests: dict[int, float] = {}
        self._turn = 0

    async def master(self, first: int | None = None) -> Address:
        """Return the master's address.

        Args:
            first: the number of the Sentinel to ask first; by default another one in each call.

        Raises:
            MasterNotFoundError: no Sentinel names the master, or every answer is out of date. The
                cause is the first `ReplyError` or `AuthenticationError`, or else the last error. It
                is None if no Sentinel failed.
        """
        problem: Exception | None = None
        for number in self._order(first):
            try:
                sighting = await self._sighting(number)
            except (ServerError, OSError) as error:
                self.rest(number)
                if not isinstance(problem, (AuthenticationError, ReplyError)):
                    problem = error
                continue
            self._rests.pop(number, None)
            if self._sightings.believes(number, sighting):
                forced = self._watchers.forced_host
                return sighting.address if forced is None else (forced, sighting.address[1])
        raise AsyncMasterNotFoundError(
            f"no Sentinel names a master {self._watchers.name!r}: "
            f"{problem or 'each one has an older state than another one had'}"
        ) from problem

    def _order(self, first: int | None) -> list[int]:
        if first is None:
            self._turn += 1
            first = self._turn
        count, now = len(self._servers), monotonic()
        numbers = [(first + number) % count for number in range(count)]
        return sorted(numbers, key=lambda number: self._rests.get(number, 0.0) > now)

    async def _sighting(self, number: int) -> Sighting:
        server, name = self._servers[number], self._watchers.name
        try:  # the epoch first: an address newer than the epoch does no harm
            state: list[Any] = await server.call("SENTINEL", "MASTER", name)
        except ReplyError as error:
            if "No such master" in str(error) or not refused(error):
                raise
            state = []
        address = await server.call("SENTINEL", "GET-MASTER-ADDR-BY-NAME", name)
        if address is None:
            raise reply_error(f"no such master: {name!r}")
        sighting = Sighting.parse(state, address)
        if sighting.others is not None and sighting.others < self._watchers.min_others:
            raise connection_error(
                f"the Sentinel knows only {sighting.others} other Sentinels, and "
                f"min_other_sentinels is {self._watchers.min_others}"
            )
        return sighting

    def rest(self, number: int) -> None:
        """Ask this Sentinel last for 30 s, and discard its last report."""
        self._sightings.forget(number)
        self._rests[number] = monotonic() + _REST

    def rests(self, number: int) -> bool:
        """Return whether a Sentinel failed in the last 30 s and has not answered since."""
        return self._rests.get(number, 0.0) > monotonic()

    async def listen(self) -> tuple[int, AsyncServerConnection]:
        """Subscribe at a Sentinel; return its number and the connection."""
        number = self._order(None)[0]
        try:
            conn = await self._servers[number].connect()
            await conn.send("SUBSCRIBE", *CHANNELS)
        except (ServerError, OSError):
            self.rest(number)
            raise
        return number, conn

    async def close(self) -> None:
        """Close the connections for good."""
        for server in self._servers:
            await server.end()


def _server(kind: Any, given: dict[str, Any], timeout: float, life: AsyncLifetime) -> AsyncServer:
    seconds = min(given.get("socket_timeout") or timeout, timeout)
    settings = settings_for(given, seconds, socket_timeout_async(seconds))
    return AsyncServer(
        lambda: AsyncServerConnection(kind(**settings), seconds, life),
        seconds,
        ping_after_of(given),
    )

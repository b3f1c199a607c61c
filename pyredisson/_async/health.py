"""Finds the health of a client.

The rule: the result comes within `timeout` plus `_REPORT`, whatever hangs. While a PING waits for
its reply, no other PING is sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyredisson._async.context import AsyncContext
from pyredisson._async.waits.slices import is_transient
from pyredisson._runtime.concurrency import AsyncTask, monotonic, sleep_async
from pyredisson.errors import ClosedError
from pyredisson.server_errors import ReplyError, ServerError

if TYPE_CHECKING:
    from pyredisson.stats import Health

_FRESH = 1.0
"""Seconds after a reply in which Redis counts as answering, without a PING."""
_REPORT = 0.4
"""Seconds that a transfer process has for its report, in addition to the time that Redis has."""


class AsyncHealthCheck:
    """Finds the health of one client.

    Args:
        context: the context of the client.
    """

    def __init__(self, context: AsyncContext) -> None:
        self._context = context
        self._link = context.link
        self._ping: AsyncTask | None = None
        self._replied = 0.0

    async def health(self, timeout: float) -> Health:
        """Return the health of the client. Redis has `timeout` seconds to answer a PING."""
        deadline = monotonic() + timeout + _REPORT
        closed, transfers = self._link.closed, self._context.transfers
        connected = not closed and await self._answers(timeout)
        last, now = self._last(), monotonic()
        while not (closed or transfers.reported()) and monotonic() < deadline:
            await sleep_async(0.01)
        from pyredisson.stats import Health  # noqa: PLC0415 - seldom

        return Health(connected, now - last if last else None, transfers.health())

    def _last(self) -> float:
        return max(self._replied, self._link.life.replied())

    async def _answers(self, timeout: float) -> bool:
        """Return whether Redis has replied within the last second, or answers a PING in time."""
        since = monotonic() - _FRESH
        if self._last() >= since or timeout <= 0:
            return self._last() >= since
        if self._ping is None or not self._ping.alive:
            self._ping = self._link.life.begin(self._send_ping, "pyredisson health")
        await self._ping.wait(timeout)
        return self._last() >= since

    async def _send_ping(self) -> None:
        for _ in range(2):  # the first PING may find that a connection broke
            server = None
            try:
                server = await self._link.topology.any_server()
                await server.call("PING")
            except ReplyError as error:
                if is_transient(error):
                    return
            except (ServerError, OSError, ClosedError):
                await self._link.topology.lost(server)
                continue
            self._replied = monotonic()
            return

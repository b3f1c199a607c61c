"""The clocks of the servers, or this machine's clock if TIME is rejected.

The rule: the first rejection of TIME is logged as a warning, and so is the first success after it.
"""

from __future__ import annotations

from pyredisson._async.link.capabilities import ServerRejections, refused
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.topology.topology import AsyncTopology
from pyredisson._runtime.concurrency import monotonic, wall_ms
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.server_errors import LOST, ReplyError


class AsyncClocks:
    """Reads the clock of a key's server.

    Args:
        topology: finds the server of a key.
        timeout: if a server is lost within this many seconds, TIME is sent a second time.
        rejections: the commands that the servers reject.
    """

    def __init__(
        self, topology: AsyncTopology, timeout: float, rejections: ServerRejections
    ) -> None:
        self._topology = topology
        self._timeout = timeout
        self._rejections = rejections

    async def read(self, key: str, ahead: float) -> ServerClock:
        """Return the clock of the key's server. TIME is sent if the clock has no fresh sample.

        TIME is also sent if the sample will be stale in `ahead` seconds. If TIME is rejected, or
        was rejected less than 30 s ago, return a clock with the time of this machine.
        """
        if not self._rejections.now("TIME"):
            try:
                clock = (await self._timed(key, ahead)).clock
            except ReplyError as error:
                if not refused(error):
                    raise
                self._rejections.note("TIME", error)
            else:
                self._rejections.granted("TIME")
                return clock
        clock, now = ServerClock(), monotonic()
        clock.sample(now, now, wall_ms())
        return clock

    async def _timed(self, key: str, ahead: float) -> AsyncServer:
        deadline = monotonic() + self._timeout
        for last in (False, True):
            server: AsyncServer | None = None
            try:
                server = await self._topology.server(key)
                await server.learn_time(ahead)
            except LOST:
                await self._topology.lost(server)
                if last or monotonic() >= deadline:
                    raise
            else:
                return server
        raise AssertionError  # pragma: no cover - the loop returns or raises

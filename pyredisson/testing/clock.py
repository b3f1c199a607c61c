"""The clock of a server for tests.

The rule: all changes of the time happen at one moment. No script of a client runs between them.
"""

from __future__ import annotations

import contextlib
import math
import socket
from datetime import datetime, timedelta
from pathlib import Path

from pyredisson import Redisson
from pyredisson.admin.find import find_queues
from pyredisson.protocol.kernel.due import from_epoch_ms
from pyredisson.testing._proxy import packed
from pyredisson.testing.arrivals import (
    advance_schedule,
    deliver,
    doubt_ms,
    kernels,
    renewed_deliveries,
    renewed_keys,
)

__all__ = ["Clock"]

_SHIFT = Path(__file__).with_name("shift.lua").read_bytes()
_DONE = b"pyredisson-done"
_PATIENCE = 10.0
"""The maximum time in seconds until the server replies."""
_MS = timedelta(milliseconds=1)


class Clock:
    """The clock of a server; it runs like any clock, and `advance` moves it forward.

    Args:
        url: the URL of the proxy.
        port: the port of the server itself, on 127.0.0.1.
    """

    def __init__(self, url: str, port: int) -> None:
        self._redisson = Redisson.from_url(url)
        (self._server,) = self._redisson._context.link.topology.servers()
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_PATIENCE)
        self._send((b"HELLO", b"3"))  # so that one connection subscribes and runs scripts
        self._channel, self._number = b"pyredisson-clock.0.0", 0
        self._ahead_ms = 0

    @property
    def ahead(self) -> timedelta:
        """The time by which `advance` has moved the clock since the last reset of the server."""
        return timedelta(milliseconds=self._ahead_ms)

    def now(self) -> datetime:
        """Return the moved time of the server, in UTC."""
        whole, micros = self._server.call("TIME")
        return from_epoch_ms(int(whole) * 1000 + int(micros) // 1000)

    def advance(
        self,
        by: timedelta | None = None,
        *,
        days: float = 0,
        hours: float = 0,
        minutes: float = 0,
        seconds: float = 0,
    ) -> None:
        """Let time pass at once: `advance(minutes=30)`.

        After it returns, all due items of queues with a transfer task are transferred. Messages of
        these queues whose leases ended are requeued. Expired keys are deleted. Locks that a client
        of this process renews are still held, and so are messages that its workers handle.

        Args:
            by: the time; it is added to the time of the other arguments.
            days: days of 24 hours.
            hours: hours.
            minutes: minutes.
            seconds: seconds.

        Raises:
            TypeError: an argument has the wrong type.
            ValueError: the time is negative.
            OSError, ServerError: the server cannot be reached, or does not reply.
            RuntimeError: the server rejects a command that moves the clock.
        """
        if by is not None and not isinstance(by, timedelta):
            raise TypeError(f"by must be a timedelta, not {by!r}; or give seconds=, minutes=, ...")
        passed = timedelta(days=days, hours=hours, minutes=minutes, seconds=seconds)
        passed += by or timedelta()
        if passed < timedelta():
            raise ValueError(f"a clock does not run backwards, so the time must be >= 0: {passed}")
        passed_ms = -(-passed // _MS)
        names = list(find_queues(self._redisson))
        for name in names:
            advance_schedule(self._redisson, name, passed_ms)
        doubt = doubt_ms()
        self._move(passed_ms)
        for name in names:
            deliver(self._redisson, name, doubt)
        _hurry()

    def _begin_anew(self) -> None:
        """Delete all keys, and set the clock to the real time."""
        self._server.call("FLUSHALL")
        self._move(-self._ahead_ms)
        for kernel in kernels():
            kernel.time_passed(math.inf)
        _hurry()

    def _move(self, passed_ms: int) -> None:
        keys = [key.encode() for key in renewed_keys()]
        self._ahead_ms += passed_ms
        self._number += 1
        before, channel = self._channel, b"pyredisson-clock.%d.%d" % (self._number, self._ahead_ms)
        self._send(
            (b"SSUBSCRIBE", channel),
            (b"EVAL", _SHIFT, b"%d" % len(keys), *keys, b"%d" % passed_ms, *renewed_deliveries()),
            (b"SUNSUBSCRIBE", before),
        )
        self._channel = channel
        for kernel in kernels():
            kernel.time_passed(passed_ms / 1000)

    def _send(self, *requests: tuple[bytes, ...]) -> None:
        """Send requests together, so that the server runs no other request between them.

        Raises:
            OSError: the server has ended, or does not reply.
            RuntimeError: the server rejects a request.
        """
        self._socket.sendall(b"".join(map(packed, (*requests, (b"ECHO", _DONE)))))
        reply = b""
        while _DONE not in reply:
            part = self._socket.recv(1 << 16)
            if not part:
                raise ConnectionError("the server of the test has ended")
            reply += part
        if b"\n-" in b"\n" + reply:
            raise RuntimeError(f"the server did not move its clock: {reply!r}")

    def _close(self) -> None:
        self._socket.close()
        self._redisson.close()


def _hurry() -> None:
    """Let all clients of this process check for due items at once; asyncio ones in their loop."""
    for kernel in kernels():
        loop = kernel.here[1] if isinstance(kernel.here, tuple) else None
        if loop is None:
            kernel.hurry()
        elif loop.is_running():
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile
                loop.call_soon_threadsafe(kernel.hurry)

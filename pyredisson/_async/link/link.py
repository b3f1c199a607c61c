"""The link: runs an operation, on the fast path if possible, and reads its reply.

The rule: an interrupted caller (cancelled, Ctrl-C) loses nothing. The reply of an operation that
takes elements is read to its end, and the elements are requeued.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from pyredisson._async.link.attempts import AsyncAttempts
from pyredisson._async.link.capabilities import ServerRejections
from pyredisson._async.link.clocks import AsyncClocks
from pyredisson._async.link.in_flight_request import UNREAD, AsyncInFlightRequest
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.topology.topology import AsyncTopology
from pyredisson._async.waits.failures import WaitFailures
from pyredisson._runtime.concurrency import AsyncTask, monotonic
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async, to_end_async
from pyredisson._support.error_text import text_of
from pyredisson._transport.errors import UnsentError
from pyredisson.errors import (
    BatchDecodeError,
    ClosedError,
    DecodeError,
    NotNotifiedError,
    WireFormatError,
)
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.command import Command, Operation, Packed, Quarantine, is_plain
from pyredisson.protocol.kernel.error_notes import note_not_quarantined, note_quarantined
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.next_step import takes
from pyredisson.server_errors import OutOfMemoryError, ServerError

T = TypeVar("T")
log = logging.getLogger("pyredisson")


class AsyncLink:
    """Runs operations on the connections of one client.

    Args:
        topology: finds the server of a key.
        timeout: seconds without a reply after which a server counts as lost.
        life: the client's lifetime, the same as that of the topology.
    """

    def __init__(
        self, topology: AsyncTopology, timeout: float, life: AsyncLifetime | None = None
    ) -> None:
        self.topology, self.timeout = topology, timeout
        self.life = life or AsyncLifetime()
        self.closed = self.reached = False
        """`reached`: whether any operation has ever got a reply."""
        self.abandoned: set[Any] = set()
        """Waits that were given up, and whose nodes have not answered since."""
        self.probes: dict[Address | None, AsyncTask] = {}
        """Nodes that are skipped because they do not answer, with the task that probes each."""
        self.met: set[Address | None] = set()
        """Nodes that have answered a probe."""
        self.opening: dict[Address | None, float] = {}
        """Until when to wait for the first connection to a node, in monotonic seconds."""
        waits = self.waits = WaitFailures(topology.home, timeout, self.life)
        self.wait_failed, self.wait_served, self.failing = waits.failed, waits.served, waits.failing
        self.before_opening: Callable[[], None] = lambda: None
        """Called when no connection is open: at first, in a forked child, in a new event loop."""
        self.rejections = ServerRejections()
        """What the servers reject."""
        self._clocks = AsyncClocks(topology, timeout, self.rejections)
        self._attempts = AsyncAttempts(topology, timeout, self.rejections, waits)

    def at_hand(self, key: str) -> AsyncServer | None:
        """Return the key's server, if it is known without a request and the fast path works."""
        if self.closed or self.rejections.whole_scripts:
            return None
        return self.topology.known(key)

    async def request(
        self, operation: Operation[T] | Packed[T], server: AsyncServer | None = None
    ) -> T:
        """Run one operation and return its decoded reply.

        An operation that neither waits nor takes elements, and is not durable, uses the fast path:
        an open connection that is idle or shared. After an error the slow path continues.

        Args:
            operation: what to run.
            server: what `at_hand` has just returned for the operation's key, if the caller knows.

        Raises:
            ServerError: the server or the connection failed.
            DecodeError: the codec cannot decode the reply. If the operation took several elements
                and has a `quarantine`, none of them can be decoded.
            ClosedError: the client is closed.
        """
        if server is None:
            server = self.at_hand(operation.key) if is_plain(operation) else None
        if server is None:
            return (await self.arrival(operation.whole()))[1]
        try:
            reply = await server.pool.request(operation)
        except Exception as error:
            failure = error
        else:
            return await self.answered(operation, server, reply)
        return await self.failed(operation, server, failure)

    async def answered(
        self, operation: Operation[T] | Packed[T], server: AsyncServer, reply: Any
    ) -> T:
        """Decode the reply of the fast path."""
        if (error := server.taken_over()) is not None:
            return await self.failed(operation, server, error)
        self.reached = True
        if monotonic() >= self.topology.look_at:
            await self.topology.look()
        try:
            return operation.decode(reply)
        except (DecodeError, WireFormatError, NotNotifiedError):
            pass  # `read` handles it
        return await self.read(operation.whole(), reply, AsyncInFlightRequest())

    async def failed(
        self, operation: Operation[T] | Packed[T], server: AsyncServer, error: Exception
    ) -> T:
        """Continue on the slow path after an error of the fast path."""
        in_flight = AsyncInFlightRequest()
        if isinstance(error, UnsentError):
            self.before_opening()
        else:
            in_flight.server, in_flight.failed = server, error
        return (await self.arrival(operation.whole(), in_flight))[1]

    async def arrival(
        self, operation: Operation[T], in_flight: AsyncInFlightRequest | None = None
    ) -> tuple[bool, T]:
        """Run one operation; return whether the reply was not None, and the decoded value.

        Meanwhile `in_flight.unblock` ends its wait on the server. A wait that got no reply stays
        in `in_flight`, and the next call resumes it: a server that was frozen may still answer it
        with an element. `in_flight.leave` gives such a wait up.
        """
        if self.closed:
            raise ClosedError("this Redisson client is closed")
        returns_later = in_flight is not None
        in_flight = in_flight or AsyncInFlightRequest()
        if not takes(operation):
            reply = await self._attempts.reply(operation, in_flight)
            self.reached = True
            if monotonic() >= self.topology.look_at:
                await self.topology.look()
            return reply is not None, await self.read(operation, reply, in_flight)
        try:
            async with AsyncInterrupts():  # after it there are only returns, up to the caller's
                if in_flight.exchange is None:
                    reply = await self._attempts.reply(operation, in_flight)
                    self.reached = True
                else:
                    reply = await self._attempts.resumed(operation, in_flight.exchange, in_flight)
                value = await self.read(operation, reply, in_flight)
        except Exception:
            if not returns_later:
                await in_flight.leave()
            raise
        except BaseException:
            await finish_async(self.undone(operation, in_flight))
            raise
        return reply is not None, value

    # -------------------------------------------------------------- what cannot be decoded

    async def read(self, operation: Operation[T], reply: Any, in_flight: AsyncInFlightRequest) -> T:
        """Decode a reply; quarantine the elements that the operation took and cannot be decoded.

        If others of several elements can be decoded, return those.
        """
        try:
            return operation.decode(reply)
        except NotNotifiedError as error:
            if not self.rejections.note_notification(error):
                raise
            found: T = error.returns
            return found
        except (DecodeError, WireFormatError) as error:
            if operation.quarantine is None:
                raise
            rest = await to_end_async(
                self._quarantined(operation.quarantine, reply, error, in_flight)
            )
            if not isinstance(error, BatchDecodeError) or not error.values:
                raise
            log.error(
                "%d of %d taken values cannot be decoded and are now in the list %r; "
                "the first error: %s",
                len(error.errors),
                len(error.errors) + len(error.values),
                error.kept_in,
                text_of(error.errors[0]),
                extra=about(operation.key),
            )
        return await self.read(operation, rest, in_flight)

    async def _quarantined(
        self,
        quarantine: Quarantine,
        reply: Any,
        error: DecodeError | WireFormatError,
        in_flight: AsyncInFlightRequest,
    ) -> Any:
        """Push what cannot be decoded to the poison list; return the rest of the reply."""
        errors = error.errors if isinstance(error, BatchDecodeError) else [error]
        push, rest = quarantine(reply, [each.raw for each in errors])
        try:
            await self._add(push)
        except (ServerError, OSError, ClosedError) as cause:
            note_not_quarantined(error, push.key, cause)
            raise error from cause
        note_quarantined(error, push.key)
        in_flight.reply = rest
        return rest

    # -------------------------------------------------------------- interruptions

    async def undone(self, operation: Operation[Any], in_flight: AsyncInFlightRequest) -> bool:
        """End an interrupted operation and requeue what it took; return whether it took any."""
        async with AsyncInterrupts(deferred=True):
            if operation.undo is None:
                await in_flight.leave()
                return False
            with self.life.saving():
                try:
                    reply = await self._awaited(operation, in_flight)
                except (ServerError, OSError, ClosedError):
                    in_flight.unanswered += (operation,)
                    return False
                return await self.give_back(operation, reply)

    async def give_back(self, operation: Operation[Any], reply: Any) -> bool:
        """Requeue what an operation took; return whether it took anything."""
        undo = operation.undo(reply) if operation.undo else None
        if undo is None:
            return False
        try:
            await self._add(undo)
        except (ServerError, OSError, ClosedError) as error:
            log.error(
                "an interrupted pop on %r took %r and could not put it back: %s",
                operation.key,
                undo.args[2:],
                error,
                extra=about(operation.key),
            )
        return True

    async def _add(self, operation: Operation[Any]) -> None:
        """Add what was taken, also if the client is closed or the server has no memory left."""
        with self.life.saving():
            try:
                await self._attempts.reply(operation, AsyncInFlightRequest())
            except OutOfMemoryError:
                if not isinstance(operation, Command):  # such a script needs no memory
                    raise
                from pyredisson.protocol.kernel.give_back import without_memory  # noqa: PLC0415 - seldom

                await self._attempts.reply(without_memory(operation), AsyncInFlightRequest())

    async def _awaited(self, operation: Operation[Any], in_flight: AsyncInFlightRequest) -> Any:
        """Return the reply of an operation under way; None if it was not sent."""
        exchange = in_flight.exchange
        if exchange is None:
            return None if in_flight.reply is UNREAD else in_flight.reply
        try:
            if operation.waits is not None:
                await in_flight.unblock()
            reply = await exchange.reply((operation.waits or 0) + self.timeout, interruptible=True)
        except BaseException:
            await in_flight.leave()
            raise
        in_flight.exchange = None
        await exchange.done()
        return reply

    # -------------------------------------------------------------- the server's clock

    async def clock(self, key: str, *, ahead: float = 0.0) -> ServerClock:
        """Return the clock of the key's server; its sample stays fresh for `ahead` seconds."""
        if self.closed:
            raise ClosedError("this Redisson client is closed")
        return await self._clocks.read(key, ahead)

    def fresh_clock(self, key: str) -> ServerClock | None:
        """Return the clock of the key's server; None if it needs a new sample."""
        server = None if self.closed else self.topology.known(key)
        return server.clock if server and not server.clock.stale(monotonic()) else None

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
        life: the client's lifetime, which the topology also has; by default a new one.
    """

    def __init__(
        self, topology: AsyncTopology, timeout: float, life: AsyncLifetime | None = None
    ) -> None:
        self.topology, self.timeout = topology, timeout
        self.life = life or AsyncLifetime()
        self.closed = self.reached = False
        """`reached`: whether any operation has ever got a reply."""
        self.abandoned: set[Any] = set()
        """Waits that `waits/first_wins` has given up, and whose nodes have not answered since."""
        self.probes: dict[Address | None, AsyncTask] = {}
        """The probe task of each node that is skipped until it answers (`waits/probes`)."""
        self.met: set[Address | None] = set()
        """Nodes that have answered a probe."""
        self.opening: dict[Address | None, float] = {}
        """For each node the monotonic time until which callers wait for a probe to connect."""
        waits = self.waits = WaitFailures(topology.home, timeout, self.life)
        self.wait_failed, self.wait_served, self.failing = waits.failed, waits.served, waits.failing
        self.before_opening: Callable[[], None] = lambda: None
        """Called if the fast path has no open connection, as before the first operation."""
        self.rejections = ServerRejections()
        """What the servers reject."""
        self._clocks = AsyncClocks(topology, timeout, self.rejections)
        self._attempts = AsyncAttempts(topology, timeout, self.rejections, waits)

    def at_hand(self, key: str) -> AsyncServer | None:
        """Return the key's server for the fast path.

        Return None if finding the server needs a request, EVALSHA is rejected, or the client is
        closed.
        """
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
            server: the server that `at_hand` has just returned for the operation's key. By default
                `request` calls `at_hand` itself, if the operation may use the fast path.

        Raises:
            ServerError: the server or the connection failed.
            DecodeError: the codec cannot decode the reply. If the operation took several elements
                and has a `quarantine`, this error means that none of them can be decoded.
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
        """Decode the reply of the fast path; use the slow path if the server was replaced."""
        if (error := server.taken_over()) is not None:
            return await self.failed(operation, server, error)
        self.reached = True
        if monotonic() >= self.topology.look_at:
            await self.topology.look()
        try:
            return operation.decode(reply)
        except (DecodeError, WireFormatError, NotNotifiedError):
            pass  # `read` handles the error
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

        While the operation blocks at the server, `in_flight.unblock` ends the wait. If no reply
        comes in time, the wait stays in the caller's `in_flight`, and the next call resumes the
        wait: a server that was frozen may still reply with an element. `in_flight.leave` gives up
        such a wait.
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
            # after this block only returns follow, also in callers: else Ctrl-C loses the elements
            async with AsyncInterrupts():
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

    # -------------------------------------------------------------- undecodable elements

    async def read(self, operation: Operation[T], reply: Any, in_flight: AsyncInFlightRequest) -> T:
        """Return the decoded value of a reply.

        If the operation has a `quarantine`, taken elements that cannot be decoded are moved to the
        poison list. The value then has the other elements. If no other element can be decoded, the
        error is raised. If only PUBLISH is missing (NotNotifiedError), return the result.
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
        """Push the undecodable elements to the poison list; return the reply without them.

        If the push fails, raise `error` with a note.
        """
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
        """End an interrupted operation, and requeue the elements that it took.

        Return whether there were such elements; False also if the reply was lost.
        """
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
        """Requeue the elements of a reply; return whether the reply has any.

        An error of the requeueing is logged, not raised.
        """
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
        """Send an operation that stores taken elements in their list or in the poison list.

        This also works if the client is closed, or if the server has no memory for a command.
        """
        with self.life.saving():
            try:
                await self._attempts.reply(operation, AsyncInFlightRequest())
            except OutOfMemoryError:
                if not isinstance(operation, Command):  # only a command has a script in its place
                    raise
                from pyredisson.protocol.kernel.give_back import without_memory  # noqa: PLC0415 - seldom

                await self._attempts.reply(without_memory(operation), AsyncInFlightRequest())

    async def _awaited(self, operation: Operation[Any], in_flight: AsyncInFlightRequest) -> Any:
        """Return the reply of an interrupted operation, after unblocking its wait.

        Return None if the operation has no exchange and no reply.
        """
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
        """Return the clock of the key's server; `AsyncClocks.read` explains `ahead`."""
        if self.closed:
            raise ClosedError("this Redisson client is closed")
        return await self._clocks.read(key, ahead)

    def fresh_clock(self, key: str) -> ServerClock | None:
        """Return the clock of the key's server; None if `clock` must be called instead."""
        server = None if self.closed else self.topology.known(key)
        return server.clock if server and not server.clock.stale(monotonic()) else None

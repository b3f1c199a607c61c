"""The link: sends an operation, and does what `protocol/delivery` makes of the outcome.

A caller that is interrupted (cancelled, Ctrl-C) loses nothing: what takes
elements is read to its end, and what it took is given back.
"""

from __future__ import annotations

import logging
from typing import Any, NoReturn, TypeVar

from pyredisson._async.link.capabilities import ServerCapabilities, explain_async, may_lack_evalsha
from pyredisson._async.link.clocks import AsyncClocks
from pyredisson._async.link.in_flight_request import UNREAD, AsyncInFlightRequest
from pyredisson._async.link.lifetime import AsyncLifetime
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.topology.topology import AsyncTopology
from pyredisson._async.waits.failures import WaitFailures
from pyredisson._runtime.concurrency import AsyncTask, monotonic, sleep_async
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async, to_end_async
from pyredisson._transport.errors import connection_error, outcome_of, redirection_of
from pyredisson._transport.pools import AsyncExchange
from pyredisson.errors import (
    BatchDecodeError,
    ClosedError,
    DecodeError,
    NotNotifiedError,
    WireFormatError,
    note_not_quarantined,
    note_quarantined,
)
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.command import Arg, Keep, Operation
from pyredisson.protocol.kernel.log_fields import about
from pyredisson.protocol.kernel.next_step import (
    LOOK_AROUND,
    REDIRECTS,
    Attempt,
    Outcome,
    Step,
    decide,
    takes,
)
from pyredisson.protocol.kernel.permissions import lacking
from pyredisson.server_errors import (
    LOST,
    NoPermissionError,
    ReplyError,
    ServerError,
    ServerTimeoutError,
)

T = TypeVar("T")
log = logging.getLogger("pyredisson")

_TRY_AGAIN_PAUSE = 0.02
_FIRST = (Attempt(), Attempt(clustered=True))


class AsyncLink:
    """Runs operations on the connections of one client.

    Args:
        topology: says which server has a key.
        timeout: seconds without an answer after which a server counts as gone.
        life: the client's; that of the topology.
    """

    def __init__(
        self, topology: AsyncTopology, timeout: float, life: AsyncLifetime | None = None
    ) -> None:
        self.topology, self.timeout = topology, timeout
        self.life = life or AsyncLifetime()
        self.closed = self.reached = False
        """The latter: whether any operation has ever been answered."""
        self.stragglers: set[Any] = set()
        """Waits that lost a race and whose nodes have not answered since."""
        self.probes: dict[Address | None, AsyncTask] = {}
        self.met: set[Address | None] = set()
        """Nodes that rest, each with the task that asks it, and those that have answered one."""
        self.opening: dict[Address | None, float] = {}
        """Until when to wait for nodes to which a connection is being opened."""
        marks = WaitFailures(topology.home, timeout, self.life)
        self.wait_failed, self.wait_served, self.failing = marks.failed, marks.served, marks.failing
        self.lacking = ServerCapabilities()
        """What the servers refuse."""
        self._clocks = AsyncClocks(topology, self.lacking)

    async def request(self, operation: Operation[T]) -> T:
        """Run one operation and read its reply.

        Raises:
            ServerError: as the server or the connection has it.
            DecodeError: the reply holds what the codec cannot read; of several elements
                that an operation took and `keep`s, none can be read.
        """
        return (await self.arrival(operation))[1]

    async def arrival(
        self, operation: Operation[T], transit: AsyncInFlightRequest | None = None
    ) -> tuple[bool, T]:
        """Run one operation that may bring nothing: did anything come, and what.

        Meanwhile the transit's `unblock` ends its wait on the server. A wait that was
        left without an answer stays in it: the next call goes back to it, for a server
        that thaws may give to it what it has; its `leave` gives it up.
        """
        if self.closed:
            raise ClosedError("this Redisson client is closed")
        comes_back = transit is not None
        transit = transit or AsyncInFlightRequest()
        if not takes(operation):
            reply = await self._delivered(operation, transit)
            return reply is not None, await self.read(operation, reply, transit)
        try:
            async with AsyncInterrupts():  # after it there are only returns, up to the caller's
                if transit.exchange is None:
                    reply = await self._delivered(operation, transit)
                else:
                    reply = await self._resumed(operation, transit.exchange, transit)
                value = await self.read(operation, reply, transit)
        except Exception:
            if not comes_back:
                await transit.leave()
            raise
        except BaseException:
            await finish_async(self.undone(operation, transit))
            raise
        return reply is not None, value

    async def _delivered(self, operation: Operation[Any], transit: AsyncInFlightRequest) -> Any:
        """Do the steps until one returns the raw reply or raises."""
        attempt = _FIRST[self.topology.clustered]
        deadline = monotonic() + self.timeout
        words = self.lacking.words(operation)
        place: AsyncServer | None = None
        doubt: Exception | None = None  # the refusal of EVALSHA, while EVAL is tried
        while True:
            outcome, reply = await self._sent(operation, words, attempt, place, transit)
            if doubt is not None:
                reply = self.lacking.judged(doubt, outcome, reply)
            if outcome is Outcome.REPLY:
                self.reached = True
                if words[0] == "EVALSHA" and "EVALSHA" in self.lacking:
                    self.lacking.granted("EVALSHA")
                if operation.waits is not None and self.failing:
                    self.wait_served(operation.key)
                return reply
            if words[0] == "EVALSHA" and may_lack_evalsha(reply, operation):
                doubt, outcome = reply, Outcome.NO_SCRIPT
            step, attempt = decide(operation, outcome, attempt)
            if outcome in LOOK_AROUND:
                await self.topology.lost(transit.server)
            if step is Step.RAISE or (step is Step.PAUSE and monotonic() >= deadline):
                await explain_async(reply, operation, transit.server)
                _raise(operation, outcome, reply)
            if step is Step.LOAD:
                words = operation.fallback() or words
                continue
            words, place = self.lacking.words(operation), None
            if step is Step.PAUSE:
                await sleep_async(_TRY_AGAIN_PAUSE)
            elif step is Step.REDIRECT:
                redirection = redirection_of(reply)
                place = await self.topology.redirect(redirection) if redirection else None

    async def _sent(
        self,
        operation: Operation[Any],
        words: tuple[Arg, ...],
        attempt: Attempt,
        place: AsyncServer | None,
        transit: AsyncInFlightRequest,
    ) -> tuple[Outcome, Any]:
        """Send once and read: the outcome, and the reply or the error."""
        try:
            server, exchange = await self._exchange(operation, place, transit)
        except LOST as error:
            return Outcome.UNREACHED, error
        transit.exchange, transit.reply = exchange, UNREAD
        taking = takes(operation)
        try:
            ahead = () if attempt.loads > attempt.redirects else operation.ahead  # its wait is over
            await exchange.send(words, asking=attempt.asking, ahead=ahead)
            wait = (operation.waits or 0) + (transit.patience or self.timeout)
            reply = await exchange.reply(wait, interruptible=taking)
        except Exception as error:
            outcome = outcome_of(error)
            transit.unanswered += (operation,) * (outcome is Outcome.LOST)
            if operation.waits is not None and isinstance(error, ServerTimeoutError):
                return outcome, error  # `arrival` goes back to it
            transit.exchange = None
            await (exchange.drop() if outcome in LOOK_AROUND else exchange.done())
            return outcome, error
        except BaseException:
            if not taking:
                await exchange.drop()
            raise
        transit.reply, transit.exchange = reply, None
        await exchange.done()
        if operation.durable is not None and isinstance(reply[1], LOST):
            await self.topology.lost(server)
        if server.demoted and not taking:
            return Outcome.LOST, connection_error("another server took over before the reply")
        return Outcome.REPLY, reply

    async def _exchange(
        self, operation: Operation[Any], place: AsyncServer | None, transit: AsyncInFlightRequest
    ) -> tuple[AsyncServer, AsyncExchange]:
        """Return a way to the key's server, which is not demoted before anything is sent."""
        while True:
            transit.server = place
            transit.server = server = place or await self.topology.server(operation.key)
            try:
                exchange = await server.exchange(operation, transit.patience)
            except LOST:
                if server.demoted:
                    continue
                raise
            if not server.demoted:
                return server, exchange
            await exchange.drop()

    async def _resumed(
        self, operation: Operation[Any], exchange: AsyncExchange, transit: AsyncInFlightRequest
    ) -> Any:
        """Go back to a wait that was left without an answer, once its server answers at all."""
        server = await self.topology.server(operation.key)
        if server is not transit.server:
            await transit.leave()
            return None
        try:
            await server.call("PING")
        except LOST:
            await self.topology.lost(server)
            raise
        except ReplyError:
            pass  # an answer, too
        await transit.unblock()  # what it was asked before may wait only now
        return await transit.late(exchange)

    # -------------------------------------------------------------- what cannot be decoded

    async def read(self, operation: Operation[T], reply: Any, transit: AsyncInFlightRequest) -> T:
        """Read a reply; what the operation took and cannot be decoded is kept first.

        What can be read of several elements is returned all the same.
        """
        try:
            return operation.decode(reply)
        except NotNotifiedError as error:
            if not self.lacking.notification(error):
                raise
            found: T = error.returns
            return found
        except (DecodeError, WireFormatError) as error:
            if operation.keep is None:
                raise
            rest = await to_end_async(self._kept(operation.keep, reply, error, transit))
            if not isinstance(error, BatchDecodeError) or not error.values:
                raise
            log.error(
                "%d of %d taken values cannot be decoded and are kept in %r; the first: %s",
                len(error.errors),
                len(error.errors) + len(error.values),
                error.kept_in,
                error.errors[0],
                extra=about(operation.key),
            )
        return await self.read(operation, rest, transit)

    async def _kept(
        self,
        keep: Keep,
        reply: Any,
        error: DecodeError | WireFormatError,
        transit: AsyncInFlightRequest,
    ) -> Any:
        """Push to the poison list what cannot be decoded; return the rest of the reply."""
        errors = error.errors if isinstance(error, BatchDecodeError) else [error]
        push, rest = keep(reply, [each.raw for each in errors])
        try:
            await self._delivered(push, AsyncInFlightRequest())
        except (ServerError, OSError) as cause:
            note_not_quarantined(error, push.key, cause)
            raise error from cause
        note_quarantined(error, push.key)
        transit.reply = rest
        return rest

    # -------------------------------------------------------------- interruptions

    async def undone(self, operation: Operation[Any], transit: AsyncInFlightRequest) -> bool:
        """End an interrupted operation and put back what it took; did it take any?"""
        async with AsyncInterrupts(deaf=True):
            if operation.undo is None:
                await transit.leave()
                return False
            with self.life.saving():
                try:
                    reply = await self._awaited(operation, transit)
                except (ServerError, OSError, ClosedError):
                    transit.unanswered += (operation,)
                    return False
                return await self.give_back(operation, reply)

    async def give_back(self, operation: Operation[Any], reply: Any) -> bool:
        """Put back what an operation took; did it take any?"""
        undo = operation.undo(reply) if operation.undo else None
        if undo is None:
            return False
        try:
            with self.life.saving():
                await self._delivered(undo, AsyncInFlightRequest())
        except (ServerError, OSError, ClosedError) as error:
            log.error(
                "an interrupted pop on %r took %r and could not give it back: %s",
                operation.key,
                undo.args[2:],
                error,
                extra=about(operation.key),
            )
        return True

    async def _awaited(self, operation: Operation[Any], transit: AsyncInFlightRequest) -> Any:
        """Return the reply of an exchange that is under way; None where there is none."""
        exchange = transit.exchange
        if exchange is None:
            return None if transit.reply is UNREAD else transit.reply
        try:
            if operation.waits is not None:
                await transit.unblock()
            reply = await exchange.reply((operation.waits or 0) + self.timeout, interruptible=True)
        except BaseException:
            await transit.leave()
            raise
        transit.exchange = None
        await exchange.done()
        return reply

    # -------------------------------------------------------------- the server's clock

    async def clock(self, key: str, *, ahead: float = 0.0) -> ServerClock:
        """Return the clock of the key's server, with a sample that is fresh for so long, too.

        Where TIME is refused, this machine's clock has to do; a warning says so once, and once
        that it is allowed again.
        """
        if self.closed:
            raise ClosedError("this Redisson client is closed")
        return await self._clocks.read(key, ahead)


def _raise(operation: Operation[Any], outcome: Outcome, error: Exception) -> NoReturn:
    """Raise the error as the caller is to see it."""
    if isinstance(error, NoPermissionError):
        error.args = (lacking(str(error), operation),)
    if outcome is Outcome.LOST and operation.lost is not None:
        raise operation.lost(error) from error
    if outcome in (Outcome.MOVED, Outcome.ASK):
        raise connection_error(
            f"redirected more than {REDIRECTS} times for {operation.key!r}"
        ) from error
    raise error

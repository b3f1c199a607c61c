"""The attempts of one operation: the slow path.

The rule: `protocol/kernel/next_step` decides what follows an outcome, and this module carries out
the decision. Only three decisions are made here. A rejected EVALSHA counts as NO_SCRIPT. A reply of
a demoted server counts as LOST, unless the operation waits or takes elements. PAUSE after the
response timeout raises the error.
"""

from __future__ import annotations

from typing import Any

from pyredisson._async.link.capabilities import (
    ServerRejections,
    fail_async,
    lacks_evalsha_async,
    may_lack_evalsha,
)
from pyredisson._async.link.in_flight_request import UNREAD, AsyncInFlightRequest
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.topology.topology import AsyncTopology
from pyredisson._async.waits.failures import WaitFailures
from pyredisson._runtime.concurrency import monotonic, sleep_async
from pyredisson._transport.errors import outcome_of, redirection_of, taken_over_error
from pyredisson._transport.pools import AsyncExchange
from pyredisson.protocol.kernel.command import Arg, Operation, is_plain
from pyredisson.protocol.kernel.next_step import (
    LOOK_AROUND,
    Attempt,
    Outcome,
    Step,
    decide,
    takes,
)
from pyredisson.server_errors import LOST, ReplyError, ServerTimeoutError

_TRY_AGAIN_PAUSE = 0.02
_LATE = 1.0
"""Seconds for each step of an attempt that begins after the response timeout.

This limit is for operations that neither wait nor take elements, and are not durable. Without this
limit, their calls could take twice the timeout.
"""
_FIRST = (Attempt(), Attempt(clustered=True))


class AsyncAttempts:
    """Gets the reply to an operation, in several attempts if necessary.

    Args:
        topology: finds the server of a key.
        timeout: seconds without a reply after which a server counts as lost.
        rejections: the commands that the servers reject.
        wait_failures: records the outages of waits; a reply to a wait ends its outage.
    """

    def __init__(
        self,
        topology: AsyncTopology,
        timeout: float,
        rejections: ServerRejections,
        wait_failures: WaitFailures,
    ) -> None:
        self._topology = topology
        self._timeout = timeout
        self._rejections = rejections
        self._wait_failures = wait_failures

    async def reply(self, operation: Operation[Any], in_flight: AsyncInFlightRequest) -> Any:
        """Return the raw reply, or raise the error of the last attempt (see `fail_async`).

        The error is raised if `next_step` decides RAISE, or if it decides PAUSE after the response
        timeout. This timeout begins with the first attempt.
        """
        attempt = _FIRST[self._topology.clustered]
        began = monotonic()
        waited = self._timeout if isinstance(in_flight.failed, ServerTimeoutError) else 0.0
        deadline = began + self._timeout - waited
        # the fast path has sent `request()`, even if EVALSHA was rejected since then
        untried = in_flight.failed is None
        words = self._rejections.words(operation) if untried else operation.request()
        place: AsyncServer | None = None
        while True:
            outcome, reply = await self._send_once(operation, words, attempt, place, in_flight)
            if outcome is Outcome.REPLY:
                if words[0] == "EVALSHA" and "EVALSHA" in self._rejections:
                    self._rejections.granted("EVALSHA")
                if operation.waits is not None and self._wait_failures.failing:
                    self._wait_failures.served(operation.key, began)
                return reply
            if (
                words[0] == "EVALSHA"
                and may_lack_evalsha(reply, operation)
                and await lacks_evalsha_async(in_flight.server, operation.key)
            ):
                self._rejections.note("EVALSHA", reply)
                outcome = Outcome.NO_SCRIPT
            step, attempt = decide(operation, outcome, attempt)
            if outcome in LOOK_AROUND:
                await self._topology.lost(in_flight.server)
            late = monotonic() >= deadline
            if step is Step.RAISE or (step is Step.PAUSE and late):
                await fail_async(operation, outcome, reply, in_flight.server)
            if late and is_plain(operation):
                in_flight.reply_timeout = min(self._timeout, _LATE)
            if step is Step.LOAD:
                words = operation.fallback() or words
                continue
            words, place = self._rejections.words(operation), None
            if step is Step.PAUSE:
                await sleep_async(_TRY_AGAIN_PAUSE)
            elif step is Step.REDIRECT:
                redirection = redirection_of(reply)
                source = in_flight.server
                place = await self._topology.redirect(redirection, source) if redirection else None

    async def _send_once(
        self,
        operation: Operation[Any],
        words: tuple[Arg, ...],
        attempt: Attempt,
        place: AsyncServer | None,
        in_flight: AsyncInFlightRequest,
    ) -> tuple[Outcome, Any]:
        """Send once; return the outcome, and the reply or the error.

        After a failure of the fast path, send nothing, and return the outcome of that failure.
        """
        if in_flight.failed is not None:  # on the fast path
            error, in_flight.failed = in_flight.failed, None
            return outcome_of(error), error
        try:
            server, exchange = await self._exchange(operation, place, in_flight)
        except LOST as error:
            return Outcome.UNREACHED, error
        in_flight.exchange, in_flight.reply = exchange, UNREAD
        taking = takes(operation)
        try:
            # after NOSCRIPT the wait has ended, and must not be sent again
            ahead = () if attempt.loads > attempt.redirects else operation.ahead
            await exchange.send(words, asking=attempt.asking, ahead=ahead)
            wait = (operation.waits or 0) + (in_flight.reply_timeout or self._timeout)
            reply = await exchange.reply(wait, interruptible=taking)
        except Exception as error:
            outcome = outcome_of(error)
            in_flight.unanswered += (operation,) * (outcome is Outcome.LOST)
            if operation.waits is not None and isinstance(error, ServerTimeoutError):
                return outcome, error  # the next `arrival` resumes the wait
            in_flight.exchange = None
            await (exchange.drop() if outcome in LOOK_AROUND else exchange.done())
            return outcome, error
        except BaseException:
            if not taking:
                await exchange.drop()
            raise
        in_flight.reply, in_flight.exchange = reply, None
        await exchange.done()
        if operation.durable is not None and isinstance(reply[1], LOST):
            await self._topology.lost(server)
        if server.demoted and not taking:
            return Outcome.LOST, taken_over_error()
        return Outcome.REPLY, reply

    async def _exchange(
        self, operation: Operation[Any], place: AsyncServer | None, in_flight: AsyncInFlightRequest
    ) -> tuple[AsyncServer, AsyncExchange]:
        """Return `place`, or the key's server if `place` is None; and an exchange with it.

        If Sentinel demotes the server meanwhile, use the new master.
        """
        while True:
            in_flight.server = place
            in_flight.server = server = place or await self._topology.server(operation.key)
            try:
                exchange = await server.exchange(operation, in_flight.reply_timeout)
            except LOST:
                if server.demoted:
                    continue
                raise
            if not server.demoted:
                return server, exchange
            await exchange.drop()

    async def resumed(
        self, operation: Operation[Any], exchange: AsyncExchange, in_flight: AsyncInFlightRequest
    ) -> Any:
        """Return the late reply to a wait, if its server answers a PING.

        Return None if the key has another server now, or if no reply can be read within 0.5 s.

        Raises:
            ServerConnectionError, ServerTimeoutError, OSError: there is no answer to the PING.
        """
        server = await self._topology.server(operation.key)
        if server is not in_flight.server:
            await in_flight.leave()
            return None
        try:
            await server.call("PING")
        except LOST:
            await self._topology.lost(server)
            raise
        except ReplyError:
            pass  # an error reply is an answer, too
        await in_flight.unblock()  # a server that was frozen may begin the wait only now
        return await in_flight.late(exchange)

"""Waits for several slots of a cluster at the same time; the first element wins.

First each queue is checked in the given order, and the first queue with an element wins. If a node
does not reply within `GRACE`, the next queue is checked without this reply. Then a blocking command
runs at each slot, and the first command that returns an element wins. The rule: elements that the
other commands took are requeued, and a node that does not answer keeps no caller from other nodes.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from pyredisson._async.link.capabilities import refused
from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.waits.one_of_many import raw_reply
from pyredisson._async.waits.slices import is_transient, slices_async
from pyredisson._runtime.concurrency import AsyncEvent, StateLock, monotonic, sleep_async
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async
from pyredisson._transport.errors import timeout_error
from pyredisson.protocol.kernel.backoff import Pauses
from pyredisson.protocol.kernel.command import Operation

log = logging.getLogger("pyredisson")
T = TypeVar("T")

GRACE = 0.1
"""Seconds that a reply may take before the next queue is checked without this reply."""
FIRST_ANSWER = 1.0
"""Seconds that all nodes have for the first check, even if the timeout is shorter."""
_LONG = 600.0

OnUnanswered: TypeAlias = Callable[[tuple[Operation[Any], ...], Any], None]
Slices: TypeAlias = Callable[[float], Operation[T | None]]


async def wait_for_any_async(
    first_wins: AsyncFirstWins[T], checks: Sequence[Operation[T | None]], waits: Sequence[Slices[T]]
) -> T | None:
    """Check several slots, then run a blocking command at each, until one returns an element.

    Args:
        first_wins: decides which command wins.
        checks: commands that do not wait, in the order in which the queues are served.
        waits: functions that make the blocking commands; each takes the seconds of a slice.
    """
    try:
        async with AsyncInterrupts():  # after this block only returns follow, also in callers
            return await first_wins.run(checks, waits)
    except Exception:
        raise
    except BaseException:
        await finish_async(first_wins.abandon())
        raise


class AsyncFirstWins(Generic[T]):
    """Runs several commands; the first command that returns an element wins.

    Args:
        link: runs the commands.
        timeout: the maximum wait in seconds. With 0 or less each queue is only checked once. With
            None the wait has no limit.
        lost: called when a wait has ended and some of its operations got no reply. The arguments
            are these operations, and the winning reply if this wait has won, otherwise None.
    """

    def __init__(
        self, link: AsyncLink, timeout: float | None, lost: OnUnanswered | None = None
    ) -> None:
        self.link = link
        self._lost = lost
        self.changed = AsyncEvent()
        self.closed = False
        self._started = monotonic()
        self._deadline = math.inf if timeout is None else self._started + timeout
        self._lock = StateLock()
        self._waiters: list[_AsyncFirstWinsWait] = []
        self._winner: tuple[Operation[T | None], AsyncInFlightRequest] | None = None
        self._error: Exception | None = None
        self.failed_key = ""
        """The key of the command whose error ended all waits."""

    # -------------------------------------------------------------- reports of the waits

    def won(self, command: Operation[T | None], in_flight: AsyncInFlightRequest) -> bool:
        """Report an element; return False if it came too late, so that it must be requeued."""
        with self._lock.held:
            if self.closed or self._is_over():
                return False
            self._winner = (command, in_flight)
        self.changed.set()
        return True

    def failed(self, error: Exception, key: str = "") -> None:
        """Report a lasting error; it ends all waits, unless a wait has won or failed before."""
        with self._lock.held:
            if not self._is_over():
                self._error, self.failed_key = error, key

    def end(self, error: Exception) -> None:
        """End all waits with an error, unless a wait has won or failed. Any task may call this."""
        self.failed(error)
        self.changed.set()

    def left(self, in_flight: AsyncInFlightRequest) -> None:
        """Report that a wait has ended; pass its unanswered operations to `lost`."""
        if self._lost is not None and in_flight.unanswered:
            won = self._winner is not None and self._winner[1] is in_flight
            self._lost(in_flight.unanswered, in_flight.reply if won else None)

    def _is_over(self) -> bool:
        return self._winner is not None or self._error is not None

    # -------------------------------------------------------------- running it

    async def run(
        self, checks: Sequence[Operation[T | None]], waits: Sequence[Slices[T]]
    ) -> T | None:
        """Check all queues, then wait at all of them; return the winner's decoded element, or None.

        Raises:
            ServerError: an error is not transient, or no node answered.
        """
        try:
            counted = await self._check(checks)
            if monotonic() < self._deadline or any(waiter.refused for waiter in counted):
                counted = await self._wait(waits)
            await self._until(lambda waiter: waiter.checked, self._started + FIRST_ANSWER)
        finally:
            await self._stop()
        if self._winner is not None:
            command, in_flight = self._winner
            return await self.link.read(command, in_flight.reply, in_flight)
        if self._error is not None:
            raise self._error
        if not any(waiter.answered for waiter in counted):
            problems = [waiter.problem for waiter in counted if waiter.problem is not None]
            raise problems[0] if problems else timeout_error("no node of the cluster answers")
        return None

    async def _check(self, checks: Sequence[Operation[T | None]]) -> list[_AsyncFirstWinsWait]:
        for check in checks:
            waiter = _AsyncFirstWinsWait(self, partial(_ignore_seconds, check), 0.0)
            self._waiters.append(waiter)
            await self._until(lambda waiter: waiter.checked, monotonic() + GRACE)
            if self._is_over():
                break
            if waiter.asking:
                self._mark_abandoned([waiter])
        return list(self._waiters)

    async def _wait(self, waits: Sequence[Slices[T]]) -> list[_AsyncFirstWinsWait]:
        waiting: list[_AsyncFirstWinsWait] = []
        for wait in waits:
            if not self._is_over():
                waiting.append(_AsyncFirstWinsWait(self, wait, self._deadline))
                self._waiters.append(waiting[-1])  # at once: it already runs
        await self._until(lambda waiter: waiter.done, self._deadline + GRACE)
        return waiting

    async def _until(
        self, condition: Callable[[_AsyncFirstWinsWait], bool], deadline: float
    ) -> None:
        """Wait until `condition` holds for all waits, or a wait has won or failed.

        After `deadline`, return in any case.
        """
        while not self._is_over() and not all(map(condition, self._waiters)):
            left = deadline - monotonic()
            if left <= 0:
                return
            await self.changed.wait(min(left, _LONG))

    def _mark_abandoned(self, waiters: list[_AsyncFirstWinsWait]) -> None:
        """Mark waits as abandoned: no other wait asks their nodes until the nodes answer."""
        for waiter in waiters:
            self.link.abandoned.add(waiter)
            if not waiter.asking:  # it has just ended
                self.link.abandoned.discard(waiter)

    async def _stop(self) -> None:
        """End the commands under way; abandon the commands that do not end within `GRACE`."""
        with self._lock.held:
            self.closed = True
        late = [waiter for waiter in self._waiters if waiter.stop()]
        deadline = monotonic() + GRACE
        while (late := [waiter for waiter in late if waiter.asking]) and monotonic() < deadline:
            await self.changed.wait(max(deadline - monotonic(), 0.0))
        self._mark_abandoned(late)

    async def abandon(self) -> bool:
        """End all waits, and requeue the winner's element; return whether a wait had won."""
        async with AsyncInterrupts(deferred=True):
            await self._stop()
            if self._winner is None:
                return False
            command, in_flight = self._winner
            return await self.link.give_back(command, in_flight.reply)


class _FirstWinsOverError(Exception):
    """The run was stopped: another wait has won or failed, or the time is over."""


class _AsyncFirstWinsWait:
    """One wait, in its own task. While the wait is abandoned, no other wait asks its node."""

    def __init__(
        self, first_wins: AsyncFirstWins[Any], command: Slices[Any], deadline: float
    ) -> None:
        self._first_wins = first_wins
        self._link = first_wins.link
        self._command = command
        self._deadline = deadline
        self._in_flight = AsyncInFlightRequest()
        self._sent: Operation[Any] | None = None
        self._key = command(0).key
        self._home = first_wins.link.topology.home(self._key)
        self.asking = False
        self.checked = False
        """Whether the command has ended, or its node is skipped because of an abandoned wait."""
        self.answered = False
        self.refused = False
        self.done = False
        self.problem: Exception | None = None
        self._task = first_wins.link.life.begin(self._run, "pyredisson wait")

    def stop(self) -> bool:
        """Unblock the command if it is under way; return whether it was under way."""
        if self.asking:
            self._link.life.begin(self._unblock, "pyredisson unblock")
        return self.asking

    async def _unblock(self) -> None:
        pauses = Pauses(GRACE / 10, 1.0)
        while self.asking and await self._in_flight.unblock():  # else it ends with its slice
            await sleep_async(pauses.pause())  # the command may block only after CLIENT UNBLOCK

    async def _run(self) -> None:
        try:
            await self._run_waiter()
            await self._linger()
        finally:  # in any case drop the connection, and permit other waits to ask the node
            await self._in_flight.leave()
            self._first_wins.left(self._in_flight)
            self._answers()

    async def _run_waiter(self) -> None:
        try:
            await self._reached()
            await slices_async(self._link, self._command, self._deadline, self._ask)
            self.answered = True  # also if the server ended the wait without an element (UNBLOCKED)
        except _FirstWinsOverError:
            pass
        except Exception as error:
            self.problem, self.answered = error, False
            self.refused = refused(error) and self._deadline == 0.0
            if not self.refused and not (is_transient(error) and self._link.reached):
                self._first_wins.failed(error, self._key)
        finally:
            self.checked = self.done = True
            self._first_wins.changed.set()

    async def _reached(self) -> None:
        """Wait until the node has no abandoned wait; raise if the run is stopped first."""
        while self._home and self._is_awaited():
            self.checked = True
            self._first_wins.changed.set()
            await sleep_async(GRACE)
            if self._first_wins.closed:
                raise _FirstWinsOverError

    def _is_awaited(self) -> bool:
        """Return whether an abandoned wait still runs at the node."""
        abandoned = self._link.abandoned
        for each in list(abandoned):
            if not each._task.alive:
                abandoned.discard(each)
        return any(each._home == self._home for each in list(abandoned))

    async def _ask(self, command: Operation[Any]) -> tuple[bool, Any]:
        """Send a command once; report its element, or requeue the element if it came too late."""
        if self._first_wins.closed and self._in_flight.exchange is None:
            raise _FirstWinsOverError
        self.asking, self._sent = True, command
        try:
            raw = replace(command, decode=raw_reply)
            arrived, reply = await self._link.arrival(raw, self._in_flight)
            self.problem, self.answered = None, True
            if arrived and not self._first_wins.won(command, self._in_flight):
                await self._link.give_back(command, reply)
        finally:
            if self._in_flight.exchange is None:
                self._answers()
        return arrived, reply

    def _answers(self) -> None:
        self.asking = False
        self._link.abandoned.discard(self)
        self._first_wins.changed.set()

    async def _linger(self) -> None:
        """Wait for the late reply to a command, and requeue the elements that the command took."""
        while self._sent is not None and self._in_flight.exchange is not None:
            try:
                # this only reads: the object that made the command may be closed
                await self._ask(self._sent)
            except Exception as error:
                if not is_transient(error):  # for example, the client is closed
                    log.debug("an abandoned wait ends: %s", error)
                    return
                await self._link.life.pause(1.0)


def _ignore_seconds(command: Operation[T | None], _seconds: float) -> Operation[T | None]:
    return command

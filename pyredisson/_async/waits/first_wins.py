"""Waiting for several slots of a cluster at the same time: whoever has an element is served.

At first each queue is looked at, in the order given, so that the first that has an element wins;
a node that is slow to answer is overtaken. Then a blocking command waits at each slot, and the
first that brings something wins. The rule: what the others took by then goes back to where it
was, and a node that does not answer delays nobody.
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
from pyredisson._async.waits.slices import passes, slices_async
from pyredisson._runtime.concurrency import AsyncEvent, StateLock, monotonic, sleep_async
from pyredisson._runtime.interrupts import AsyncInterrupts, finish_async
from pyredisson._transport.errors import timeout_error
from pyredisson.protocol.kernel.backoff import Backoff
from pyredisson.protocol.kernel.command import Operation

log = logging.getLogger("pyredisson")
T = TypeVar("T")

GRACE = 0.1
"""Seconds that an answer may take before the others go on without it."""
FIRST_ANSWER = 1.0
"""Seconds that all have for the first look, however short the timeout."""
_LONG = 600.0

LostInRace: TypeAlias = Callable[[tuple[Operation[Any], ...], Any], None]
Slices: TypeAlias = Callable[[float], Operation[T | None]]


async def wait_for_any_async(
    race: AsyncFirstWins[T], looks: Sequence[Operation[T | None]], waits: Sequence[Slices[T]]
) -> T | None:
    """Run blocking commands of several slots until one of them brings something.

    Args:
        race: decides which.
        looks: those that do not wait, in the order in which the queues are served.
        waits: make those that wait, for slices of so many seconds.
    """
    try:
        async with AsyncInterrupts():  # after it there are only returns, up to the caller's
            return await race.run(looks, waits)
    except Exception:
        raise
    except BaseException:
        await finish_async(race.abandon())
        raise


class AsyncFirstWins(Generic[T]):
    """Several commands of which one wins.

    Args:
        link: runs them.
        timeout: seconds, at most 0 to look once; None waits for ever.
        lost: is told what had no reply when its racer ends, and the reply that won where it is one
            of these.
    """

    def __init__(
        self, link: AsyncLink, timeout: float | None, lost: LostInRace | None = None
    ) -> None:
        self.link = link
        self._lost = lost
        self.news = AsyncEvent()
        self.closed = False
        self._started = monotonic()
        self._deadline = math.inf if timeout is None else self._started + timeout
        self._lock = StateLock()
        self._racers: list[_AsyncFirstWinsWait] = []
        self._winner: tuple[Operation[T | None], AsyncInFlightRequest] | None = None
        self._error: Exception | None = None
        self.failed_key = ""
        """Where the command was refused whose error ended the race."""

    # -------------------------------------------------------------- what the racers report

    def won(self, command: Operation[T | None], transit: AsyncInFlightRequest) -> bool:
        """Something arrived: is it the first? Else it has to go back."""
        with self._lock.held:
            if self.closed or self._over():
                return False
            self._winner = (command, transit)
        self.news.set()
        return True

    def failed(self, error: Exception, key: str = "") -> None:
        """An error that does not pass ends the race, unless somebody has won."""
        with self._lock.held:
            if not self._over():
                self._error, self.failed_key = error, key

    def end(self, error: Exception) -> None:
        """Nobody waits any more, unless somebody has won; from another task."""
        self.failed(error)
        self.news.set()

    def left(self, transit: AsyncInFlightRequest) -> None:
        """A racer has ended: nobody has a reply to what it left without one."""
        if self._lost is not None and transit.unanswered:
            won = self._winner is not None and self._winner[1] is transit
            self._lost(transit.unanswered, transit.reply if won else None)

    def _over(self) -> bool:
        return self._winner is not None or self._error is not None

    # -------------------------------------------------------------- running it

    async def run(
        self, looks: Sequence[Operation[T | None]], waits: Sequence[Slices[T]]
    ) -> T | None:
        """Look at all, wait for all; decode what the winner brought."""
        try:
            judges = await self._look(looks)
            if monotonic() < self._deadline or any(racer.refused for racer in judges):
                judges = await self._wait(waits)
            await self._until(lambda racer: racer.looked, self._started + FIRST_ANSWER)
        finally:
            await self._stop()
        if self._winner is not None:
            command, transit = self._winner
            return await self.link.read(command, transit.reply, transit)
        if self._error is not None:
            raise self._error
        if not any(racer.answered for racer in judges):
            problems = [racer.problem for racer in judges if racer.problem is not None]
            raise problems[0] if problems else timeout_error("no node of the cluster answers")
        return None

    async def _look(self, looks: Sequence[Operation[T | None]]) -> list[_AsyncFirstWinsWait]:
        for look in looks:
            racer = _AsyncFirstWinsWait(self, partial(_whatever, look), 0.0)
            self._racers.append(racer)
            await self._until(lambda racer: racer.looked, monotonic() + GRACE)
            if self._over():
                break
            if racer.asking:
                self._overtake([racer])
        return list(self._racers)

    async def _wait(self, waits: Sequence[Slices[T]]) -> list[_AsyncFirstWinsWait]:
        waiting: list[_AsyncFirstWinsWait] = []
        for wait in waits:
            if not self._over():
                waiting.append(_AsyncFirstWinsWait(self, wait, self._deadline))
                self._racers.append(waiting[-1])  # before another one can raise: it runs
        await self._until(lambda racer: racer.done, self._deadline + GRACE)
        return waiting

    async def _until(
        self, condition: Callable[[_AsyncFirstWinsWait], bool], deadline: float
    ) -> None:
        """Return when a condition holds for all, somebody has won, or the time is over."""
        while not self._over() and not all(map(condition, self._racers)):
            left = deadline - monotonic()
            if left <= 0:
                return
            await self.news.wait(min(left, _LONG))

    def _overtake(self, racers: list[_AsyncFirstWinsWait]) -> None:
        """Let nobody ask the nodes of these until they answer."""
        for racer in racers:
            self.link.stragglers.add(racer)
            if not racer.asking:  # it has ended just now
                self.link.stragglers.discard(racer)

    async def _stop(self) -> None:
        """End what is out; what does not end soon does so by itself."""
        with self._lock.held:
            self.closed = True
        late = [racer for racer in self._racers if racer.stop()]
        deadline = monotonic() + GRACE
        while (late := [racer for racer in late if racer.asking]) and monotonic() < deadline:
            await self.news.wait(max(deadline - monotonic(), 0.0))
        self._overtake(late)

    async def abandon(self) -> bool:
        """Nobody wants what was won: put it back, and end all waits; was anything won?"""
        async with AsyncInterrupts(deaf=True):
            await self._stop()
            if self._winner is None:
                return False
            command, transit = self._winner
            return await self.link.give_back(command, transit.reply)


class _RaceOverError(Exception):
    """The race has ended."""


class _AsyncFirstWinsWait:
    """One of the commands, in a task of its own; its node is not asked while it is a straggler."""

    def __init__(self, race: AsyncFirstWins[Any], command: Slices[Any], deadline: float) -> None:
        self._race = race
        self._link = race.link
        self._command = command
        self._deadline = deadline
        self._transit = AsyncInFlightRequest()
        self._sent: Operation[Any] | None = None
        self._key = command(0).key
        self._home = race.link.topology.home(self._key)
        self.asking = False
        self.looked = False
        """Whether an answer has come, or is not waited for because the node is slow."""
        self.answered = False
        self.refused = False
        self.done = False
        self.problem: Exception | None = None
        self._task = race.link.life.begin(self._run, "pyredisson wait")

    def stop(self) -> bool:
        """End soon; is a command out that has to be ended first?"""
        if self.asking:
            self._link.life.begin(self._unblock, "pyredisson unblock")
        return self.asking

    async def _unblock(self) -> None:
        pauses = Backoff(GRACE / 10, 1.0)
        while self.asking and await self._transit.unblock():  # else it ends by itself
            await sleep_async(pauses.pause())  # it may have been sent just after that

    async def _run(self) -> None:
        try:
            await self._raced()
            await self._linger()
        finally:  # whatever has ended it: its node is asked again, its connection is not kept
            await self._transit.leave()
            self._race.left(self._transit)
            self._answers()

    async def _raced(self) -> None:
        try:
            await self._reached()
            await slices_async(self._link, self._command, self._deadline, self._ask)
        except _RaceOverError:
            pass
        except Exception as error:
            self.problem, self.answered = error, False
            self.refused = refused(error) and self._deadline == 0.0
            if not self.refused and not (passes(error) and self._link.reached):
                self._race.failed(error, self._key)
        finally:
            self.looked = self.done = True
            self._race.news.set()

    async def _reached(self) -> None:
        """Return once no command of an earlier race is left at the node."""
        while self._home and self._is_awaited():
            self.looked = True
            self._race.news.set()
            await sleep_async(GRACE)
            if self._race.closed:
                raise _RaceOverError

    def _is_awaited(self) -> bool:
        """Tell whether anybody waits for an answer of the node; who has ended does not."""
        stragglers = self._link.stragglers
        for each in list(stragglers):
            if not each._task.alive:
                stragglers.discard(each)
        return any(each._home == self._home for each in list(stragglers))

    async def _ask(self, command: Operation[Any]) -> tuple[bool, Any]:
        """Send once; what comes is reported, or goes back."""
        if self._race.closed and self._transit.exchange is None:
            raise _RaceOverError
        self.asking, self._sent = True, command
        try:
            raw = replace(command, decode=_raw)
            arrived, reply = await self._link.arrival(raw, self._transit)
            self.problem, self.answered = None, True
            if arrived and not self._race.won(command, self._transit):
                await self._link.give_back(command, reply)
        finally:
            if self._transit.exchange is None:
                self._answers()
        return arrived, reply

    def _answers(self) -> None:
        self.asking = False
        self._link.stragglers.discard(self)
        self._race.news.set()

    async def _linger(self) -> None:
        """Stay with a command that was left without an answer: what it takes goes back."""
        while self._sent is not None and self._transit.exchange is not None:
            try:
                await self._ask(self._sent)  # nothing is sent again; whoever made it may be closed
            except Exception as error:
                if not passes(error):  # the client is closed
                    log.debug("a wait that lost a race is given up: %s", error)
                    return
                await self._link.life.pause(1.0)


def _whatever(command: Operation[T | None], _seconds: float) -> Operation[T | None]:
    return command


def _raw(reply: Any) -> Any:
    return reply

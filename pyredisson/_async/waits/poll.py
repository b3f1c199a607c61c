"""Looking at many lists in several nodes: one journey to each node, all at the same time.

To wait on the server takes a connection for each slot. So many lists are looked at instead, on
one connection a node, after pauses that grow; whoever knows that something has arrived says so.
Those that have something get their turns one after the other. The rule: a node that does not
answer is left alone until it does, so that the others are served meanwhile.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Protocol, TypeVar

from pyredisson._async.link.capabilities import refused
from pyredisson._async.link.exchanges import AsyncExclusive
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.server import AsyncServer
from pyredisson._async.waits.one_of_many import PATIENCE
from pyredisson._async.waits.probes import awake_async, let_rest, still_rests_async
from pyredisson._async.waits.slices import passes, waits_out
from pyredisson._runtime.concurrency import AsyncEvent, monotonic, random_8
from pyredisson._transport.connections import packed
from pyredisson._transport.errors import timeout_error
from pyredisson.protocol.kernel.backoff import Backoff, Rests
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import ERROR_REPLIES, LOST, ServerError

T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R")

FIRST_PAUSE, LONGEST_PAUSE = 0.002, 0.1
"""Seconds between two looks of who waits: what nobody tells of is found so late at most."""


class AsyncTake(Protocol[T_co]):
    """Takes what is in the list with a number; None when there is nothing."""

    async def __call__(self, number: int, /) -> T_co | None:
        """Take."""


class _Turns:
    """What one look has found: whose turn it is, and how many turns until the next look.

    Who looks goes by what he has found, whatever others take or find at the same moment.
    """

    def __init__(self, numbers: Iterable[int] = (), left: int = 0, since: float = -math.inf):
        self.numbers = deque(numbers)
        self.left = left
        self.since = since

    def done_with(self, number: int) -> None:
        """It has nothing left."""
        with suppress(ValueError):
            self.numbers.remove(number)


class AsyncPoll:
    """Finds those of many lists that have something, for any number of tasks.

    Args:
        link: leads to the nodes.
        asks: how long each list is.
    """

    def __init__(self, link: AsyncLink, asks: Sequence[Operation[int]]) -> None:
        self._link = link
        self._asks = asks
        self._turns = _Turns()
        self._start = random_8()[0] % len(asks)
        self._problem: Exception | None = None
        self._answered = False
        self._refused = Rests()
        """Lists whose nodes answer, and take no writes."""
        self._waiters = set[AsyncEvent]()
        self.has_some: Callable[[int], bool] = lambda number: False
        """Tells whether there is something beside the list, for which it is to have its turn."""

    def announce(self) -> None:
        """Let all who wait look: something may have arrived, or they are to end."""
        for waiter in tuple(self._waiters):
            waiter.set()

    async def first(self, take: AsyncTake[R], timeout: float | None) -> R | None:
        """Let lists have their turns until `take` brings something, waiting so long for it.

        Raises:
            ServerError: one that does not pass; or no node has ever answered.
        """
        news = AsyncEvent()
        self._waiters.add(news)  # before the look, so that nothing comes in between
        try:
            return await self._first(take, timeout, news)
        finally:
            self._waiters.discard(news)

    async def _first(self, take: AsyncTake[R], timeout: float | None, news: AsyncEvent) -> R | None:
        deadline = math.inf if timeout is None else monotonic() + timeout
        pauses = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        self._answered, fresh = False, False
        while True:
            turns = self._turns
            if turns.left <= 0 or monotonic() > turns.since + LONGEST_PAUSE:
                turns = self._turns = await self._look()
                fresh = True
            found = await self._taken(take, turns)
            if found is not None:
                return found
            turns.left = 0
            if not fresh:
                continue
            left = deadline - monotonic()
            nobody = not self._answered or len(self._refused) == len(self._asks)
            if nobody and self._problem and (left <= 0 or not self._link.reached):
                raise self._problem.with_traceback(None)  # else it grows each time
            if left <= 0:
                return None
            await news.wait(min(pauses.pause(), left))
            fresh = False

    async def turn(self, take: AsyncTake[R], number: int) -> R | None:
        """Let one have its turn, unless its node is left alone."""
        if not await awake_async(self._link, self._asks[number]):
            return None
        try:
            return await take(number)
        except (ServerError, OSError) as error:
            self._failed(number, error)
            return None

    async def more(self, take: AsyncTake[R]) -> R | None:
        """Let those that had something at the last look have their turns; without waiting."""
        return await self._taken(take, self._turns)

    def done_with(self, number: int) -> None:
        """A list has nothing left: it needs no other turn."""
        self._turns.done_with(number)

    async def _taken(self, take: AsyncTake[R], turns: _Turns) -> R | None:
        """Let each have its turn; who has brought something gets another one after the rest."""
        while True:
            try:
                number = turns.numbers.popleft()
            except IndexError:
                return None
            turns.left -= 1
            if turns.left > 0:
                turns.numbers.append(number)
            try:
                if not (self._link.probes and await self._rests(number)):
                    found = await take(number)
                    if found is not None:
                        return found  # and nothing before it: Ctrl-C would lose it
                    self._answered = True
                    self._served(number)
            except (ServerError, OSError) as error:
                self._failed(number, error)
            turns.done_with(number)

    async def _rests(self, number: int) -> bool:
        if self._refused and self._refused.rests(number, monotonic()):
            return True
        home = self._link.topology.home(self._asks[number].key)
        return await still_rests_async(self._link, home)

    # -------------------------------------------------------------- looking

    async def _look(self) -> _Turns:
        """Find out whose turn it is: all that have something, from another start each time.

        The one at the start gets its turn in any case, for a consumer's take puts back what
        others have left behind.
        """
        sizes = await self._sizes()
        count = len(sizes)
        self._start = (self._start + 1) % count
        order = [(self._start + step) % count for step in range(count)]
        numbers = [
            number
            for number in order
            if sizes[number] or (sizes[number] is not None and self.has_some(number))
        ]
        if sizes[self._start] == 0 and self._start not in numbers:
            numbers.append(self._start)
        return _Turns(numbers, count, monotonic())

    async def _sizes(self) -> list[int | None]:
        """Ask all nodes, then read what they say; None is of a node that says nothing."""
        sizes: list[int | None] = [None] * len(self._asks)
        out: list[tuple[AsyncServer, list[int], AsyncExclusive]] = []
        refused: list[int] = []
        try:
            for server, numbers in (await self._places()).items():
                exchange = await self._asked(server, numbers)
                if exchange is not None:
                    out.append((server, numbers, exchange))
            while out:
                server, numbers, exchange = out[-1]
                refused += await self._heard(server, numbers, exchange, sizes)
                out.pop()
        finally:
            for _server, _numbers, exchange in out:
                await exchange.drop()
        for number in refused:
            sizes[number] = await self._asked_again(number)
        return sizes

    async def _places(self) -> dict[AsyncServer, list[int]]:
        """Return the numbers of the lists of each server that may be asked now."""
        topology = self._link.topology
        answers: dict[Address | None, bool] = {}
        places: dict[AsyncServer, list[int]] = {}
        for number, ask in enumerate(self._asks):
            home = topology.home(ask.key)
            if home not in answers:
                answers[home] = await awake_async(self._link, ask)
                if not answers[home] and self._problem is None:
                    self._problem = timeout_error(f"the server of {ask.key!r} does not answer")
            if answers[home]:
                try:
                    places.setdefault(await topology.server(ask.key), []).append(number)
                except LOST as error:
                    self._failed(number, error)
                    answers[home] = False
        return places

    async def _asked(self, server: AsyncServer, numbers: list[int]) -> AsyncExclusive | None:
        try:
            exchange = await server.exclusive(self._patience())
        except LOST as error:
            await self._lost(server, numbers, error)
            return None
        words = [packed(self._asks[number].request()) for number in numbers]
        try:
            exchange.wire.put(b"".join(words))
        except LOST as error:
            await exchange.drop()
            await self._lost(server, numbers, error)
            return None
        return exchange

    def _patience(self) -> float:
        """Return how many seconds a node has to answer, which must not keep us from others."""
        seconds = self._link.timeout
        return min(seconds, PATIENCE) if self._link.topology.clustered else seconds

    async def _heard(
        self,
        server: AsyncServer,
        numbers: list[int],
        exchange: AsyncExclusive,
        sizes: list[int | None],
    ) -> list[int]:
        """Read what a node says; return what it refuses."""
        refused: list[int] = []
        seconds = self._patience()
        for number in numbers:
            try:
                sizes[number] = await exchange.wire.wait(seconds)
            except ERROR_REPLIES:
                refused.append(number)
            except LOST as error:
                await exchange.drop()
                await self._lost(server, numbers, error)
                return []
        await exchange.done()
        self._answered = True
        return refused

    async def _asked_again(self, number: int) -> int | None:
        """Ask the long way, which follows a slot that moves; who may not ask has to take."""
        try:
            return await self._link.request(self._asks[number])
        except (ServerError, OSError) as error:
            if refused(error):
                return 1
            self._failed(number, error)
            return None

    # -------------------------------------------------------------- failures

    def _served(self, number: int) -> None:
        if self._refused and self._refused.served(number):
            self._link.wait_served(self._asks[number].key)

    async def _lost(self, server: AsyncServer, numbers: list[int], error: Exception) -> None:
        await self._link.topology.lost(server)
        self._failed(numbers[0], error)

    def _failed(self, number: int, error: Exception) -> None:
        """Leave a node alone until it answers again, if the error is one that passes."""
        if not waits_out(error):
            raise error
        self._problem = error
        if not passes(error):  # it answers, and takes no writes
            self._refused.failed(number, monotonic())
            self._link.wait_failed(self._asks[number].key, error)
        elif self._link.reached:
            let_rest(self._link, self._asks[number], error)

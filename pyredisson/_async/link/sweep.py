"""Looking at many lists in several nodes: one journey to each node, all at the same time.

To wait on the server takes a connection for each slot. So many lists are looked at instead, on
one connection a node, after pauses that grow; whoever knows that something has arrived says so.
Those that have something get their turns one after the other. The rule: a node that does not
answer is left alone until it does, so that the others are served meanwhile.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Protocol, TypeVar

from redis.exceptions import NoPermissionError, RedisError

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.outcomes import LOST
from pyredisson._async.link.server import AsyncExclusive, AsyncServer
from pyredisson._async.link.waiting import passes
from pyredisson._compat import AsyncEvent, AsyncTask, monotonic, random_8, sleep_async
from pyredisson._connections import packed
from pyredisson._lanes import ERROR_REPLIES
from pyredisson.errors import ClosedError
from pyredisson.protocol.backoff import Backoff
from pyredisson.protocol.cluster import Address
from pyredisson.protocol.command import Operation

T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R")

FIRST_PAUSE, LONGEST_PAUSE = 0.002, 0.1
"""Seconds between two looks of who waits: what nobody tells of is found so late at most."""
_PATIENCE = 1.0
"""Seconds that a node of several has to say how long its lists are."""


class AsyncTake(Protocol[T_co]):
    """Takes what is in the list with a number; None when there is nothing."""

    async def __call__(self, number: int, /) -> T_co | None:
        """Take."""


class AsyncSweep:
    """Finds those of many lists that have something, for any number of tasks.

    Args:
        link: leads to the nodes.
        asks: how long each list is.
    """

    def __init__(self, link: AsyncLink, asks: Sequence[Operation[int]]) -> None:
        self._link = link
        self._asks = asks
        self._resting: set[Address | None] = set()
        self._turns: deque[int] = deque()
        self._left = 0
        self._looked = -math.inf
        self._start = random_8()[0] % len(asks)
        self._problem: Exception | None = None
        self._answered = False
        self.news = AsyncEvent()
        """To be set by whoever knows that something may have arrived."""

    async def first(self, take: AsyncTake[R], timeout: float | None) -> R | None:
        """Let lists have their turns until `take` brings something, waiting so long for it.

        Raises:
            redis.exceptions.RedisError: one that does not pass; or no node has ever answered.
        """
        deadline = math.inf if timeout is None else monotonic() + timeout
        pauses = Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        self._answered, fresh = False, False
        while True:
            if self._left <= 0 or monotonic() > self._looked + LONGEST_PAUSE:
                await self._look()
                fresh = True
            found = await self._taken(take)
            if found is not None:
                return found
            self._left = 0
            if not fresh:
                continue
            left = deadline - monotonic()
            if not self._answered and self._problem and (left <= 0 or not self._link.reached):
                raise self._problem
            if left <= 0:
                return None
            await self.news.wait(min(pauses.pause(), left))
            fresh = False

    async def more(self, take: AsyncTake[R]) -> R | None:
        """Let those that had something at the last look have their turns; without waiting."""
        return await self._taken(take)

    def done_with(self, number: int) -> None:
        """A list has nothing left: it needs no other turn."""
        with suppress(ValueError):
            self._turns.remove(number)

    async def _taken(self, take: AsyncTake[R]) -> R | None:
        """Let each have its turn; who has brought something gets another one after the rest."""
        while True:
            try:
                number = self._turns.popleft()
            except IndexError:
                return None
            self._left -= 1
            if self._left > 0:
                self._turns.append(number)
            try:
                found = await take(number)
                if found is not None:
                    return found  # and nothing before it: Ctrl-C would lose it
                self._answered = True
            except (RedisError, OSError) as error:
                self._failed(number, error)
            self.done_with(number)

    # -------------------------------------------------------------- looking

    async def _look(self) -> None:
        """Find out whose turn it is: all that have something, from another start each time.

        The one at the start gets its turn in any case, for a consumer's take puts back what
        others have left behind.
        """
        sizes = await self._sizes()
        count = len(sizes)
        self._start = (self._start + 1) % count
        order = [(self._start + step) % count for step in range(count)]
        self._turns = deque(number for number in order if sizes[number])
        if sizes[self._start] == 0:
            self._turns.append(self._start)
        self._left, self._looked = count, monotonic()

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
        homes = [topology.home(ask.key) for ask in self._asks]
        resting = set(self._resting)
        if resting.issuperset(homes):
            resting.clear()
        places: dict[AsyncServer, list[int]] = {}
        for number, (ask, home) in enumerate(zip(self._asks, homes, strict=True)):
            if home in resting:
                continue
            try:
                places.setdefault(await topology.server(ask.key), []).append(number)
            except LOST as error:
                self._failed(number, error)
                resting.add(home)
        return places

    async def _asked(self, server: AsyncServer, numbers: list[int]) -> AsyncExclusive | None:
        try:
            exchange = await server.exclusive()
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

    async def _heard(
        self,
        server: AsyncServer,
        numbers: list[int],
        exchange: AsyncExclusive,
        sizes: list[int | None],
    ) -> list[int]:
        """Read what a node says; return what it refuses."""
        refused: list[int] = []
        seconds = self._link.timeout
        if self._link.topology.clustered:
            seconds = min(seconds, _PATIENCE)
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
        except NoPermissionError:
            return 1
        except (RedisError, OSError) as error:
            self._failed(number, error)
            return None

    # -------------------------------------------------------------- failures

    async def _lost(self, server: AsyncServer, numbers: list[int], error: Exception) -> None:
        await self._link.topology.lost(server)
        self._failed(numbers[0], error)

    def _failed(self, number: int, error: Exception) -> None:
        """Leave a node alone until it answers again, if the error is one that passes."""
        if not passes(error):
            raise error
        self._problem = error
        ask = self._asks[number]
        home = self._link.topology.home(ask.key)
        if self._link.reached and home not in self._resting:
            self._resting.add(home)
            self._link.wait_failed(ask.key, error)
            AsyncTask(partial(self._revived, home, ask), name="pyredisson probe")

    async def _revived(self, home: Address | None, ask: Operation[int]) -> None:
        """Ask until there is an answer, wherever the list lives by then."""
        backoff = Backoff(LONGEST_PAUSE, 1.0)
        while True:
            try:
                await self._link.request(ask)
            except ClosedError:
                return
            except (RedisError, OSError) as error:
                if not passes(error):
                    break  # who takes is told
                await sleep_async(backoff.pause())
            else:
                self._link.wait_served(ask.key)
                break
        self._resting.discard(home)
        self.news.set()

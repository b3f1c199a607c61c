"""Polls many lists on several nodes: one round trip to each node, all at the same time.

Blocking commands would need a connection for each slot. Therefore the lists are polled, on one
connection for each node, with growing pauses. `announce` ends a pause early. Lists with elements
get turns one after the other: in its turn, a list is asked for elements. The rule: a node that does
not answer is skipped until it answers. Meanwhile the other nodes are served.
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
from pyredisson._async.waits.one_of_many import NODE_TIMEOUT
from pyredisson._async.waits.probes import awake_async, let_rest, still_rests_async
from pyredisson._async.waits.slices import is_transient, is_waitable
from pyredisson._runtime.concurrency import AsyncEvent, monotonic, random_8
from pyredisson._transport.connections import packed
from pyredisson._transport.errors import timeout_error
from pyredisson.protocol.kernel.backoff import Pauses, Rests
from pyredisson.protocol.kernel.cluster import Address
from pyredisson.protocol.kernel.command import Operation
from pyredisson.server_errors import ERROR_REPLIES, LOST, ServerError

T_co = TypeVar("T_co", covariant=True)
R = TypeVar("R")

FIRST_PAUSE, LONGEST_PAUSE = 0.002, 0.1
"""The first and the longest pause between two polls, in seconds. An element that is not announced
waits for the longest pause at most."""


class AsyncTake(Protocol[T_co]):
    """Takes elements from the list with the given number; returns None if it is empty."""

    async def __call__(self, number: int, /) -> T_co | None:
        """Take elements."""


class _Turns:
    """The result of one poll: the lists that get a turn, and how many turns until the next poll.

    A task continues with the result that it has, even if another task polls at the same time.
    """

    def __init__(self, numbers: Iterable[int] = (), left: int = 0, since: float = -math.inf):
        self.numbers = deque(numbers)
        self.left = left
        self.since = since

    def done_with(self, number: int) -> None:
        """Remove a list that has no elements left."""
        with suppress(ValueError):
            self.numbers.remove(number)


class AsyncPoll:
    """Finds the lists that have elements, for any number of tasks.

    Args:
        link: runs the operations.
        asks: one operation for each list, which returns the length of the list.
    """

    def __init__(self, link: AsyncLink, asks: Sequence[Operation[int]]) -> None:
        self._link = link
        self._asks = asks
        self._turns = _Turns()
        self._start = random_8()[0] % len(asks)
        self._problem: Exception | None = None
        self._answered = False
        self._refused = Rests()
        """Lists whose nodes answer but accept no writes; each is retried after a pause."""
        self._waiters = set[AsyncEvent]()
        self.has_some: Callable[[int], bool] = lambda number: False
        """Returns whether a list must get a turn for another reason than its length."""
        self.require_open: Callable[[], None] = lambda: None
        """Raises an error if waiting callers must stop; each calls it after `announce`."""

    def announce(self) -> None:
        """Let all waiting callers poll now: an element may have arrived, or callers must stop."""
        for waiter in tuple(self._waiters):
            waiter.set()

    async def first(self, take: AsyncTake[R], timeout: float | None) -> R | None:
        """Give lists their turns until `take` returns a result, and return this result.

        After `timeout` seconds, return None. A `timeout` of None means no limit.

        Raises:
            ServerError: an error for which `is_waitable` is False, or no list could be checked.
        """
        announced = AsyncEvent()
        self._waiters.add(announced)  # before the poll, so that no announcement is missed
        try:
            return await self._first(take, timeout, announced)
        finally:
            self._waiters.discard(announced)

    async def _first(
        self, take: AsyncTake[R], timeout: float | None, announced: AsyncEvent
    ) -> R | None:
        deadline = math.inf if timeout is None else monotonic() + timeout
        pauses = Pauses(FIRST_PAUSE, LONGEST_PAUSE)
        self._answered, fresh = False, False
        while True:
            self.require_open()
            turns = self._turns
            if turns.left <= 0 or monotonic() > turns.since + LONGEST_PAUSE:
                turns = self._turns = await self._sizes_of_all()
                fresh = True
            found = await self._take_in_turn(take, turns)
            if found is not None:
                return found
            turns.left = 0
            if not fresh:
                continue
            left = deadline - monotonic()
            all_failed = not self._answered or len(self._refused) == len(self._asks)
            if all_failed and self._problem and (left <= 0 or not self._link.reached):
                raise self._problem.with_traceback(None)  # else the traceback grows each time
            if left <= 0:
                return None
            await announced.wait(min(pauses.pause(), left))
            fresh = False

    async def turn(self, take: AsyncTake[R], number: int) -> R | None:
        """Give one list its turn; return None also if its node is skipped, or fails now."""
        if not await awake_async(self._link, self._asks[number]):
            return None
        try:
            return await take(number)
        except (ServerError, OSError) as error:
            self._failed(number, error)
            return None

    async def more(self, take: AsyncTake[R]) -> R | None:
        """Give turns to the lists that the last poll found, without another poll."""
        return await self._take_in_turn(take, self._turns)

    def done_with(self, number: int) -> None:
        """Remove a list that has no elements left from the turns."""
        self._turns.done_with(number)

    async def _take_in_turn(self, take: AsyncTake[R], turns: _Turns) -> R | None:
        """Give each list its turn; a list that had elements gets another turn after the others."""
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
                        return found  # no statement before this one: Ctrl-C would lose it
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

    # -------------------------------------------------------------- polling

    async def _sizes_of_all(self) -> _Turns:
        """Return turns for all lists that have elements; each poll starts at the next list.

        The list at the start gets a turn even if it is empty: a consumer that takes from it also
        gets messages whose leases have ended.
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
        """Return the length of each list; None for a list whose node does not answer.

        All nodes are asked first, then all replies are read.
        """
        sizes: list[int | None] = [None] * len(self._asks)
        out: list[tuple[AsyncServer, list[int], AsyncExclusive]] = []
        rejected: list[int] = []
        try:
            for server, numbers in (await self._places()).items():
                exchange = await self._send(server, numbers)
                if exchange is not None:
                    out.append((server, numbers, exchange))
            while out:
                server, numbers, exchange = out[-1]
                rejected += await self._add_sizes(server, numbers, exchange, sizes)
                out.pop()
        finally:
            for _server, _numbers, exchange in out:
                await exchange.drop()
        for number in rejected:
            sizes[number] = await self._size_alone(number)
        return sizes

    async def _places(self) -> dict[AsyncServer, list[int]]:
        """Return each server that may be asked now, with the numbers of its lists."""
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

    async def _send(self, server: AsyncServer, numbers: list[int]) -> AsyncExclusive | None:
        try:
            exchange = await server.exclusive(self._node_timeout())
        except LOST as error:
            await self._lost(server, numbers, error)
            return None
        words = [packed(self._asks[number].request()) for number in numbers]
        try:
            exchange.conn.put(b"".join(words))
        except LOST as error:
            await exchange.drop()
            await self._lost(server, numbers, error)
            return None
        return exchange

    def _node_timeout(self) -> float:
        """Return the seconds that a node has to answer; in a cluster few, as other nodes wait."""
        seconds = self._link.timeout
        return min(seconds, NODE_TIMEOUT) if self._link.topology.clustered else seconds

    async def _add_sizes(
        self,
        server: AsyncServer,
        numbers: list[int],
        exchange: AsyncExclusive,
        sizes: list[int | None],
    ) -> list[int]:
        """Read the replies of a node; return the numbers of the lists with error replies."""
        rejected: list[int] = []
        seconds = self._node_timeout()
        for number in numbers:
            try:
                sizes[number] = await exchange.conn.wait(seconds)
            except ERROR_REPLIES:
                rejected.append(number)
            except LOST as error:
                await exchange.drop()
                await self._lost(server, numbers, error)
                return []
        await exchange.done()
        self._answered = True
        return rejected

    async def _size_alone(self, number: int) -> int | None:
        """Return the length of one list by a request of the link, which follows redirections.

        If the server rejects the command, return 1, so that the list gets a turn. If the node
        fails, return None.
        """
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
        """Skip a node that does not answer, or a list that accepts no writes; else raise."""
        if not is_waitable(error):
            raise error
        self._problem = error
        if not is_transient(error):  # the node answers, but accepts no writes
            self._refused.failed(number, monotonic())
            self._link.wait_failed(self._asks[number].key, error)
        elif self._link.reached:
            let_rest(self._link, self._asks[number], error)

"""Taking messages of several consumers by priority: a later one only where those before have none.

They are looked at in their order; then all are waited for at the same time. The rule: one whose
server does not answer keeps nobody from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from redis.exceptions import OutOfMemoryError, RedisError

from pyredisson._async.link.race import AsyncRace, wait_for_any_async
from pyredisson._async.link.sweep import FIRST_PAUSE, LONGEST_PAUSE
from pyredisson._async.link.waiting import passes
from pyredisson._async.objects.consumer import NO_MEMORY, AsyncConsumer
from pyredisson._async.objects.message import AsyncMessage
from pyredisson._async.objects.sharded_consumer import AsyncShardedConsumer
from pyredisson._compat import monotonic, sleep_async
from pyredisson.errors import ClosedError
from pyredisson.protocol.backoff import Backoff
from pyredisson.protocol.command import Eval

_REST = 1.0
"""Seconds for which a consumer is not looked at whose server did not answer."""

AnyConsumer = AsyncConsumer[Any] | AsyncShardedConsumer[Any]


class AsyncTaker:
    """Takes messages for a worker.

    Args:
        consumers: by priority; the order may be changed meanwhile.
    """

    def __init__(self, consumers: Sequence[AnyConsumer]) -> None:
        self._consumers = consumers
        self._resting: dict[AnyConsumer, float] = {}
        self._race: AsyncRace[Any] | None = None
        self._ended: ClosedError | None = None

    async def take(self, limit: int, timeout: float) -> list[AsyncMessage[Any]]:
        """Take up to `limit` messages of the first that has any, waiting so long at most."""
        first = self._consumers[0]
        if len(self._consumers) == 1 and isinstance(first, AsyncShardedConsumer):
            return await first.take_many(limit, timeout)  # it begins with a look
        found = await self._look(limit)
        if found:
            return found
        if len(self._consumers) == 1:
            return await first.take_many(limit, timeout)
        plain = [each for each in self._consumers if isinstance(each, AsyncConsumer)]
        if len(plain) == len(self._consumers):
            return await self._first(plain, limit, timeout)
        deadline, pauses = monotonic() + timeout, Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        while not found and (left := deadline - monotonic()) > 0:
            if self._ended is not None:
                raise self._ended
            await sleep_async(min(pauses.pause(), left))
            found = await self._look(limit)
        return found

    async def end(self) -> None:
        """Let who waits in `take` have a ClosedError now, unless something has come."""
        self._ended = ClosedError("nobody waits for messages any more")
        if self._race is not None:
            self._race.end(self._ended)
        for consumer in tuple(self._consumers):
            await consumer._end_waits()

    async def _first(
        self, consumers: Sequence[AsyncConsumer[Any]], limit: int, timeout: float
    ) -> list[AsyncMessage[Any]]:
        """Wait for all at the same time."""

        def wait_of(consumer: AsyncConsumer[Any]) -> Callable[[float], Eval[Any]]:
            def wait(seconds: float) -> Eval[Any]:
                waits: Eval[Any] = consumer._wait(limit, seconds)
                return replace(waits, decode=lambda reply: (consumer, waits.decode(reply)))

            return wait

        waits = [wait_of(consumer) for consumer in consumers]
        race = self._race = AsyncRace[Any](consumers[0]._link, timeout)
        try:
            won = await wait_for_any_async(race, [], waits)
        except OutOfMemoryError:
            await sleep_async(min(timeout, NO_MEMORY))
            won = None
        if won is None:
            return []
        winner, taken = won
        await winner._received(taken)
        return list(winner._handed_out(limit))

    async def _look(self, limit: int) -> list[AsyncMessage[Any]]:
        """Take what is there, without waiting; a server that does not answer is left out."""
        problem: Exception | None = None
        answered = False
        for consumer in tuple(self._consumers):
            if monotonic() < self._resting.get(consumer, 0.0):
                continue
            try:
                found = await consumer.take_many(limit, 0)
            except (RedisError, OSError) as error:
                if not passes(error):
                    raise
                problem = error
                self._resting[consumer] = monotonic() + _REST
                continue
            if found:
                return found
            answered = True
        if problem is not None and not answered:
            raise problem
        return []

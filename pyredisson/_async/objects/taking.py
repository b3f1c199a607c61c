"""Taking messages of several consumers by priority: a later one only where those before have none.

They are looked at in their order; then all are waited for at the same time. The rule: one whose
server does not answer keeps nobody from the others, and rests until that server answers again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from redis.exceptions import OutOfMemoryError, RedisError

from pyredisson._async.link.link import AsyncLink
from pyredisson._async.link.probes import awake_async, let_rest, rests
from pyredisson._async.link.race import AsyncRace, wait_for_any_async
from pyredisson._async.link.sweep import FIRST_PAUSE, LONGEST_PAUSE
from pyredisson._async.link.waiting import passes
from pyredisson._async.link.within import PATIENCE
from pyredisson._async.objects.consumer import NO_MEMORY, AsyncConsumer
from pyredisson._async.objects.message import AsyncMessage
from pyredisson._async.objects.sharded_consumer import AsyncShardedConsumer
from pyredisson._compat import AsyncEvent, monotonic, sleep_async
from pyredisson.errors import ClosedError
from pyredisson.protocol.backoff import Backoff
from pyredisson.protocol.command import Eval, Operation

AnyConsumer = AsyncConsumer[Any] | AsyncShardedConsumer[Any]


class AsyncTaker:
    """Takes messages for a worker.

    Args:
        link: leads to the servers.
        consumers: by priority; the order may be changed meanwhile.
    """

    def __init__(self, link: AsyncLink, consumers: Sequence[AnyConsumer]) -> None:
        self._link = link
        self._consumers = consumers
        self._several = link.topology.clustered and len(consumers) > 1
        self._news = AsyncEvent()
        self._asks = {each: _ask_of(each) for each in consumers}
        self._race: AsyncRace[Any] | None = None
        self._ended: ClosedError | None = None
        for each in consumers:
            if self._several and isinstance(each, AsyncConsumer):
                each._patience = PATIENCE

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
        awake = [each for each in self._consumers if not self._rests(each)]
        plain = [each for each in awake if isinstance(each, AsyncConsumer)]
        if plain and len(plain) == len(awake):
            return await self._first(plain, limit, timeout)
        deadline, pauses = monotonic() + timeout, Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        while not found and (left := deadline - monotonic()) > 0:
            if self._ended is not None:
                raise self._ended
            await self._news.wait(min(pauses.pause(), left))
            found = await self._look(limit)
        return found

    async def more(
        self, found: Sequence[AsyncMessage[Any]], limit: int, timeout: float
    ) -> list[AsyncMessage[Any]]:
        """Take more of whose messages these are: of a queue with shards that of all of them."""
        if len(self._consumers) == 1:
            return await self._consumers[0].take_many(limit, timeout)
        source = found[0].consumer
        if self._several:
            return await self._first([source], limit, timeout)
        return await source.take_many(limit, timeout)

    async def end(self) -> None:
        """Let who waits in `take` have a ClosedError now, unless something has come."""
        self._ended = ClosedError("nobody waits for messages any more")
        self._news.set()
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
        race = self._race = AsyncRace[Any](self._link, timeout)
        try:
            won = await wait_for_any_async(race, [], waits)
        except OutOfMemoryError:
            await sleep_async(min(timeout, NO_MEMORY))
            won = None
        if won is None:
            return []
        winner, taken = won
        await winner._keep(taken)
        kept, found = winner._prefetched, list[AsyncMessage[Any]]()
        await kept.bury()
        kept.hand_out(limit, found)
        return found

    async def _look(self, limit: int) -> list[AsyncMessage[Any]]:
        """Take what is there, without waiting; a server that does not answer is left out."""
        for consumer in tuple(self._consumers):
            if self._several and not await self._awake(consumer):
                continue
            try:
                found = await consumer.take_many(limit, 0)
            except (RedisError, OSError) as error:
                if not self._several or not passes(error, reached=self._link.reached):
                    raise
                let_rest(self._link, self._asks[consumer], error)
                continue
            if found:
                return found
        return []

    async def _awake(self, consumer: AnyConsumer) -> bool:
        """Tell whether its node may be asked; one with shards knows by itself which may."""
        sharded = isinstance(consumer, AsyncShardedConsumer)
        return sharded or await awake_async(self._link, self._asks[consumer])

    def _rests(self, consumer: AnyConsumer) -> bool:
        if isinstance(consumer, AsyncShardedConsumer):
            return False
        return rests(self._link, self._link.topology.home(consumer.key))


def _ask_of(consumer: AnyConsumer) -> Operation[int]:
    """Return what its server, or one of them, is asked to find out whether it answers."""
    one = consumer.consumers[0] if isinstance(consumer, AsyncShardedConsumer) else consumer
    return one._queue._list.size()

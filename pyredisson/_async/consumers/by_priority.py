"""Taking messages of several consumers by priority: a later one only where those before have none.

They are looked at in their order; then all are waited for at the same time. The rule: one whose
server does not answer keeps nobody from the others, and rests until that server answers again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from pyredisson._async.consumers.consumer import NO_MEMORY, AsyncConsumer
from pyredisson._async.consumers.message import AsyncMessage
from pyredisson._async.link.link import AsyncLink
from pyredisson._async.sharded.consumer import AsyncShardedConsumer
from pyredisson._async.waits.first_wins import AsyncFirstWins, wait_for_any_async
from pyredisson._async.waits.one_of_many import PATIENCE
from pyredisson._async.waits.poll import FIRST_PAUSE, LONGEST_PAUSE
from pyredisson._async.waits.probes import awake_async, let_rest, rests
from pyredisson._async.waits.slices import passes, waits_out
from pyredisson._runtime.concurrency import AsyncEvent, monotonic, sleep_async
from pyredisson.errors import ClosedError, KeyTypeError
from pyredisson.protocol.consumers.consumer import read_taken
from pyredisson.protocol.kernel.backoff import Backoff, Rests
from pyredisson.protocol.kernel.command import Eval, Operation
from pyredisson.server_errors import LOST, OutOfMemoryError, ServerError

FAILURES = (ServerError, OSError, KeyTypeError)
"""What a take raises because of the server."""
AnyConsumer = AsyncConsumer[Any] | AsyncShardedConsumer[Any]


class AsyncByPriority:
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
        self._problems: dict[AnyConsumer, Exception] = {}
        self._refused = Rests()
        """Those of several that were refused."""
        self.reached = False
        """Whether the worker was served before: then one that is refused keeps none from others."""
        self._race: AsyncFirstWins[Any] | None = None
        self._ended: ClosedError | None = None
        for each in consumers:
            if self._several and isinstance(each, AsyncConsumer):
                each._patience = PATIENCE

    async def take(self, limit: int, timeout: float) -> list[AsyncMessage[Any]]:
        """Take up to `limit` messages of the first that has any, waiting so long at most.

        Raises:
            ServerError, KeyTypeError: nothing can be taken of any of them.
        """
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
        if plain and len(plain) == len(awake) and not self._link.lacking.now("BLMOVE"):
            return await self._first(plain, limit, timeout)
        deadline, pauses = monotonic() + timeout, Backoff(FIRST_PAUSE, LONGEST_PAUSE)
        while not found and (left := deadline - monotonic()) > 0:
            if self._ended is not None:
                raise self._ended
            await self._news.wait(min(pauses.pause(), left))
            found = await self._look(limit)
        if not found and len(self._problems) == len(self._consumers):
            raise self._problems[first].with_traceback(None)
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
        by_key = {each.key: each for each in consumers}

        def lost(takes: tuple[Operation[Any], ...], reply: Any) -> None:
            unanswered = by_key[takes[0].key]._prefetched.unanswered
            unanswered.add(takes, read_taken(reply))

        race = self._race = AsyncFirstWins[Any](self._link, timeout, lost)
        try:
            won = await wait_for_any_async(race, [], waits)
        except OutOfMemoryError:
            await sleep_async(min(timeout, NO_MEMORY))
            won = None
        except FAILURES as error:
            if self._link.lacking.missing("BLMOVE", error):
                return []
            if race.failed_key not in by_key:
                raise
            self._failed(by_key[race.failed_key], error)
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
            if not await self._awake(consumer):
                continue
            try:
                found = await consumer.take_many(limit, 0)
            except FAILURES as error:
                self._failed(consumer, error)
                continue
            if self._problems.pop(consumer, None) and self._refused.served(consumer):
                self._link.wait_served(self._asks[consumer].key)
            if found:
                return found
        return []

    async def _awake(self, consumer: AnyConsumer) -> bool:
        """Tell whether it may be asked; one with shards knows by itself which of its nodes may."""
        if self._refused and self._refused.rests(consumer, monotonic()):
            return False
        sharded = not self._several or isinstance(consumer, AsyncShardedConsumer)
        return sharded or await awake_async(self._link, self._asks[consumer])

    def _failed(self, consumer: AnyConsumer, error: Exception) -> None:
        """Let one of several rest that cannot be served; raise what concerns all of them."""
        if self._several and passes(error, reached=self._link.reached):
            let_rest(self._link, self._asks[consumer], error)
        else:
            mine = len(self._consumers) > 1 and (self._several or not _is_servers(error))
            if not mine or not self.reached:
                raise error
            self._refused.failed(consumer, monotonic())
            key = self._asks[consumer].key
            self._link.wait_failed(key, error, alone=not waits_out(error))
        self._problems[consumer] = error

    def _rests(self, consumer: AnyConsumer) -> bool:
        if consumer in self._refused:
            return True
        if isinstance(consumer, AsyncShardedConsumer):
            return False
        return rests(self._link, self._link.topology.home(consumer.key))


def _ask_of(consumer: AnyConsumer) -> Operation[int]:
    """Return what its server, or one of them, is asked to find out whether it answers."""
    one = consumer.consumers[0] if isinstance(consumer, AsyncShardedConsumer) else consumer
    return one._queue._list.size()


def _is_servers(error: Exception) -> bool:
    """Tell whether a server says it of all its keys."""
    return waits_out(error) or isinstance(error, LOST)


def all_of(consumers: Iterable[AnyConsumer]) -> list[AsyncConsumer[Any]]:
    """Return each queue's, of a queue with shards each shard's."""
    return [
        one
        for each in consumers
        for one in (each.consumers if isinstance(each, AsyncShardedConsumer) else (each,))
    ]


def keys_of(consumers: Iterable[AnyConsumer]) -> str:
    """Return the names of their queues in Redis, for the log."""
    return ", ".join(each.key for each in all_of(consumers))

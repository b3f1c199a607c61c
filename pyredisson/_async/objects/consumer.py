"""Consumers that acknowledge: who dies with a message in his hands loses nothing.

A message is a consumer's for the time of its lease, by the server's clock. What is not settled
by then goes back to the head of the queue, as its plain bytes, put there by whichever client looks
next.  The rule: what a consumer hands out has its whole lease before it, also when it was fetched
ahead.
"""

from __future__ import annotations

import logging
import math
import os
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Generic, TypeVar

from redis.exceptions import OutOfMemoryError, ResponseError

from pyredisson._async.context import AsyncContext
from pyredisson._async.link.transit import AsyncTransit
from pyredisson._async.link.waiting import SLICE, wait_for_async
from pyredisson._async.objects.message import AsyncMessage
from pyredisson._async.objects.queue import AsyncQueue
from pyredisson._async.objects.running import AsyncRunning
from pyredisson._compat import monotonic, sleep_async
from pyredisson.errors import ClosedError, DecodeError, NotReplicatedError
from pyredisson.protocol.command import Eval
from pyredisson.protocol.due import Seconds, not_negative, positive, seconds
from pyredisson.protocol.durable import Durable, acknowledged, require_durable
from pyredisson.protocol.names import ConsumerNames, require_one_slot
from pyredisson.protocol.objects.consumer import BASE_BYTES, EXPIRING, PAUSED, ConsumerProtocol
from pyredisson.protocol.objects.member import WireFormat
from pyredisson.protocol.objects.queue import whole
from pyredisson.protocol.objects.taken import Taken
from pyredisson.protocol.replies import reading

V = TypeVar("V")
log = logging.getLogger("pyredisson")

MOST = 1000
"""Messages that one script takes, at most."""

NO_MEMORY = 0.2
"""Seconds between looks while the server has no memory: a wait needs some, what takes does not."""

_AHEAD, _AT_ONCE = 5.0, 0.05
"""Seconds that a message may wait here, fetched ahead or not, before its lease is renewed."""


class AsyncConsumer(AsyncRunning, Generic[V]):
    """Takes messages of one queue, each with a lease; for any number of tasks.

    Java's consumers may share the queue, and see neither leases nor what is taken.
    """

    _kind = "a queue"

    def __init__(
        self,
        context: AsyncContext,
        queue: AsyncQueue[V],
        *,
        lease: Seconds,
        prefetch: int,
        wire_format: WireFormat,
        transfer: bool,
        durable: Durable | None = None,
    ) -> None:
        self._queue = queue
        self._durable = require_durable(durable)
        self._lease_ms = _milliseconds(lease)
        self._prefetch = whole(prefetch)
        if not 1 <= self._prefetch <= MOST:
            raise ValueError(f"prefetch must be from 1 to {MOST}, not {prefetch!r}")
        self._ahead = min(self._lease_ms / 2000, _AHEAD if self._prefetch > 1 else _AT_ONCE)
        self._granted_ms = self._lease_ms + math.ceil(self._ahead * 1000)
        self._wire_format = wire_format
        self._fetched: deque[tuple[AsyncMessage[V], float]] = deque()
        self._closed = self._ending = False
        self._waiting = set[AsyncTransit]()
        self._paused: bool | None = None
        self._expiring = False
        super().__init__(context, queue.name)
        self._transfers = transfer
        if transfer:
            context.transfers.acquire(self._protocol.names.queue)
        context.children.add(self)

    def _types_of(self, name: str) -> dict[str, str]:
        names = ConsumerNames.of(name)
        if self._context.link.topology.clustered:
            require_one_slot((*names.queue.keys(), *names.types()))
        self._protocol = ConsumerProtocol(names)
        return {name: "list"}

    @property
    def key(self) -> str:
        """The name of the queue in Redis."""
        return self._main_key

    def __repr__(self) -> str:
        state = "closed" if self._closed else f"lease={self._lease_ms / 1000:g}"
        return f"<{type(self).__name__} {self._main_key!r} codec={self._queue.codec!r} {state}>"

    # -------------------------------------------------------------- taking

    async def take(self) -> AsyncMessage[V]:
        """Take the next message, waiting for it as long as it takes."""
        return (await self.take_many(1))[0]

    async def poll(self, timeout: Seconds = 0) -> AsyncMessage[V] | None:
        """Take the next message, waiting so long for it; None when there is none by then."""
        found = await self.take_many(1, timeout)
        return found[0] if found else None

    async def take_many(self, limit: int, timeout: Seconds | None = None) -> list[AsyncMessage[V]]:
        """Take up to `limit` messages, waiting for the first of them.

        A value that the codec cannot read is made a dead letter, and the next one follows.

        Args:
            limit: from 1 to 1000.
            timeout: wait at most so long; 0 does not wait, None waits for ever.

        Raises:
            ClosedError: the consumer is closed.
        """
        if not 1 <= whole(limit) <= MOST:
            raise ValueError(f"limit must be from 1 to {MOST}, not {limit!r}")
        deadline = math.inf if timeout is None else monotonic() + seconds(timeout)
        while True:
            moved = await self._fill(limit, deadline)
            if found := self._handed_out(limit):
                return found
            if self._closed:
                raise ClosedError(f"this consumer of {self.name!r} is closed")
            if not moved and monotonic() >= deadline:
                return []

    async def _fill(self, limit: int, deadline: float) -> bool:
        """Have `limit` messages that are whole here, or one by the deadline, if there are any.

        Returns:
            whether any were taken, which may all be dead now.
        """
        await self._renew()
        missing = limit - len(self._fetched)
        if missing <= 0 or self._closed:
            return False
        left = 0.0 if missing < limit else max(deadline - monotonic(), 0.0)
        return await self._fetch(missing, min(left, SLICE))

    def _handed_out(self, limit: int) -> list[AsyncMessage[V]]:
        found: list[AsyncMessage[V]] = []
        while len(found) < limit:
            try:
                found.append(self._fetched.popleft()[0])
            except IndexError:
                break
        return found

    async def __aiter__(self) -> AsyncIterator[AsyncMessage[V]]:
        """Take one message after the other, until the consumer is closed."""
        while not self._closed:
            yield await self.take()

    async def _fetch(self, limit: int, timeout: float) -> bool:
        """Fetch messages, waiting so long for the first; whether there were any."""
        await self._ready()
        count, transit = max(limit, self._prefetch), AsyncTransit()
        try:
            if timeout > 0 and self._paused is not None:  # the first time nothing is moved
                wait = partial(self._wait, count)
                self._waiting.add(transit)
                taken = await wait_for_async(self._link, wait, timeout, transit)
            else:
                taken = await self._link.request(self._look(count))
                if taken is EXPIRING:
                    await self._received(taken)
                    taken = await self._link.request(self._look(count))
        except OutOfMemoryError:
            await sleep_async(min(timeout, NO_MEMORY))  # the script behind the wait has looked
            return False
        except ResponseError as error:
            await self._explain(error)
            raise
        finally:
            self._waiting.discard(transit)
        if taken is not None:
            await self._received(taken)
        return bool(taken)

    def _look(self, count: int) -> Eval[Sequence[Taken]]:
        base = os.urandom(BASE_BYTES)
        return self._protocol.take(count, self._granted_ms, base, expiring=self._expiring)

    def _wait(self, count: int, seconds: float) -> Eval[Sequence[Taken] | None]:
        if self._ending:
            raise ClosedError(f"nobody waits for messages of {self.name!r} any more")
        base, paused, expiring = os.urandom(BASE_BYTES), bool(self._paused), self._expiring
        return self._protocol.wait(
            count, self._granted_ms, base, seconds, paused=paused, expiring=expiring
        )

    async def _received(self, taken: Sequence[Taken]) -> None:
        """Keep what was taken; where that is nothing, know how to ask the next time."""
        self._paused = taken is PAUSED
        self._expiring = self._expiring or taken is EXPIRING
        if taken:
            await self._keep(taken)

    async def _keep(self, taken: Sequence[Taken]) -> None:
        await self._hold(taken, reading(self._queue.codec))

    async def _hold(self, taken: Sequence[Taken], read: Callable[[bytes], V]) -> None:
        """Keep what can be read; what cannot is dead."""
        until, unreadable = monotonic() + self._ahead, []
        for each in taken:
            try:
                self._fetched.append((AsyncMessage(self, each, read(each.raw)), until))
            except DecodeError as error:
                unreadable.append((each.token, error))
        for token, why in unreadable:
            log.error("a message of %r cannot be decoded and is dead now: %s", self.name, why)
            await self._rejected(token, f"cannot be decoded: {why}", None)

    async def _renew(self) -> None:
        """Renew the leases of what waits here for too long; drop what is not ours any more."""
        if not self._fetched or self._fetched[0][1] > monotonic():
            return
        waiting = self._handed_out(MOST)
        tokens = [message._token for message in waiting]
        ours = await self._link.request(self._protocol.extend(tokens, self._granted_ms))
        until = monotonic() + self._ahead
        kept = [(message, until) for message, held in zip(waiting, ours, strict=True) if held]
        self._fetched.extendleft(reversed(kept))

    async def _end_waits(self) -> None:
        """Let who waits have a ClosedError now, unless something has come."""
        self._ending, pause = True, _AT_ONCE / 10
        for transit in tuple(self._waiting):
            while transit in self._waiting and await transit.unblock():
                await sleep_async(pause)  # it may have been sent just after that
                pause *= 2

    # -------------------------------------------------------------- settling

    async def ack_many(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Be done with messages of this consumer; of each, whether its lease had not ended.

        Raises:
            NotReplicatedError: they are acknowledged, and not confirmed as `durable` asks for.
        """
        if not messages:
            return []
        tokens = [message._token for message in messages]
        try:
            ack = acknowledged(self._protocol.ack(tokens), self._durable, self.name)
            done = await self._link.request(ack)
        except NotReplicatedError:
            for message in messages:
                message._settle(done=True)
            raise
        return [m._settle(done=held) for m, held in zip(messages, done, strict=True)]

    async def extend_many(self, messages: Sequence[AsyncMessage[V]], lease: Seconds) -> list[bool]:
        """Extend leases of this consumer; of each, whether it had not ended."""
        if not messages:
            return []
        tokens = [message._token for message in messages]
        return await self._link.request(self._protocol.extend(tokens, _milliseconds(lease)))

    async def _back(self, token: bytes, delay: Seconds, *, begun: bool) -> bool:
        delay_ms = math.ceil(not_negative(delay, "delay") * 1000)
        if delay_ms == 0:
            give_back = self._protocol.give_back([token], begun=begun)
            return (await self._link.request(give_back))[0]
        postpone = self._protocol.postpone(
            token, delay_ms, os.urandom(8), self._wire_format, begun=begun
        )
        return await self._link.request(postpone)

    async def _rejected(self, token: bytes, reason: str, traceback: str | None) -> bool:
        return await self._link.request(self._protocol.reject(token, reason, traceback))

    async def give_back(self, messages: Sequence[AsyncMessage[V]]) -> list[bool]:
        """Put messages back whose handling was not begun: none of these deliveries counts."""
        if not messages:
            return []
        tokens = [message._token for message in messages]
        return await self._link.request(self._protocol.give_back(tokens, begun=False))

    async def close(self) -> None:
        """Put back what was fetched and not handed out, and take nothing more."""
        if self._closed:
            return
        self._closed = True
        self._context.children.discard(self)
        waiting = self._handed_out(len(self._fetched))
        if self._transfers:
            self._context.transfers.release(self._protocol.names.queue)
        await self.give_back(waiting)

    async def __aenter__(self) -> AsyncConsumer[V]:
        """Return the consumer."""
        return self

    async def __aexit__(self, *_error: object) -> None:
        """Close it."""
        await self.close()


def _milliseconds(lease: Seconds) -> int:
    return math.ceil(positive(lease, "lease") * 1000)

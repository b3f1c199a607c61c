"""RBlockingQueue: a queue whose consumers wait.

It avoids three traps of Redisson. A timeout of 0 does not wait; in Redisson it waits without a
limit. Fractions of a second count; Redisson counts whole seconds. An interrupted call requeues the
values that it has taken; in Redisson they are lost.
"""

from __future__ import annotations

import math
from collections.abc import Callable, MutableSequence, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.link.in_flight_request import AsyncInFlightRequest
from pyredisson._async.queues.queue import AsyncQueue
from pyredisson._async.waits.by_thread import popped_async
from pyredisson._async.waits.slices import SLICE, Checks, wait_for_async
from pyredisson._runtime.concurrency import monotonic
from pyredisson.errors import DecodeError
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.kernel.names import slot
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol
from pyredisson.protocol.queues.queue import End, require_count
from pyredisson.server_errors import ReplyError

if TYPE_CHECKING:
    from pyredisson._async.queues.subscription import AsyncSubscription

V = TypeVar("V")
T = TypeVar("T")

AT_ONCE: Any = object()
"""The default timeout: do not wait. It is not None, because None could be read as no limit."""


_TAIL_TO_HEAD = (End.LAST, End.FIRST)


class AsyncBlockingQueue(AsyncQueue[V]):
    """A queue that Java sees as RBlockingQueue."""

    @property
    def _blocking(self) -> BlockingProtocol[V]:
        return BlockingProtocol(self._list.name, self._codec, self._keeps)

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._waits: dict[str, Command[V | None]] = {}

    def _pop(self, end: End, seconds: float) -> Command[V | None]:
        """Return the operation of a slice (`waits/slices`); the one of a full slice is cached."""
        if seconds != SLICE:
            return self._blocking.pop(end, seconds)
        pop = self._waits.get(end._name_)  # not `end`: hashing an Enum calls a Python function
        if pop is None:
            pop = self._waits[end._name_] = self._blocking.pop(end, seconds)
        return pop

    async def _wait(
        self,
        command: Callable[[float], Command[T | None]],
        timeout: Seconds | None,
        in_flight: AsyncInFlightRequest | None = None,
        checks: Checks[T] | None = None,
    ) -> T | None:
        limit = None if timeout is None else seconds(timeout)
        await self._ready()
        try:
            return await wait_for_async(self._link, command, limit, in_flight, checks)
        except (ReplyError, DecodeError) as error:
            await self._explain(error)
            raise

    async def _wait_pop(self, end: End, timeout: Seconds | None) -> V | None:
        limit = math.inf if timeout is None else seconds(timeout)
        deadline = monotonic() + limit
        in_flight = AsyncInFlightRequest()
        link = self._link
        usual = self._checked and limit > 0 and not link.closed
        server = link.topology.known(self._list.name) if usual else None
        if server is not None:
            pop = self._pop(end, SLICE if limit > SLICE else limit)
            try:
                reply = await popped_async(link, server, pop, deadline, in_flight)
            except (ReplyError, DecodeError) as error:
                await self._explain(error)
                raise
            if reply is not None and (reply[0] or monotonic() >= deadline):
                return reply[1]  # without a call, after which Ctrl-C would lose the element
        left = None if timeout is None else deadline - monotonic()
        wait = partial(self._pop, end)
        return await self._wait(wait, left, in_flight, lambda: [self._blocking.check(end)])

    async def _take(self, end: End) -> V:
        return await self._wait_pop(end, None)  # type: ignore[return-value]  # without a timeout there is a value

    # -------------------------------------------------------------- adding

    async def put(self, value: V) -> None:
        """Append a value."""
        await self.add(value)

    def remaining_capacity(self) -> int:
        """Return Java's Integer.MAX_VALUE: the size has no limit."""
        return 2**31 - 1

    # -------------------------------------------------------------- taking

    async def take(self) -> V:
        """Take the first value, waiting without a limit."""
        return await self._wait_pop(End.FIRST, None)  # type: ignore[return-value]  # as in _take

    @overload
    async def poll(self) -> V | None: ...

    @overload
    async def poll(self, limit: int) -> list[V]: ...

    @overload
    async def poll(self, *, timeout: Seconds) -> V | None: ...

    @overload
    async def poll(self, limit: int, *, timeout: Seconds) -> list[V]: ...

    async def poll(
        self, limit: int | None = None, *, timeout: Seconds = AT_ONCE
    ) -> V | list[V] | None:
        """Take the first value; None if there is none.

        Args:
            limit: take up to this many values, and return a list. `poll(5)` does not wait
                5 seconds; `poll(timeout=5)` does.
            timeout: the longest wait for the first value, in seconds or as a timedelta; by default
                and with 0 the call does not wait.

        Raises:
            TypeError: `timeout` is None; to wait without a limit, call `take()`.
        """
        return await self._poll_end(End.FIRST, limit, timeout)

    async def _poll_end(self, end: End, limit: int | None, timeout: Seconds) -> V | list[V] | None:
        if timeout is AT_ONCE:
            return await self._polled(end, limit)
        if timeout is None:
            raise TypeError(
                "timeout must be seconds or a timedelta, not None: poll() does not wait, "
                "poll(timeout=5) waits up to 5 seconds, take() waits without a limit"
            )
        if limit is None:
            return await self._wait_pop(end, timeout)
        return await self._wait_pop_many(end, limit, timeout) if require_count(limit) > 0 else []

    async def _wait_pop_many(self, end: End, limit: int, timeout: Seconds) -> list[V]:
        rejections = self._link.rejections
        if not rejections.now("BLMPOP"):
            try:
                pop = partial(self._blocking.pop_many, end, limit)
                return await self._wait(pop, timeout) or []
            except ReplyError as error:
                if not rejections.note_if_missing("BLMPOP", error):  # of Redis 7
                    raise
        deadline, check = monotonic() + seconds(timeout), self._blocking.check_whether(end)
        wait = partial(self._blocking.there, end)
        while not (values := await self._run(self._list.pop_many(end, limit))):
            if not await self._wait(wait, deadline - monotonic(), checks=lambda: [check]):
                break
        return values

    async def drain_to(self, target: MutableSequence[V], max_elements: int | None = None) -> int:
        """Move all values, or the first `max_elements`, to a list; return their number."""
        if max_elements is not None and max_elements <= 0:
            return 0
        if not hasattr(target, "extend"):  # otherwise the values would be lost
            raise TypeError(f"target must be a list, or have extend(), not {target!r}")
        values = await self._run(self._list.drain(max_elements))
        target.extend(values)
        return len(values)

    async def take_last_and_offer_first_to(self, target: str) -> V:
        """Move the last value to the head of another queue and return it; wait without a limit."""
        name = self._mapped(target)
        return await self._wait_move(name, _TAIL_TO_HEAD, None)  # type: ignore[return-value]  # as in _take

    async def poll_last_and_offer_first_to(
        self, target: str, timeout: Seconds | None = None
    ) -> V | None:
        """Move the last value to the head of another queue; return the value, or None.

        Args:
            target: the name of the other queue.
            timeout: the longest wait for a value, in seconds or as a timedelta; None does not wait.
        """
        name = self._mapped(target)
        if timeout is None:
            return await self._run(self._list.move(name, End.LAST, End.FIRST))
        return await self._wait_move(name, _TAIL_TO_HEAD, timeout)

    async def _wait_move(
        self, name: str, ends: tuple[End, End], timeout: Seconds | None
    ) -> V | None:
        blocking = self._blocking
        move = partial(blocking.move, name, ends)
        return await self._wait(move, timeout, checks=lambda: [blocking.check_move(name, ends)])

    # -------------------------------------------------------------- several queues

    async def _wait_any(
        self,
        keys: tuple[str, ...],
        check: Callable[[str], Command[T | None]],
        wait: Callable[[tuple[str, ...], float], Command[T | None]],
        timeout: Seconds,
    ) -> T | None:
        """Wait for several queues with one command, in a cluster with one command for each slot."""
        slots: dict[int, tuple[str, ...]] = {}
        for key in keys:
            number = slot(key) if self._link.topology.clustered else 0
            slots[number] = (*slots.get(number, ()), key)
        checks = [check(key) for key in keys]
        if len(slots) == 1:
            return await self._wait(partial(wait, keys), timeout, checks=lambda: checks)
        from pyredisson._async.waits.first_wins import AsyncFirstWins, wait_for_any_async  # noqa: PLC0415 - seldom

        waits = [partial(wait, group) for group in slots.values()]
        try:
            first_wins = AsyncFirstWins[Any](self._link, seconds(timeout))
            return await wait_for_any_async(first_wins, checks, waits)
        except (ReplyError, DecodeError) as error:
            await self._explain(error)
            raise

    def _names_by_key(self, names: Sequence[str]) -> dict[str, str]:
        """Return the program's names of this queue and the others, by their names in Redis."""
        return {self._list.name: self._name} | {self._mapped(name): name for name in names}

    async def _poll_any(
        self, end: End, timeout: Seconds, names: Sequence[str]
    ) -> tuple[str, V] | None:
        by_key = self._names_by_key(names)
        found = await self._wait_any(
            tuple(by_key),
            lambda key: self._blocking.check_any(key, end),
            lambda keys, s: self._blocking.pop_any(keys, end, s),
            timeout,
        )
        return None if found is None else (by_key[found[0]], found[1])  # as in `_wait_pop`

    async def _poll_any_many(
        self, end: End, timeout: Seconds, count: int, names: Sequence[str]
    ) -> dict[str, list[V]]:
        by_key = self._names_by_key(names)
        found = await self._wait_any(
            tuple(by_key),
            lambda key: self._blocking.check_many_any(key, end, count),
            lambda keys, s: self._blocking.pop_many_any(keys, end, count, s),
            timeout,
        )
        for key in found or {}:  # at most one
            return {by_key[key]: found[key]}  # type: ignore[index]  # it is not None here
        return {}

    async def poll_from_any(self, timeout: Seconds, *names: str) -> V | None:
        """Take the first value of this queue, or of the first of `names` that has one.

        Return None if no value arrives within `timeout`, in seconds or as a timedelta.
        """
        found = await self._poll_any(End.FIRST, timeout, names)
        return None if found is None else found[1]

    async def poll_from_any_with_name(self, timeout: Seconds, *names: str) -> tuple[str, V] | None:
        """Take a value as `poll_from_any` does; return its queue's name and the value, or None."""
        return await self._poll_any(End.FIRST, timeout, names)

    async def poll_last_from_any_with_name(
        self, timeout: Seconds, *names: str
    ) -> tuple[str, V] | None:
        """Take the last value of a queue; in all else, the same as `poll_from_any_with_name`."""
        return await self._poll_any(End.LAST, timeout, names)

    async def poll_first_from_any(
        self, timeout: Seconds, *names: str, count: int = 1
    ) -> dict[str, list[V]]:
        """Take up to `count` first values of the first queue that has any (BLMPOP, Redis 7).

        Return a dict with the name of the queue and these values; after `timeout`, an empty dict.
        """
        return await self._poll_any_many(End.FIRST, timeout, count, names)

    async def poll_last_from_any(
        self, timeout: Seconds, *names: str, count: int = 1
    ) -> dict[str, list[V]]:
        """Take up to `count` last values of the first queue that has any (BLMPOP, Redis 7).

        Return a dict with the name of the queue and these values; after `timeout`, an empty dict.
        """
        return await self._poll_any_many(End.LAST, timeout, count, names)

    # -------------------------------------------------------------- consuming

    def subscribe_on_elements(self, consumer: Callable[[V], Any]) -> AsyncSubscription[V]:
        """Call `consumer` with each value, one at a time, until the subscription is closed.

        An exception of the consumer is logged, and the consumer gets the next value. (In Redisson
        the subscription ends silently.) A value that cannot be decoded is moved to the poison list
        ``pyredisson_poison:{name}``, also if `on_undecodable` is "raise", because no caller could
        catch the error.
        """
        from pyredisson._async.queues.subscription import AsyncSubscription  # noqa: PLC0415 - seldom

        return AsyncSubscription(self._context, self, consumer)

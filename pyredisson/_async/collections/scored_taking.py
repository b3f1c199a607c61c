"""The methods that take values out of an RScoredSortedSet; some wait, some use several sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar, overload

from pyredisson._async.collections.scored_ranges import AsyncScoredRanges
from pyredisson._async.waits.slices import wait_for_async
from pyredisson.errors import DecodeError
from pyredisson.protocol.collections.scored import ScoredEntry
from pyredisson.protocol.collections.values import require_limit
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.queues.queue import End
from pyredisson.server_errors import ReplyError

T = TypeVar("T")
V = TypeVar("V")


class AsyncScoredTaking(AsyncScoredRanges[V]):
    """Takes values out of a sorted set, with the lowest or the highest scores."""

    @overload
    async def poll_first(self, *, timeout: Seconds = 0) -> V | None: ...

    @overload
    async def poll_first(self, limit: int) -> list[V]: ...

    async def poll_first(
        self, limit: int | None = None, *, timeout: Seconds = 0
    ) -> V | list[V] | None:
        """Take the value with the lowest score; None if there is none.

        Args:
            limit: the maximum number of values to take. If given, the result is a list, and
                `timeout` has no effect. `poll_first(5)` does not wait 5 seconds;
                `poll_first(timeout=5)` does.
            timeout: the longest wait for a value, in seconds or as a timedelta; by default and with
                0 the call does not wait.
        """
        return await self._polled(End.FIRST, limit, timeout)

    @overload
    async def poll_last(self, *, timeout: Seconds = 0) -> V | None: ...

    @overload
    async def poll_last(self, limit: int) -> list[V]: ...

    async def poll_last(
        self, limit: int | None = None, *, timeout: Seconds = 0
    ) -> V | list[V] | None:
        """Take the value with the highest score; see `poll_first`. A list is in ascending order."""
        return await self._polled(End.LAST, limit, timeout)

    async def _polled(self, end: End, limit: int | None, timeout: Seconds) -> V | list[V] | None:
        if limit is not None:
            return [entry.value for entry in await self._many(end, limit)]
        found = await self._entry(end, seconds(timeout))
        return found and found.value

    async def poll_first_entry(self, *, timeout: Seconds = 0) -> ScoredEntry[V] | None:
        """Take the value with the lowest score; return it with its score, or None without one."""
        return await self._entry(End.FIRST, seconds(timeout))

    async def poll_last_entry(self, *, timeout: Seconds = 0) -> ScoredEntry[V] | None:
        """Take the value with the highest score; return it with its score, or None without one."""
        return await self._entry(End.LAST, seconds(timeout))

    async def poll_first_entries(self, limit: int) -> list[ScoredEntry[V]]:
        """Take up to `limit` values with the lowest scores, and return them with their scores."""
        return await self._many(End.FIRST, limit)

    async def poll_last_entries(self, limit: int) -> list[ScoredEntry[V]]:
        """Take up to `limit` values with the highest scores, and return them with their scores."""
        return await self._many(End.LAST, limit)

    async def take_first(self) -> V:
        """Take the value with the lowest score, and wait for it without a limit."""
        found = await self._wait(End.FIRST, None)
        return found.value  # type: ignore[union-attr]  # without a timeout there is one

    async def take_last(self) -> V:
        """Take the value with the highest score, and wait for it without a limit."""
        found = await self._wait(End.LAST, None)
        return found.value  # type: ignore[union-attr]  # without a timeout there is one

    async def _many(self, end: End, limit: int) -> list[ScoredEntry[V]]:
        if require_limit(limit) == 0:
            return []
        return await self._run(self._values.poll_many(end, limit))

    async def _entry(self, end: End, timeout: float) -> ScoredEntry[V] | None:
        if timeout <= 0:
            return await self._run(self._values.poll(end))
        return await self._wait(end, timeout)

    async def poll_first_from_any(self, timeout: Seconds, *names: str, count: int = 1) -> list[V]:
        """Take values with the lowest scores from the first set that has any (Redis 7).

        Return an empty list if no value arrives within `timeout`.

        Args:
            timeout: the longest wait for a value, in seconds or as a timedelta; 0 does not wait.
            names: the other sets. They are checked after this set, in the given order.
            count: the most values to take, all from one set.
        """
        return await self._values_of_any(End.FIRST, timeout, names, count)

    async def poll_last_from_any(self, timeout: Seconds, *names: str, count: int = 1) -> list[V]:
        """Take values as `poll_first_from_any`, with the highest scores, the highest first."""
        return await self._values_of_any(End.LAST, timeout, names, count)

    async def poll_first_entries_from_any(
        self, timeout: Seconds, *names: str, count: int = 1
    ) -> dict[str, list[ScoredEntry[V]]]:
        """Take values as `poll_first_from_any`; return them with scores, by their set's name."""
        return await self._any(End.FIRST, timeout, names, count)

    async def poll_last_entries_from_any(
        self, timeout: Seconds, *names: str, count: int = 1
    ) -> dict[str, list[ScoredEntry[V]]]:
        """Take values as `poll_last_from_any`; return them with scores, by their set's name."""
        return await self._any(End.LAST, timeout, names, count)

    async def _values_of_any(
        self, end: End, timeout: Seconds, names: Sequence[str], count: int
    ) -> list[V]:
        found = await self._any(end, timeout, names, count)
        return [entry.value for entries in found.values() for entry in entries]

    async def _any(
        self, end: End, timeout: Seconds, names: Sequence[str], count: int
    ) -> dict[str, list[ScoredEntry[V]]]:
        if require_limit(count, "count") == 0:
            return {}
        called = dict(
            zip((self._main_key, *self._beside(names)), (self._name, *names), strict=True)
        )
        values, keys, wait = self._values, tuple(called), seconds(timeout)
        check = values.poll_any(keys, end, count)
        if wait <= 0:
            found = await self._run(check)
        else:
            found = await self._waited(partial(values.wait_any, keys, end, count), check, wait)
        return {} if found is None else {called[found[0]]: found[1]}

    async def _wait(self, end: End, timeout: float | None) -> ScoredEntry[V] | None:
        values = self._values
        return await self._waited(partial(values.wait, end), values.poll(end), timeout)

    async def _waited(
        self,
        wait: Callable[[float], Operation[T | None]],
        check: Operation[T | None],
        timeout: float | None,
    ) -> T | None:
        checks = [replace(check, waits=0.0)]
        await self._ready()
        try:
            return await wait_for_async(self._link, wait, timeout, checks=lambda: checks)
        except (ReplyError, DecodeError) as error:
            await self._explain(error)
            raise

"""RBlockingDeque: a deque whose consumers wait at either end."""

from __future__ import annotations

from typing import TypeVar, overload

from pyredisson._async.queues.blocking_queue import AT_ONCE, AsyncBlockingQueue
from pyredisson._async.queues.deque import AsyncDeque
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.queues.queue import End

V = TypeVar("V")


class AsyncBlockingDeque(AsyncBlockingQueue[V], AsyncDeque[V]):
    """A deque that Java sees as RBlockingDeque."""

    async def put_first(self, value: V) -> None:
        """Add a value at the head."""
        await self.add_first(value)

    async def put_last(self, value: V) -> None:
        """Append a value."""
        await self.add_last(value)

    async def take_first(self) -> V:
        """Take the first value, waiting without a limit."""
        return await self._take(End.FIRST)

    async def take_last(self) -> V:
        """Take the last value, waiting without a limit."""
        return await self._take(End.LAST)

    @overload
    async def poll_first(self) -> V | None: ...

    @overload
    async def poll_first(self, limit: int) -> list[V]: ...

    @overload
    async def poll_first(self, *, timeout: Seconds) -> V | None: ...

    @overload
    async def poll_first(self, limit: int, *, timeout: Seconds) -> list[V]: ...

    async def poll_first(
        self, limit: int | None = None, *, timeout: Seconds = AT_ONCE
    ) -> V | list[V] | None:
        """Take the first value; see `poll`."""
        return await self._poll_end(End.FIRST, limit, timeout)

    @overload
    async def poll_last(self) -> V | None: ...

    @overload
    async def poll_last(self, limit: int) -> list[V]: ...

    @overload
    async def poll_last(self, *, timeout: Seconds) -> V | None: ...

    @overload
    async def poll_last(self, limit: int, *, timeout: Seconds) -> list[V]: ...

    async def poll_last(
        self, limit: int | None = None, *, timeout: Seconds = AT_ONCE
    ) -> V | list[V] | None:
        """Take the last value; see `poll`."""
        return await self._poll_end(End.LAST, limit, timeout)

    async def move(
        self,
        target: str,
        source_end: End,
        target_end: End,
        *,
        timeout: Seconds | None = None,
    ) -> V | None:
        """Move a value from an end to an end of another queue; return the value, or None.

        Args:
            target: the name of the other queue.
            source_end: the end of this queue.
            target_end: the end of the other queue.
            timeout: the longest wait for a value, in seconds or as a timedelta; None does not wait.
        """
        name = self._mapped(target)
        if timeout is None:
            return await self._run(self._list.move(name, source_end, target_end))
        return await self._wait_move(name, (source_end, target_end), timeout)

"""RCountDownLatch: waits until others have counted down to 0, in Java and in Python."""

from __future__ import annotations

import math

from pyredisson._async.background.wake_ups import ALL, wait_async
from pyredisson._async.synchronizers.synchronizer import AsyncSynchronizer
from pyredisson.protocol.kernel.due import Seconds, seconds
from pyredisson.protocol.synchronizers.arguments import at_least
from pyredisson.protocol.synchronizers.count_down_latch import CountDownLatchProtocol


class AsyncCountDownLatch(AsyncSynchronizer):
    """A latch that Java sees as RCountDownLatch. A latch without a count is open."""

    _kind = "a latch"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "string"}

    def _channel_of(self, name: str) -> str:
        return CountDownLatchProtocol(name).channel

    @property
    def _protocol(self) -> CountDownLatchProtocol:
        return CountDownLatchProtocol(self._main_key, self._publishing)

    async def try_set_count(self, count: int) -> bool:
        """Set the count, unless the latch has one (RCountDownLatch.trySetCount).

        Args:
            count: at least 1.

        Returns:
            False if the latch has a count already.

        Raises:
            UncertainError: no reply came. The count may be set.
        """
        return await self._changed(self._protocol.try_set(at_least(1, count, "count"))) == 1

    async def count_down(self) -> None:
        """Reduce the count by 1. At 0 all waiters wake (RCountDownLatch.countDown).

        Raises:
            UncertainError: no reply came. The count may be reduced or not.
        """
        await self._changed(self._protocol.count_down())

    async def get_count(self) -> int:
        """Return the count, 0 if the latch is open (RCountDownLatch.getCount)."""
        return await self._run(self._protocol.count())

    async def wait(self, timeout: Seconds | None = None) -> bool:
        """Wait until the count is 0, or the latch is deleted (RCountDownLatch.await).

        Args:
            timeout: the longest wait in seconds or as a timedelta; None waits for ever.

        Returns:
            True if the latch is open, False if the time is over.
        """
        protocol = self._protocol

        async def attempt() -> float | None:
            return None if await self._run(protocol.count()) <= 0 else math.inf

        limit = math.inf if timeout is None else seconds(timeout)
        background = self._context.background
        return await wait_async(background, protocol.channel, attempt, limit, lambda _: ALL)

    async def delete(self) -> bool:
        """Delete the latch, which wakes its waiters; return True if it existed."""
        return await self._changed(self._protocol.delete()) == 1

    async def unlink(self) -> bool:
        """Delete the latch, and return the result, as `delete` does."""
        return await self.delete()

"""RBucket: one value under one name."""

from __future__ import annotations

from datetime import datetime
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson.codecs.base import Codec
from pyredisson.protocol.buckets.bucket import BucketProtocol
from pyredisson.protocol.kernel.due import Seconds, due_ms, whole_ms

V = TypeVar("V")


def _ttl_ms(ttl: Seconds | None) -> int | None:
    if ttl is None:
        return None
    limit = whole_ms(ttl, "ttl")
    if limit <= 0:
        raise ValueError(f"ttl must be more than 0 seconds, not {ttl!r}")
    return limit


class AsyncBucket(AsyncExpirableObject, Generic[V]):
    """A value that Java sees as RBucket. None means no value: the key is missing in Redis.

    A method of this class that changes the value or its time to live raises `UncertainError` if the
    reply was lost.
    """

    _kind = "a bucket"

    def __init__(self, context: AsyncContext, name: str, codec: Codec[V]) -> None:
        self._codec = codec
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "string"}

    @property
    def codec(self) -> Codec[V]:
        """The codec of the value."""
        return self._codec

    @property
    def _protocol(self) -> BucketProtocol[V]:
        return BucketProtocol(self._main_key, self._codec)

    async def get(self) -> V | None:
        """Return the value; None if there is none."""
        return await self._run(self._protocol.get())

    async def size(self) -> int:
        """Return the size of the value in bytes, 0 if there is none."""
        return await self._run(self._protocol.size())

    async def set(self, value: V | None, ttl: Seconds | None = None) -> None:
        """Set the value, by default without a time to live. The value None deletes the key.

        Args:
            value: any value that the codec can encode, or None.
            ttl: the time to live in seconds or as a timedelta; None sets no limit.
        """
        await self._run(self._protocol.set(value, _ttl_ms(ttl), keep_ttl=False))

    async def set_and_keep_ttl(self, value: V | None) -> None:
        """Set the value and keep its time to live."""
        await self._run(self._protocol.set(value, None, keep_ttl=True))

    async def try_set(self, value: V, ttl: Seconds | None = None) -> bool:
        """Set the value if there is none; return whether it was set (trySet, setIfAbsent)."""
        return await self._run(self._protocol.try_set(value, _ttl_ms(ttl)))

    async def set_if_absent(self, value: V, ttl: Seconds | None = None) -> bool:
        """Set the value if there is none; return whether it was set."""
        return await self.try_set(value, ttl)

    async def set_if_exists(self, value: V, ttl: Seconds | None = None) -> bool:
        """Set the value if there is one; return whether it was set.

        The previous time to live is lost, also without `ttl`.
        """
        return await self._run(self._protocol.set_if_exists(value, _ttl_ms(ttl)))

    async def get_and_set(self, value: V, ttl: Seconds | None = None) -> V | None:
        """Set the value and return the previous one; None if there was none."""
        return await self._run(self._protocol.get_and_set(value, _ttl_ms(ttl)))

    async def get_and_delete(self) -> V | None:
        """Delete the value and return it; None if there was none."""
        return await self._run(self._protocol.get_and_delete())

    async def compare_and_set(self, expected: V | None, value: V | None) -> bool:
        """Set a new value if the current one has the bytes of `expected`; return whether it had.

        None means no value, for both arguments. As in Redisson, the time to live is removed.
        """
        return await self._run(self._protocol.compare_and_set(expected, value))

    async def compare_and_delete(self, value: V, *, unexpected: bool = False) -> bool:
        """Delete the value if its bytes are those of `value` (RBucket.compareAndDelete).

        Args:
            value: the value to compare with.
            unexpected: False to delete an equal value, True to delete a value with other bytes.

        Returns:
            Whether a value was deleted.
        """
        return await self._run(self._protocol.compare_and_delete(value, unexpected=unexpected))

    async def get_and_expire(self, ttl: Seconds) -> V | None:
        """Return the value, or None, and set its time to live (from Redis 6.2 on).

        Args:
            ttl: the time to live, in seconds or as a timedelta.
        """
        limit = whole_ms(ttl, "ttl")
        return await self._run(self._protocol.get_and_expire(limit, absolute=False))

    async def get_and_expire_at(self, at: datetime) -> V | None:
        """Return the value, or None; set its expiry time, an aware datetime (Redis 6.2)."""
        moment = due_ms(None, at, 0)
        return await self._run(self._protocol.get_and_expire(moment, absolute=True))

    async def get_and_clear_expire(self) -> V | None:
        """Return the value, or None without one; remove its time to live (Redis 6.2)."""
        return await self._run(self._protocol.get_and_clear_expire())

"""RBucket: one value under one name."""

from __future__ import annotations

import math
from datetime import datetime
from typing import Generic, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson.codecs.base import Codec
from pyredisson.protocol.buckets.bucket import BucketProtocol
from pyredisson.protocol.kernel.due import Seconds, due_ms, seconds

V = TypeVar("V")


def _ttl_ms(ttl: Seconds | None) -> int | None:
    if ttl is None:
        return None
    limit = math.ceil(seconds(ttl, "ttl") * 1000)
    if limit <= 0:
        raise ValueError(f"ttl must be more than 0, not {ttl!r}")
    return limit


class AsyncBucket(AsyncExpirableObject, Generic[V]):
    """A value that Java sees as RBucket; None is no value, in Redis the absent key."""

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
        """How the value is encoded."""
        return self._codec

    @property
    def _protocol(self) -> BucketProtocol[V]:
        return BucketProtocol(self._main_key, self._codec)

    async def get(self) -> V | None:
        """Return the value, None when there is none."""
        return await self._run(self._protocol.get())

    async def size(self) -> int:
        """Return how many bytes the value has, 0 without one."""
        return await self._run(self._protocol.size())

    async def set(self, value: V | None, ttl: Seconds | None = None) -> None:
        """Set the value, for ever or for a time to live; None deletes it."""
        await self._run(self._protocol.set(value, _ttl_ms(ttl), keep_ttl=False))

    async def set_and_keep_ttl(self, value: V | None) -> None:
        """Set the value and leave its time to live as it is."""
        await self._run(self._protocol.set(value, None, keep_ttl=True))

    async def try_set(self, value: V, ttl: Seconds | None = None) -> bool:
        """Set the value where there is none (Redisson: trySet, setIfAbsent); was there none?"""
        return await self._run(self._protocol.try_set(value, _ttl_ms(ttl)))

    async def set_if_absent(self, value: V, ttl: Seconds | None = None) -> bool:
        """Set the value where there is none; was there none?"""
        return await self.try_set(value, ttl)

    async def set_if_exists(self, value: V, ttl: Seconds | None = None) -> bool:
        """Set the value where there is one; was there one? Without `ttl` it then stays for ever."""
        return await self._run(self._protocol.set_if_exists(value, _ttl_ms(ttl)))

    async def get_and_set(self, value: V, ttl: Seconds | None = None) -> V | None:
        """Set the value; return the one before."""
        return await self._run(self._protocol.get_and_set(value, _ttl_ms(ttl)))

    async def get_and_delete(self) -> V | None:
        """Delete the value and return it."""
        return await self._run(self._protocol.get_and_delete())

    async def compare_and_set(self, expected: V | None, value: V | None) -> bool:
        """Set the value where its bytes are those of `expected`; did it?

        None stands for no value, on either side. As in Redisson the time to live ends.
        """
        return await self._run(self._protocol.compare_and_set(expected, value))

    async def get_and_expire(self, ttl: Seconds) -> V | None:
        """Return the value and let it vanish after a time (Redis 6.2)."""
        limit = math.ceil(seconds(ttl, "ttl") * 1000)
        return await self._run(self._protocol.get_and_expire(limit, absolute=False))

    async def get_and_expire_at(self, at: datetime) -> V | None:
        """Return the value and let it vanish at a moment, an aware datetime (Redis 6.2)."""
        moment = due_ms(None, at, 0)
        return await self._run(self._protocol.get_and_expire(moment, absolute=True))

    async def get_and_clear_expire(self) -> V | None:
        """Return the value and keep it for ever (Redis 6.2)."""
        return await self._run(self._protocol.get_and_clear_expire())

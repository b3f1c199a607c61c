"""RSetCache: a set whose values expire."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import TypeVar

from pyredisson._async.collections.plain import AsyncPlainCollection
from pyredisson._async.context import AsyncContext
from pyredisson._async.maps.eviction import AsyncEviction
from pyredisson.codecs.base import Codec
from pyredisson.protocol.collections.set_cache import Condition, SetCacheProtocol
from pyredisson.protocol.kernel.due import Seconds, positive, whole_ms

V = TypeVar("V")


class AsyncSetCache(AsyncPlainCollection[V]):
    """A set that Java sees as RSetCache. Values are compared by their encoded bytes.

    A value expires by the server's clock. An expired value takes memory until a client removes it:
    a client of Redisson that uses the set, or a client with `evict`. Each `ttl` is in seconds or a
    timedelta; None sets no limit.

    Args:
        context: the client's context.
        name: the set's name.
        codec: encodes the values.
        evict: whether this client removes expired values.
    """

    _kind = "a set cache"
    _type = "zset"

    def __init__(
        self, context: AsyncContext, name: str, codec: Codec[V], *, evict: bool = False
    ) -> None:
        self._evict = evict
        self._job: tuple[str, str] | None = None
        super().__init__(context, name, codec)

    def _bind(self, name: str) -> None:
        self._end()
        super()._bind(name)
        if self._evict:
            self._job = ("set eviction", self._main_key)
            self._context.background.acquire(self._job, partial(AsyncEviction, self._values))

    def _end(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            self._context.background.release(job)

    async def destroy(self) -> None:
        """End this object's eviction of expired values (RSetCache.destroy)."""
        self._end()

    @property
    def _values(self) -> SetCacheProtocol[V]:
        sharded = "SPUBLISH" if self._link.topology.clustered else ""
        return SetCacheProtocol(self._main_key, self._codec, ("PUBLISH", sharded))

    async def _add(self, values: Iterable[V], ttl: Seconds | None, condition: Condition) -> bool:
        limit = None if ttl is None else whole_ms(positive(ttl, "ttl"), "ttl")
        return await self._run(self._values.add(values, limit, condition)) > 0

    async def add(self, value: V, ttl: Seconds | None = None) -> bool:
        """Add a value, or change when it expires; return True if it was not in the set."""
        return await self._add((value,), ttl, "any")

    async def add_all(self, values: Iterable[V], ttl: Seconds | None = None) -> bool:
        """Add values in one step, as `add`; return True if any was not in the set."""
        items = list(values)
        return bool(items) and await self._add(items, ttl, "any")

    async def try_add(self, *values: V, ttl: Seconds | None = None) -> bool:
        """Add all values if none of them is in the set; return False if any of them is."""
        return not values or await self._add(values, ttl, "none")

    async def add_if_absent(self, value: V, ttl: Seconds | None = None) -> bool:
        """Add a value that is not in the set; return True if it was added."""
        return await self._add((value,), ttl, "absent")

    async def add_if_exists(self, value: V, ttl: Seconds | None = None) -> bool:
        """Change when a value of the set expires; return False if it is not in the set."""
        return await self._add((value,), ttl, "exists")

    async def add_if_less(self, value: V, ttl: Seconds) -> bool:
        """Let a value of the set expire earlier.

        Returns:
            False if the value is not in the set, or would not expire earlier.
        """
        return await self._add((value,), ttl, "less")

    async def add_if_greater(self, value: V, ttl: Seconds | None = None) -> bool:
        """Let a value of the set expire later.

        Returns:
            False if the value is not in the set, or would not expire later.
        """
        return await self._add((value,), ttl, "greater")

    async def remove(self, value: V) -> bool:
        """Remove a value. Return True if it was stored, also if it had expired, as in Redisson."""
        return await self.remove_all((value,))

    async def read_all(self) -> list[V]:
        """Return all values, read in one command; iterate instead if there may be many."""
        return await self._run(self._values.read_all())

    async def __aiter__(self) -> AsyncIterator[V]:
        """Iterate over the values, as `iterate` without a pattern."""
        async for value in self.iterate():
            yield value

    async def iterate(self, pattern: str | bytes | None = None) -> AsyncIterator[V]:
        """Iterate over the values, read in pages by ZSCAN (RSetCache.iterator).

        A value that is added or removed meanwhile may be missing. Any value may come twice.

        Args:
            pattern: return only values whose encoded bytes match it, for example `order-*`; None
                returns all values.
        """
        async for value in self._scanned(partial(self._values.scan, pattern)):
            yield value

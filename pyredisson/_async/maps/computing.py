"""Values that a function computes, and the locks of keys.

The rule: a function runs while the method that calls it holds the lock of the key, as in Redisson.
Only methods that take this lock wait for each other; `put` does not take it. So a value that
another client puts while the function runs is overwritten.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from pyredisson._async.locks.lock import AsyncLock
from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson._runtime.user_code import result_async
from pyredisson.protocol.maps.map import MapProtocol

K = TypeVar("K")
V = TypeVar("V")


class AsyncComputing(AsyncExpirableObject, Generic[K, V]):
    """The part of a map that computes values.

    With asyncio the functions may be coroutine functions. If a function returns None, the key is
    removed.
    """

    _protocol: MapProtocol[K, V]

    def get_lock(self, key: K) -> AsyncLock:
        """Return the lock of a key; it is the same lock as in Redisson (RMap.getLock)."""
        return AsyncLock(self._context, self._protocol.lock_name(key))

    async def compute(self, key: K, function: Callable[[K, V | None], Any]) -> V | None:
        """Set a key's value to `function(key, old value or None)`, and return it (RMap.compute)."""
        async with self.get_lock(key):
            old = await self._run(self._protocol.get(key))
            return await self._store(key, old, await result_async(function, key, old))

    async def compute_if_absent(self, key: K, function: Callable[[K], Any]) -> V | None:
        """Return a key's value; if there is none, set it to `function(key)` (computeIfAbsent)."""
        found = await self._run(self._protocol.get(key))
        if found is not None:
            return found
        async with self.get_lock(key):
            found = await self._run(self._protocol.get(key))
            if found is not None:
                return found
            return await self._store(key, None, await result_async(function, key))

    async def compute_if_present(self, key: K, function: Callable[[K, V], Any]) -> V | None:
        """Replace a value that exists by `function(key, value)` (RMap.computeIfPresent).

        Returns:
            The new value; None if there was no value, or the function returned None.
        """
        async with self.get_lock(key):
            old = await self._run(self._protocol.get(key))
            if old is None:
                return None
            return await self._store(key, old, await result_async(function, key, old))

    async def merge(self, key: K, value: V, function: Callable[[V, V], Any]) -> V | None:
        """Set a key to `value`, or to `function(old, value)` if it has a value (RMap.merge).

        Returns:
            The new value; None if the function returned None.
        """
        self._protocol.value(value)
        async with self.get_lock(key):
            old = await self._run(self._protocol.get(key))
            new = value if old is None else await result_async(function, old, value)
            return await self._store(key, old, new)

    async def _store(self, key: K, old: V | None, new: V | None) -> V | None:
        if new is not None:
            await self._run(self._protocol.fast_put(key, new))
        elif old is not None:
            await self._run(self._protocol.fast_remove([key]))
        return new

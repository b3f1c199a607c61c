"""RSet: values without an order, each at most once."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable
from functools import partial
from typing import TypeVar, overload

from pyredisson._async.collections.plain import AsyncPlainCollection
from pyredisson.protocol.collections.set import SetProtocol
from pyredisson.protocol.collections.values import require_limit
from pyredisson.server_errors import ReplyError

V = TypeVar("V")


class AsyncSet(AsyncPlainCollection[V]):
    """A set that Java sees as RSet. Values are compared by their encoded bytes."""

    _kind = "a set"
    _type = "set"

    @property
    def _values(self) -> SetProtocol[V]:
        return SetProtocol(self._main_key, self._codec)

    async def add(self, value: V) -> bool:
        """Add a value; return True if it was not in the set."""
        return await self._run(self._values.add((value,))) > 0

    async def add_all(self, values: Iterable[V]) -> bool:
        """Add values in one command; return True if any was not in the set."""
        return await self.add_all_counted(values) > 0

    async def add_all_counted(self, values: Iterable[V]) -> int:
        """Add values in one command; return how many were not in the set."""
        items = list(values)
        return await self._run(self._values.add(items)) if items else 0

    async def try_add(self, *values: V) -> bool:
        """Add all values if none of them is in the set; return False if any of them is."""
        return not values or await self._run(self._values.try_add(values))

    async def remove(self, value: V) -> bool:
        """Remove a value; return True if it was in the set."""
        return await self.remove_all((value,))

    async def remove_all_counted(self, values: Iterable[V]) -> int:
        """Remove values in one command; return how many were in the set."""
        wanted = list(values)
        return await self._run(self._values.remove(wanted)) if wanted else 0

    async def contains_each(self, values: Iterable[V]) -> list[V]:
        """Return the given values that are in the set."""
        wanted = list(values)
        return await self._run(self._values.contains_each(wanted)) if wanted else []

    async def read_all(self) -> list[V]:
        """Return all values, read in one command; iterate instead if there may be many."""
        return await self._run(self._values.read_all())

    async def __aiter__(self) -> AsyncIterator[V]:
        """Iterate over the values, as `iterate` without a pattern."""
        async for value in self.iterate():
            yield value

    async def iterate(self, pattern: str | bytes | None = None) -> AsyncIterator[V]:
        """Iterate over the values, read in pages by SSCAN (RSet.iterator).

        A value that is added or removed meanwhile may be missing. Any value may come twice.

        Args:
            pattern: return only values whose encoded bytes match it, for example `order-*`; None
                returns all values.
        """
        async for value in self._scanned(partial(self._values.scan, pattern)):
            yield value

    # -------------------------------------------------------------- at random

    @overload
    async def random(self) -> V | None: ...

    @overload
    async def random(self, limit: int) -> list[V]: ...

    async def random(self, limit: int | None = None) -> V | list[V] | None:
        """Return a random value, or None. With `limit`, return a list of at most `limit` values."""
        if limit is None:
            return await self._run(self._values.random())
        values: list[V] = await self._run(self._values.random_many(require_limit(limit)))
        return values

    @overload
    async def remove_random(self) -> V | None: ...

    @overload
    async def remove_random(self, limit: int) -> list[V]: ...

    async def remove_random(self, limit: int | None = None) -> V | list[V] | None:
        """Take a random value, or None. With `limit`, take at most `limit` values as a list."""
        if limit is None:
            return await self._run(self._values.pop())
        values: list[V] = await self._run(self._values.pop_many(require_limit(limit)))
        return values

    # -------------------------------------------------------------- several sets

    async def move(self, target: str, value: V) -> bool:
        """Move a value to another set; return True if the value was in this set.

        Args:
            target: the name of the other set.
            value: the value.

        Raises:
            KeyTypeError: the other key exists and is not a set; nothing is moved.
        """
        (other,) = self._beside((target,))
        try:
            return await self._run(self._values.move(other, value))
        except ReplyError:
            await self._check_type(other, self._type, again=True)
            raise

    async def union(self, *names: str) -> int:
        """Replace this set by the union of other sets; return its size.

        As in Redisson, the values of this set are lost, unless `names` has the name of this set.
        """
        return await self._run(self._values.store("SUNION", self._others(names)))

    async def diff(self, *names: str) -> int:
        """Replace this set by the values that only the first of the named sets has; see `union`."""
        return await self._run(self._values.store("SDIFF", self._others(names)))

    async def intersection(self, *names: str) -> int:
        """Replace this set by the values that all named sets have; see `union`."""
        return await self._run(self._values.store("SINTER", self._others(names)))

    async def read_union(self, *names: str) -> list[V]:
        """Return the values of this set and of all other named sets."""
        return await self._run(self._values.combined("SUNION", self._beside(names)))

    async def read_diff(self, *names: str) -> list[V]:
        """Return the values of this set that no other named set has."""
        return await self._run(self._values.combined("SDIFF", self._beside(names)))

    async def read_intersection(self, *names: str) -> list[V]:
        """Return the values of this set that all other named sets have."""
        return await self._run(self._values.combined("SINTER", self._beside(names)))

    async def count_intersection(self, *names: str, limit: int = 0) -> int:
        """Return how many values this set and all others have in common, from Redis 7 on.

        Args:
            names: the other sets.
            limit: stop the count at this number; 0, the default, for no limit.
        """
        others = self._beside(names)
        return await self._run(self._values.count_intersection(others, require_limit(limit)))

"""RMap: keys and values under one name.

The rule: a method that sends one operation takes it from `_protocol`. So a map of another kind has
another `_protocol`, and overrides only methods that do more than send one operation.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar, overload

from pyredisson._async.context import AsyncContext
from pyredisson._async.maps.computing import AsyncComputing
from pyredisson._runtime.mappings import AsyncMappingOperators
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.maps.map import START, Entry, MapProtocol
from pyredisson.protocol.objects.pages import PageSize

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_NOT_GIVEN: Any = object()


class AsyncMap(AsyncComputing[K, V], AsyncMappingOperators[K, V], Generic[K, V]):
    """A map that Java sees as RMap. Keys and values are compared by their encoded bytes.

    Neither a key nor a value is None. Each method may raise `ServerError`, `ClosedError` and
    `EncodeError`. A method that returns keys or values may raise `DecodeError`. A method that
    writes may raise `UncertainError`.

    Args:
        context: the client's context.
        name: the map's name.
        codec: encodes keys by its `map_key`, and values by its `map_value`.
    """

    _kind = "a map"

    def __init__(self, context: AsyncContext, name: str, codec: Codec[Any]) -> None:
        self._codec = codec
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "hash"}

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._protocol = self._make_protocol()

    def _make_protocol(self) -> MapProtocol[K, V]:
        """Return the operations of this map; `_bind` calls this for each new name of the map."""
        return MapProtocol(self._main_key, self._codec.map_key, self._codec.map_value)

    @property
    def codec(self) -> Codec[Any]:
        """The codec of keys and values."""
        return self._codec

    # -------------------------------------------------------------- one key

    @overload
    async def get(self, key: K) -> V | None: ...

    @overload
    async def get(self, key: K, default: V) -> V: ...

    async def get(self, key: K, default: V | None = None) -> V | None:
        """Return the value of a key, or `default` without the key (RMap.get, getOrDefault)."""
        value = await self._run(self._protocol.get(key))
        return default if value is None else value

    async def contains_key(self, key: K) -> bool:
        """Return True if the map has a key (RMap.containsKey)."""
        return await self._run(self._protocol.contains_key(key))

    async def value_size(self, key: K) -> int:
        """Return the size of a value in bytes, 0 without the key (RMap.valueSize)."""
        return await self._run(self._protocol.value_size(key))

    async def put(self, key: K, value: V) -> V | None:
        """Set a value. Return the previous value, or None (RMap.put)."""
        return await self._run(self._protocol.put(key, value))

    async def fast_put(self, key: K, value: V) -> bool:
        """Set a value; return True if the key is new (RMap.fastPut)."""
        return await self._run(self._protocol.fast_put(key, value))

    async def put_if_absent(self, key: K, value: V) -> V | None:
        """If a key is new, set its value and return None. Otherwise return the existing value."""
        return await self._run(self._protocol.put_if_absent(key, value))

    async def fast_put_if_absent(self, key: K, value: V) -> bool:
        """Set the value of a new key; return True if it was set (RMap.fastPutIfAbsent)."""
        return await self._run(self._protocol.fast_put_if_absent(key, value))

    async def put_if_exists(self, key: K, value: V) -> V | None:
        """Set the value of a key that exists. Return the previous value, or None (putIfExists)."""
        return await self._run(self._protocol.put_if_exists(key, value))

    async def fast_put_if_exists(self, key: K, value: V) -> bool:
        """Set the value of a key that exists; return True if it was set (RMap.fastPutIfExists)."""
        return await self._run(self._protocol.fast_put_if_exists(key, value))

    @overload
    async def replace(self, key: K, value: V) -> V | None: ...

    @overload
    async def replace(self, key: K, value: V, new: V) -> bool: ...

    async def replace(self, key: K, value: V, new: V = _NOT_GIVEN) -> Any:
        """Set the value of a key that exists (RMap.replace).

        `replace(key, value)` does the same as `put_if_exists`. `replace(key, old, new)` sets `new`
        only if the value has the bytes of `old`. It returns whether `new` was set.
        """
        if new is _NOT_GIVEN:
            return await self.put_if_exists(key, value)
        return await self._run(self._protocol.replace(key, value, new))

    async def fast_replace(self, key: K, value: V) -> bool:
        """Set the value of a key that exists; return True if it was set (RMap.fastReplace)."""
        return await self.fast_put_if_exists(key, value)

    @overload
    async def remove(self, key: K) -> V | None: ...

    @overload
    async def remove(self, key: K, value: V) -> bool: ...

    async def remove(self, key: K, value: V = _NOT_GIVEN) -> Any:
        """Remove a key (RMap.remove).

        `remove(key)` returns the removed value, or None. `remove(key, value)` removes the key only
        if its value has the bytes of `value`. It returns whether the key was removed.
        """
        if value is _NOT_GIVEN:
            return await self._run(self._protocol.remove(key))
        return await self._run(self._protocol.remove_value(key, value))

    async def add_and_get(self, key: K, delta: float) -> float:
        """Add a number to a value and return the sum. A missing value counts as 0 (addAndGet).

        The server writes the sum as decimal text. So the codec must read numbers from decimal text,
        for example `StringCodec`, `LongCodec` or `JsonJacksonCodec`.

        Raises:
            TypeError: `delta` is no number, or the codec does not read decimal text. (With such a
                codec, Redisson writes a sum that no `get` can read.)
            ValueError: `delta` is infinite or NaN.
        """
        return await self._run(self._protocol.add_and_get(key, delta))

    # -------------------------------------------------------------- many keys

    async def size(self) -> int:
        """Return the number of keys (RMap.size)."""
        return await self._run(self._protocol.size())

    async def is_empty(self) -> bool:
        """Return True if there is no key (RMap.isEmpty)."""
        return await self.size() == 0

    async def clear(self) -> None:
        """Remove all keys (RMap.clear)."""
        await self.delete()

    async def get_all(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the keys that exist, with their values, read in one command (RMap.getAll)."""
        wanted = list(keys)
        return await self._run(self._protocol.get_all(wanted)) if wanted else {}

    async def put_all(self, entries: Mapping[K, V], batch_size: int | None = None) -> None:
        """Set many values (RMap.putAll).

        Args:
            entries: the keys and values.
            batch_size: the most values that one command sets, so that other clients wait less.
                None sets all values in one atomic command.

        Raises:
            ValueError: `batch_size` is below 1.
        """
        await self._put_batches(self._protocol.put_all, entries, batch_size)

    async def _put_batches(
        self,
        put: Callable[[dict[K, V]], Operation[None]],
        entries: Mapping[K, V],
        batch_size: int | None,
    ) -> None:
        most = len(entries) or 1 if batch_size is None else batch_size
        if most < 1:
            raise ValueError(f"batch_size must be at least 1, not {batch_size!r}")
        pairs = list(entries.items())
        parts = [dict(pairs[first : first + most]) for first in range(0, len(pairs), most)]
        for operation in [put(part) for part in parts]:  # all values are encoded first
            await self._run(operation)

    async def fast_remove(self, *keys: K) -> int:
        """Remove keys; return how many existed (RMap.fastRemove)."""
        return await self._run(self._protocol.fast_remove(keys)) if keys else 0

    async def contains_value(self, value: V) -> bool:
        """Return True if a key has this value (RMap.containsValue).

        The values are compared page by page. The search may miss a value that changes meanwhile.
        """
        cursor = START
        while True:
            found, cursor = await self._run(self._protocol.contains_value(value, cursor))
            if found or cursor == START:
                return found

    async def read_all_map(self) -> dict[K, V]:
        """Return all keys and values, read in one command; iterate `items()` if there are many."""
        return dict(await self.read_all_entry_set())

    async def read_all_entry_set(self) -> list[tuple[K, V]]:
        """Return all keys and values in pairs, read in one command (RMap.readAllEntrySet)."""
        return await self._run(self._protocol.entries())

    async def read_all_key_set(self) -> set[K]:
        """Return all keys, read in one command; iterate if there are many (RMap.readAllKeySet)."""
        keys = await self._run(self._protocol.keys())
        return set(keys)

    async def read_all_values(self) -> list[V]:
        """Return all values, read in one command (RMap.readAllValues)."""
        return await self._run(self._protocol.values())

    async def random_keys(self, count: int) -> set[K]:
        """Return at most `count` random keys, from Redis 6.2 on (RMap.randomKeys)."""
        keys = await self._run(self._protocol.random_keys(count))
        return set(keys)

    async def random_entries(self, count: int) -> dict[K, V]:
        """Return random keys as `random_keys`, with their values (RMap.randomEntries)."""
        entries = await self._run(self._protocol.random_entries(count))
        return dict(entries)

    # -------------------------------------------------------------- iteration

    async def keys(self, pattern: str | bytes | None = None) -> AsyncIterator[K]:
        """Iterate over the keys (RMap.keySet), which HSCAN reads page by page.

        A key that is in the map during the whole iteration comes at least once.

        Args:
            pattern: return only keys whose encoded bytes match it, for example `user:*`; None
                returns all keys.
        """
        async for key in self._scan(pattern, self._protocol.read_key):
            yield key

    async def values(self, pattern: str | bytes | None = None) -> AsyncIterator[V]:
        """Iterate over the values of the keys that `keys` would return (RMap.values)."""
        async for value in self._scan(pattern, self._protocol.read_value):
            yield value

    async def items(self, pattern: str | bytes | None = None) -> AsyncIterator[tuple[K, V]]:
        """Iterate over the keys that `keys` would return, with their values (RMap.entrySet)."""
        async for entry in self._scan(pattern, self._protocol.read_entry):
            yield entry

    async def __aiter__(self) -> AsyncIterator[K]:
        """Iterate over the keys."""
        async for key in self.keys():
            yield key

    async def _scan(
        self, pattern: str | bytes | None, read: Callable[[Entry], T]
    ) -> AsyncIterator[T]:
        cursor, pages = START, PageSize()
        while True:
            scan = self._protocol.scan(cursor, pattern, read, pages.count)
            cursor, page = await self._run(pages.noted(scan))
            for each in page:
                yield each
            if cursor == START:
                return

"""RLocalCachedMap: an RMap that answers most reads from this process."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, Generic, NoReturn, TypeVar, overload

from pyredisson._async.context import AsyncContext
from pyredisson._async.local_maps.copies import AsyncLocalCopies, Reconnect
from pyredisson._async.maps.map import AsyncMap
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.command import Operation, Packed
from pyredisson.protocol.kernel.due import Seconds
from pyredisson.protocol.local_maps.copies import MISSING, Limits
from pyredisson.protocol.local_maps.map import Change, LocalMapProtocol, Sync
from pyredisson.protocol.maps.map import START, Entry
from pyredisson.protocol.objects.pages import PageSize
from pyredisson.server_errors import LOST, ServerError

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

_TOGETHER = 1000
"""The maximum number of keys that one script removes, and by default (`batch_size`) sets."""
_SUBSCRIBE_TIMEOUT = 5.0
"""Seconds that `preload_cache` waits for the subscription."""


class AsyncLocalCachedMap(AsyncMap[K, V], Generic[K, V]):
    """A map that Java sees as RLocalCachedMap, with copies of its values in this object.

    `get` returns the copy itself: do not change it. Each method may raise the errors of
    `AsyncMap`. A write whose reply was lost raises `UncertainError`.

    Args:
        context: the client's context.
        name: the map's name.
        codec: encodes keys by its `map_key`, and values by its `map_value`.
        limits: the bounds of the copies.
        sync_strategy: what a write publishes.
        reconnection_strategy: what happens to the copies when a lost subscription is restored.
    """

    _kind = "a local cached map"
    _protocol: LocalMapProtocol[K, V]

    def __init__(
        self,
        context: AsyncContext,
        name: str,
        codec: Codec[Any],
        *,
        limits: Limits,
        sync_strategy: Sync,
        reconnection_strategy: Reconnect,
    ) -> None:
        self._limits, self._sync, self._reconnect = limits, sync_strategy, reconnection_strategy
        super().__init__(context, name, codec)

    def _others_of(self, name: str) -> dict[str, str]:
        return {self._protocol_of(name).log: "zset"}

    def _one_slot(self, name: str) -> Iterable[str]:
        protocol = self._protocol_of(name)
        return (name, protocol.topic, protocol.log)

    def _protocol_of(self, name: str) -> LocalMapProtocol[K, V]:
        other = "SPUBLISH" if self._link.topology.clustered else ""
        keys, values = self._codec.map_key, self._codec.map_value
        return LocalMapProtocol(name, keys, values, ("PUBLISH", other), self._sync)

    def _make_protocol(self) -> LocalMapProtocol[K, V]:
        return self._protocol_of(self._main_key)

    def _bind(self, name: str) -> None:
        super()._bind(name)
        self._copies: AsyncLocalCopies[K, V] = AsyncLocalCopies(
            self._context.background,
            self._protocol,
            self._limits,
            self._reconnect,
            clustered=self._link.topology.clustered,
        )

    async def _run(self, operation: Operation[T] | Packed[T]) -> T:
        """Run an operation. A write drops the copies of its keys, also if it fails."""
        try:
            return await super()._run(operation)
        finally:
            if isinstance(operation, Change):
                self._copies.drop(operation.hashes)

    # -------------------------------------------------------------- copies

    def destroy(self) -> None:
        """End the subscription, and drop all copies. The next `get` subscribes again."""
        self._copies.close()

    async def clear_local_cache(self) -> None:
        """Drop all copies of this map: here, in other processes and in Java.

        Unlike RLocalCachedMap.clearLocalCache, it does not wait for the other processes.
        """
        await self._run(self._protocol.drop_copies())

    async def preload_cache(self) -> None:
        """Read the whole map into this object's copies (RLocalCachedMap.preloadCache)."""
        copies = self._copies
        copies.open()
        await self._context.background.life.pause(_SUBSCRIBE_TIMEOUT, copies.subscribed)
        cursor, pages = START, PageSize()
        while True:
            version = copies.version
            scan = self._protocol.scan(cursor, None, self._read_for_copy, pages.count)
            cursor, page = await self._run(pages.noted(scan))
            copies.keep(version, dict(page))
            if cursor == START:
                return

    def _read_for_copy(self, entry: Entry) -> tuple[bytes, tuple[K, V]]:
        return entry[0], self._protocol.read_entry(entry)

    def get_cached_map(self) -> dict[K, V]:
        """Return the keys and values that have copies (RLocalCachedMap.getCachedMap)."""
        return self._copies.items()

    # -------------------------------------------------------------- reads

    @overload
    async def get(self, key: K) -> V | None: ...

    @overload
    async def get(self, key: K, default: V) -> V: ...

    async def get(self, key: K, default: V | None = None) -> V | None:
        """Return the value of a key, or `default`; use its copy if there is one (RMap.get)."""
        field = self._protocol.key(key)
        value = self._copies.get(field)
        if value is MISSING:
            read, found = self._copies.begin([field]), {}
            try:
                value = await self._run(self._protocol.get(key))
                found[field] = (key, value)
            finally:
                self._copies.end(read, found)
        return default if value is None else value

    async def contains_key(self, key: K) -> bool:
        """Return True if the map has a key; use its copy if there is one (RMap.containsKey)."""
        value = self._copies.get(self._protocol.key(key))
        return await super().contains_key(key) if value is MISSING else value is not None

    async def get_all(self, keys: Iterable[K]) -> dict[K, V]:
        """Return the keys that exist, with their values; use the copies that exist (getAll)."""
        fields = {self._protocol.key(key): key for key in keys}
        copied = {field: self._copies.get(field) for field in fields}
        missing = {field: fields[field] for field in fields if copied[field] is MISSING}
        values: dict[K, V] = {}
        if missing:
            read, found = self._copies.begin(missing), {}
            try:
                values = await super().get_all(missing.values())
                found = {field: (key, values.get(key)) for field, key in missing.items()}
            finally:
                self._copies.end(read, found)
        for field, value in copied.items():
            if value is not None and value is not MISSING:
                values[fields[field]] = value
        return values

    # -------------------------------------------------------------- writes

    async def put_all(self, entries: Mapping[K, V], batch_size: int | None = None) -> None:
        """Set values as `AsyncMap.put_all`, but by default at most 1000 in one script."""
        await super().put_all(entries, _TOGETHER if batch_size is None else batch_size)

    async def fast_remove(self, *keys: K) -> int:
        """Remove keys, at most 1000 in one script; return how many existed (RMap.fastRemove)."""
        parts = [keys[first : first + _TOGETHER] for first in range(0, len(keys), _TOGETHER)]
        return sum([await super(AsyncLocalCachedMap, self).fast_remove(*part) for part in parts])

    async def delete(self) -> bool:
        """Delete the map, and drop all its copies; return True if the map existed."""
        return await self._run(self._protocol.clear())

    async def unlink(self) -> bool:
        """Delete the map, as `delete`."""
        return await self.delete()

    async def _whole(self, change: Callable[[], Any], *names: str) -> Any:
        """Change a whole map, then drop all copies of the maps `names`, also after a lost reply."""
        maps = [self._protocol_of(self._mapped(name)) for name in names]
        try:
            done = await change()
        except LOST:
            for each in maps:
                with contextlib.suppress(ServerError, OSError):
                    await self._run(each.drop_copies())
            raise
        for each in maps:
            await self._run(each.drop_copies())
        return done

    async def rename(self, new_name: str) -> None:
        """Rename the map, replace any map `new_name`, and drop all copies of both maps."""
        copies = self._copies
        await self._whole(partial(super().rename, new_name), self.name, new_name)
        copies.close()

    async def renamenx(self, new_name: str) -> bool:
        """Rename the map as `rename`, unless `new_name` exists; return True if renamed."""
        copies = self._copies
        done: bool = await self._whole(partial(super().renamenx, new_name), self.name, new_name)
        if done:
            copies.close()
        return done

    async def copy_and_replace(self, new_name: str, *, database: int | None = None) -> bool:
        """Copy the map, replace any map `new_name`, and drop the local copies of `new_name`."""
        change = partial(super().copy_and_replace, new_name, database=database)
        done: bool = await self._whole(change, new_name)
        return done

    async def move_to_database(self, database: int) -> bool:
        """Move the map to another database, and drop all its copies (RObject.move)."""
        done: bool = await self._whole(partial(super().move_to_database, database), self.name)
        return done

    async def migrate(
        self, host: str, port: int, database: int = 0, timeout: Seconds = 5.0
    ) -> None:
        """Move the map to another server, and drop all its copies (RObject.migrate)."""
        change = partial(super().migrate, host, port, database, timeout)
        await self._whole(change, self.name)

    async def restore(
        self, data: tuple[bytes | None, ...], *, ttl: Seconds = 0, replace: bool = False
    ) -> None:
        """Restore what `dump` returned, and drop all copies of the map (RObject.restore).

        Raises:
            NotImplementedError: `ttl` is not 0; see `expire`.
        """
        if ttl:
            self._reject_expiry()
        await self._whole(partial(super().restore, data, replace=replace), self.name)

    async def expire(self, ttl: Seconds, *, condition: str = "") -> NoReturn:
        """Raise NotImplementedError: no copy would notice that the map has expired."""
        self._reject_expiry()

    async def expire_at(self, at: datetime, *, condition: str = "") -> NoReturn:
        """Raise NotImplementedError: no copy would notice that the map has expired."""
        self._reject_expiry()

    def _reject_expiry(self) -> NoReturn:
        raise NotImplementedError(
            f"map {self.name!r} has local copies, which would outlive its time to live, in Java as "
            "well; use get_map(), or remove keys, or limit the copies by time_to_live="
        )

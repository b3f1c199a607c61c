"""RObject and RExpirable: the operations on an object as a whole."""

from __future__ import annotations

from datetime import datetime, timedelta

from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson.protocol.kernel.due import Seconds, due_ms, from_epoch_ms, whole_ms
from pyredisson.protocol.objects.expirable import ExpirableProtocol
from pyredisson.server_errors import ReplyError


class AsyncExpirableObject(AsyncNamedObject):
    """The methods of Redisson's RObject and RExpirable, for all keys that the object owns.

    An expiry or idle time is read from the main key only (`_keys_of`).

    Each method may raise `ServerError`, `KeyTypeError` and `ClosedError`.
    """

    def _keys(self) -> ExpirableProtocol:
        """Return the operations on the object's own keys."""
        return ExpirableProtocol(tuple(self._types))

    def _targets(self, new_name: str) -> tuple[str, ...]:
        """Return the object's own keys under another name."""
        return tuple(self._keys_of(self._claimed(self._mapped(new_name))))

    def _came(self, name: str) -> None:
        """Note that all or some keys of an object were written under `name`."""

    # -------------------------------------------------------------- RObject

    async def is_exists(self) -> bool:
        """Return True if any of the object's keys exists (RObject.isExists)."""
        return await self._run(self._keys().exists())

    async def delete(self) -> bool:
        """Delete the object; return True if it existed (RObject.delete)."""
        return await self._run(self._keys().delete())

    async def unlink(self) -> bool:
        """Delete the object, as `delete`; the server frees its memory later (RObject.unlink)."""
        return await self._run(self._keys().unlink())

    async def touch(self) -> bool:
        """Update the time of last access; return True if the object exists (RObject.touch)."""
        return await self._run(self._keys().touch())

    async def size_in_memory(self) -> int:
        """Return the bytes of memory that the object takes on the server (RObject.sizeInMemory)."""
        return await self._run(self._keys().memory())

    async def get_idle_time(self) -> int | None:
        """Return the seconds since the last access; None if the main key does not exist."""
        return await self._run(self._keys().idle_seconds())

    async def copy(self, new_name: str, *, database: int | None = None) -> bool:
        """Copy the object, unless `new_name` exists (RObject.copy), from Redis 6.2 on.

        Another database gets a copy of each key that does not exist there under its new name.

        Args:
            new_name: the name of the copy.
            database: the number of the copy's database; None for this object's database.

        Returns:
            True if any key was copied.
        """
        return await self._copied(new_name, database, replace=False)

    async def copy_and_replace(self, new_name: str, *, database: int | None = None) -> bool:
        """Copy each key, and replace the key of its new name (copyAndReplace); see `copy`."""
        return await self._copied(new_name, database, replace=True)

    async def _copied(self, new_name: str, database: int | None, *, replace: bool) -> bool:
        targets = self._targets(new_name)
        done = await self._run(self._keys().copy(targets, database, replace=replace))
        self._came(new_name)
        return done

    async def rename(self, new_name: str) -> None:
        """Rename the object, and replace any object `new_name`; this instance takes the name."""
        await self._run(self._keys().rename(self._targets(new_name), only_new=False))
        self._bind(new_name)
        self._came(new_name)

    async def renamenx(self, new_name: str) -> bool:
        """Rename the object as `rename`, unless `new_name` exists; return True if renamed."""
        done = await self._run(self._keys().rename(self._targets(new_name), only_new=True))
        if done:
            self._bind(new_name)
            self._came(new_name)
        return done

    async def move_to_database(self, database: int) -> bool:
        """Move the object to another database; return True if any key was moved (RObject.move)."""
        return await self._run(self._keys().move(database))

    async def migrate(
        self, host: str, port: int, database: int = 0, timeout: Seconds = 5.0
    ) -> None:
        """Move the object to another server (RObject.migrate).

        Args:
            host: the address of the other server, as this server reaches it.
            port: the port of the other server.
            database: the number of the database there; 0 by default.
            timeout: the longest pause of the transfer, in seconds or as a timedelta; 5 by default.
        """
        limit = whole_ms(timeout, "timeout")
        await self._run(self._keys().migrate(host, port, database, limit))

    async def dump(self) -> tuple[bytes | None, ...]:
        """Return the server's serialization of each key; None for a key that does not exist."""
        return tuple([await self._run(self._keys().dump(key)) for key in self._keys().keys])

    async def restore(
        self, data: tuple[bytes | None, ...], *, ttl: Seconds = 0, replace: bool = False
    ) -> None:
        """Restore what `dump` returned (RObject.restore).

        Args:
            data: the result of `dump`.
            ttl: the time to live in seconds, or a timedelta; 0, the default, for no limit.
            replace: whether to replace existing keys. If False, an existing key is an error, and
                no key is restored.
        """
        limit = whole_ms(ttl, "ttl")
        restored: list[str] = []
        try:
            for key, blob in zip(self._keys().keys, data, strict=True):
                if blob is not None:
                    await self._run(self._keys().restore(key, blob, limit, replace=replace))
                    restored.append(key)
        except ReplyError:
            if restored and not replace:
                await self._run(ExpirableProtocol(tuple(restored)).delete())
            raise
        finally:
            self._came(self.name)

    # -------------------------------------------------------------- RExpirable

    async def expire(self, ttl: Seconds, *, condition: str = "") -> bool:
        """Set the object's time to live (RExpirable.expire).

        Args:
            ttl: in seconds, or a timedelta.
            condition: "NX", "XX", "GT" or "LT", from Redis 7 on (Redisson's expireIfNotSet,
                expireIfSet, expireIfGreater, expireIfLess); by default none.

        Returns:
            True if the time to live of any key was set.
        """
        limit = whole_ms(ttl, "ttl")
        return await self._run(self._keys().expire(limit, absolute=False, condition=condition))

    async def expire_at(self, at: datetime, *, condition: str = "") -> bool:
        """Set the moment at which the object expires, as an aware datetime; see `expire`."""
        moment = due_ms(None, at, 0)
        return await self._run(self._keys().expire(moment, absolute=True, condition=condition))

    async def clear_expire(self) -> bool:
        """Remove the object's time to live; return True if it had one."""
        return await self._run(self._keys().persist())

    async def remain_time_to_live(self) -> timedelta | None:
        """Return the object's remaining time to live; None if it has none, or does not exist."""
        left = await self._run(self._keys().ttl_ms())
        return timedelta(milliseconds=left) if left >= 0 else None

    async def get_expire_time(self) -> datetime | None:
        """Return when the object expires; None if never, or without the object. Needs Redis 7."""
        moment = await self._run(self._keys().expire_time_ms())
        return from_epoch_ms(moment) if moment >= 0 else None

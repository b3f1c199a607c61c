"""What all handles share: the object as a whole.

A handle is cheap and knows its names; connections and transfer tasks belong to
the client.
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta

from pyredisson._async.objects.named_object import AsyncNamedObject
from pyredisson.protocol.kernel.due import Seconds, due_ms, from_epoch_ms, seconds
from pyredisson.protocol.objects.keys import KeysProtocol
from pyredisson.server_errors import ReplyError


class AsyncExpirableObject(AsyncNamedObject):
    """An object in Redis: RObject and RExpirable, over all the keys that are its own."""

    def _keys(self) -> KeysProtocol:
        """Return the operations on the object's own keys."""
        return KeysProtocol(tuple(self._types))

    def _targets(self, new_name: str) -> tuple[str, ...]:
        """Return what the object's own keys are called under another name."""
        return tuple(self._keys_of(self._claimed(self._mapped(new_name))))

    def _came(self, name: str) -> None:
        """Hear that the object of a name came there as a whole, or a part of it."""

    # -------------------------------------------------------------- RObject

    async def is_exists(self) -> bool:
        """Tell whether any of the object's keys is there (RObject.isExists)."""
        return await self._run(self._keys().exists())

    async def delete(self) -> bool:
        """Delete the object; True when anything was there (RObject.delete)."""
        return await self._run(self._keys().delete())

    async def unlink(self) -> bool:
        """Delete the object, its memory being freed later (RObject.unlink)."""
        return await self._run(self._keys().unlink())

    async def touch(self) -> bool:
        """Update the time of last access (RObject.touch)."""
        return await self._run(self._keys().touch())

    async def size_in_memory(self) -> int:
        """Return how many bytes the server needs for the object (RObject.sizeInMemory)."""
        return await self._run(self._keys().memory())

    async def get_idle_time(self) -> int | None:
        """Return the seconds since the last access, None without the object."""
        return await self._run(self._keys().idle_seconds())

    async def copy(self, new_name: str, *, database: int | None = None) -> bool:
        """Copy the object to a new name, unless that exists (RObject.copy; Redis 6.2)."""
        return await self._copied(new_name, database, replace=False)

    async def copy_and_replace(self, new_name: str, *, database: int | None = None) -> bool:
        """Copy the object to a name, replacing what is there (RObject.copyAndReplace)."""
        return await self._copied(new_name, database, replace=True)

    async def _copied(self, new_name: str, database: int | None, *, replace: bool) -> bool:
        targets = self._targets(new_name)
        done = await self._run(self._keys().copy(targets, database, replace=replace))
        self._came(new_name)
        return done

    async def rename(self, new_name: str) -> None:
        """Rename the object, replacing what has the new name; this handle follows."""
        await self._run(self._keys().rename(self._targets(new_name), only_new=False))
        self._bind(new_name)
        self._came(new_name)

    async def renamenx(self, new_name: str) -> bool:
        """Rename the object unless the new name exists; this handle follows."""
        done = await self._run(self._keys().rename(self._targets(new_name), only_new=True))
        if done:
            self._bind(new_name)
            self._came(new_name)
        return done

    async def move_to_database(self, database: int) -> bool:
        """Move the object to another database of the server (RObject.move(int))."""
        return await self._run(self._keys().move(database))

    async def migrate(
        self, host: str, port: int, database: int = 0, timeout: Seconds = 5.0
    ) -> None:
        """Move the object to another server (RObject.migrate)."""
        limit = math.ceil(seconds(timeout) * 1000)
        await self._run(self._keys().migrate(host, port, database, limit))

    async def dump(self) -> tuple[bytes | None, ...]:
        """Return the server's serialization of each key, None for one that is not there."""
        return tuple([await self._run(self._keys().dump(key)) for key in self._keys().keys])

    async def restore(
        self, data: tuple[bytes | None, ...], *, ttl: Seconds = 0, replace: bool = False
    ) -> None:
        """Restore what `dump` returned; `ttl` 0 is for ever (RObject.restore).

        Without `replace` all keys are restored, or none.
        """
        limit = math.ceil(seconds(ttl, "ttl") * 1000)
        restored: list[str] = []
        try:
            for key, blob in zip(self._keys().keys, data, strict=True):
                if blob is not None:
                    await self._run(self._keys().restore(key, blob, limit, replace=replace))
                    restored.append(key)
        except ReplyError:
            if restored and not replace:
                await self._run(KeysProtocol(tuple(restored)).delete())
            raise
        finally:
            self._came(self.name)

    # -------------------------------------------------------------- RExpirable

    async def expire(self, ttl: Seconds, *, condition: str = "") -> bool:
        """Let the object vanish after a time; `condition` NX, XX, GT or LT needs Redis 7.

        Redisson: expire, and with a condition expireIfNotSet, expireIfSet,
        expireIfGreater, expireIfLess.
        """
        limit = math.ceil(seconds(ttl, "ttl") * 1000)
        return await self._run(self._keys().expire(limit, absolute=False, condition=condition))

    async def expire_at(self, at: datetime, *, condition: str = "") -> bool:
        """Let the object vanish at a moment, an aware datetime."""
        moment = due_ms(None, at, 0)
        return await self._run(self._keys().expire(moment, absolute=True, condition=condition))

    async def clear_expire(self) -> bool:
        """Keep the object for ever; True when it had a time to live."""
        return await self._run(self._keys().persist())

    async def remain_time_to_live(self) -> timedelta | None:
        """Return the time to live, None when there is no limit or no object."""
        left = await self._run(self._keys().ttl_ms())
        return timedelta(milliseconds=left) if left >= 0 else None

    async def get_expire_time(self) -> datetime | None:
        """Return when the object vanishes (Redis 7), None when never or when it is not there."""
        moment = await self._run(self._keys().expire_time_ms())
        return from_epoch_ms(moment) if moment >= 0 else None

"""RKeys: all keys of a server, or of all masters of a cluster.

The rule: the server is never blocked. All keys are read in pages, by SCAN.
"""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Iterable
from datetime import datetime, timedelta
from typing import TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.link.server import AsyncServer
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.errors import ClosedError
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.due import Seconds, due_ms, whole_ms
from pyredisson.protocol.kernel.names import by_slot, slot
from pyredisson.protocol.keys.keys import (
    BATCH,
    count,
    of_key,
    of_keys,
    random_key,
    scan,
    ttl_ms,
    type_of,
)
from pyredisson.server_errors import LOST

T = TypeVar("T")


class AsyncKeys(Unpicklable):
    """The keys of a server, or of all masters of a cluster.

    An object may have further keys, such as `{name}:allocation` or `redisson_…:{name}`. These
    methods treat them like any other key. To delete an object with all its keys, call its own
    `delete`.
    """

    def __init__(self, context: AsyncContext) -> None:
        self._context = context

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    # -------------------------------------------------------------- all keys

    def get_keys(self, page: int | None = None) -> AsyncIterator[str]:
        """Iterate over the names of all keys.

        A key that exists during the whole iteration comes at least once. A key that is added or
        removed meanwhile may be missing. Any key may come twice.

        Args:
            page: about how many keys a request reads; None for the server's default, 10.
        """
        return self._names(None, page)

    def get_keys_by_pattern(self, pattern: str, page: int | None = None) -> AsyncIterator[str]:
        """Iterate over the names that match a pattern of Redis, as `get_keys`.

        Args:
            pattern: for example `order:*`, `h?llo`, `h[ae]llo`; a backslash quotes a character.
            page: about how many keys a request examines; None for the server's default, 10.
        """
        return self._names(self._context.mapped(pattern), page)

    async def count(self) -> int:
        """Return the number of keys."""
        return sum([await self._ask(each, count()) for each in await self._masters()])

    async def random_key(self) -> str | None:
        """Return the name of a random key of a random node; None if no node has a key."""
        masters = await self._masters()
        for each in random.sample(masters, len(masters)):
            found = await self._ask(each, random_key())
            if found is not None:
                return self._context.mapper.unmap(found)
        return None

    async def delete_by_pattern(self, pattern: str) -> int:
        """Delete the keys that match a pattern, page by page; return how many were deleted.

        Raises:
            UncertainError: a reply was lost. A second call deletes the rest.
        """
        return await self._remove("DEL", pattern)

    async def unlink_by_pattern(self, pattern: str) -> int:
        """Delete keys as `delete_by_pattern`; the server frees their memory later."""
        return await self._remove("UNLINK", pattern)

    # -------------------------------------------------------------- keys by name

    async def delete(self, *names: str) -> int:
        """Delete keys, at most 500 of one slot in one command; return how many existed."""
        return await self._of_several("DEL", self._mapped(names))

    async def unlink(self, *names: str) -> int:
        """Delete keys as `delete`; the server frees their memory later."""
        return await self._of_several("UNLINK", self._mapped(names))

    async def touch(self, *names: str) -> int:
        """Update the time of last access; return how many of the keys exist."""
        return await self._of_several("TOUCH", self._mapped(names))

    async def count_exists(self, *names: str) -> int:
        """Return how many of the keys exist; a name that is given twice counts twice."""
        return await self._of_several("EXISTS", self._mapped(names))

    async def get_type(self, name: str) -> str | None:
        """Return a key's Redis type, such as "list"; None if it does not exist."""
        return await self._request(type_of(self._context.mapped(name)))

    def get_slot(self, name: str) -> int:
        """Return the slot of a key in a cluster."""
        return slot(self._context.mapped(name))

    async def expire(self, name: str, ttl: Seconds) -> bool:
        """Set a key's time to live, in seconds or as a timedelta; return whether the key exists."""
        return await self._of_one("PEXPIRE", name, whole_ms(ttl, "ttl"))

    async def expire_at(self, name: str, at: datetime) -> bool:
        """Set when a key expires, as an aware datetime; return whether the key exists."""
        return await self._of_one("PEXPIREAT", name, due_ms(None, at, 0))

    async def clear_expire(self, name: str) -> bool:
        """Remove a key's time to live; return whether it had one."""
        return await self._of_one("PERSIST", name)

    async def remain_time_to_live(self, name: str) -> timedelta | None:
        """Return a key's remaining time to live; None if it has none, or does not exist."""
        left = await self._request(ttl_ms(self._context.mapped(name)))
        return timedelta(milliseconds=left) if left >= 0 else None

    async def rename(self, name: str, new_name: str) -> None:
        """Rename a key, and replace any key `new_name`; in a cluster, both need one slot."""
        await self._request(of_key("RENAME", *self._mapped([name, new_name])))

    async def renamenx(self, name: str, new_name: str) -> bool:
        """Rename a key unless `new_name` exists; return whether it was renamed."""
        return await self._request(of_key("RENAMENX", *self._mapped([name, new_name])))

    async def move(self, name: str, database: int) -> bool:
        """Move a key to another database; return whether it was moved."""
        return await self._of_one("MOVE", name, database)

    # -------------------------------------------------------------- how

    def _mapped(self, names: Iterable[str]) -> list[str]:
        return [self._context.mapped(name) for name in names]

    async def _request(self, command: Command[T]) -> T:
        self._context.ensure_running()
        return await self._context.link.request(command)

    async def _of_one(self, word: str, name: str, *args: int) -> bool:
        return await self._request(of_key(word, self._context.mapped(name), *args))

    async def _of_several(self, word: str, keys: Iterable[str]) -> int:
        clustered = self._context.link.topology.clustered
        groups = by_slot(keys, clustered=clustered, together=BATCH)
        return sum([await self._request(of_keys(word, some)) for some in groups])

    async def _masters(self) -> list[AsyncServer]:
        if self._context.link.closed:
            raise ClosedError("this Redisson client is closed")
        self._context.ensure_running()
        return await self._context.link.topology.masters()

    async def _ask(self, server: AsyncServer, command: Command[T]) -> T:
        """Send a command that changes nothing. If the reply was lost, send it a second time."""
        try:
            reply = await server.call(*command.request())
        except LOST:
            reply = await server.call(*command.request())
        return command.decode(reply)

    async def _pages(self, pattern: str | None, page: int | None) -> AsyncIterator[list[str]]:
        for server in await self._masters():
            cursor = -1
            while cursor != 0:
                found = await self._ask(server, scan(max(cursor, 0), pattern, page))
                cursor = found.cursor
                yield found.names

    async def _names(self, pattern: str | None, page: int | None) -> AsyncIterator[str]:
        async for found in self._pages(pattern, page):
            for key in found:
                yield self._context.mapper.unmap(key)

    async def _remove(self, word: str, pattern: str) -> int:
        removed = 0
        async for found in self._pages(self._context.mapped(pattern), BATCH):
            removed += await self._of_several(word, found)
        return removed

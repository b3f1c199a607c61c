"""The base of all objects with a name in Redis: runs operations on their keys.

The rule: the Redis types of the keys are checked before the first operation, so that a clear error
comes before any write.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.link.capabilities import refused
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.errors import DecodeError, KeyTypeError
from pyredisson.protocol.kernel.command import Command, Operation, Packed
from pyredisson.protocol.kernel.confirmation import probe
from pyredisson.protocol.kernel.durable import Durable
from pyredisson.protocol.kernel.names import require_one_slot
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.objects.expirable import type_of
from pyredisson.protocol.objects.pages import (
    START,
    ListWalk,
    Page,
    PageSize,
    Scored,
    later,
    with_bytes,
)
from pyredisson.server_errors import ReplyError

T = TypeVar("T")
S = TypeVar("S", bound=tuple[Any, ...])

_WITHOUT_KEY = ("ERR", "WRONGTYPE")
"""Codes of errors that the server raises about a key without naming the key."""


class AsyncNamedObject(Unpicklable):
    """An object with a name in Redis.

    A subclass defines `_keys_of`. It also defines `_one_slot` if it has companion keys, whose names
    are made from the object's name. It sets all attributes that depend on the name in `_bind`. The
    other methods with a `name` must also work with a name that is not the object's.
    """

    _kind = "an object"
    _durable: Durable | None = None

    def __init__(self, context: AsyncContext, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of {self._kind} must be str, not {name!r}")
        self._context = context
        self._link = context.link
        self._bind(name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._redis_name!r}>"

    @property
    def name(self) -> str:
        """The name of the object, as the program gave it."""
        return self._name

    def _bind(self, name: str) -> None:
        """Make this instance refer to the object with a name."""
        self._redis_name = self._claimed(self._mapped(name))
        self._types = self._keys_of(self._redis_name)
        self._name = name
        self._checked = False

    def _keys_of(self, name: str) -> dict[str, str]:
        """Return the object's own keys under a name in Redis, each with its Redis type.

        The first key is the main key. It decides the node. Its time to live is that of the object.
        """
        raise NotImplementedError

    def _one_slot(self, name: str) -> Iterable[str]:
        """Return the keys under a name in Redis that a cluster must have in one slot."""
        return ()

    def _others_of(self, name: str) -> dict[str, str]:
        """Return the keys that the object uses and does not own, each with its Redis type."""
        return {}

    def _claimed(self, name: str) -> str:
        """Return a name in Redis, after claiming its companion keys for this client.

        Raises:
            InvalidNameError: another name that this client uses has the same companion keys, or the
                keys would be in several slots of a cluster.
        """
        if own_keys := tuple(self._one_slot(name)):
            self._context.names.claim(name)
            if self._link.topology.clustered:
                require_one_slot(own_keys)
        return name

    def _mapped(self, name: str) -> str:
        return self._context.mapped(name)

    @property
    def _main_key(self) -> str:
        return next(iter(self._types))

    async def _run(self, operation: Operation[T] | Packed[T]) -> T:
        """Run an operation; check the keys' types before the first one."""
        self._context.ensure_running()
        if not self._checked:
            await self._check_types()
        try:
            return await self._link.request(operation)
        except (ReplyError, DecodeError) as error:
            await self._explain(error)
            if isinstance(operation, Command) and getattr(error, "code", "") in _WITHOUT_KEY:
                error.args = (f"{error} ({operation.args[0]!s} {operation.key})",)
            raise

    async def _paged(
        self,
        range_of: Callable[[int, int], Command[list[T]]],
        size: Operation[int],
        *,
        backwards: bool = False,
        first: int = PAGE,
    ) -> AsyncIterator[T]:
        """Iterate over a list, page by page. An element that stays is not missed."""
        walk, pages = ListWalk(), PageSize(first, least=2)
        while True:
            count = pages.count
            start, last = walk.start, walk.start + count - 1
            places = (-last - 1, -start - 1) if backwards else (start, last)
            page = await self._run(with_bytes(range_of(*places)))
            if backwards:
                page.reverse()
            read = [data for data, _ in page]
            known = walk.new(read)
            pages.note(read)
            if known is None:
                walk.go_back(await self._or_0(size))
                continue
            for _, value in page[known:]:
                yield value
            if len(page) < count:
                return

    async def _or_0(self, size: Operation[int]) -> int:
        try:
            return await self._run(size)
        except ReplyError as error:
            if not refused(error):
                raise
            return 0  # not permitted: assume that no other client has changed the list

    async def _in_order(
        self, page_after: Callable[[Scored, int], Operation[Page[S]]]
    ) -> AsyncIterator[S]:
        """Iterate over a sorted set, page by page; each result begins with entry and score."""
        shown = read = START
        while True:
            page = await self._run(page_after(read, PAGE))
            for each in later(page.elements, shown):
                shown = each[:2]
                yield each
            if not page.more:
                return
            read = page.elements[-1][:2]

    async def _scanned(
        self, page_at: Callable[[int, int], Operation[tuple[int, list[T]]]]
    ) -> AsyncIterator[T]:
        """Iterate over the results of a scan; each page has the cursor of the next page, or 0."""
        cursor, pages = 0, PageSize()
        while True:
            cursor, page = await self._run(pages.noted(page_at(cursor, pages.count)))
            for value in page:
                yield value
            if not cursor:
                return

    async def _explain(self, error: ReplyError | DecodeError) -> None:
        """Note this object in a DecodeError; raise a KeyTypeError if a key's type is wrong."""
        if isinstance(error, DecodeError):
            error.add_note(f"read by {self!r}")
        elif "WRONGTYPE" in str(error):
            await self._check_types(again=True)

    async def _ready(self) -> None:
        self._context.ensure_running()
        if not self._checked:
            await self._check_types()

    async def _check_types(self, *, again: bool = False) -> None:
        """Compare the keys' types with what the object needs.

        Raises:
            KeyTypeError: a key has another type. The error names the first such key.
        """
        needed = self._types | self._others_of(self._redis_name)
        for key, expected in needed.items():
            if not await self._check_type(key, expected, again=again):
                break
        if self._durable is not None and not again:
            await self._check_durable(self._durable)
        self._checked = True

    async def _check_durable(self, durable: Durable) -> None:
        """Ask for a confirmation without a write, so that no write comes before a rejection."""
        try:
            await self._link.request(probe(self._main_key, durable))
        except ReplyError as error:
            what = "WAITAOF" if durable.fsync else "WAIT"
            error.args = (f"{durable} needs {what}, so nothing was written: {error}",)
            raise

    async def _check_type(self, key: str, expected: str, *, again: bool = False) -> bool:
        """Check a key's type, once for each client; return False if the server rejects TYPE."""
        checked = self._context.checked
        if key in checked and not again:
            return True
        try:
            found = await self._link.request(type_of(key))
        except ReplyError as error:
            if not refused(error):
                raise
            return False  # later commands check the type, with a less clear error
        if found not in ("none", expected):
            raise KeyTypeError(key, expected, found)
        checked.add(key)
        return True

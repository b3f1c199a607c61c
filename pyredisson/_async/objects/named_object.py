"""What all that stands for a name in Redis shares: running operations on its keys.

The rule: before the first operation the Redis types of the keys are checked, so that a clear
error comes before anything is written.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable
from typing import TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.link.capabilities import refused
from pyredisson._support.unpicklable import Unpicklable
from pyredisson.errors import DecodeError, KeyTypeError
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.kernel.durable import Durable, probe
from pyredisson.protocol.kernel.names import require_one_slot
from pyredisson.protocol.objects.collection import PAGE
from pyredisson.protocol.objects.keys import type_of
from pyredisson.server_errors import ReplyError

T = TypeVar("T")


class AsyncNamedObject(Unpicklable):
    """Operations on the keys of a name.

    A subclass defines `_keys_of`, and `_one_slot` where it has keys beside the name. What depends
    on the name and is stored is set in `_bind`. All but `_bind` may be asked about any name.
    """

    _kind = "an object"
    _durable: Durable | None = None

    def __init__(self, context: AsyncContext, name: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of {self._kind} must be str, not {name!r}")
        self._context = context
        self._link = context.link
        self._bind(name)

    @property
    def name(self) -> str:
        """The name of the object, as the program gave it."""
        return self._name

    def _bind(self, name: str) -> None:
        """Stand for the object of a name from now on."""
        self._redis_name = self._claimed(self._mapped(name))
        self._types = self._keys_of(self._redis_name)
        self._name = name
        self._checked = False

    def _keys_of(self, name: str) -> dict[str, str]:
        """Return the object's own keys under a name in Redis, each with its Redis type.

        The first one is the main one: it decides the node, and its time to live is the object's.
        """
        raise NotImplementedError

    def _one_slot(self, name: str) -> Iterable[str]:
        """Return the keys under a name in Redis that a cluster must have in one slot."""
        return ()

    def _others_of(self, name: str) -> dict[str, str]:
        """Return keys that are used and are not the object's own, each with its Redis type."""
        return {}

    def _claimed(self, name: str) -> str:
        """Return a name in Redis; if it has companions, this client uses them from now on.

        Raises:
            InvalidNameError: another name has the same companions, or a cluster would spread them.
        """
        if companions := tuple(self._one_slot(name)):
            self._context.names.claim(name)
            if self._link.topology.clustered:
                require_one_slot(companions)
        return name

    def _mapped(self, name: str) -> str:
        return self._context.mapper.map(name)

    @property
    def _main_key(self) -> str:
        return next(iter(self._types))

    async def _run(self, operation: Operation[T]) -> T:
        """Run an operation, with the keys' types checked the first time."""
        await self._ready()
        try:
            return await self._link.request(operation)
        except (ReplyError, DecodeError) as error:
            await self._explain(error)
            raise

    async def _paged(self, range_of: Callable[[int, int], Operation[list[T]]]) -> AsyncIterator[T]:
        """Iterate over what a range operation returns, so that it never blocks the server long."""
        start = 0
        while True:
            page = await self._run(range_of(start, start + PAGE - 1))
            for value in page:
                yield value
            if len(page) < PAGE:
                return
            start += PAGE

    async def _explain(self, error: ReplyError | DecodeError) -> None:
        """Say whose bytes cannot be decoded; raise a KeyTypeError where a key's type is wrong."""
        if isinstance(error, DecodeError):
            error.add_note(f"read by {self!r}")
        elif "WRONGTYPE" in str(error):
            await self._check_types(again=True)

    async def _ready(self) -> None:
        self._context.transfers.ensure_running()
        if not self._checked:
            await self._check_types()

    async def _check_types(self, *, again: bool = False) -> None:
        """Compare the keys' types with what the object needs.

        Raises:
            KeyTypeError: naming the first key that holds something else.
        """
        needed = self._types | self._others_of(self._redis_name)
        for key, expected in needed.items():
            if not await self._check_type(key, expected, again=again):
                break
        if self._durable is not None and not again:
            await self._check_durable(self._durable)
        self._checked = True

    async def _check_durable(self, durable: Durable) -> None:
        """Ask for a confirmation of nothing: a server that refuses it is known before a write."""
        try:
            await self._link.request(probe(self._main_key, durable))
        except ReplyError as error:
            what = "WAITAOF" if durable.fsync else "WAIT"
            error.args = (f"{durable} needs {what}, so nothing was written for now: {error}",)
            raise

    async def _check_type(self, key: str, expected: str, *, again: bool = False) -> bool:
        """Compare one key's type, once a client; False when the user may not ask for it."""
        checked = self._context.checked
        if key in checked and not again:
            return True
        try:
            found = await self._link.request(type_of(key))
        except ReplyError as error:
            if not refused(error):
                raise
            return False  # the server will check, if less clearly
        if found not in ("none", expected):
            raise KeyTypeError(key, expected, found)
        checked.add(key)
        return True

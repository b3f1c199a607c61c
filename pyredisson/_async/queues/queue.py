"""RQueue: a plain list, first in, first out."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.collection import AsyncCollectionObject
from pyredisson._async.queues.pause import AsyncPausable
from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.choices import require_choice
from pyredisson.protocol.kernel.replies import readable
from pyredisson.protocol.objects.collection import CollectionProtocol
from pyredisson.protocol.poison.undecodable import OnUndecodable
from pyredisson.protocol.queues.queue import End, QueueProtocol, require_count

if TYPE_CHECKING:
    from pyredisson.protocol.consumers.in_flight import Held, InFlight

V = TypeVar("V")

_NOTHING = object()


class AsyncQueue(AsyncPausable, AsyncCollectionObject[V]):
    """A queue that Java sees as RQueue: `offer` at the tail, `poll` at the head."""

    def __init__(
        self,
        context: AsyncContext,
        name: str,
        codec: Codec[V],
        on_undecodable: OnUndecodable | None = None,
    ) -> None:
        self._codec = codec
        if on_undecodable is None:
            on_undecodable = context.on_undecodable
        self._on_undecodable = require_choice(on_undecodable, OnUndecodable, "on_undecodable")
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "list"}

    def _bind(self, name: str) -> None:
        super()._bind(name)
        limit = self._context.max_bytes
        self._list = QueueProtocol(self._main_key, self._codec, self._keeps, limit)
        self._pops = {end._name_: self._list.pop(end) for end in End}  # an Enum's hash is slow
        if self._context.on_queue is not None:
            self._context.on_queue(self._redis_name)

    @property
    def _keeps(self) -> bool:
        return self._on_undecodable == "poison"

    @property
    def on_undecodable(self) -> OnUndecodable:
        """Whether the poison list keeps the bytes of a taken value that cannot be decoded.

        "poison": the poison list and the DecodeError have the bytes. "raise": only the DecodeError
        has them.
        """
        return self._on_undecodable

    @property
    def _values(self) -> CollectionProtocol[V]:
        return self._list

    # -------------------------------------------------------------- adding

    async def add(self, value: V) -> bool:
        """Append a value; always return True, as java.util.Queue.add."""
        await self._run(self._list.push(End.LAST, (value,)))
        return True

    async def offer(self, value: V) -> bool:
        """Append a value; always return True, because the size has no limit."""
        return await self.add(value)

    async def add_all(self, values: Iterable[V]) -> bool:
        """Append several values in one command; return True if there were any."""
        items = list(values)
        if items:
            await self._run(self._list.push(End.LAST, items))
        return bool(items)

    # -------------------------------------------------------------- taking

    @overload
    async def poll(self) -> V | None: ...

    @overload
    async def poll(self, limit: int) -> list[V]: ...

    async def poll(self, limit: int | None = None) -> V | list[V] | None:
        """Take the first value; None if there is none.

        Args:
            limit: take up to this many values, and return a list. `poll(5)` does not wait 5 s.
        """
        return await self._polled(End.FIRST, limit)

    async def _polled(self, end: End, limit: int | None) -> V | list[V] | None:
        if limit is None:
            return await self._run(self._pops[end._name_])
        values: list[V] = []
        if require_count(limit) > 0:
            values = await self._run(self._list.pop_many(end, limit))
        return values

    @overload
    async def remove(self) -> V: ...

    @overload
    async def remove(self, value: V) -> bool: ...

    async def remove(self, value: Any = _NOTHING) -> V | bool:
        """Take the first value; with `value`, remove the first value with the same bytes.

        Returns:
            The value that was taken; with `value`, whether a value was removed.

        Raises:
            EmptyQueueError: no `value` is given, and the queue is empty.
        """
        if value is _NOTHING:
            return self._required(await self._run(self._list.pop(End.FIRST)))
        return await self._run(self._list.remove(value, 1)) > 0

    async def poll_last_and_offer_first_to(self, target: str) -> V | None:
        """Move the last value to the head of another queue; return the value, or None."""
        return await self._run(self._list.move(self._mapped(target), End.LAST, End.FIRST))

    async def index_of(self, value: V) -> int:
        """Return the index of the first value with the same bytes, -1 if there is none."""
        place = await self._run(self._list.position(value))
        return -1 if place is None else place

    # -------------------------------------------------------------- consumers

    async def in_flight(self, limit: int = 1000) -> list[InFlight[V]]:
        """Return the messages that consumers hold, in the order in which their leases end.

        The call reads pages and changes nothing. It is not certain whether the result has a message
        that is taken or settled meanwhile.

        Args:
            limit: the maximum number of messages.
        """
        from pyredisson._async.consumers.in_flight import in_flight_async  # noqa: PLC0415 - seldom

        return await in_flight_async(self._run, self._names, limit, self._read_held)

    async def _read_held(self, held: list[Held]) -> list[InFlight[V]]:
        from pyredisson.protocol.consumers.in_flight import in_flight_of  # noqa: PLC0415 - seldom

        return [in_flight_of(each, *readable(self._codec, each.delivery.raw)) for each in held]

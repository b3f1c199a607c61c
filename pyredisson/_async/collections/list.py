"""RList: values in an order, read and changed by their indexes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar, overload

from pyredisson._async.collections.plain import AsyncPlainCollection
from pyredisson._async.objects.collection import AsyncOrderedObject
from pyredisson._runtime.sequences import AsyncSequenceOperators
from pyredisson.protocol.collections.list import ListProtocol
from pyredisson.protocol.kernel.command import Operation
from pyredisson.protocol.queues.queue import End
from pyredisson.server_errors import ReplyError

T = TypeVar("T")
V = TypeVar("V")

_OUT_OF_RANGE = ("index out of range", "no such key")


class AsyncList(AsyncSequenceOperators[V], AsyncPlainCollection[V], AsyncOrderedObject[V]):
    """A list that Java sees as RList. Values are compared by their encoded bytes.

    A negative index counts from the end. The server walks through a long list to an index. So
    an access in the middle takes longer than one at an end.
    """

    _kind = "a list"
    _type = "list"

    @property
    def _values(self) -> ListProtocol[V]:
        return ListProtocol(self._main_key, self._codec, quarantines=False)

    async def _at(self, index: int, operation: Operation[T]) -> T:
        """Run an operation at an index.

        Raises:
            IndexError: the list has no such index.
        """
        try:
            return await self._run(operation)
        except ReplyError as error:
            if any(text in str(error) for text in _OUT_OF_RANGE):
                raise self._no(index) from error
            raise

    def _no(self, index: int) -> IndexError:
        return IndexError(f"list {self._main_key!r} has no index {index}")

    # -------------------------------------------------------------- reading

    @overload
    async def get(self, index: int) -> V | None: ...

    @overload
    async def get(self, index: int, *more: int) -> list[V | None]: ...

    async def get(self, index: int, *more: int) -> V | list[V | None] | None:
        """Return the value at an index, or None; for several indexes, a list of such results."""
        if more:
            return await self._run(self._values.get_many((index, *more)))
        return await self._run(self._values.index(index))

    async def range(self, first: int, last: int | None = None) -> list[V]:
        """Return the values from one index to another, both included; `range(n)` starts at 0."""
        if last is None:
            first, last = 0, first
        return await self._run(self._values.range(first, last))

    async def index_of(self, value: V) -> int:
        """Return the index of the first value with the same bytes, -1 if there is none."""
        place = await self._run(self._values.position(value))
        return -1 if place is None else place

    async def last_index_of(self, value: V) -> int:
        """Return the index of the last value with the same bytes, -1 if there is none."""
        place = await self._run(self._values.last_position(value))
        return -1 if place is None else place

    # -------------------------------------------------------------- adding

    async def add(self, value: V, *, index: int | None = None) -> bool:
        """Append a value, or insert it at an index; always return True.

        Raises:
            IndexError: `index` is not from 0 to the size of the list.
        """
        return await self.add_all((value,), index=index)

    async def add_all(self, values: Iterable[V], *, index: int | None = None) -> bool:
        """Append values, or insert them at an index; return True if there were any.

        Raises:
            IndexError: `index` is not from 0 to the size of the list.
        """
        items = list(values)
        if not items:
            return False
        if index is None:
            await self._run(self._values.push(End.LAST, items))
        elif index < 0 or not await self._run(self._values.insert(index, items)):
            raise self._no(index)
        return True

    async def add_before(self, pivot: V, value: V) -> int:
        """Insert a value before the first one that equals `pivot`.

        Returns:
            The new size; -1 if no value equals `pivot`, 0 if the list is empty.
        """
        return await self._run(self._values.insert_beside("BEFORE", pivot, value))

    async def add_after(self, pivot: V, value: V) -> int:
        """Insert a value after the first one that equals `pivot`; return as `add_before` does."""
        return await self._run(self._values.insert_beside("AFTER", pivot, value))

    # -------------------------------------------------------------- changing

    async def set(self, index: int, value: V) -> V:
        """Replace the value at an index, and return the old one.

        Raises:
            IndexError: the list has no such index.
        """
        return await self._at(index, self._values.set(index, value))

    async def fast_set(self, index: int, value: V) -> None:
        """Replace the value at an index; raise the same errors as `set`."""
        await self._at(index, self._values.fast_set(index, value))

    async def trim(self, first: int, last: int) -> None:
        """Remove all values but those from one index to another, both included."""
        await self._run(self._values.trim(first, last))

    # -------------------------------------------------------------- removing

    async def remove(self, value: V, count: int = 1) -> bool:
        """Remove the first values with the same bytes; return True if there was any.

        Args:
            value: the value.
            count: the maximum number of values to remove. If negative, remove the last values. If
                0, remove all.
        """
        return await self._run(self._values.remove(value, count)) > 0

    async def remove_at(self, index: int) -> V:
        """Remove the value at an index, and return it (RList.remove(int)).

        Raises:
            IndexError: the list has no such index.
        """
        if index not in (0, -1):
            return await self._at(index, self._values.remove_at(index))
        value = await self._run(self._values.pop_at(End.LAST if index else End.FIRST))
        if value is None:
            raise self._no(index)
        return value

    async def fast_remove(self, index: int) -> None:
        """Remove the value at an index; raise the same errors as `remove_at`."""
        await self._at(index, self._values.fast_remove(index))

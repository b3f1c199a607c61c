"""RList as commands: `RedissonList` of 3.19.3 to 4.7.0.

An RList and an RQueue of the same name are the same Redis list. A negative index counts from the
end, as in Redis and in Python, except in `insert`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, TypeVar

from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.replies import nothing, number, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.queues.queue import End, QueueProtocol

__all__ = ["ListProtocol"]

V = TypeVar("V")


class ListProtocol(QueueProtocol[V]):
    """The operations of one list. A lost reply of a write of this class raises `UncertainError`."""

    __slots__ = ()

    def _lost(self, what: str) -> partial[UncertainError]:
        return partial(UncertainError, what, self.name)

    def _write(self, *args: Arg, read: Any) -> Command[Any]:
        words = (args[0], self.name, *args[1:])
        return Command(words, read, self.name, lost=self._lost(str(args[0])))

    def _script(self, operation: str, *args: Arg, read: Any) -> Eval[Any]:
        script = load(f"collections/{operation}")
        return Eval(script, (self.name,), args, read, lost=self._lost(operation))

    def push(self, end: End, values: Iterable[V], *, if_exists: bool = False) -> Command[int]:
        """RPUSH or LPUSH; with `if_exists`, RPUSHX or LPUSHX."""
        push = super().push(end, values, if_exists=if_exists)
        return replace(push, lost=self._lost(str(push.args[0])))

    def remove(self, value: V, count: int) -> Command[int]:
        """LREM of `count` elements; a negative count starts at the end, 0 removes all."""
        return replace(super().remove(value, count), lost=self._lost("LREM"))

    def remove_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all elements that equal any of the values."""
        return replace(super().remove_all(values), lost=self._lost("remove_all"))

    def retain_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all elements that equal none of the values."""
        return replace(super().retain_all(values), lost=self._lost("retain_all"))

    def pop_at(self, end: End) -> Command[V | None]:
        """LPOP or RPOP: remove the first or last element; return it, or None."""
        return replace(self.pop(end), lost=self._lost(f"{end.letter}POP"))

    def get_many(self, indexes: Iterable[int]) -> Eval[list[V | None]]:
        """Return the elements at several indexes, None for each that is out of range."""

        def read(reply: list[bytes | None]) -> list[V | None]:
            return [self.optional(each) for each in reply]

        return replace(self._script("list_get", *indexes, read=read), safe=True, lost=None)

    def set(self, index: int, value: V) -> Eval[V]:
        """Replace the element at an index, and return the old one."""
        return self._script("list_set", index, self.codec.encode(value), read=self.optional)

    def fast_set(self, index: int, value: V) -> Command[None]:
        """LSET."""
        return self._write("LSET", index, self.codec.encode(value), read=nothing)

    def insert(self, index: int, values: Iterable[V]) -> Eval[bool]:
        """Insert elements before the index; return False if the index is above the size.

        The index must be 0 or more. An index that equals the size appends the elements.
        """
        return self._script("list_insert", index, *self.encoded(values), read=truth)

    def insert_beside(self, where: Literal["BEFORE", "AFTER"], pivot: V, value: V) -> Command[int]:
        """LINSERT; return the new size, -1 without the pivot, 0 without the list."""
        encoded = self.encoded((pivot, value))
        return self._write("LINSERT", where, *encoded, read=number)

    def remove_at(self, index: int) -> Eval[V]:
        """Remove the element at an index, and return it."""
        return self._script("list_remove", index, read=self.optional)

    def fast_remove(self, index: int) -> Eval[None]:
        """Remove the element at an index."""
        return self._script("list_remove", index, read=nothing)

    def last_position(self, value: V) -> Command[int | None]:
        """LPOS from the end: the index of the last element with the value's bytes, or None."""
        first = self.position(value)
        return replace(first, args=(*first.args, "RANK", -1))

    def trim(self, start: int, stop: int) -> Command[None]:
        """LTRIM."""
        return self._write("LTRIM", start, stop, read=nothing)

"""RSet as commands: `RedissonSet` of 3.19.3 to 4.7.0. The members are the codec's bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar

from pyredisson.protocol.collections.values import KeyOfValues, temporary
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.replies import nothing, number, page, truth
from pyredisson.protocol.objects.collection import PAGE

__all__ = ["How", "SetProtocol"]

V = TypeVar("V")
How: TypeAlias = Literal["SUNION", "SDIFF", "SINTER"]


class SetProtocol(KeyOfValues[V]):
    """The operations of one set; arguments with names of other sets are mapped names."""

    __slots__ = ()

    def add(self, values: Iterable[V]) -> Command[int]:
        """SADD; return how many were not in the set."""
        return self._write("SADD", *self._encoded(values), read=number)

    def try_add(self, values: Iterable[V]) -> Eval[bool]:
        """Add all values if none of them is in the set; return whether they were added."""
        return self._script("try_add", self._encoded(values), truth)

    def remove(self, values: Iterable[V]) -> Command[int]:
        """SREM; return how many were in the set."""
        return self._write("SREM", *self._encoded(values), read=number)

    def remove_all(self, values: Iterable[V]) -> Command[bool]:
        """SREM; return whether any was in the set."""
        return self._write("SREM", *self._encoded(values), read=truth)

    def retain_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all values but these; return whether any was removed. The time to live stays."""
        key = temporary(self.name)
        return self._script("set_retain_all", self._encoded(values), truth, key)

    def contains(self, value: V) -> Command[bool]:
        """SISMEMBER."""
        return self._read("SISMEMBER", self.codec.encode(value), read=truth)

    def contains_all(self, values: Iterable[V]) -> Command[bool]:
        """SMISMEMBER; return whether all values are in the set."""
        return self._read("SMISMEMBER", *self._encoded(values), read=all)

    def contains_each(self, values: Sequence[V]) -> Command[list[V]]:
        """SMISMEMBER; return those of the values that are in the set."""

        def present(reply: list[int]) -> list[V]:
            return [value for value, found in zip(values, reply, strict=True) if found]

        return self._read("SMISMEMBER", *self._encoded(values), read=present)

    def size(self) -> Command[int]:
        """SCARD."""
        return self._read("SCARD", read=number)

    def read_all(self) -> Command[list[V]]:
        """SMEMBERS."""
        return self._read("SMEMBERS", read=self._each)

    def scan(
        self, pattern: str | bytes | None, cursor: int, limit: int = PAGE
    ) -> Command[tuple[int, list[V]]]:
        """SSCAN: one page of the values whose bytes match the pattern."""
        match: tuple[Arg, ...] = () if pattern is None else ("MATCH", pattern)
        return self._read("SSCAN", cursor, *match, "COUNT", limit, read=page(self._each))

    def random(self) -> Command[V | None]:
        """SRANDMEMBER."""
        return self._read("SRANDMEMBER", read=self._optional)

    def random_many(self, limit: int) -> Command[list[V]]:
        """SRANDMEMBER of up to `limit` values."""
        return self._read("SRANDMEMBER", limit, read=self._each)

    def _undo(self, members: list[bytes]) -> Command[None] | None:
        return self._write("SADD", *members, read=nothing) if members else None

    def pop(self) -> Command[V | None]:
        """SPOP."""

        def undo(reply: bytes | None) -> Command[None] | None:
            return self._undo([] if reply is None else [reply])

        return self._write("SPOP", read=self._optional, undo=undo)

    def pop_many(self, limit: int) -> Command[list[V]]:
        """SPOP of up to `limit` values."""
        return self._write("SPOP", limit, read=self._each, undo=self._undo)

    def move(self, target: str, value: V) -> Command[bool]:
        """SMOVE to another set; return whether the value was in this set."""
        return self._write("SMOVE", target, self.codec.encode(value), read=truth)

    def combined(self, how: How, names: Sequence[str]) -> Command[list[V]]:
        """SUNION, SDIFF or SINTER of this set and others."""
        return self._read(how, *names, read=self._each)

    def store(self, how: How, names: Sequence[str]) -> Command[int]:
        """SUNIONSTORE, SDIFFSTORE or SINTERSTORE of other sets into this one; return its size."""
        return self._write(f"{how}STORE", *names, read=number)

    def count_intersection(self, names: Sequence[str], limit: int) -> Command[int]:
        """SINTERCARD (Redis 7) of this set and others; count up to `limit`, or all if it is 0."""
        most: tuple[Arg, ...] = ("LIMIT", limit) if limit else ()
        args: tuple[Arg, ...] = ("SINTERCARD", len(names) + 1, self.name, *names, *most)
        return Command(args, number, self.name, safe=True)

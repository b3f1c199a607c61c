"""RQueue and RDeque as commands: a plain list whose elements are the codec's bytes.

The head is the left end: ``offer`` appends (RPUSH), ``poll`` takes the first element (LPOP).  If
the caller of a pop is interrupted, the `undo` of the pop returns the popped elements to the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any, Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.command import Arg, Command, Eval, Undo
from pyredisson.protocol.kernel.replies import each, nothing, number, reading, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.encoding import encoder
from pyredisson.protocol.poison.undecodable import quarantining

__all__ = ["End", "QueueProtocol", "push_back", "require_count"]

V = TypeVar("V")


class End(Enum):
    """An end of a list; the value is its name in Redis."""

    FIRST = "LEFT"
    LAST = "RIGHT"

    @property
    def letter(self) -> str:
        """The first letter of the commands at this end: L or R."""
        return self.value[0]


def require_count(limit: object) -> int:
    """Return `limit` if it is a number of elements.

    Raises:
        TypeError: `limit` is not an int, or it is a bool; the caller may have meant a timeout.
    """
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise TypeError(f"limit must be a number of elements, not {limit!r}; use timeout= to wait")
    return limit


def push_back(key: str, end: End, elements: list[bytes]) -> Command[Any] | None:
    """Return the push that returns popped elements to this end, or None if `elements` is empty."""
    if not elements:
        return None
    return Command((f"{end.letter}PUSH", key, *reversed(elements)), nothing, key)


def _undo_one(key: str, end: End) -> Undo:
    return lambda reply: None if reply is None else push_back(key, end, [reply])


def _undo_many(key: str, end: End) -> Undo:
    return lambda reply: push_back(key, end, reply or [])


@dataclass(frozen=True, slots=True)
class QueueProtocol(Generic[V]):
    """The non-blocking operations of one list.

    Args:
        name: the mapped name.
        codec: encodes and decodes the values.
        quarantines: whether popped values that cannot be decoded go to the poison list.
        max_bytes: the maximum length of an encoded value to push; None for no maximum.
    """

    name: str
    codec: Codec[V]
    quarantines: bool = True
    max_bytes: int | None = None

    def optional(self, reply: Any) -> V | None:
        """Read one element or nil."""
        return None if reply is None else reading(self.codec)(reply)

    def _each(self, reply: Any) -> list[V]:
        return each(reading(self.codec))(reply)

    def encoded(self, values: Iterable[V]) -> tuple[bytes, ...]:
        """Encode all values, before anything is sent."""
        return tuple(self.codec.encode(value) for value in values)

    def push(self, end: End, values: Iterable[V], *, if_exists: bool = False) -> Command[int]:
        """RPUSH or LPUSH (with `if_exists` RPUSHX or LPUSHX); return the new length."""
        name = f"{end.letter}PUSH{'X' if if_exists else ''}"
        encoded = map(encoder(self.codec, self.name, self.max_bytes), values)
        return Command((name, self.name, *encoded), number, self.name)

    def pop(self, end: End) -> Command[V | None]:
        """LPOP or RPOP."""
        args = (f"{end.letter}POP", self.name)
        quarantine = quarantining(lambda _: self.name) if self.quarantines else None
        return Command(
            args, self.optional, self.name, undo=_undo_one(self.name, end), quarantine=quarantine
        )

    def pop_many(self, end: End, limit: int) -> Eval[list[V]]:
        """Pop up to `limit` elements from one end, in the order of popping."""
        args = (f"{end.letter.lower()}pop", limit)
        return self._pop_all("queues/poll", args, end)

    def drain(self, limit: int | None) -> Eval[list[V]]:
        """Pop the first `limit` elements in one script, or all elements if `limit` is None."""
        return self._pop_all("queues/drain", (-1 if limit is None else limit,), End.FIRST)

    def _pop_all(self, script: str, args: tuple[Arg, ...], end: End) -> Eval[list[V]]:
        def rest(reply: list[bytes], good: Callable[[bytes], bool]) -> list[bytes]:
            return list(filter(good, reply))

        quarantine = quarantining(lambda _: self.name, rest) if self.quarantines else None
        undo = _undo_many(self.name, end)
        return Eval(load(script), (self.name,), args, self._each, undo=undo, quarantine=quarantine)

    def index(self, index: int) -> Command[V | None]:
        """LINDEX: the element at an index; a negative index counts from the end."""
        return Command(("LINDEX", self.name, index), self.optional, self.name, safe=True)

    def peek(self) -> Command[V | None]:
        """LINDEX 0: the first element."""
        return self.index(0)

    def contains(self, value: V) -> Command[bool]:
        """LPOS: return whether an element has the value's bytes."""
        command = self.position(value)
        return Command(command.args, lambda place: place is not None, self.name, safe=True)

    def range(self, start: int, stop: int) -> Command[list[V]]:
        """LRANGE from `start` to `stop` inclusive."""
        return Command(("LRANGE", self.name, start, stop), self._each, self.name, safe=True)

    def size(self) -> Command[int]:
        """LLEN."""
        return Command(("LLEN", self.name), number, self.name, safe=True)

    def position(self, value: V) -> Command[int | None]:
        """LPOS: the index of the first element with the value's bytes, or None."""
        args = ("LPOS", self.name, self.codec.encode(value))
        return Command(args, lambda reply: reply, self.name, safe=True)

    def remove(self, value: V, count: int) -> Command[int]:
        """LREM: remove `count` elements with the value's bytes (0: all; negative: from the end)."""
        return Command(("LREM", self.name, count, self.codec.encode(value)), number, self.name)

    def _with_values(self, script: str, values: Iterable[V], *, safe: bool = False) -> Eval[bool]:
        return Eval(load(f"queues/{script}"), (self.name,), self.encoded(values), truth, safe=safe)

    def contains_all(self, values: Iterable[V]) -> Eval[bool]:
        """Return whether all values are in the list; the iterable must not be empty."""
        return self._with_values("contains_all", values, safe=True)

    def remove_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all elements that equal any of the values; return whether any was removed.

        The iterable must not be empty.
        """
        return self._with_values("remove_all", values)

    def retain_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all elements that equal none of the values; return whether any was removed.

        The iterable must not be empty.
        """
        return self._with_values("retain_all", values)

    def move(self, target: str, source_end: End, target_end: End) -> Command[V | None]:
        """LMOVE to another list (mapped name); RPOPLPUSH from the last end to the first end."""
        args: tuple[Arg, ...]
        if (source_end, target_end) == (End.LAST, End.FIRST):
            args = ("RPOPLPUSH", self.name, target)
        else:
            args = ("LMOVE", self.name, target, source_end.value, target_end.value)
        return Command(args, self.optional, self.name)

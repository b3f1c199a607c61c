"""The blocking pops of RBlockingQueue and RBlockingDeque, one bounded slice at a time.

The rule: a command waits on the server for one short slice, whatever the timeout of the user is.
Redisson's own ``BLPOP name 0`` hangs forever on a dead connection.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.protocol.kernel.command import Arg, Command
from pyredisson.protocol.kernel.replies import each, reading
from pyredisson.protocol.poison.undecodable import quarantining
from pyredisson.protocol.queues.queue import End, QueueProtocol, push_back

__all__ = ["BlockingProtocol", "wire_timeout"]

V = TypeVar("V")


def wire_timeout(seconds: float) -> str:
    """Return a blocking timeout for the server: at least 2 ms, because 0 means forever.

    Redis 6.2 reads 0.001 as 0, because this release rounds down. Later releases round up.
    """
    return f"{max(seconds, 0.002):.3f}"


def _list_of(reply: Any) -> str:
    """Return the mapped name of the list from which a pop of several lists took an element."""
    return str(reply[0], "utf-8")


@dataclass(frozen=True, slots=True)
class BlockingProtocol(Generic[V]):
    """Blocking pops of one slice, `seconds` long; the result is None if no element came."""

    name: str
    codec: Codec[V]
    quarantines: bool = True

    def pop(self, end: End, seconds: float) -> Command[V | None]:
        """BLPOP or BRPOP of this list."""
        command = self.pop_any((self.name,), end, seconds)
        read = reading(self.codec)

        def value(reply: Any) -> V | None:
            return None if reply is None else read(reply[1])

        undo, quarantine = command.undo, command.quarantine
        return Command(
            command.args, value, command.key, undo=undo, quarantine=quarantine, waits=seconds
        )

    def pop_any(
        self, names: Sequence[str], end: End, seconds: float
    ) -> Command[tuple[str, V] | None]:
        """BLPOP or BRPOP of several lists of one slot: (mapped name, value)."""

        def read(reply: Any) -> tuple[str, V] | None:
            return None if reply is None else (_list_of(reply), reading(self.codec)(reply[1]))

        def undo(reply: Any) -> Command[Any] | None:
            return None if reply is None else push_back(_list_of(reply), end, [reply[1]])

        args = (f"B{end.letter}POP", *names, wire_timeout(seconds))
        quarantine = quarantining(_list_of) if self.quarantines else None
        return Command(args, read, names[0], undo=undo, quarantine=quarantine, waits=seconds)

    def pop_many_any(
        self, names: Sequence[str], end: End, count: int, seconds: float
    ) -> Command[dict[str, list[V]] | None]:
        """BLMPOP (Redis 7) of several lists of one slot: {mapped name: values}."""

        def read(reply: Any) -> dict[str, list[V]] | None:
            if reply is None:
                return None
            return {_list_of(reply): each(reading(self.codec))(reply[1])}

        def undo(reply: Any) -> Command[Any] | None:
            return None if reply is None else push_back(_list_of(reply), end, reply[1])

        def rest(reply: Any, good: Callable[[bytes], bool]) -> Any:
            return [reply[0], list(filter(good, reply[1]))]

        quarantine = quarantining(_list_of, rest) if self.quarantines else None
        which: tuple[Arg, ...] = (len(names), *names, end.value, "COUNT", count)
        words = ("BLMPOP", wire_timeout(seconds), *which)
        return Command(words, read, names[0], undo=undo, quarantine=quarantine, waits=seconds)

    def pop_many(self, end: End, count: int, seconds: float) -> Command[list[V] | None]:
        """BLMPOP (Redis 7) of this list: up to `count` elements as soon as there is one."""
        command = self.pop_many_any((self.name,), end, count, seconds)
        read = command.decode

        def values(reply: Any) -> list[V] | None:
            found = read(reply)
            return None if found is None else found[self.name]

        undo, quarantine = command.undo, command.quarantine
        return Command(
            command.args, values, command.key, undo=undo, quarantine=quarantine, waits=seconds
        )

    def there(self, end: End, seconds: float) -> Command[bool | None]:
        """Wait for an element: BLMOVE of the element to its own place; return True, or None."""
        words = ("BLMOVE", self.name, self.name, end.value, end.value, wire_timeout(seconds))
        return Command(words, lambda reply: reply is not None or None, self.name, waits=seconds)

    def check_any(self, name: str, end: End) -> Command[tuple[str, V] | None]:
        """LPOP or RPOP of one of several lists: (mapped name, value).

        The command does not block. It has its own connection, as a blocking pop has, because it is
        possible that the caller stops waiting for the reply.
        """
        command = QueueProtocol(name, self.codec, self.quarantines).pop(end)

        def read(reply: Any) -> tuple[str, V] | None:
            return None if reply is None else (name, reading(self.codec)(reply))

        return Command(
            command.args, read, name, undo=command.undo, quarantine=command.quarantine, waits=0.0
        )

    def check(self, end: End) -> Command[V | None]:
        """LPOP or RPOP of this list, on a connection of its own like `check_any`."""
        return replace(QueueProtocol(self.name, self.codec, self.quarantines).pop(end), waits=0.0)

    def check_whether(self, end: End) -> Command[bool | None]:
        """LINDEX: return True if there is an element, else None."""
        words = ("LINDEX", self.name, 0 if end is End.FIRST else -1)
        return Command(words, lambda reply: reply is not None or None, self.name, waits=0.0)

    def check_move(self, target: str, ends: tuple[End, End]) -> Command[V | None]:
        """LMOVE or RPOPLPUSH to another list (mapped name), on a connection of its own."""
        return replace(self.plain().move(target, *ends), waits=0.0)

    def check_many_any(self, name: str, end: End, count: int) -> Command[dict[str, list[V]] | None]:
        """LPOP or RPOP of up to `count` elements of one of several lists: {mapped name: values}."""

        def read(reply: Any) -> dict[str, list[V]] | None:
            return None if reply is None else {name: each(reading(self.codec))(reply)}

        def undo(reply: Any) -> Command[Any] | None:
            return None if reply is None else push_back(name, end, reply)

        def rest(reply: Any, good: Callable[[bytes], bool]) -> Any:
            return list(filter(good, reply))

        quarantine = quarantining(lambda _: name, rest) if self.quarantines else None
        words: tuple[Arg, ...] = (f"{end.letter}POP", name, count)
        return Command(words, read, name, undo=undo, quarantine=quarantine, waits=0.0)

    def move(self, target: str, ends: tuple[End, End], seconds: float) -> Command[V | None]:
        """BLMOVE to another list (mapped name); BRPOPLPUSH from the last end to the first end."""
        wait = wire_timeout(seconds)
        args: tuple[Arg, ...]
        if ends == (End.LAST, End.FIRST):
            args = ("BRPOPLPUSH", self.name, target, wait)
        else:
            args = ("BLMOVE", self.name, target, ends[0].value, ends[1].value, wait)
        return Command(args, self.plain().optional, self.name, waits=seconds)

    def plain(self) -> QueueProtocol[V]:
        """Return the non-blocking operations of the same list."""
        return QueueProtocol(self.name, self.codec)

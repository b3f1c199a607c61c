"""The poison list: what was taken from a queue, or fell due, and could not be read.

Its elements are bytes as they were: a value that the codec could not decode, or a member of a
delayed queue in which no value could be found.  The rule: what is here is in the queue no more,
and comes back by one script an element, so that nothing is lost or doubled between two of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias, TypeVar, get_args

from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError
from pyredisson.protocol.kernel.command import Command, Eval, Keep
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.replies import number, readable, truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["OnUndecodable", "PoisonProtocol", "PoisonedValue", "keeping", "require_on_undecodable"]

V = TypeVar("V")

OnUndecodable: TypeAlias = Literal["poison", "raise"]
"""What becomes of a value that was taken and cannot be decoded, beside the error."""


def require_on_undecodable(value: Any) -> OnUndecodable:
    """Return what is one of the two.

    Raises:
        ValueError: it is not.
    """
    choices = get_args(OnUndecodable)
    if value not in choices:
        raise ValueError(f"on_undecodable must be one of {choices}, not {value!r}")
    return value  # type: ignore[no-any-return]  # one of them


def keeping(
    queue_of: Callable[[Any], str],
    rest_of: Callable[[Any, Callable[[bytes], bool]], Any] = lambda _reply, _good: None,
) -> Keep:
    """Return how an operation keeps what cannot be decoded.

    Args:
        queue_of: of a reply the queue (its mapped name) that its elements came from.
        rest_of: what the reply would be with only those elements that a function calls good;
            for an operation that takes one, nothing.
    """

    def keep(reply: Any, bad: list[bytes]) -> tuple[Command[Any], Any]:
        key = QueueNames.of(queue_of(reply)).poison
        push = Command(("RPUSH", key, *bad), number, key)
        known = frozenset(bad)
        return push, rest_of(reply, lambda element: element not in known)

    return keep


@dataclass(frozen=True, slots=True)
class PoisonedValue(Generic[V]):
    """An element of a poison list, and what the codec of now makes of it.

    `raw` are its bytes.  `error` is None when the codec can read them; then `value` is what
    it reads.
    """

    raw: bytes
    value: V | None
    error: DecodeError | None


@dataclass(frozen=True, slots=True)
class PoisonProtocol(Generic[V]):
    """The operations of one queue's poison list; `name` is the mapped name of the queue."""

    name: str
    codec: Codec[V]

    @property
    def key(self) -> str:
        """The list."""
        return QueueNames.of(self.name).poison

    def _read(self, raw: bytes) -> PoisonedValue[V]:
        return PoisonedValue(raw, *readable(self.codec, raw))

    def size(self) -> Command[int]:
        """LLEN."""
        return Command(("LLEN", self.key), number, self.key, safe=True)

    def range(self, start: int, stop: int) -> Command[list[PoisonedValue[V]]]:
        """LRANGE, both ends included."""

        def read(reply: list[bytes]) -> list[PoisonedValue[V]]:
            return [self._read(raw) for raw in reply]

        return Command(("LRANGE", self.key, start, stop), read, self.key, safe=True)

    def requeue(self, raw: bytes) -> Eval[bool]:
        """Move an element to the head of the queue; was it there?"""
        return Eval(load("poison/requeue"), (self.key, self.name), (raw,), truth)

    def drop(self, limit: int) -> Command[int]:
        """LPOP of up to `limit` elements; how many there were."""
        return Command(("LPOP", self.key, limit), lambda reply: len(reply or ()), self.key)

    def drop_one(self, raw: bytes) -> Command[int]:
        """LREM of one element."""
        return Command(("LREM", self.key, 1, raw), number, self.key)

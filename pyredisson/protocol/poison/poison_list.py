"""The poison list: values that were popped, or entries that fell due, and could not be decoded.

Its elements are unchanged bytes: a value that the codec could not decode, or an entry of a delayed
queue in which no value could be found.  The rule: an element is no longer in the queue, and one
script per element requeues it, so that none is lost or duplicated.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError
from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.replies import number, readable, truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["PoisonProtocol", "PoisonedValue"]

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class PoisonedValue(Generic[V]):
    """An element of a poison list, as the current codec decodes it.

    Attributes:
        raw: the element's bytes.
        value: the decoded value; None if the codec cannot decode it.
        error: why the codec cannot decode it; None if it can.
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
        """The key of the list."""
        return QueueNames.of(self.name).poison

    def _read(self, raw: bytes) -> PoisonedValue[V]:
        return PoisonedValue(raw, *readable(self.codec, raw))

    def size(self) -> Command[int]:
        """LLEN."""
        return Command(("LLEN", self.key), number, self.key, safe=True)

    def range(self, start: int, stop: int) -> Command[list[PoisonedValue[V]]]:
        """LRANGE from `start` to `stop` inclusive."""

        def read(reply: list[bytes]) -> list[PoisonedValue[V]]:
            return [self._read(raw) for raw in reply]

        return Command(("LRANGE", self.key, start, stop), read, self.key, safe=True)

    def requeue(self, raw: bytes) -> Eval[bool]:
        """Move an element to the head of the queue; return whether it was in the list."""
        return Eval(load("poison/requeue"), (self.key, self.name), (raw,), truth)

    def drop(self, limit: int) -> Command[list[bytes]]:
        """LPOP of up to `limit` elements."""
        return Command(("LPOP", self.key, limit), lambda reply: reply or [], self.key)

    def drop_one(self, raw: bytes) -> Command[int]:
        """LREM of one element."""
        return Command(("LREM", self.key, 1, raw), number, self.key)

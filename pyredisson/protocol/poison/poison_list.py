"""The poison list: undecodable bytes that were popped from a queue, or were in a delayed queue.

An element has the unchanged bytes of a value that the codec could not decode, or of an entry of a
delayed queue that has neither format. Repairs also move truncated records, and values of groups
whose key is unknown, to this list.  The rule: an element is no longer in the queue, and one script
moves it back to the queue, so that no element is lost or duplicated.
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
        """The key of the poison list."""
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
        """Move the newest element with these bytes to the head of the queue.

        The result is False if no element has these bytes.
        """
        return Eval(load("poison/requeue"), (self.key, self.name), (raw,), truth)

    def drop(self, limit: int) -> Command[list[bytes]]:
        """LPOP: delete the oldest elements, at most `limit`, and return them."""
        return Command(("LPOP", self.key, limit), lambda reply: reply or [], self.key)

    def drop_one(self, raw: bytes) -> Command[int]:
        """LREM: delete the oldest element with these bytes; return 1, or 0 if none exists."""
        return Command(("LREM", self.key, 1, raw), number, self.key)

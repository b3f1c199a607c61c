"""RAtomicLong as commands, `RedissonAtomicLong` of 3.19.3 to 4.7.0: a 64-bit integer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pyredisson.protocol.counters.atomic import AtomicProtocol, parsed
from pyredisson.protocol.kernel.command import Command, Eval

__all__ = ["AtomicLongProtocol", "long_of"]

_LIMIT = 2**63


def long_of(value: object, what: str) -> int:
    """Return a value that fits into a Java long.

    Raises:
        TypeError: it is not an int.
        ValueError: it is below -2**63 or above 2**63 - 1.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} must be an int, not {value!r}")
    if not -_LIMIT <= value < _LIMIT:
        raise ValueError(f"{what} must be from -2**63 to 2**63 - 1, not {value}")
    return value


@dataclass(frozen=True, slots=True)
class AtomicLongProtocol(AtomicProtocol[int]):
    """The operations of one integer; Redis rejects an increment beyond 64 bits."""

    _add: ClassVar[str] = "INCRBY"

    def _text(self, value: int, what: str) -> str:
        return str(long_of(value, what))

    def _read(self, reply: Any) -> int:
        return parsed(int, reply, "RAtomicLong")

    def increment_and_get(self) -> Command[int]:
        """INCR."""
        return self._change("INCR", read=self._read)

    def decrement_and_get(self) -> Command[int]:
        """DECR."""
        return self._change("DECR", read=self._read)

    def compare_and_set(self, expected: int, value: int) -> Eval[bool]:
        """Set the number if it is `expected`, compared as text."""
        texts = (self._text(expected, "expected"), self._text(value, "value"))
        return self._script("counters/compare_and_set", *texts)

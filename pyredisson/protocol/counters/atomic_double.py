"""RAtomicDouble as commands, `RedissonAtomicDouble` of 3.19.3 to 4.7.0: a double as text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from pyredisson.protocol.counters.atomic import AtomicProtocol, parsed
from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.number_text import double_text

__all__ = ["AtomicDoubleProtocol"]


@dataclass(frozen=True, slots=True)
class AtomicDoubleProtocol(AtomicProtocol[float]):
    """The operations of one double.

    Redis adds in long double, and writes the sum with at most 17 digits after the point.
    """

    _add: ClassVar[str] = "INCRBYFLOAT"

    def _text(self, value: float, what: str) -> str:
        return double_text(value, what)

    def _read(self, reply: Any) -> float:
        return parsed(float, reply, "RAtomicDouble")

    def increment_and_get(self) -> Command[float]:
        """INCRBYFLOAT 1."""
        return self._change("INCRBYFLOAT", "1", read=self._read)

    def decrement_and_get(self) -> Command[float]:
        """INCRBYFLOAT -1."""
        return self._change("INCRBYFLOAT", "-1", read=self._read)

    def compare_and_set(self, expected: float, value: float) -> Eval[bool]:
        """Set the number if it equals `expected`; both are compared as doubles."""
        texts = (self._text(expected, "expected"), self._text(value, "value"))
        return self._script("counters/compare_double_and_set", *texts)

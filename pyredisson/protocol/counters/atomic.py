"""The operations that RAtomicLong and RAtomicDouble share, from 3.19.3 to 4.7.0.

A missing key counts as 0.  As in Redisson, an operation that adds to the number keeps the time to
live, and an operation that sets the number removes it.  Redisson 3.19.3 does not have `set_if_less`
and `set_if_greater`.  No operation that changes the number is sent again: after a lost reply it
raises `UncertainError`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Generic, TypeVar

from pyredisson.errors import DecodeError, UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.replies import nothing, truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["AtomicProtocol", "parsed"]

N = TypeVar("N", int, float)


def parsed(convert: Callable[[Any], N], reply: Any, kind: str) -> N:
    """Read a number; `kind` names the object in the error.

    Raises:
        DecodeError: the reply is not the text of such a number.
    """
    if reply is None:
        return convert(0)
    if isinstance(reply, int):
        return convert(reply)
    try:
        if b"_" in reply:
            raise ValueError("Python's separator")
        return convert(reply)
    except ValueError:
        raise DecodeError(f"not a number of {kind}", codec=kind, data=reply) from None


@dataclass(frozen=True, slots=True)
class AtomicProtocol(ABC, Generic[N]):
    """A number in one string key; `name` is the mapped name."""

    name: str
    _add: ClassVar[str]

    @abstractmethod
    def _text(self, value: N, what: str) -> str:
        """Return the text that Java writes for a number.

        Raises:
            TypeError, ValueError: Java does not have this number.
        """

    @abstractmethod
    def _read(self, reply: Any) -> N:
        """Read a reply with the number."""

    @abstractmethod
    def increment_and_get(self) -> Command[N]:
        """Add 1; return the new number."""

    @abstractmethod
    def decrement_and_get(self) -> Command[N]:
        """Subtract 1; return the new number."""

    @abstractmethod
    def compare_and_set(self, expected: N, value: N) -> Eval[bool]:
        """Set the number if it is `expected`."""

    def _change(self, word: str, *args: Arg, read: Callable[[Any], Any]) -> Command[Any]:
        lost = partial(UncertainError, word, self.name)
        return Command((word, self.name, *args), read, self.name, lost=lost)

    def _script(self, operation: str, *args: Arg, read: Callable[[Any], Any] = truth) -> Eval[Any]:
        lost = partial(UncertainError, operation, self.name)
        return Eval(load(operation), (self.name,), args, read, lost=lost)

    def get(self) -> Command[N]:
        """GET."""
        return Command(("GET", self.name), self._read, self.name, safe=True)

    def set(self, value: N) -> Command[None]:
        """SET."""
        return self._change("SET", self._text(value, "value"), read=nothing)

    def add_and_get(self, delta: N) -> Command[N]:
        """INCRBY or INCRBYFLOAT; return the new number."""
        return self._change(self._add, self._text(delta, "delta"), read=self._read)

    def get_and_add(self, delta: N) -> Command[N]:
        """INCRBY or INCRBYFLOAT; return the new number minus `delta`, as Java does."""
        text = self._text(delta, "delta")
        return self._change(self._add, text, read=lambda reply: self._read(reply) - delta)

    def get_and_set(self, value: N) -> Command[N]:
        """GETSET; return the number before."""
        return self._change("GETSET", self._text(value, "value"), read=self._read)

    def get_and_delete(self) -> Eval[N]:
        """Delete the number and return it."""
        return self._script("buckets/get_and_delete", read=self._read)

    def set_if_less(self, bound: N, value: N) -> Eval[bool]:
        """Set the number if it is less than `bound`."""
        return self._bounded("less", bound, value)

    def set_if_greater(self, bound: N, value: N) -> Eval[bool]:
        """Set the number if it is greater than `bound`."""
        return self._bounded("greater", bound, value)

    def _bounded(self, side: str, bound: N, value: N) -> Eval[bool]:
        texts = (self._text(bound, "bound"), self._text(value, "value"))
        return self._script(f"counters/set_if_{side}", *texts)

"""The base class of the operations on one key with encoded values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval, Undo
from pyredisson.protocol.kernel.names import prefix_name
from pyredisson.protocol.kernel.replies import each, optional, reading
from pyredisson.protocol.kernel.scripts import load

__all__ = ["KeyOfValues", "require_limit", "temporary"]

T = TypeVar("T")
V = TypeVar("V")


def temporary(name: str) -> str:
    """Return the key that `retain_all` needs while its script runs."""
    return prefix_name("pyredisson_temporary", name)


def require_limit(value: object, name: str = "limit") -> int:
    """Return `value` if it is a number of values.

    Raises:
        TypeError: the value is not an int, or it is a bool.
        ValueError: the value is below 0.
    """
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{name} must be a number of values, not {value!r}")
    if value < 0:
        raise ValueError(f"{name} must be at least 0, not {value}")
    return value


@dataclass(frozen=True, slots=True)
class KeyOfValues(Generic[V]):
    """The base class of the operations of one set or sorted set.

    Args:
        name: the mapped name.
        codec: encodes and decodes the values.
    """

    name: str
    codec: Codec[V]

    def _each(self, reply: Any) -> list[V]:
        return each(reading(self.codec))(reply)

    def _optional(self, reply: Any) -> V | None:
        return optional(reading(self.codec))(reply)

    def _encoded(self, values: Iterable[V]) -> tuple[bytes, ...]:
        return tuple(self.codec.encode(value) for value in values)

    def _read(self, *args: Arg, read: Callable[[Any], T]) -> Command[T]:
        return Command((args[0], self.name, *args[1:]), read, self.name, safe=True)

    def _write(self, *args: Arg, read: Callable[[Any], T], undo: Undo | None = None) -> Command[T]:
        words = (args[0], self.name, *args[1:])
        lost = partial(UncertainError, str(args[0]), self.name)
        return Command(words, read, self.name, undo=undo, lost=lost)

    def _script(
        self,
        operation: str,
        args: tuple[Arg, ...],
        read: Callable[[Any], T],
        *more: str,
        undo: Undo | None = None,
    ) -> Eval[T]:
        script, keys = load(f"collections/{operation}"), (self.name, *more)
        lost = partial(UncertainError, operation, self.name)
        return Eval(script, keys, args, read, undo=undo, lost=lost)

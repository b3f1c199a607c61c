"""RHyperLogLog as commands: `RedissonHyperLogLog` of 3.19.3 to 4.7.0."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.replies import nothing, number, truth

__all__ = ["HyperLogLogProtocol"]

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class HyperLogLogProtocol(Generic[V]):
    """The operations of one counter of distinct values; `name` is the mapped name."""

    name: str
    codec: Codec[V]

    def add(self, values: Iterable[V]) -> Command[bool]:
        """PFADD; return whether the stored counter changed; `count` can stay the same."""
        words = [self.codec.encode(value) for value in values]
        return Command(
            ("PFADD", self.name, *words),
            truth,
            self.name,
            lost=partial(UncertainError, "PFADD", self.name),
        )

    def count(self, names: tuple[str, ...] = ()) -> Command[int]:
        """PFCOUNT of the union of this counter and others."""
        return Command(("PFCOUNT", self.name, *names), number, self.name, safe=True)

    def merge(self, names: tuple[str, ...]) -> Command[None]:
        """PFMERGE of other counters into this counter; to repeat the command does no harm."""
        return Command(("PFMERGE", self.name, *names), nothing, self.name, safe=True)

"""RBuckets as commands: several buckets at once, `RedissonBuckets` of 3.19.3 to 4.7.0.

In a cluster the keys of one command must be in one slot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import DecodeError, UncertainError
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.replies import nothing, reading, truth

__all__ = ["BucketsProtocol"]

V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class BucketsProtocol(Generic[V]):
    """The operations. Keys are mapped names; each operation needs at least one."""

    codec: Codec[V]

    def get(self, keys: Sequence[str]) -> Command[dict[str, V]]:
        """MGET; keys without a value are not in the result."""

        def read(reply: Any) -> dict[str, V]:
            decode = reading(self.codec)
            found: dict[str, V] = {}
            for key, data in zip(keys, reply, strict=True):
                try:
                    if data is not None:
                        found[key] = decode(data)
                except DecodeError as error:
                    error.add_note(f"the value of {key!r}")
                    raise
            return found

        return Command(("MGET", *keys), read, keys[0], safe=True)

    def set(self, values: Mapping[str, V]) -> Command[None]:
        """MSET."""
        return self._write("MSET", values, nothing)

    def try_set(self, values: Mapping[str, V]) -> Command[bool]:
        """MSETNX: set all keys if none of them has a value."""
        return self._write("MSETNX", values, truth)

    def _write(self, word: str, values: Mapping[str, V], read: Any) -> Command[Any]:
        words: list[str | bytes] = []
        for key, value in values.items():
            if value is None:
                raise TypeError(f"the value of {key!r} must not be None; delete the bucket")
            words += (key, self.codec.encode(value))
        first = next(iter(values))
        lost = partial(UncertainError, word, first)
        return Command((word, *words), read, first, lost=lost)

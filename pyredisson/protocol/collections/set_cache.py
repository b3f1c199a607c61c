"""RSetCache as scripts: `RedissonSetCache` of 3.19.3 to 4.7.0, by the server's clock.

A value's score is the time at which the value expires, in epoch milliseconds. Reading operations
treat an expired value as not in the set. In Redis it stays until the eviction of a client,
`remove_all` or `retain_all` removes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, TypeVar

from pyredisson.protocol.collections.values import KeyOfValues, temporary
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.names import prefix_name
from pyredisson.protocol.kernel.replies import number, page, truth
from pyredisson.protocol.objects.collection import PAGE

__all__ = ["Condition", "SetCacheProtocol"]

V = TypeVar("V")
Condition: TypeAlias = Literal["any", "none", "absent", "exists", "less", "greater"]
"""Which values to add, and of which values in the set to change the time of expiry.

"any" adds all new values, and changes all others. "none" adds all values, if the set has none of
them. "absent" adds each new value. "exists" changes each value that is in the set: "less" only if
its time becomes earlier, "greater" only if its time becomes later. An expired value counts as new.
"""


def _first(reply: Any) -> bool:
    return bool(reply[0])


def _all(reply: Any) -> bool:
    return all(reply)


@dataclass(frozen=True, slots=True)
class SetCacheProtocol(KeyOfValues[V]):
    """The operations of one set whose values expire; times are milliseconds.

    Attributes:
        publishing: the commands that publish: PUBLISH; then SPUBLISH in a cluster, else "".
    """

    publishing: tuple[str, str] = ("PUBLISH", "")

    def _reading(self, operation: str, *args: Arg, read: Any) -> Eval[Any]:
        return replace(self._script(operation, args, read), safe=True, lost=None)

    def add(self, values: Iterable[V], ttl_ms: int | None, condition: Condition) -> Eval[int]:
        """Add values, or change when they expire; if `ttl_ms` is None, they never expire.

        Return how many values were added or changed; for "any", how many were added.
        """
        ttl: Arg = "" if ttl_ms is None else ttl_ms
        args = (ttl, condition, *self._encoded(values))
        return self._script("set_cache_add", args, number)

    def contains(self, value: V) -> Eval[bool]:
        """Return whether the value is in the set and has not expired."""
        return self._reading("set_cache_contains", self.codec.encode(value), read=_first)

    def contains_all(self, values: Iterable[V]) -> Eval[bool]:
        """Return whether all values are in the set and have not expired."""
        return self._reading("set_cache_contains", *self._encoded(values), read=_all)

    def size(self) -> Eval[int]:
        """Return the number of values that have not expired."""
        return self._reading("set_cache_size", read=number)

    def read_all(self) -> Eval[list[V]]:
        """Return all values that have not expired."""
        return self._reading("set_cache_read", read=self._each)

    def scan(
        self, pattern: str | bytes | None, cursor: int, limit: int = PAGE
    ) -> Eval[tuple[int, list[V]]]:
        """Return the next cursor, and a page of values whose bytes match the pattern.

        The page has no expired values.
        """
        args: tuple[Arg, ...] = (cursor, "*" if pattern is None else pattern, limit)
        return self._reading("set_cache_scan", *args, read=page(self._each))

    def remove_all(self, values: Iterable[V]) -> Command[bool]:
        """ZREM; return whether any of the values was removed; an expired value counts."""
        return self._write("ZREM", *self._encoded(values), read=truth)

    def retain_all(self, values: Iterable[V]) -> Eval[bool]:
        """Remove all values but these, and change no time of expiry.

        Return whether any value was removed; an expired value counts.
        """
        key = temporary(self.name)
        return self._script("zset_retain_all", self._encoded(values), truth, key)

    def evict(self, seconds: int, limit: int) -> Eval[int]:
        """Remove expired values; return how many, or -1 if the latch exists.

        Args:
            seconds: the time to live of the latch, a key that the eviction creates. While the latch
                exists, no client runs an eviction of this set.
            limit: the maximum number of values to remove.
        """
        latch = prefix_name("redisson__execute_task_once_latch", self.name)
        channel = prefix_name("redisson_set_cache_expired", self.name)
        args = (channel, *self.publishing, seconds, limit)
        return self._script("set_cache_evict", args, number, latch)

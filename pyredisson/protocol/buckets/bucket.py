"""RBucket as commands: one value in one string key, `RedissonBucket` of 3.19.3 to 4.7.0.

Values are compared by their bytes.  Redisson's null is the absent key: `set(None)` deletes the
key, and `compare_and_set(None, value)` sets the value only if the key is absent.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval, Operation
from pyredisson.protocol.kernel.replies import nothing, number, reading, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.expirable import ExpirableProtocol

__all__ = ["BucketProtocol"]

V = TypeVar("V")


def _was_set(reply: Any) -> bool:
    """Read the reply of a SET with a condition: OK or nil."""
    return reply is not None


@dataclass(frozen=True, slots=True)
class BucketProtocol(Generic[V]):
    """The operations of one bucket; `name` is the mapped name, times are milliseconds."""

    name: str
    codec: Codec[V]

    def _optional(self, reply: Any) -> V | None:
        return None if reply is None else reading(self.codec)(reply)

    def _command(self, word: str, *args: Arg, read: Any, safe: bool = False) -> Command[Any]:
        lost = None if safe else partial(UncertainError, word, self.name)
        return Command((word, self.name, *args), read, self.name, safe=safe, lost=lost)

    def _script(self, operation: str, args: tuple[Arg, ...], read: Any) -> Eval[Any]:
        lost = partial(UncertainError, operation, self.name)
        return Eval(load(f"buckets/{operation}"), (self.name,), args, read, lost=lost)

    def get(self) -> Command[V | None]:
        """GET."""
        return self._command("GET", read=self._optional, safe=True)

    def size(self) -> Command[int]:
        """STRLEN: the bytes of the value."""
        return self._command("STRLEN", read=number, safe=True)

    def set(self, value: V | None, ttl_ms: int | None, *, keep_ttl: bool) -> Command[None]:
        """SET or SET KEEPTTL; PSETEX with a time to live; DEL for None."""
        if value is None:
            return self._command("DEL", read=nothing)
        data = self.codec.encode(value)
        if ttl_ms is not None:
            return self._command("PSETEX", ttl_ms, data, read=nothing)
        return self._command("SET", data, *(("KEEPTTL",) if keep_ttl else ()), read=nothing)

    def try_set(self, value: V, ttl_ms: int | None) -> Command[bool]:
        """SETNX, or SET PX NX: set only if there is no value."""
        data = self.codec.encode(value)
        if ttl_ms is None:
            return self._command("SETNX", data, read=truth)
        return self._command("SET", data, "PX", ttl_ms, "NX", read=_was_set)

    def set_if_exists(self, value: V, ttl_ms: int | None) -> Command[bool]:
        """SET XX, or SET PX XX: set only if there is a value."""
        time = () if ttl_ms is None else ("PX", ttl_ms)
        return self._command("SET", self.codec.encode(value), *time, "XX", read=_was_set)

    def get_and_set(self, value: V, ttl_ms: int | None) -> Operation[V | None]:
        """GETSET, or a script if there is a time to live."""
        data = self.codec.encode(value)
        if ttl_ms is None:
            return self._command("GETSET", data, read=self._optional)
        return self._script("get_and_set", (data, ttl_ms), self._optional)

    def get_and_delete(self) -> Eval[V | None]:
        """Delete the value and return it."""
        return self._script("get_and_delete", (), self._optional)

    def compare_and_set(self, expected: V | None, value: V | None) -> Operation[bool]:
        """Set `value`, without a time to live, if the current value is `expected`.

        None stands for no value.
        """
        if expected is None and value is None:
            return ExpirableProtocol((self.name,)).absent()
        if expected is None:
            return self._command("SETNX", self.codec.encode(value), read=truth)  # type: ignore[arg-type]  # not None
        if value is None:
            return self.compare_and_delete(expected, unexpected=False)
        args = (self.codec.encode(expected), self.codec.encode(value))
        return self._script("compare_and_set", args, truth)

    def compare_and_delete(self, value: V, *, unexpected: bool) -> Eval[bool]:
        """Delete the current value if it is `value`, or with `unexpected` if it differs."""
        which = "unexpected" if unexpected else "expected"
        return self._script("compare_and_delete", (self.codec.encode(value), which), truth)

    def get_and_expire(self, milliseconds: int, *, absolute: bool) -> Command[V | None]:
        """GETEX with PX, or with PXAT for epoch milliseconds; needs Redis 6.2."""
        word = "PXAT" if absolute else "PX"
        return self._command("GETEX", word, milliseconds, read=self._optional)

    def get_and_clear_expire(self) -> Command[V | None]:
        """GETEX PERSIST; needs Redis 6.2."""
        return self._command("GETEX", "PERSIST", read=self._optional)

"""RMap as commands: the fields of one hash, `RedissonMap` of 3.19.3 to 4.7.0.

Keys and values are compared by their bytes. None is neither a key nor a value, as in Redisson.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Generic, TypeVar

from pyredisson.codecs.base import Codec
from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval, Operation
from pyredisson.protocol.kernel.highway_hash import hash_name
from pyredisson.protocol.kernel.names import suffix_name
from pyredisson.protocol.kernel.replies import each, nothing, number, readable, reading, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.objects.collection import PAGE

__all__ = ["START", "Entry", "MapProtocol", "Page", "paired", "sum_of"]

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

START = b"0"
"""The cursor of the first page, and the cursor that the last page returns."""
Entry = tuple[bytes, bytes]
"""The bytes of a key and of its value, as Redis has them."""
Page = tuple[bytes, list[T]]
"""The cursor of the next page, and the elements of this page."""


def paired(reply: Any) -> Iterator[Entry]:
    """Pair the keys of a flat reply with their values."""
    return zip(reply[::2], reply[1::2], strict=True)


def sum_of(reply: Any) -> float:
    """Return the sum in the reply of `add_and_get`: an int if the sum is whole, else a float."""
    text = bytes(reply)
    return int(text) if text.removeprefix(b"-").isdigit() else float(text)


@dataclass(frozen=True)
class MapProtocol(Generic[K, V]):
    """The operations of one map.

    Attributes:
        name: the mapped name.
        key_codec: the codec of the keys (`Codec.map_key`).
        value_codec: the codec of the values (`Codec.map_value`).
    """

    name: str
    key_codec: Codec[K]
    value_codec: Codec[V]

    # -------------------------------------------------------------- keys and values

    def key(self, key: K) -> bytes:
        """Encode a key.

        Raises:
            TypeError: the key is None.
        """
        if key is None:
            raise TypeError(f"a key of map {self.name!r} must not be None")
        return self.key_codec.encode(key)

    def value(self, value: V) -> bytes:
        """Encode a value.

        Raises:
            TypeError: the value is None.
        """
        if value is None:
            raise TypeError(f"a value of map {self.name!r} must not be None; remove its key")
        return self.value_codec.encode(value)

    def lock_name(self, key: K) -> str:
        """Return the name of the lock of a key (`RedissonObject.getLockByMapKey`)."""
        return suffix_name(self.name, f"{hash_name(self.key(key))}:lock")

    def read_key(self, entry: Entry) -> K:
        """Decode the key of an entry."""
        return reading(self.key_codec)(entry[0])

    def stored(self, data: bytes) -> V:
        """Decode the bytes of a value, as Redis has them."""
        return reading(self.value_codec)(data)

    def read_value(self, entry: Entry) -> V:
        """Decode the value of an entry."""
        return self.stored(entry[1])

    def read_entry(self, entry: Entry) -> tuple[K, V]:
        """Decode an entry."""
        return self.read_key(entry), self.read_value(entry)

    def _optional(self, reply: Any) -> V | None:
        return None if reply is None else self.stored(reply)

    def _keys(self, reply: Any) -> list[K]:
        return each(reading(self.key_codec))(reply)

    def _entries(self, reply: Any) -> list[tuple[K, V]]:
        return each(self.read_entry)(paired(reply))

    def _command(self, *args: Arg, read: Callable[[Any], T], safe: bool = False) -> Command[T]:
        lost = None if safe else partial(UncertainError, str(args[0]), self.name)
        return Command((args[0], self.name, *args[1:]), read, self.name, safe=safe, lost=lost)

    def _script(
        self, operation: str, *args: Arg, read: Callable[[Any], T], safe: bool = False
    ) -> Eval[T]:
        lost = None if safe else partial(UncertainError, operation, self.name)
        return Eval(load(f"maps/{operation}"), (self.name,), args, read, safe=safe, lost=lost)

    # -------------------------------------------------------------- one key

    def get(self, key: K) -> Operation[V | None]:
        """HGET."""
        return self._command("HGET", self.key(key), read=self._optional, safe=True)

    def contains_key(self, key: K) -> Operation[bool]:
        """HEXISTS."""
        return self._command("HEXISTS", self.key(key), read=truth, safe=True)

    def value_size(self, key: K) -> Operation[int]:
        """HSTRLEN: the number of bytes of a value, or 0 if the key does not exist."""
        return self._command("HSTRLEN", self.key(key), read=number, safe=True)

    def put(self, key: K, value: V) -> Operation[V | None]:
        """Set a value; return the previous value, or None if the key is new."""
        return self._script("put", self.key(key), self.value(value), read=self._optional)

    def fast_put(self, key: K, value: V) -> Operation[bool]:
        """HSET: return whether the key is new."""
        return self._command("HSET", self.key(key), self.value(value), read=truth)

    def put_if_absent(self, key: K, value: V) -> Operation[V | None]:
        """Set the value of a new key and return None; if the key exists, return its value."""
        return self._script("put_if_absent", self.key(key), self.value(value), read=self._optional)

    def fast_put_if_absent(self, key: K, value: V) -> Operation[bool]:
        """HSETNX: return whether the key was new."""
        return self._command("HSETNX", self.key(key), self.value(value), read=truth)

    def put_if_exists(self, key: K, value: V) -> Operation[V | None]:
        """Replace the value of a key; return the old value, or None if the key does not exist."""
        return self._script("put_if_exists", self.key(key), self.value(value), read=self._optional)

    def fast_put_if_exists(self, key: K, value: V) -> Operation[bool]:
        """Set the value of a key that exists; return whether the key exists."""
        args = (self.key(key), self.value(value))
        return self._script("fast_put_if_exists", *args, read=truth)

    def replace(self, key: K, old: V, new: V) -> Operation[bool]:
        """Set a value if the current one has the bytes of `old`; return whether it was set."""
        args = (self.key(key), self.value(old), self.value(new))
        return self._script("replace", *args, read=truth)

    def remove(self, key: K) -> Operation[V | None]:
        """Remove a key; return its value, or None if the key does not exist."""
        return self._script("remove", self.key(key), read=self._optional)

    def remove_value(self, key: K, value: V) -> Operation[bool]:
        """Remove a key if its value has the bytes of `value`; return whether it was removed."""
        return self._script("remove_value", self.key(key), self.value(value), read=truth)

    def add_and_get(self, key: K, delta: float) -> Operation[float]:
        """HINCRBYFLOAT, which writes decimal text; return the sum.

        Raises:
            TypeError: `delta` is not an int or a float, or the codec of the values does not read
                decimal text.
            ValueError: `delta` is infinite or NaN.
        """
        return self._command("HINCRBYFLOAT", self.key(key), self.delta(delta), read=sum_of)

    def delta(self, delta: float) -> str:
        """Return the text of a number to add; for the errors see `add_and_get`."""
        if isinstance(delta, bool) or not isinstance(delta, int | float):
            raise TypeError(f"delta must be an int or a float, not {type(delta).__name__}")
        exact = Decimal(repr(delta))
        if not exact.is_finite():
            raise ValueError(f"delta must be finite, not {delta!r}")
        text = format(exact, "f")
        if readable(self.value_codec, text.encode())[0] not in (delta, text):
            raise TypeError(
                f"add_and_get of map {self.name!r} would write decimal text such as {text!r}, "
                f"which {type(self.value_codec).__name__} does not read; use StringCodec"
            )
        return text

    # -------------------------------------------------------------- many keys

    def size(self) -> Operation[int]:
        """HLEN."""
        return self._command("HLEN", read=number, safe=True)

    def get_all(self, keys: Iterable[K]) -> Operation[dict[K, V]]:
        """HMGET: the keys that exist, with their values; `keys` must not be empty."""
        wanted = list(keys)
        fields = [self.key(key) for key in wanted]
        return self._command("HMGET", *fields, read=self.found(wanted), safe=True)

    def found(self, keys: list[K]) -> Callable[[Any], dict[K, V]]:
        """Return a reader of a reply that has for each key its value, or nil for a missing key."""

        def read(reply: Any) -> dict[K, V]:
            found = [pair for pair in zip(keys, reply, strict=True) if pair[1] is not None]
            return dict(each(lambda pair: (pair[0], self.stored(pair[1])))(found))

        return read

    def put_all(self, entries: Mapping[K, V]) -> Operation[None]:
        """HMSET; `entries` must not be empty."""
        return self._command("HMSET", *self.encoded(entries), read=nothing)

    def encoded(self, entries: Mapping[K, V]) -> list[bytes]:
        """Return each encoded key, followed by its encoded value."""
        return [word for k, v in entries.items() for word in (self.key(k), self.value(v))]

    def fast_remove(self, keys: Iterable[K]) -> Operation[int]:
        """HDEL: return how many keys existed; `keys` must not be empty."""
        return self._command("HDEL", *map(self.key, keys), read=number)

    def keys(self) -> Operation[list[K]]:
        """HKEYS."""
        return self._command("HKEYS", read=self._keys, safe=True)

    def values(self) -> Operation[list[V]]:
        """HVALS."""
        return self._command("HVALS", read=each(self.stored), safe=True)

    def entries(self) -> Operation[list[tuple[K, V]]]:
        """HGETALL."""
        return self._command("HGETALL", read=self._entries, safe=True)

    def random_keys(self, count: int) -> Operation[list[K]]:
        """HRANDFIELD (Redis 6.2)."""
        return self._command("HRANDFIELD", count, read=self._keys, safe=True)

    def random_entries(self, count: int) -> Operation[list[tuple[K, V]]]:
        """HRANDFIELD WITHVALUES (Redis 6.2)."""
        args = ("HRANDFIELD", count, "WITHVALUES")
        return self._command(*args, read=self._entries, safe=True)

    def scan(
        self,
        cursor: bytes,
        pattern: str | bytes | None,
        read: Callable[[Entry], T],
        limit: int = PAGE,
    ) -> Operation[Page[T]]:
        """HSCAN: a page of entries whose encoded keys match the pattern, each read by `read`."""

        def page(reply: Any) -> Page[T]:
            return bytes(reply[0]), each(read)(paired(reply[1]))

        match = () if pattern is None else ("MATCH", pattern)
        return self._command("HSCAN", cursor, *match, "COUNT", limit, read=page, safe=True)

    def contains_value(self, value: V, cursor: bytes) -> Operation[tuple[bool, bytes]]:
        """Search a page for a value; return whether it is found, and the cursor of the next page.

        Redisson searches the whole hash in one script, during which the server runs no command.
        """

        def read(reply: Any) -> tuple[bool, bytes]:
            return reply[0] == 1, bytes(reply[1])

        args = (self.value(value), cursor, PAGE)
        return self._script("contains_value", *args, read=read, safe=True)

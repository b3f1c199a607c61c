"""RLocalCachedMap as commands: the operations of RMap; a write also notifies clients with copies.

A map has a hash with its entries, a channel `{name}:topic`, and a sorted set: the log of the last
changes. Each write is logged. Unless `sync_strategy` is "none", each write also publishes a
message, even if the write changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Generic, Literal, TypeVar

from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval, Operation
from pyredisson.protocol.kernel.highway_hash import hash_bytes
from pyredisson.protocol.kernel.names import prefix_name, suffix_name
from pyredisson.protocol.kernel.replies import nothing, truth
from pyredisson.protocol.kernel.scripts import load
from pyredisson.protocol.local_maps.messages import ACKNOWLEDGED, CLEAR, invalidation, update
from pyredisson.protocol.maps.map import MapProtocol

__all__ = ["Change", "Changes", "LocalMapProtocol", "Sync"]

K = TypeVar("K")
V = TypeVar("V")
T = TypeVar("T")

Sync = Literal["invalidate", "update", "none"]
_MOST = 5000
"""The maximum number of changes that one script reads from the log."""
_ALL = bytes(16)
"""An entry of the log with this hash means that all keys may have changed; Java ignores it."""


def _member(digest: bytes) -> bytes:
    return digest + b":" + bytes(8)


@dataclass(frozen=True, slots=True)
class Change(Eval[T]):
    """A write; `hashes` are the hashes of the keys to write. None stands for all keys."""

    _: KW_ONLY
    hashes: Sequence[bytes] | None


@dataclass(frozen=True, slots=True)
class Changes:
    """The changes in the log since some time.

    Attributes:
        now_ms: the server's time, in epoch milliseconds.
        hashes: the hashes of the changed keys; None if any key may have changed.
    """

    now_ms: int
    hashes: Sequence[bytes] | None


@dataclass(frozen=True)
class LocalMapProtocol(MapProtocol[K, V], Generic[K, V]):
    """The operations of one local cached map.

    Attributes:
        publishing: the commands that publish: PUBLISH; then SPUBLISH in a cluster, else "".
        sync_strategy: what a write publishes. "invalidate": the hashes of the keys to drop.
            "update": the keys and new values; or those hashes, if the write stores no value or is
            `add_and_get`. "none": nothing. In place of hashes, `clear` publishes `CLEAR`.
    """

    publishing: tuple[str, str] = ("PUBLISH", "")
    sync_strategy: Sync = "invalidate"

    @property
    def topic(self) -> str:
        """The channel of the messages."""
        return suffix_name(self.name, "topic")

    @property
    def log(self) -> str:
        """The sorted set of the last changes."""
        return prefix_name("redisson__cache_updates_log", self.name)

    def _written(
        self, script: str, args: tuple[Arg, ...], read: Any, hashes: Sequence[bytes] | None
    ) -> Change[Any]:
        def lost(cause: Exception) -> Exception:
            return UncertainError("a write", self.name, cause)

        keys, words = (self.name, self.topic, self.log), (*self.publishing, *args)
        return Change(load(f"local_maps/{script}"), keys, words, read, lost=lost, hashes=hashes)

    def _message(self, message: bytes) -> bytes:
        return b"" if self.sync_strategy == "none" else message

    def _change(
        self,
        entries: Iterable[tuple[bytes, bytes]],
        read: Callable[[Any], T],
        *,
        write: str = "hset",
        condition: str = "",
        expected: bytes = b"",
    ) -> Change[T]:
        known = list(entries)
        hashes = [hash_bytes(field) for field, _ in known]
        drop = self._message(invalidation(hashes))
        message = update(known) if self.sync_strategy == "update" and write == "hset" else drop
        words = [
            word
            for (field, value), digest in zip(known, hashes, strict=True)
            for word in (field, value, _member(digest))
        ]
        return self._written(
            "change", (message, drop, write, condition, expected, *words), read, hashes
        )

    def _set(self, key: K, value: V, read: Callable[[Any], T], condition: str = "") -> Change[T]:
        return self._change([(self.key(key), self.value(value))], read, condition=condition)

    def _previous(self, reply: Any) -> V | None:
        return self._optional(reply[2])

    # -------------------------------------------------------------- writes

    def put(self, key: K, value: V) -> Operation[V | None]:
        """Set a value; return the previous value, or None if the key is new."""
        return self._set(key, value, self._previous)

    def fast_put(self, key: K, value: V) -> Operation[bool]:
        """Set a value; return whether the key is new."""
        return self._set(key, value, _is_new)

    def put_if_absent(self, key: K, value: V) -> Operation[V | None]:
        """Set the value of a new key and return None; if the key exists, return its value."""
        return self._set(key, value, self._previous, "absent")

    def fast_put_if_absent(self, key: K, value: V) -> Operation[bool]:
        """Set the value of a key that does not exist; return whether it was set."""
        return self._set(key, value, _held, "absent")

    def put_if_exists(self, key: K, value: V) -> Operation[V | None]:
        """Replace the value of a key; return the old value, or None if the key does not exist."""
        return self._set(key, value, self._previous, "present")

    def fast_put_if_exists(self, key: K, value: V) -> Operation[bool]:
        """Set the value of a key that exists; return whether it was set."""
        return self._set(key, value, _held, "present")

    def replace(self, key: K, old: V, new: V) -> Operation[bool]:
        """Set a value if the current one has the bytes of `old`; return whether it was set."""
        entry = (self.key(key), self.value(new))
        return self._change([entry], _held, condition="equal", expected=self.value(old))

    def remove(self, key: K) -> Operation[V | None]:
        """Remove a key; return its value, or None if the key does not exist."""
        return self._change([(self.key(key), b"")], self._previous, write="hdel")

    def remove_value(self, key: K, value: V) -> Operation[bool]:
        """Remove a key if its value has the bytes of `value`; return whether it was removed."""
        entry, expected = (self.key(key), b""), self.value(value)
        return self._change([entry], _held, write="hdel", condition="equal", expected=expected)

    def put_all(self, entries: Mapping[K, V]) -> Operation[None]:
        """Set the values of several keys."""
        encoded = [(self.key(key), self.value(value)) for key, value in entries.items()]
        return self._change(encoded, nothing)

    def fast_remove(self, keys: Iterable[K]) -> Operation[int]:
        """Remove keys; return how many existed."""
        fields = dict.fromkeys(map(self.key, keys), b"")
        return self._change(fields.items(), _existed, write="hdel")

    def add_and_get(self, key: K, delta: float) -> Operation[float]:
        """Add a number to a value and return the sum; for the errors see `MapProtocol`."""
        plain = super().add_and_get(key, delta)
        _, _, field, number = plain.request()
        digest = hash_bytes(self.key(key))
        message = self._message(invalidation([digest]))
        args = (message, field, number, _member(digest))
        return self._written("add_and_get", args, plain.decode, [digest])

    def clear(self) -> Change[bool]:
        """Delete the map; return whether it existed."""
        return self._written("clear", (self._message(CLEAR), _member(_ALL), "del"), truth, None)

    def drop_copies(self) -> Change[bool]:
        """Make all clients drop their copies of the map; return whether the map exists.

        The message is published with any `sync_strategy`.
        """
        return self._written("clear", (CLEAR, _member(_ALL), ""), truth, None)

    # -------------------------------------------------------------- messages

    def acknowledge(self, request: str) -> Command[None]:
        """Confirm to a transaction of Java that the copies of its keys were dropped."""
        topic = suffix_name(self.name, f"{request}:topic")
        return Command(("PUBLISH", topic, ACKNOWLEDGED), nothing, topic, safe=True)

    def answer(self, request: str) -> Eval[None]:
        """Release a permit: a client of Java waits for one permit of each client with copies."""
        semaphore = f"{self.name}:clear:{request}"
        keys = (semaphore, prefix_name("redisson_sc", semaphore))
        return Eval(load("local_maps/answer"), keys, self.publishing, nothing, safe=True)

    def changes(self, since_ms: int) -> Eval[Changes]:
        """Read the log of changes since a time of the server's clock, in epoch milliseconds."""

        def read(reply: Any) -> Changes:
            now_ms, exists, members = reply
            hashes = [bytes(member[:16]) for member in members]
            some = exists and len(hashes) < _MOST and _ALL not in hashes
            return Changes(now_ms, hashes if some else None)

        keys, args = (self.name, self.log), (since_ms, _MOST)
        return Eval(load("local_maps/changes"), keys, args, read, safe=True)


def _existed(reply: Any) -> int:
    return int(reply[0])


def _held(reply: Any) -> bool:
    return bool(reply[1])


def _is_new(reply: Any) -> bool:
    return not reply[0]

"""The keys of a server as plain values that can be compared.

Rule: two dumps are equal exactly when no reader could tell the keys apart, except by how long a
key has left to live: only whether it has an end is kept.
"""

from dataclasses import dataclass
from typing import Any

import redis

Value = bytes | tuple[bytes, ...] | tuple[tuple[bytes, float | bytes], ...]
"""String; list (in order), set (sorted); sorted set (its order, with scores), hash (sorted)."""


@dataclass(frozen=True, slots=True)
class KeyDump:
    """One key."""

    type: str
    value: Value
    expires: bool = False


def dump(client: redis.Redis, pattern: str | bytes = "*") -> dict[bytes, KeyDump]:
    """Every key that matches the glob ``pattern``, sorted; ``client`` must answer in bytes."""
    keys: list[Any] = sorted(client.scan_iter(match=pattern, count=1000))
    return {key: dump_key(client, key) for key in keys}


def dump_key(client: redis.Redis, key: bytes) -> KeyDump:
    """One key; a missing one has the type ``none`` and no bytes."""
    run: Any = client.execute_command
    kind = run("TYPE", key).decode()
    return KeyDump(kind, _value(client, kind, key), expires=run("PTTL", key) >= 0)


def _value(client: redis.Redis, kind: str, key: bytes) -> Value:
    run: Any = client.execute_command
    match kind:
        case "none":
            return b""
        case "string":
            return bytes(run("GET", key))
        case "list":
            return tuple(run("LRANGE", key, 0, -1))
        case "set":
            return tuple(sorted(run("SMEMBERS", key)))
        case "zset":
            members: Any = client.zrange(key, 0, -1, withscores=True)
            return tuple((member, float(score)) for member, score in members)
        case "hash":
            return tuple(sorted(run("HGETALL", key).items()))
    raise ValueError(f"no dump of the type {kind}")

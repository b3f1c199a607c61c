"""The keys of a server as plain values that can be compared.

Rule: two dumps are equal exactly when no reader could tell the keys apart, except by how long a
key has left to live: only whether it has an end is kept.
"""

from dataclasses import dataclass
from typing import Any

import redis

Value = bytes | tuple[Any, ...]
"""String; list (in order), set (sorted); sorted set (its order, with scores), hash (sorted); stream
(its messages, then its groups)."""


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
            entries: Any = client.zrange(key, 0, -1, withscores=True)
            return tuple((entry, float(score)) for entry, score in entries)
        case "hash":
            return tuple(sorted(run("HGETALL", key).items()))
        case "stream":
            messages: Any = client.xrange(key)
            groups: Any = client.xinfo_groups(key)
            return (
                *((name, tuple(sorted(fields.items()))) for name, fields in messages),
                *(
                    (each["name"], each["last-delivered-id"], b"%d" % each["pending"])
                    for each in groups
                ),
            )
    raise ValueError(f"no dump of the type {kind}")

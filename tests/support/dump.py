"""The keys of a server as plain values that can be compared.

Rule: two dumps are equal exactly if no command could distinguish the keys, except by their times to
live: a dump has only whether a key has one.
"""

from collections.abc import Iterator, Sequence
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
    """Return every key that matches the glob ``pattern``, sorted; ``client`` must return bytes."""
    return dump_keys(client, sorted(client.scan_iter(match=pattern, count=1000)))


def dump_keys(client: redis.Redis, keys: Sequence[bytes]) -> dict[bytes, KeyDump]:
    """Return these keys; a missing one has the type ``none`` and no bytes."""
    with client.pipeline(transaction=False) as pipeline:
        run: Any = pipeline.execute_command
        for key in keys:
            run("TYPE", key)
            run("PTTL", key)
        replies = pipeline.execute()
        kinds = [kind.decode() for kind in replies[::2]]
        for key, kind in zip(keys, kinds, strict=True):
            _read(pipeline, kind, key)
        values = iter(pipeline.execute())
    return {
        key: KeyDump(kind, _value(kind, values), expires=left >= 0)
        for key, kind, left in zip(keys, kinds, replies[1::2], strict=True)
    }


def _read(pipeline: Any, kind: str, key: bytes) -> None:
    """Add the commands that read a key's value to a pipeline."""
    match kind:
        case "none" | "string":
            pipeline.get(key)
        case "list":
            pipeline.lrange(key, 0, -1)
        case "set":
            pipeline.smembers(key)
        case "zset":
            pipeline.zrange(key, 0, -1, withscores=True)
        case "hash":
            pipeline.hgetall(key)
        case "stream":
            pipeline.xrange(key)
            pipeline.xinfo_groups(key)
        case _:
            raise ValueError(f"no dump of the type {kind}")


def _value(kind: str, replies: Iterator[Any]) -> Value:
    """Return the value from the replies to `_read`."""
    found = next(replies)
    match kind:
        case "list":
            return tuple(found)
        case "set":
            return tuple(sorted(found))
        case "zset":
            return tuple((entry, float(score)) for entry, score in found)
        case "hash":
            return tuple(sorted(found.items()))
        case "stream":
            return (
                *((name, tuple(sorted(fields.items()))) for name, fields in found),
                *(
                    (each["name"], each["last-delivered-id"], b"%d" % each["pending"])
                    for each in next(replies)
                ),
            )
    return bytes(found or b"")

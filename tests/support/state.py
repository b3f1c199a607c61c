"""The keys of a server as the test tables write them: name -> elements.

Entries of a delayed queue appear as their values, in the order of the key (list: as it is, sorted
set: by score). A key with a time to live has ``ttl`` as its last element. Rule: every key is
included, so an unexpected key fails the comparison.
"""

import re
import struct
from typing import Any

import redis

from tests.support.dump import dump

Shape = dict[str, list[str]]


def unpack(entry: bytes) -> bytes:
    """Return the value in a packed entry: Bc0Lc0 (Redisson 3.21.1 and newer), else dLc0."""
    start = 1 + entry[0] if entry else 1
    for at in (start, 8):
        (size,) = struct.unpack("<Q", entry[at : at + 8].ljust(8, b"\xff"))
        if size == len(entry) - at - 8:
            return entry[at + 8 :]
    raise ValueError(f"not an entry of a delayed queue: {entry!r}")


def pack(value: bytes, item_id: bytes = b"12345678") -> bytes:
    """Return an entry as Redisson 3.21.1 and newer write it."""
    return bytes([len(item_id)]) + item_id + struct.pack("<Q", len(value)) + value


def pack_old(value: bytes, item_id: float = 1.5) -> bytes:
    """Return an entry as Redisson up to 3.21.0 writes it."""
    return struct.pack("<dQ", item_id, len(value)) + value


def shape(client: redis.Redis) -> Shape:
    """Return all keys of the client's database."""
    result: Shape = {}
    for key, found in dump(client).items():
        name = key.decode()
        elements: Any = found.value
        if found.type == "zset":
            elements = [entry for entry, _score in elements]
        if name.startswith("redisson_delay_queue"):
            elements = [unpack(element) for element in elements]
        if found.type == "string":
            elements = [elements]
        result[name] = [bytes(element).decode() for element in elements]
        result[name] += ["ttl"] if found.expires else []
    return result


def scores(client: redis.Redis, name: str = "q") -> dict[str, float]:
    """Return the pending values of a queue and their due times, in epoch milliseconds."""
    key = f"redisson_delay_queue_timeout:{{{name}}}".encode()
    return {unpack(entry).decode(): score for entry, score in scored(client, key)}


def scored(client: redis.Redis, key: bytes) -> list[tuple[bytes, float]]:
    """Members and scores of a sorted set."""
    found: Any = client.zrange(key, 0, -1, withscores=True)
    return [(bytes(entry), float(score)) for entry, score in found]


def server_ms(client: redis.Redis) -> float:
    """The server's clock in epoch milliseconds."""
    seconds, micros = client.time()
    return int(seconds) * 1000 + int(micros) / 1000


def keys(client: redis.Redis, pattern: str = "*") -> list[bytes]:
    """Return all keys except the names of consumers, which expire."""
    found: Any = client.keys(pattern)
    return [key for key in found if not key.startswith(b"pyredisson_consumers:")]


def clock_of(now: int) -> re.Pattern[bytes]:
    """Return a pattern for a moment close to `now` in a record or an id."""
    milliseconds, microseconds = now.to_bytes(8, "big")[:4], (now * 1000).to_bytes(7, "big")[:2]
    entry = b"%d" % (now // 10**6) + rb"\d{6}-\d+"  # an id of a stream
    return re.compile(
        re.escape(milliseconds) + b".{4}|P" + re.escape(microseconds) + b".{5}|" + entry, re.DOTALL
    )

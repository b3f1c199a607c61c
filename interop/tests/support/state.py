"""A delayed queue as bytes: stored on a server without a client, and read back.

Rule: a state is data, so that Java and Python can get the same one.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import redis

from pyredisson.protocol.delayed.entry import WireFormat, pack
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.dump import KeyDump, dump_keys


@dataclass(frozen=True, slots=True)
class Item:
    """A pending item: ``copies`` in the delay list, and one in the timeout set if it is ``timed``.

    Redisson writes one copy and a score; clients that crashed half-way leave other numbers.
    ``item_id`` is the 8 bytes as they are stored: in the old format those of a double.
    """

    value: bytes
    due: int
    item_id: bytes
    wire_format: WireFormat = WireFormat.CURRENT
    copies: int = 1
    timed: bool = True

    @property
    def entry(self) -> bytes:
        """The packed bytes, as both structures hold them."""
        if self.wire_format is WireFormat.LEGACY:
            return self.item_id + len(self.value).to_bytes(8, "little") + self.value
        return pack(self.item_id, self.value, self.wire_format)


def lay(
    client: redis.Redis,
    name: str,
    items: Iterable[Item],
    target: Sequence[bytes] = (),
) -> QueueNames:
    """Replace the contents of the queue ``name`` by these items, in order, and this target list."""
    names = QueueNames.of(name)
    pipeline = client.pipeline()
    pipeline.delete(*names.keys())
    if target:
        pipeline.rpush(name, *target)
    for item in items:
        if item.timed:
            pipeline.zadd(names.timeout_set, {item.entry: item.due})
        if item.copies:
            pipeline.rpush(names.delay_list, *[item.entry] * item.copies)
    pipeline.execute()
    return names


def read(client: redis.Redis, names: QueueNames) -> dict[str, KeyDump]:
    """Return the contents of the queue: target, pending in both structures, poison."""
    keys = {
        "target": names.name,
        "list": names.delay_list,
        "set": names.timeout_set,
        "poison": names.poison,
    }
    found = dump_keys(client, [key.encode() for key in keys.values()])
    return {what: found[key.encode()] for what, key in keys.items()}


def now_ms(client: redis.Redis) -> int:
    """Return the server's clock, in epoch milliseconds."""
    now: Any = client.time()
    return int(now[0]) * 1000 + int(now[1]) // 1000

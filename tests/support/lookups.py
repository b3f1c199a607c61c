"""Script calls that search pending items: each row has a call, the keys before it, and a label."""

import struct
from typing import Any

from pyredisson.codecs import StringCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.entry import sha_of
from pyredisson.protocol.delayed.lookup import find, retries
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from tests.support.state import pack

N = ConsumerNames.of("q")
SET = N.queue.timeout_set
D = DelayedQueueProtocol(N.queue, StringCodec())

RECEIPT = D.receipt(b"v", 0, b"12345678")
OTHER = D.receipt(b"w", 0, RECEIPT.item_id)
SHORT: Any = RECEIPT.short()
ENTRY = sha_of(b"v") + struct.pack(">QB", 5, len(SHORT.head)) + SHORT.head + bytes(44)
A = pack(b"a")

Stored = tuple[tuple[str, Any], ...]
LOOKUPS: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (find(D.names, SHORT), ((SET, {A: 0, RECEIPT.entry: 0, OTHER.entry: 0}),), ""),
    (retries(D.names, RECEIPT), ((N.retried, {ENTRY: 0}), (SET, {A: 1, RECEIPT.entry: 5})), ""),
)

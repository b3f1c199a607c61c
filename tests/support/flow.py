"""Script calls of pauses, bounds and expiry; one of the items has expired, and one is pending."""

import hashlib
import struct
from typing import Any

from pyredisson.protocol.consumers.cleanup import reap
from pyredisson.protocol.consumers.consumer import ConsumerProtocol
from pyredisson.protocol.consumers.delivery import Delivery
from pyredisson.protocol.consumers.in_flight import held_by_consumers
from pyredisson.protocol.delayed.bounded import Bound
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import ConsumerNames
from pyredisson.protocol.objects.pages import START
from pyredisson.protocol.queues.pause import pause, resume
from tests.support.groups import Fields
from tests.support.state import pack

N = ConsumerNames.of("q")
C = ConsumerProtocol(N)
PASSED, PENDING = pack(b"x", bytes(16)), pack(b"y", bytes(16))
ENTRY = b"i" * 16 + bytes(4 + 8 + 8) + (5).to_bytes(8, "big")
OFFERED = [Receipt("q", n, bytes([n] * 8), b"v") for n in (2, 1)]

Stored = tuple[tuple[str, Any], ...]


def found(*entries: bytes) -> Stored:
    """Return all keys of a queue; these entries were offered with an expiry that has passed."""
    records = {
        hashlib.sha1(m[25:]).hexdigest().encode()
        + (1).to_bytes(8, "big")
        + b"\x19"
        + m[:25]
        + ENTRY: 0
        for m in entries
    }
    return (
        ("q", [b"x", b"y"]),
        (N.expiring, dict.fromkeys(entries, 1)),
        (N.expiries, records),
        (N.queue.timeout_set, {PENDING: 9}),
        (N.queue.delay_list, [PENDING]),
    )


TAKE = C.take(2, 1000, bytes(14), expiring=True)
BOTH = found(PASSED, PENDING)
MORE = [*OFFERED, Receipt("q", 9, bytes(16), b"y")]
MOVED = pack(b"z", bytes(16))
FAR: Stored = (
    *found(PASSED, MOVED)[:1],
    (N.expiring, {PASSED: 2**52, MOVED: 1}),
    *found(PASSED, MOVED)[2:],
    (N.arriving, [b"z"]),
)
PAUSED: Stored = (("q", [b"x"]), (N.arriving, [b"a", b"b"]), (N.paused, b"1"))

EXPIRES = Delivery(b"t" * 16, b"i" * 16, 1, 5, 6, 0, b"x", expires_ms=7)
RECORDED = struct.pack(">16sIQQQq", b"i" * 16, 1 << 31 | 1, 5, 6, 0, 7) + b"x"
LEASED: Stored = ((N.leases, {b"t" * 16: 2**52}), (N.taken, Fields({"t" * 16: RECORDED})))
NAMED: Stored = (*LEASED, (N.consumers, {b"ttttme": 2**52}))

FLOW: tuple[tuple[Eval[Any], Stored, str], ...] = (
    (pause(N), (), ""),
    (resume(N), PAUSED, ""),
    (C.take(2, 1000, bytes(14)), PAUSED, " of a pause"),
    (Bound(5).offer(N.queue, OFFERED), BOTH[:1], ""),
    (Bound(5).offer(N.queue, MORE), BOTH, " again"),
    (Bound(3).offer(N.queue, OFFERED), BOTH, " of a full queue"),
    (Bound(expires_ms=5).offer(N.queue, OFFERED), BOTH, " that expires"),
    (TAKE, BOTH, ""),
    (TAKE, BOTH[1:], " none"),
    (C.take(2, 1000, bytes(14)), BOTH, " of what expires"),
    (C.take(2, 1000, bytes(14), called=b"1234me"), BOTH[:1], " with a name"),
    (C.extend([EXPIRES.token], 2**52, b"ttttme"), LEASED, " with a name"),
    (held_by_consumers(N, START, 9), NAMED, ""),
    (held_by_consumers(N, (EXPIRES.token, str(2**52).encode()), 9), NAMED, " the rest"),
    (C.release_unstarted([EXPIRES]), LEASED, ""),
    (C.expire([EXPIRES.token]), LEASED, ""),
    (reap(N), found(PASSED), " of what has expired"),
    (reap(N), found(PENDING), " of what is pending"),
    (reap(N), FAR, " of the first elements"),
)

"""Script calls of deduplication, and the keys before them."""

from typing import Any

from pyredisson.codecs import StringCodec
from pyredisson.protocol.consumers.cleanup import forget_keys
from pyredisson.protocol.delayed.dedup import (
    Dedup,
    IfExists,
    offer_once,
    pending_with,
)
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.kernel.command import Eval
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.groups import Fields

NAMES = QueueNames.of("q")
D = DelayedQueueProtocol(NAMES, StringCodec())
FIRST, SECOND = [D.receipt(b"v", 0, name).entry for name in (b"12345678", b"abcdefgh")]
OURS = [D.receipt(b"", 5, new_item_id(10**15 + n, bytes(8))).entry for n in range(600)]

Stored = tuple[tuple[str, Any], ...]


def _once(if_exists: IfExists, due_ms: int, most: int | None = None) -> Eval[Any]:
    receipt = D.receipt(b"n", due_ms, b"of a new")
    return offer_once(NAMES, receipt, Dedup(b"k", if_exists), most)


def _stored(entries: list[bytes], named: bytes) -> Stored:
    """Return pending entries, and dedup keys: one of `named`, others of entries not pending."""
    keys = Fields(k=named, **{f"left {number}": b"gone" for number in range(3)})
    pending = ((NAMES.delay_list, entries), (NAMES.timeout_set, dict.fromkeys(entries, 50)))
    return (*(pending if entries else ()), (NAMES.dedup, keys))


TWO = _stored([FIRST, SECOND], SECOND)

KEYED: list[tuple[Eval[Any], Stored, str]] = [
    (_once("ignore", 0), _stored([FIRST], b"gone"), ""),
    (_once("ignore", 0), _stored([], b"gone"), " alone"),
    (_once("ignore", 0), TWO, " in vain"),
    (_once("replace", 0), TWO, " instead"),
    (_once("replace", 99), _stored(OURS, OURS[2]), " by time"),
    (_once("extend", 99), TWO, " later"),
    (_once("earliest", 0), TWO, " earlier"),
    (_once("replace", 0, 2), TWO, " in a full queue"),
    (_once("ignore", 0, 2), (("q", [b"x"]), *_stored([FIRST], b"gone")), " one too many"),
    (pending_with(NAMES, b"k"), TWO, ""),
    (forget_keys(NAMES), _stored([FIRST], b"gone"), ""),
    (forget_keys(NAMES), _stored([], b"gone"), " all"),
]
"""Each row has a call, the keys before it, and a label."""

"""Finds items without their whole entry: by a short receipt, or requeued ones by their value.

The rule: a lookup finds the whole entry of an item. The script that then changes the item checks
that this entry is still pending. So an outdated result of a lookup has no effect.
"""

from __future__ import annotations

import re
from typing import Any

from pyredisson.protocol.delayed.pending import milliseconds, receipt_of
from pyredisson.protocol.delayed.receipt import Receipt, ShortReceipt
from pyredisson.protocol.kernel.command import Command, Eval
from pyredisson.protocol.kernel.names import ConsumerNames, QueueNames
from pyredisson.protocol.kernel.scripts import load

__all__ = ["find", "retries", "scan"]

_STEP = 2000
"""The maximum COUNT of one step of a scan; such a step takes some milliseconds at most."""
_BYTES = 4_000_000
"""The bytes that one step reads at most, if all values are as long as the receipt's value.

A step reads one item also if it is longer.
"""


def find(names: QueueNames, short: ShortReceipt) -> Eval[list[Receipt]]:
    """Find the item of a short receipt at the due time of this receipt.

    The result is empty if the item is not pending or has another due time. The result has two
    receipts if several items with this due time have the same id and length.
    """

    def read(reply: list[bytes]) -> list[Receipt]:
        return [short.whole(entry, short.due_ms) for entry in reply]

    args = (short.due_ms, short.head)
    return Eval(load("delayed/find"), (names.timeout_set,), args, read, safe=True)


def scan(
    names: QueueNames, short: ShortReceipt, cursor: bytes
) -> Command[tuple[bytes, list[Receipt]]]:
    """ZSCAN: find the item of a short receipt in the next part of the pending items, due or not.

    The result is the next cursor, which is ``b"0"`` after the last part, and the receipts found.
    """

    def read(reply: Any) -> tuple[bytes, list[Receipt]]:
        found = zip(reply[1][::2], reply[1][1::2], strict=True)
        return reply[0], [short.whole(entry, milliseconds(float(due))) for entry, due in found]

    pattern = re.sub(rb"[*?\[\]\\]", rb"\\\g<0>", short.head) + b"*"
    count = max(1, min(_STEP, _BYTES // (short.size or 1)))
    words = ("ZSCAN", names.timeout_set, cursor, "MATCH", pattern, "COUNT", count)
    return Command(words, read, names.timeout_set, safe=True)


def retries(names: QueueNames, receipt: Receipt) -> Eval[list[Receipt]]:
    """Find the pending items with the receipt's value that a consumer has requeued with a delay.

    The script reads at most 1000 records of such items.
    """

    def read(reply: list[bytes]) -> list[Receipt]:
        entries = [head + receipt.value for head in reply[::2]]
        return [receipt_of(names.name, scored) for scored in zip(entries, reply[1::2], strict=True)]

    keys = (ConsumerNames.of(names.name).retried, names.timeout_set)
    return Eval(load("delayed/retries"), keys, (receipt.value,), read, safe=True)

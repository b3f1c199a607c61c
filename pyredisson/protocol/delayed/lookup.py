"""Items that are looked for by less than their member: by a short receipt, or as a retry.

The rule: what is found is the exact member, and what acts on it decides in one script whether it is
still there; so a lookup that comes too late does nothing.
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
"""Pending items that one step of a scan passes: some milliseconds, where many are pending."""


def find(names: QueueNames, short: ShortReceipt) -> Eval[list[Receipt]]:
    """Look for the item at its time; more than one where its id is not the only one."""

    def read(reply: list[bytes]) -> list[Receipt]:
        return [short.whole(member, short.due_ms) for member in reply]

    args = (short.due_ms, short.head)
    return Eval(load("delayed/find"), (names.timeout_set,), args, read, safe=True)


def scan(
    names: QueueNames, short: ShortReceipt, cursor: bytes
) -> Command[tuple[bytes, list[Receipt]]]:
    """ZSCAN: look for the item whatever its time is, in the next part of what is pending."""

    def read(reply: Any) -> tuple[bytes, list[Receipt]]:
        found = zip(reply[1][::2], reply[1][1::2], strict=True)
        return reply[0], [short.whole(member, milliseconds(float(due))) for member, due in found]

    pattern = re.sub(rb"[*?\[\]\\]", rb"\\\g<0>", short.head) + b"*"
    words = ("ZSCAN", names.timeout_set, cursor, "MATCH", pattern, "COUNT", _STEP)
    return Command(words, read, names.timeout_set, safe=True)


def retries(names: QueueNames, receipt: Receipt) -> Eval[list[Receipt]]:
    """Find what is pending because a consumer put a message back that has this value."""

    def read(reply: list[bytes]) -> list[Receipt]:
        members = [head + receipt.value for head in reply[::2]]
        return [receipt_of(names.name, entry) for entry in zip(members, reply[1::2], strict=True)]

    keys = (ConsumerNames.of(names.name).retried, names.timeout_set)
    return Eval(load("delayed/retries"), keys, (receipt.value,), read, safe=True)

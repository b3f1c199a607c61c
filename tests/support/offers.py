"""Offers that travel in one script, as an operation: for what looks at all scripts."""

from collections.abc import Sequence

from pyredisson.protocol.command import Arg, Eval
from pyredisson.protocol.names import QueueNames
from pyredisson.protocol.objects.receipt import Receipt
from pyredisson.protocol.scripts import load


def offer_many(names: QueueNames, receipts: Sequence[Receipt]) -> Eval[object]:
    """The call of ``offer_many.lua`` for these receipts."""
    keys = (names.name, names.timeout_set, names.delay_list, names.channel)
    args: list[Arg] = []
    for receipt in receipts:
        args += [receipt.due_ms, receipt.member]
    return Eval(load("delayed_queue/offer_many"), keys, tuple(args), lambda reply: reply)

"""Counts the items that a migration would move and skip."""

from __future__ import annotations

from pyredisson import Redisson
from pyredisson.admin.migration.order import (
    MigrationRefusedError,
    OnSkip,
    Order,
    Preview,
    all_of,
    protocol_of,
    refuse,
)
from pyredisson.protocol.migration.conversion import StaysError

__all__ = ["preview"]

_EXAMPLES = 3


def preview(redisson: Redisson, order: Order, *, on_skip: OnSkip) -> Preview:
    """Count what a migration would move and skip, without changing anything.

    Args:
        redisson: a client of the server that has the queue.
        order: the options of the migration.
        on_skip: is called for each item that would stay.

    Raises:
        MigrationRefusedError: an earlier migration of the queue has not ended. Other reasons for a
            refusal are in the result.
        ServerError: the server rejects a question, or cannot be reached.
    """
    source, run = protocol_of(redisson, order.name), redisson._context.link.request
    if run(source.exists(source.names.state)):
        raise MigrationRefusedError(
            f"a migration of {order.name!r} is under way or was interrupted: let it end, or run it "
            "again, first"
        )
    found = Preview()
    try:
        refuse(redisson, order, source)
    except MigrationRefusedError as error:
        found.refusal = error
    for kind in order.kinds:
        for each in all_of(run, source, kind):
            try:
                item = order.conversion.item(kind, each)
            except StaysError as why:
                found.skipped += 1
                on_skip(kind, each[0], str(why))
                continue
            before, after = (each[-1], item[-1]) if kind == "dead" else (each[0], item[0])
            if order.elsewhere or before != after:
                found.remaining += 1
                if len(found.examples) < _EXAMPLES:
                    found.examples.append((kind, before, after))
    return found

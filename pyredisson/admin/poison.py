"""Poison in bulk, with a page at a time in memory."""

from __future__ import annotations

from typing import Any

from pyredisson import Redisson
from pyredisson.codecs.base import Codec
from pyredisson.protocol.objects.pages import FIRST, PageSize
from pyredisson.protocol.poison.poison_list import PoisonProtocol

__all__ = ["requeue_all"]


def requeue_all(
    redisson: Redisson, name: str, codec: Codec[Any], *, include_undecodable: bool
) -> int:
    """Move all poison to the head of its queue, in its order; return how many.

    It goes from the end to the start: what others add or remove meanwhile hides no value.

    Args:
        redisson: the client.
        name: the queue's name.
        codec: values that it cannot decode stay.
        include_undecodable: move these, too.

    Raises:
        ServerError: some may have moved.
    """
    protocol = PoisonProtocol(redisson._context.mapper.map(name), codec)
    request = redisson._context.link.request
    moved, end, pages = 0, request(protocol.size()), PageSize(FIRST)
    while end > 0:
        start = max(end - pages.count, 0)
        found = request(protocol.range(start, end - 1))
        pages.note([each.raw for each in found])
        for each in reversed(found):
            if include_undecodable or each.error is None:
                moved += request(protocol.requeue(each.raw))
        end = start
    return moved

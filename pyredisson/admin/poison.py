"""Requeues all poison of a queue; only one page is in memory."""

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
    """Move all poison to the head of its queue, in its order; return the number of moved values.

    The call reads the list from its end to its start. So values that other clients add or remove
    meanwhile hide no others. Values that are added meanwhile stay.

    Args:
        redisson: the client.
        name: the queue's name.
        codec: decodes the values.
        include_undecodable: whether to move values that `codec` cannot decode, too.

    Raises:
        ServerError: some values may have moved.
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

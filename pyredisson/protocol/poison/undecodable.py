"""Quarantine of values that were popped and cannot be decoded.

The rule: before the error is raised, the bytes are pushed to the poison list. If this push fails,
the error still has the bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from pyredisson.protocol.kernel.command import Command, Quarantine
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.replies import number

__all__ = ["OnUndecodable", "quarantining"]

OnUndecodable: TypeAlias = Literal["poison", "raise"]
"""Whether undecodable bytes go to the poison list ("poison"); the raised error always has them."""


def quarantining(
    queue_of: Callable[[Any], str],
    rest_of: Callable[[Any, Callable[[bytes], bool]], Any] = lambda _reply, _good: None,
) -> Quarantine:
    """Return a function that quarantines the undecodable elements of a reply.

    Args:
        queue_of: returns the mapped name of the queue that had the elements of a reply.
        rest_of: called with a reply and a function; returns the reply without the elements for
            which the function returns False. The default returns None, for an operation that pops
            only one element.
    """

    def quarantine(reply: Any, bad: list[bytes]) -> tuple[Command[Any], Any]:
        key = QueueNames.of(queue_of(reply)).poison
        push = Command(("RPUSH", key, *bad), number, key)
        known = frozenset(bad)
        return push, rest_of(reply, lambda element: element not in known)

    return quarantine

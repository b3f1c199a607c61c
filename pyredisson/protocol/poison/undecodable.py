"""Quarantine of values that were popped and cannot be decoded.

The rule: the bytes are in the poison list before the error is raised, or only the error has them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

from pyredisson.protocol.kernel.command import Command, Quarantine
from pyredisson.protocol.kernel.names import QueueNames
from pyredisson.protocol.kernel.replies import number

__all__ = ["OnUndecodable", "quarantining"]

OnUndecodable: TypeAlias = Literal["poison", "raise"]
"""Where the bytes of an undecodable value go: to the poison list and the error, or to the error."""


def quarantining(
    queue_of: Callable[[Any], str],
    rest_of: Callable[[Any, Callable[[bytes], bool]], Any] = lambda _reply, _good: None,
) -> Quarantine:
    """Return a function that quarantines the undecodable elements of a reply.

    Args:
        queue_of: returns the queue (its mapped name) that the elements of a reply came from.
        rest_of: returns the reply without the elements for which its second argument, a function,
            returns False. Default: None, for an operation that takes one element.
    """

    def quarantine(reply: Any, bad: list[bytes]) -> tuple[Command[Any], Any]:
        key = QueueNames.of(queue_of(reply)).poison
        push = Command(("RPUSH", key, *bad), number, key)
        known = frozenset(bad)
        return push, rest_of(reply, lambda element: element not in known)

    return quarantine

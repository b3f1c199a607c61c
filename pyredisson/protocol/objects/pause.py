"""A pause of a queue: while it lasts, no consumer of ours takes anything from it.

The rule: the pause is a key, so it lasts until somebody ends it, whatever restarts meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyredisson.protocol.command import Command, Eval
from pyredisson.protocol.names import ConsumerNames
from pyredisson.protocol.replies import truth
from pyredisson.protocol.scripts import load

__all__ = ["PauseProtocol"]

_WAKING_MS = 1000
"""So long the list is there that wakes those who wait for the end of a pause."""


def _nothing(_reply: Any) -> None:
    return None


@dataclass(frozen=True, slots=True)
class PauseProtocol:
    """The pause of one queue."""

    names: ConsumerNames

    def pause(self) -> Eval[None]:
        """Begin it, unless it has begun."""
        return Eval(load("queue/pause"), self._keys, (), _nothing, safe=True)

    def resume(self) -> Eval[None]:
        """End it, and wake those who wait for that."""
        return Eval(load("queue/resume"), self._keys, (_WAKING_MS,), _nothing, safe=True)

    def paused(self) -> Command[bool]:
        """EXISTS: does it last?"""
        key = self.names.paused
        return Command(("EXISTS", key), truth, key, safe=True)

    @property
    def _keys(self) -> tuple[str, str]:
        return (self.names.paused, self.names.resumed)

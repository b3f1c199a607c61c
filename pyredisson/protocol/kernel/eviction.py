"""Detects whether a server drops the keys of queues when its memory is full.

The rule: only policies that drop keys without a time to live count, because queues have none.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["QUESTION", "evicting"]

QUESTION = ("INFO", "memory")
"""The command whose reply has the policy; CONFIG is often rejected."""

_POLICY = re.compile(rb"^maxmemory_policy:(allkeys-\w+)", re.MULTILINE)


def evicting(reply: Any) -> str | None:
    """Return the policy by which keys are dropped; None if none is dropped, or if it is unknown."""
    found = _POLICY.search(reply) if isinstance(reply, bytes) else None
    return found.group(1).decode() if found else None

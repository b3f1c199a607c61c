"""Detects whether a server drops the keys of queues if its memory is full.

The rule: only a policy that drops keys without a time to live counts, because the keys with items
have no time to live.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["QUESTION", "evicting"]

QUESTION = ("INFO", "memory")
"""The command whose reply has the policy; CONFIG is often rejected."""

_POLICY = re.compile(rb"^maxmemory_policy:(allkeys-\w+)", re.MULTILINE)


def evicting(reply: Any) -> str | None:
    """Return the policy if it drops keys without a time to live; else, or if unknown, None."""
    found = _POLICY.search(reply) if isinstance(reply, bytes) else None
    return found.group(1).decode() if found else None

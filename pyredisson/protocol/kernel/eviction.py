"""Whether a server drops keys of ours when its memory is full.

The rule: only what drops keys without a time to live counts, for our queues have none.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["LOOK", "evicting"]

LOOK = ("INFO", "memory")
"""The command that tells, where CONFIG is often refused."""

_POLICY = re.compile(rb"^maxmemory_policy:(allkeys-\w+)", re.MULTILINE)


def evicting(reply: Any) -> str | None:
    """Return the policy by which keys are dropped; None where they are not, or it is not said."""
    found = _POLICY.search(reply) if isinstance(reply, bytes) else None
    return found.group(1).decode() if found else None

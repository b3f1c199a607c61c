"""Which process of a server a connection leads to: one that starts again has another run.

The rule: what a process numbers (connections, that is) means nothing to another one.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["ASK", "run_id"]

ASK = ("INFO", "server")
"""The command that tells."""

_RUN = re.compile(rb"^run_id:([0-9a-f]+)", re.MULTILINE)


def run_id(reply: Any) -> bytes | None:
    """Return the name of a process; None where a server, or what stands before it, has none."""
    found = _RUN.search(reply) if isinstance(reply, bytes) else None
    return found.group(1) if found else None

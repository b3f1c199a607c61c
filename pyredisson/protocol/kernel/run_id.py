"""Identifies the server process at the other end of a connection; a restart changes its run id.

The rule: the connection ids of one process mean nothing to another process.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["ASK", "run_id"]

ASK = ("INFO", "server")
"""The command whose reply has the run id."""

_RUN = re.compile(rb"^run_id:([0-9a-f]+)", re.MULTILINE)


def run_id(reply: Any) -> bytes | None:
    """Return the id of a process; None if the server, or a proxy in front of it, reports none."""
    found = _RUN.search(reply) if isinstance(reply, bytes) else None
    return found.group(1) if found else None

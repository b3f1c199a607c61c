"""Identifies the server process at the other end of a connection; a restart changes its run id.

The rule: a connection id is valid only for the server process that assigned it.
"""

from __future__ import annotations

import re
from typing import Any

__all__ = ["ASK", "run_id"]

ASK = ("INFO", "server")
"""The command whose reply has the run id."""

_RUN = re.compile(rb"^run_id:([0-9a-f]+)", re.MULTILINE)


def run_id(reply: Any) -> bytes | None:
    """Return the run id in a reply to `ASK`, or None if the server or a proxy reports none."""
    found = _RUN.search(reply) if isinstance(reply, bytes) else None
    return found.group(1) if found else None

"""A line on stderr for each action and sign-in, also for those that were refused.

The rule: what comes from outside is written as JSON text, so that it has no control characters and
cannot look like another line.
"""

from __future__ import annotations

import json
import sys
from datetime import UTC, datetime
from typing import Any

from pyredisson.admin.json_values import iso

__all__ = ["audit"]

_LONGEST = 500


def audit(action: str, who: str, outcome: str, *, queue: str = "", what: str = "") -> None:
    """Write a line.

    Args:
        action: what was asked for.
        who: the address, and the session if the request has one.
        outcome: what has become of it.
        queue: the queue's name.
        what: which of its items, and how they change.
    """
    words = {"action": action, "queue": queue, "what": what, "from": who, "outcome": outcome}
    line = " ".join(f"{name}={_quoted(word)}" for name, word in words.items())
    sys.stderr.write(f"{iso(datetime.now(UTC))} pyredisson dashboard: {line}\n")
    sys.stderr.flush()


def _quoted(word: Any) -> str:
    text = str(word)
    return json.dumps(text if len(text) <= _LONGEST else f"{text[:_LONGEST]}...")

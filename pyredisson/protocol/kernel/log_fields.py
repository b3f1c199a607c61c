"""The fields that log lines have beside their text, for programs that keep lines as records.

The rule: a field is there where it is known, by the same name in each line.
"""

from __future__ import annotations

from typing import Any

__all__ = ["FIELDS", "about"]

FIELDS = ("queue", "message_id", "attempt", "consumer")
"""All of them; none is the name of what a `LogRecord` has already."""


def about(queue: str, message: Any = None) -> dict[str, Any]:
    """Return the `extra` of a line about a queue, by its name in Redis, or about a message."""
    found = {"queue": queue}
    if message is None:
        return found
    called = message.consumer.consumer_name
    return found | {"message_id": message.id, "attempt": message.attempt, "consumer": called}

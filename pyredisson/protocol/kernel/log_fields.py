"""The fields of log lines in addition to their text, for handlers that write structured records.

The rule: a line has each field that is known, and each field has the same name in all lines.
"""

from __future__ import annotations

from typing import Any

__all__ = ["FIELDS", "about"]

FIELDS = ("queue", "message_id", "attempt", "consumer")
"""The names of all fields; `logging` rejects a name that `LogRecord` has as an attribute."""


def about(queue: str, message: Any = None) -> dict[str, Any]:
    """Return the argument `extra` of a log call about a queue, or about a message of the queue.

    `queue` is the queue's name in Redis. Without a message, the result has only the field `queue`.
    """
    found = {"queue": queue}
    if message is None:
        return found
    called = getattr(message.consumer, "consumer_name", message.consumer)
    return found | {"message_id": message.id, "attempt": message.attempt, "consumer": called}

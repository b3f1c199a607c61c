"""The names of queues as labels: the first 200, and "other" for the rest.

The rule: a label has few values, whatever names a program gives to its queues.
"""

from __future__ import annotations

__all__ = ["MAX_LABELS", "OTHER", "Labels"]

MAX_LABELS = 200
"""How many values a label has, without `OTHER`."""
OTHER = "other"


class Labels:
    """The values of one label. Threads may share it: a race adds a value or two to `MAX_LABELS`."""

    def __init__(self) -> None:
        self._known: set[str] = set()

    def __call__(self, value: str) -> str:
        """Return the label for a value: itself or `OTHER`."""
        if value in self._known:
            return value
        if len(self._known) >= MAX_LABELS:
            return OTHER
        self._known.add(value)
        return value

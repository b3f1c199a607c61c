"""The names of queues as labels: about the first 200 names, and "other" for all later names.

The rule: a label has few values, whatever names a program gives to its queues.
"""

from __future__ import annotations

__all__ = ["MAX_LABELS", "OTHER", "Labels"]

MAX_LABELS = 200
"""The number of values, without `OTHER`, after which a label gets no further ones."""
OTHER = "other"


class Labels:
    """The values of one label.

    Threads may share it. If n threads add values at the same moment, the label may get up to n - 1
    values more than `MAX_LABELS`.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()

    def __call__(self, value: str) -> str:
        """Return the value itself, or `OTHER`."""
        if value in self._known:
            return value
        if len(self._known) >= MAX_LABELS:
            return OTHER
        self._known.add(value)
        return value

"""Cursors of pages that follow an order in time: the entry that was shown last, and its score."""

from __future__ import annotations

from pyredisson.protocol.objects.pages import START, Scored

__all__ = ["cursor_at", "shown_before"]

_SHORT = 2000
"""Bytes of an entry up to which its cursor contains all of it."""
_LAST = b"\xff" * 16


def cursor_at(entry: bytes, score: bytes) -> str:
    """Return the cursor behind an entry, which fits into a command line.

    It has the start of a long entry, which is found as the last one with this start.
    """
    start = entry if len(entry) <= _SHORT else entry[:_SHORT] + _LAST
    return f"{score.decode()}:{start.hex()}"


def shown_before(after: str | None) -> Scored:
    """Return what a cursor says was shown last; None is the beginning.

    Raises:
        ValueError: not such a cursor.
    """
    if after is None:
        return START
    score, colon, entry = after.partition(":")
    try:
        float(score)
        if colon:
            return bytes.fromhex(entry), score.encode()
    except ValueError:
        pass
    raise ValueError(f"not a cursor of this state: {after!r}; use `next` of the page before")

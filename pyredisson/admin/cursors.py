"""Cursors of pages in the order of time: the last entry of a page, and its score."""

from __future__ import annotations

from pyredisson.protocol.objects.pages import START, Scored

__all__ = ["cursor_at", "shown_before"]

_SHORT = 2000
"""The maximum length, in bytes, of an entry that its cursor contains completely."""
_LAST = b"\xff" * 16


def cursor_at(entry: bytes, score: bytes) -> str:
    """Return the cursor behind an entry; it is short enough for a command line.

    Of a long entry the cursor has only the first bytes. The next page begins behind all entries
    that have this score and these first bytes.
    """
    start = entry if len(entry) <= _SHORT else entry[:_SHORT] + _LAST
    return f"{score.decode()}:{start.hex()}"


def shown_before(after: str | None) -> Scored:
    """Return the entry (or its first bytes) and the score in a cursor; `START` for None.

    Raises:
        ValueError: `after` is no such cursor.
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

"""The id of an item of ours: what tells equal values apart, and about when it was offered.

16 bytes: ``P``, the microsecond of the offer (7 bytes, big-endian), 8 random ones. Java reads an
id of any length. The transfer script guesses from the time where in the delay list an item stands;
the rule is that it looks, so that a wrong clock costs time and nothing else.
"""

from __future__ import annotations

__all__ = ["identity"]

_MICROSECONDS = (1 << 56) - 1


def identity(now_us: int, random: bytes) -> bytes:
    """Return an id of the microsecond since 1970 and 8 random bytes."""
    return b"P%b%b" % ((now_us & _MICROSECONDS).to_bytes(7, "big"), random)

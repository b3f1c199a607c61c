"""Arguments and messages of synchronizers."""

from __future__ import annotations

__all__ = ["at_least", "woken"]

_MOST = 2**31 - 1


def at_least(least: int, count: int, what: str) -> int:
    """Return a number of permits or the like.

    Args:
        least: the lowest number.
        count: the number.
        what: the name of the argument, for the error.

    Raises:
        TypeError, ValueError: it is not a whole number from `least` to Java's largest int.
    """
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"{what} must be a whole number, not {count!r}")
    if not least <= count <= _MOST:
        raise ValueError(f"{what} must be from {least} to 2**31 - 1, not {count}")
    return count


def woken(payload: bytes) -> int:
    """Return how many waiters a message of a semaphore wakes: as many as permits are free."""
    return int(payload) if payload.isdigit() else 0

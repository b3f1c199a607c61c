"""Checks the arguments of synchronizers, and reads the messages of semaphores."""

from __future__ import annotations

__all__ = ["at_least", "wake_count"]

_MOST = 2**31 - 1


def at_least(least: int, count: int, what: str) -> int:
    """Return `count` if it is in its range.

    Args:
        least: the lowest number that is allowed.
        count: the number.
        what: the name of the argument, for the error.

    Raises:
        TypeError: `count` is not an int, or it is a bool.
        ValueError: `count` is not from `least` to 2**31 - 1, Java's largest int.
    """
    if isinstance(count, bool) or not isinstance(count, int):
        raise TypeError(f"{what} must be a whole number, not {count!r}")
    if not least <= count <= _MOST:
        raise ValueError(f"{what} must be from {least} to 2**31 - 1, not {count}")
    return count


def wake_count(payload: bytes) -> int:
    """Return how many waiters a semaphore's message wakes: its number of free permits, or 0."""
    return int(payload) if payload.isdigit() else 0

"""The wrappers of `Collections.unmodifiable...` and `synchronized...`, with the object inside.

Each is a `JList`, `JMap` or `JEntries` with the object that Java had in the wrapper. The codecs
write that object again as long as the elements are the same objects.
"""

from __future__ import annotations

from typing import Any

from pyredisson.java.containers import JEntries, JList, JMap
from pyredisson.rejection import Rejection

__all__ = ["Wrapped", "inside_of", "lock", "wrap"]


class Wrapped:
    """A wrapper: the object `inside`, and whether the wrapper itself is the lock."""

    __slots__ = ()
    class_name: str
    inside: Any
    locked: bool

    def fill(self, other: Any) -> Any:
        """Copy another wrapper's content; return the wrapper that can hold the keys."""
        if isinstance(self, JList):
            self.extend(other)
        elif isinstance(self, JMap) and isinstance(other, JMap):
            self.update(other)
        else:
            return other
        self.inside, self.locked = other.inside, other.locked
        return self


class _WrappedList(JList[Any], Wrapped):
    __slots__ = ("inside", "locked")


class _WrappedMap(JMap[Any, Any], Wrapped):
    __slots__ = ("inside", "locked")


class _WrappedEntries(JEntries[Any, Any], Wrapped):
    __slots__ = ("inside", "locked")


def wrap(class_name: str, inside: Any = None) -> Any:
    """Return a wrapper of the object inside; without one, a wrapper that is filled later."""
    found: _WrappedList | _WrappedMap | _WrappedEntries
    if isinstance(inside, JEntries):
        found = _WrappedEntries(class_name, inside)
    elif isinstance(inside, dict) or (inside is None and "Map" in class_name):
        found = _WrappedMap(class_name, inside or {})
    else:
        found = _WrappedList(class_name, inside or [])
    found.inside, found.locked = inside, True
    return found


def lock(value: Any, *, locked: bool) -> Any:
    """Record whether the wrapper itself is its lock, and return it."""
    value.locked = locked
    return value


def inside_of(value: Any) -> Any:
    """Return the object that was read inside a wrapper; None if the wrapper is new or changed.

    Raises:
        Rejection: the wrapper is synchronized on another object, which Python does not have.
    """
    if not isinstance(value, Wrapped):
        return None
    if not value.locked:
        raise Rejection(
            f"a {value.class_name} that another object locks, which this codec can only read"
        )
    return value.inside if _parts(value) == _parts(value.inside) else None


def _parts(value: Any) -> list[int]:
    entries = value.items() if isinstance(value, dict) else value
    if isinstance(value, (dict, JEntries)):
        return [id(part) for entry in entries for part in entry]
    return list(map(id, entries))

"""Reference counting: an object is made for its first user, and removed after the last one."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from pyredisson._runtime.concurrency import StateLock

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Shared(Generic[K, T]):
    """Objects by key, each with the number of its users; all methods are thread-safe.

    `things` has all objects by key. Read it without a lock, and never change it.
    """

    def __init__(self) -> None:
        self.things: dict[K, T] = {}
        self._users: dict[K, int] = {}
        self._lock = StateLock()

    def users(self, key: K) -> int:
        """Return how many users the object of a key has."""
        return self._users.get(key, 0)

    def acquire(self, key: K, make: Callable[[], T]) -> tuple[T, bool]:
        """Add a user; return the object, and whether this call has made it."""
        with self._lock.held:
            first = key not in self.things
            if first:
                self.things[key] = make()
            self._users[key] = self._users.get(key, 0) + 1
            return self.things[key], first

    def release(self, key: K) -> T | None:
        """Remove a user; return the object if that was the last one, otherwise None.

        A key without users is ignored.
        """
        with self._lock.held:
            users = self._users.get(key, 0) - 1
            if users > 0:
                self._users[key] = users
                return None
            self._users.pop(key, None)
            return self.things.pop(key, None)

    def drop(self, unwanted: Callable[[T], bool]) -> list[T]:
        """Remove objects for which `unwanted` is true, whatever users they have; return them."""
        with self._lock.held:
            keys = [key for key, thing in self.things.items() if unwanted(thing)]
            for key in keys:
                self._users.pop(key, None)
            return [self.things.pop(key) for key in keys]

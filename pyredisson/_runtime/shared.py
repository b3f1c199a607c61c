"""Reference counting: an object is made for its first user, and removed after the last one."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from pyredisson._runtime.concurrency import StateLock

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Shared(Generic[K, T]):
    """Objects by key, each with the number of its users; all methods are thread-safe.

    `things` has all objects by key. Read it without a lock, and never change it.

    After Ctrl-C, `acquire` has added no user, and `end` was called with each removed object. An
    interrupted `release` may or may not have removed its user: call it again only if no other user
    has the key. `drop` can be called again. Python raises Ctrl-C where a function begins or returns
    and where a loop repeats, and no such place is between two statements that belong together.

    Args:
        begin: called for each new user, with the object and whether this is its first user. If it
            raises, the user is removed again.
        end: called with each object that was removed. If it is interrupted or raises, it is called
            a second time.
    """

    def __init__(
        self,
        begin: Callable[[T, bool], None] = lambda _thing, _first: None,
        end: Callable[[T], None] = lambda _thing: None,
    ) -> None:
        self.things: dict[K, T] = {}
        self._users: dict[K, int] = {}
        self._lock = StateLock()
        self._begin = begin
        self._end = end

    def users(self, key: K) -> int:
        """Return how many users the object of a key has."""
        return self._users.get(key, 0)

    def acquire(self, key: K, make: Callable[[], T]) -> tuple[T, bool]:
        """Add a user; return the object, and whether this call has made it."""
        added = False
        try:
            with self._lock.held:
                found, users = self.things.get(key), self._users.get(key, 0) + 1
                first = found is None
                if found is None:
                    found = make()
                self.things[key], self._users[key], added = found, users, True
            self._begin(found, first)
            return found, first
        except BaseException:
            if added:
                self.release(key)
            raise

    def release(self, key: K) -> T | None:
        """Remove a user; return the object if that was the last one, otherwise None.

        A key without users is ignored.
        """
        return self._remove(key, 1)

    def drop(self, unwanted: Callable[[T], bool]) -> list[T]:
        """Remove objects for which `unwanted` is true, whatever users they have; return them."""
        keys = [key for key, thing in list(self.things.items()) if unwanted(thing)]
        found = [self._remove(key, sys.maxsize, unwanted) for key in keys]
        return [thing for thing in found if thing is not None]

    def _remove(
        self, key: K, users: int, unwanted: Callable[[T], bool] = lambda _thing: True
    ) -> T | None:
        last = False
        try:
            with self._lock.held:
                thing, left = self.things.get(key), self._users.get(key, 0) - users
                if thing is None or not unwanted(thing):
                    return None
                last = left <= 0
                if last:
                    del self.things[key], self._users[key]
                else:
                    self._users[key] = left
            if last:
                self._end(thing)
            return thing if last else None
        except BaseException:
            if last and thing is not None:
                self._end(thing)
            raise

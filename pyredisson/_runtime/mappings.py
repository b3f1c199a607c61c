"""The operators of the maps of threads; maps of asyncio have none, as an operator cannot await."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class AsyncMappingOperators(Generic[K, V]):
    """Base of maps; empty, because operators cannot await."""


class MappingOperators(Generic[K, V]):
    """Base of maps: `map[key]`, `map[key] = value`, `del map[key]`, `key in map`, `len(map)`."""

    size: Callable[[], int]
    contains_key: Callable[[Any], bool]
    get: Callable[[Any], Any]
    fast_put: Callable[[Any, Any], bool]
    fast_remove: Callable[[Any], int]

    def __len__(self) -> int:
        """Return the number of keys."""
        return self.size()

    def __contains__(self, key: object) -> bool:
        """Return whether the map has a key with the same encoded bytes."""
        return self.contains_key(key)

    def __getitem__(self, key: K) -> V:
        """Return the value of a key.

        Raises:
            KeyError: the map does not have the key.
        """
        value: V | None = self.get(key)
        if value is None:
            raise KeyError(key)
        return value

    def __setitem__(self, key: K, value: V) -> None:
        """Set the value of a key."""
        self.fast_put(key, value)

    def __delitem__(self, key: K) -> None:
        """Remove a key.

        Raises:
            KeyError: the map does not have the key.
        """
        if not self.fast_remove(key):
            raise KeyError(key)

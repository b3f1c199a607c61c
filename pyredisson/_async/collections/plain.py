"""The base of collections that are one key of encoded values."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from pyredisson._async.context import AsyncContext
from pyredisson._async.objects.collection import AsyncValuesObject
from pyredisson.codecs.base import Codec
from pyredisson.protocol.collections.values import temporary
from pyredisson.protocol.kernel.names import require_one_slot

V = TypeVar("V")


class AsyncPlainCollection(AsyncValuesObject[V]):
    """Values in one key, which has the Redis type `_type`."""

    _type: ClassVar[str]

    def __init__(self, context: AsyncContext, name: str, codec: Codec[V]) -> None:
        self._codec = codec
        super().__init__(context, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r} codec={self._codec!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: self._type}

    def _claimed(self, name: str) -> str:
        if self._link.topology.clustered:
            require_one_slot((name, temporary(name)))
        return name

    def _beside(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names in Redis of other objects that a command uses in addition to this one.

        Raises:
            InvalidNameError: in a cluster, they and this object are in several slots.
        """
        found = tuple(map(self._mapped, names))
        if self._link.topology.clustered:
            require_one_slot((self._main_key, *found), given=True)
        return found

    def _others(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return the names in Redis as `_beside`; there must be at least one.

        Raises:
            ValueError: `names` is empty.
        """
        found = self._beside(names)
        if not found:
            raise ValueError("give the name of at least one other object")
        return found

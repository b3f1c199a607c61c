"""What RAtomicLong and RAtomicDouble have in common.

The rule: a change whose reply was lost is not repeated. It raises `UncertainError`.
"""

from __future__ import annotations

from typing import Generic, TypeVar

from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson.protocol.counters.atomic import AtomicProtocol

N = TypeVar("N", int, float)


class AsyncAtomicNumber(AsyncExpirableObject, Generic[N]):
    """A number. It counts as 0 if its key does not exist.

    A method that changes the number raises `UncertainError` if the reply was lost: the number may
    have changed. If the key has a text that is not a number, `get`, `get_and_set` and
    `get_and_delete` raise `DecodeError`; the last two have already changed the key. Methods that
    calculate or compare raise `ReplyError`, except `compare_and_set` of an integer, which returns
    False.
    """

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "string"}

    @property
    def _protocol(self) -> AtomicProtocol[N]:
        raise NotImplementedError

    async def get(self) -> N:
        """Return the number."""
        return await self._run(self._protocol.get())

    async def set(self, value: N) -> None:
        """Set the number, and remove its time to live."""
        await self._run(self._protocol.set(value))

    async def increment_and_get(self) -> N:
        """Add 1 and return the new number."""
        return await self._run(self._protocol.increment_and_get())

    async def get_and_increment(self) -> N:
        """Add 1 and return the previous number."""
        return await self._run(self._protocol.get_and_add(1))

    async def decrement_and_get(self) -> N:
        """Subtract 1 and return the new number."""
        return await self._run(self._protocol.decrement_and_get())

    async def get_and_decrement(self) -> N:
        """Subtract 1 and return the previous number."""
        return await self._run(self._protocol.get_and_add(-1))

    async def add_and_get(self, delta: N) -> N:
        """Add `delta` and return the new number."""
        return await self._run(self._protocol.add_and_get(delta))

    async def get_and_add(self, delta: N) -> N:
        """Add `delta` and return the previous number."""
        return await self._run(self._protocol.get_and_add(delta))

    async def get_and_set(self, value: N) -> N:
        """Set the number as `set` does, and return the previous number."""
        return await self._run(self._protocol.get_and_set(value))

    async def get_and_delete(self) -> N:
        """Delete the number and return it."""
        return await self._run(self._protocol.get_and_delete())

    async def compare_and_set(self, expected: N, value: N) -> bool:
        """Set the number as `set` does if it is `expected`; return whether it was set."""
        return await self._run(self._protocol.compare_and_set(expected, value))

    async def set_if_less(self, bound: N, value: N) -> bool:
        """Set the number as `set` does if it is less than `bound`; return whether it was set."""
        return await self._run(self._protocol.set_if_less(bound, value))

    async def set_if_greater(self, bound: N, value: N) -> bool:
        """Set the number as `set` does if it is greater than `bound`; return whether it was set."""
        return await self._run(self._protocol.set_if_greater(bound, value))

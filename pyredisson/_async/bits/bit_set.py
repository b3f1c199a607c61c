"""RBitSet: bits by index, and small integers in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import overload

from pyredisson._async.objects.expirable import AsyncExpirableObject
from pyredisson.protocol.bits.bit_set import BitSetProtocol


class AsyncBitSet(AsyncExpirableObject):
    """Bits with indexes from 0 to 2**32 - 1; bits that were never set are False.

    A method that changes bits raises `UncertainError` if the reply was lost. In a cluster, the bit
    sets of one call must be in one slot.
    """

    _kind = "a bit set"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._main_key!r}>"

    def _keys_of(self, name: str) -> dict[str, str]:
        return {name: "string"}

    @property
    def _protocol(self) -> BitSetProtocol:
        return BitSetProtocol(self._main_key)

    @overload
    async def get(self, index: int) -> bool: ...

    @overload
    async def get(self, index: Iterable[int]) -> list[bool]: ...

    async def get(self, index: int | Iterable[int]) -> bool | list[bool]:
        """Return a bit. For several indexes, return a list of bits, read in one step."""
        if isinstance(index, Iterable):
            return await self._run(self._protocol.get_many(index))
        return await self._run(self._protocol.get(index))

    @overload
    async def set(self, index: int, value: bool = True) -> bool: ...

    @overload
    async def set(self, index: Iterable[int], value: bool = True) -> None: ...

    async def set(self, index: int | Iterable[int], value: bool = True) -> bool | None:
        """Set a bit, and return its old value. Or set several bits in one step, and return None."""
        if isinstance(index, Iterable):
            await self._run(self._protocol.set_many(index, value=value))
            return None
        return await self._run(self._protocol.set(index, value=value))

    async def set_range(self, from_index: int, to_index: int, value: bool = True) -> None:
        """Set the bits from `from_index` to `to_index` - 1, in steps of 64,000 bits."""
        for command in self._protocol.set_range(from_index, to_index, value=value):
            await self._run(command)

    async def set_bit_set(self, indexes: Iterable[int]) -> None:
        """Set the bits at `indexes` to True, and all others to False (`set(BitSet)`)."""
        await self._run(self._protocol.replace(indexes))

    async def clear(self) -> None:
        """Set all bits to False."""
        await self._run(self._protocol.clear())

    async def clear_range(self, from_index: int, to_index: int) -> None:
        """Set the bits from `from_index` to `to_index` - 1 to False (`clear(long, long)`)."""
        await self.set_range(from_index, to_index, False)

    async def cardinality(self) -> int:
        """Return how many bits are True."""
        return await self._run(self._protocol.cardinality())

    async def length(self) -> int:
        """Return 1 more than the index of the last bit that is True; 0 if no bit is True."""
        return await self._run(self._protocol.length())

    async def size(self) -> int:
        """Return how many bits are stored, a multiple of 8."""
        return await self._run(self._protocol.size())

    async def to_byte_array(self) -> bytes:
        """Return the stored bytes; bit 0 is the highest bit of the first byte."""
        return await self._run(self._protocol.data())

    async def as_bit_set(self) -> frozenset[int]:
        """Return the indexes of all bits that are True."""
        return await self._run(self._protocol.indexes())

    async def not_(self) -> int:
        """Invert all stored bits; return how many bytes are stored (`not`)."""
        return await self._run(self._protocol.combine("NOT"))

    async def and_(self, *names: str) -> int:
        """Keep only bits that are also True in all other bit sets; return the byte size (`and`)."""
        return await self._run(self._protocol.combine("AND", tuple(map(self._mapped, names))))

    async def or_(self, *names: str) -> int:
        """Set the bits that are True in any other bit set; return the byte size (`or`)."""
        return await self._run(self._protocol.combine("OR", tuple(map(self._mapped, names))))

    async def xor(self, *names: str) -> int:
        """Set to True the bits that an odd number of the bit sets has; return the byte size.

        All other bits become False. This bit set counts as one of the bit sets.
        """
        return await self._run(self._protocol.combine("XOR", tuple(map(self._mapped, names))))

    async def get_signed(self, size: int, offset: int) -> int:
        """Return the signed integer of `size` bits, 1 to 64, at a bit offset."""
        return await self._run(self._protocol.get_field(size, offset, signed=True))

    async def set_signed(self, size: int, offset: int, value: int) -> int:
        """Set a signed integer, and return the previous one; see `get_signed`."""
        return await self._run(self._protocol.set_field(size, offset, value, signed=True))

    async def increment_and_get_signed(self, size: int, offset: int, increment: int) -> int:
        """Add to a signed integer, which wraps around; return the sum; see `get_signed`."""
        return await self._run(self._protocol.add_to_field(size, offset, increment, signed=True))

    async def get_unsigned(self, size: int, offset: int) -> int:
        """Return the unsigned integer of `size` bits, 1 to 63, at a bit offset."""
        return await self._run(self._protocol.get_field(size, offset, signed=False))

    async def set_unsigned(self, size: int, offset: int, value: int) -> int:
        """Set an unsigned integer, and return the previous one; see `get_unsigned`."""
        return await self._run(self._protocol.set_field(size, offset, value, signed=False))

    async def increment_and_get_unsigned(self, size: int, offset: int, increment: int) -> int:
        """Add to an unsigned integer, which wraps around; return the sum; see `get_unsigned`."""
        return await self._run(self._protocol.add_to_field(size, offset, increment, signed=False))

"""RBitSet as commands: `RedissonBitSet` of 3.19.3 to 4.7.0.

Bit 0 is the highest bit of the first byte.  If the reply of a command that changes bits is lost,
the command is not sent again, but raises `UncertainError`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from pyredisson.errors import UncertainError
from pyredisson.protocol.kernel.command import Arg, Command, Eval
from pyredisson.protocol.kernel.replies import nothing, number, truth
from pyredisson.protocol.kernel.scripts import load

__all__ = ["BitSetProtocol"]

_BITS = 2**32
_WIDTH = 64
_PAGE = 1000
"""The maximum number of fields, of up to 64 bits each, that one command of `set_range` writes."""


def _index(value: object, what: str, limit: int = _BITS - 1) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{what} must be an int, not {value!r}")
    if not 0 <= value <= limit:
        raise ValueError(f"{what} must be from 0 to {limit}, not {value}")
    return value


def _field(size: object, *, signed: bool) -> str:
    most = _WIDTH if signed else _WIDTH - 1
    if not isinstance(size, int) or not 1 <= size <= most:
        raise ValueError(f"size must be from 1 to {most} bits, not {size!r}")
    return f"{'i' if signed else 'u'}{size}"


def _fitting(value: object, what: str, size: int, *, signed: bool) -> int:
    low, high = (-(2 ** (size - 1)), 2 ** (size - 1)) if signed else (0, 2**size)
    if not isinstance(value, int) or not low <= value < high:
        raise ValueError(f"{what} must be from {low} to {high - 1}, not {value!r}")
    return value


def _first(reply: Any) -> int:
    return int(reply[0])


def _truths(reply: Any) -> list[bool]:
    return [bit == 1 for bit in reply or ()]


def _data(reply: Any) -> bytes:
    return bytes(reply or b"")


def _indexes(reply: Any) -> frozenset[int]:
    data = enumerate(reply or b"")
    return frozenset(8 * at + bit for at, byte in data for bit in range(8) if byte << bit & 128)


@dataclass(frozen=True, slots=True)
class BitSetProtocol:
    """The operations of one bit set; `name` is the mapped name."""

    name: str

    def _read(self, word: str, *args: Arg, read: Callable[[Any], Any]) -> Command[Any]:
        return Command((word, self.name, *args), read, self.name, safe=True)

    def _write(self, word: str, *args: Arg, read: Callable[[Any], Any]) -> Command[Any]:
        lost = partial(UncertainError, word, self.name)
        return Command((word, self.name, *args), read, self.name, lost=lost)

    def get(self, index: int) -> Command[bool]:
        """GETBIT."""
        return self._read("GETBIT", _index(index, "index"), read=truth)

    def get_many(self, indexes: Iterable[int]) -> Command[list[bool]]:
        """BITFIELD GET of single bits."""
        words = [word for each in indexes for word in ("get", "u1", _index(each, "an index"))]
        return self._read("BITFIELD", *words, read=_truths)

    def set(self, index: int, *, value: bool) -> Command[bool]:
        """SETBIT; return the previous bit."""
        return self._write("SETBIT", _index(index, "index"), int(value), read=truth)

    def set_many(self, indexes: Iterable[int], *, value: bool) -> Command[None]:
        """BITFIELD SET of single bits."""
        bit = int(value)
        words = [word for each in indexes for word in ("set", "u1", _index(each, "an index"), bit)]
        return self._write("BITFIELD", *words, read=nothing)

    def set_range(self, start: int, stop: int, *, value: bool) -> Iterator[Command[None]]:
        """BITFIELD SET of the bits from `start` to `stop`, without `stop`.

        Each command sets at most 64,000 bits, in fields of up to 64 bits.

        Raises:
            TypeError, ValueError: an index is not valid, or `start` is above `stop`. This call
                raises the error, before the first command.
        """
        _index(start, "from_index", _index(stop, "to_index", _BITS))
        fields = range(start, stop, _WIDTH)
        fill = -1 if value else 0
        pages = (fields[at : at + _PAGE] for at in range(0, len(fields), _PAGE))
        return (
            self._write(
                "BITFIELD",
                *(word for at in page for word in ("set", f"i{min(_WIDTH, stop - at)}", at, fill)),
                read=nothing,
            )
            for page in pages
        )

    def replace(self, indexes: Iterable[int]) -> Command[None]:
        """SET of the bytes in which only these bits are set."""
        wanted = [_index(each, "an index") for each in indexes]
        data = bytearray(max(wanted, default=-1) // 8 + 1)
        for each in wanted:
            data[each // 8] |= 128 >> each % 8
        return self._write("SET", bytes(data), read=nothing)

    def clear(self) -> Command[None]:
        """DEL."""
        return self._write("DEL", read=nothing)

    def cardinality(self) -> Command[int]:
        """BITCOUNT."""
        return self._read("BITCOUNT", read=number)

    def size(self) -> Command[int]:
        """STRLEN; return the length in bits, always a multiple of 8."""
        return self._read("STRLEN", read=lambda reply: 8 * int(reply))

    def length(self) -> Eval[int]:
        """Return the index of the last set bit plus 1, or 0 if no bit is set."""
        return Eval(load("bits/length"), (self.name,), (), number, safe=True)

    def data(self) -> Command[bytes]:
        """GET; return the bytes of the bit set."""
        return self._read("GET", read=_data)

    def indexes(self) -> Command[frozenset[int]]:
        """GET; return the indexes of the bits that are set."""
        return self._read("GET", read=_indexes)

    def combine(self, word: str, names: tuple[str, ...] = ()) -> Command[int]:
        """BITOP of this bit set and others, stored in this bit set; return its new length in bytes.

        `word` is AND, OR or XOR, or NOT without other names.
        """
        args = (word, self.name, self.name, *names)
        lost = partial(UncertainError, "BITOP", self.name)
        return Command(("BITOP", *args), number, self.name, lost=lost)

    def get_field(self, size: int, offset: int, *, signed: bool) -> Command[int]:
        """BITFIELD GET of an integer of `size` bits."""
        words = ("GET", _field(size, signed=signed), _index(offset, "offset"))
        return self._read("BITFIELD", *words, read=_first)

    def set_field(self, size: int, offset: int, value: int, *, signed: bool) -> Command[int]:
        """BITFIELD SET of an integer of `size` bits; return the previous integer."""
        words = ("SET", _field(size, signed=signed), _index(offset, "offset"))
        text = _fitting(value, "value", size, signed=signed)
        return self._write("BITFIELD", *words, text, read=_first)

    def add_to_field(self, size: int, offset: int, increment: int, *, signed: bool) -> Command[int]:
        """BITFIELD INCRBY of an integer of `size` bits; return the sum. It wraps around."""
        words = ("INCRBY", _field(size, signed=signed), _index(offset, "offset"))
        text = _fitting(increment, "increment", _WIDTH, signed=True)
        return self._write("BITFIELD", *words, text, read=_first)

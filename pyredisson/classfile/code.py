"""Finds in bytecode which enum constants have a body, and which field a getter returns.

An enum's static initializer creates its constants one by one: ``new``, the arguments,
``putstatic``. The operand of the first ``new`` is the constant's class: the enum itself, or the
class of its body, such as ``Phase$1`` (javac and ecj) or ``Phase$PAID`` (Kotlin).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from .constants import ConstantPool
from .cursor import Cursor

__all__ = ["enum_bodies", "returned_field"]

_NEW, _PUTSTATIC, _GETFIELD, _ALOAD_0 = 0xBB, 0xB3, 0xB4, 0x2A
_TABLESWITCH, _LOOKUPSWITCH, _WIDE, _IINC = 0xAA, 0xAB, 0xC4, 0x84
_RETURNS = range(0xAC, 0xB1)
_OPERANDS = {
    **dict.fromkeys([0x10, 0x12, *range(0x15, 0x1A), *range(0x36, 0x3B), 0xA9, 0xBC], 1),
    **dict.fromkeys([0x11, 0x13, 0x14, _IINC, *range(0x99, 0xA9), *range(0xB2, 0xB9)], 2),
    **dict.fromkeys([0xBB, 0xBD, 0xC0, 0xC1, 0xC6, 0xC7], 2),
    0xC5: 3,
    **dict.fromkeys([0xB9, 0xBA, 0xC8, 0xC9], 4),
}
"""The number of operand bytes of each opcode with a fixed number above 0 (JVMS 6.5)."""


def enum_bodies(
    code: bytes, pool: ConstantPool, enum: str, constants: Collection[str]
) -> dict[str, str]:
    """Return the constants that have a body, with the class of each body."""
    found: dict[str, str] = {}
    made: str | None = None
    for opcode, operand in _instructions(Cursor(code, pool.cursor.label)):
        if opcode == _NEW and made is None:
            made = pool.class_name(operand)
        elif opcode == _PUTSTATIC:
            owner, name = pool.field(operand)
            if owner == enum and name in constants:
                if made is not None and made != enum:
                    found[name] = made
                made = None
    return found


def returned_field(code: bytes, pool: ConstantPool, owner: str) -> str | None:
    """Return the name of the field if a method consists only of ``return this.field``."""
    if len(code) != 5 or code[0] != _ALOAD_0 or code[1] != _GETFIELD or code[4] not in _RETURNS:
        return None
    holder, name = pool.field(int.from_bytes(code[2:4], "big"))
    return name if holder == owner else None


def _instructions(cursor: Cursor) -> Iterator[tuple[int, int]]:
    """Yield each opcode with its first two operand bytes as a number; 0 if it has fewer."""
    place = 0
    while True:
        try:
            opcode = cursor.u1()
        except ValueError:
            return
        operand = 0
        size = _OPERANDS.get(opcode, 0)
        if opcode == _WIDE:
            size = 5 if cursor.u1() == _IINC else 3
            cursor.take(size - 1)
        elif opcode in {_TABLESWITCH, _LOOKUPSWITCH}:
            size = _switch(cursor, opcode, 3 - place % 4)
        elif size >= 2:
            operand = cursor.u2()
            cursor.take(size - 2)
        else:
            cursor.take(size)
        place += 1 + size
        yield opcode, operand


def _switch(cursor: Cursor, opcode: int, padding: int) -> int:
    cursor.take(padding + 4)
    if opcode == _LOOKUPSWITCH:
        rows = 8 * cursor.u4()
        cursor.take(rows)
        return padding + 8 + rows
    low, high = cursor.u4(), cursor.u4()
    rows = 4 * ((high - low + 1) & 0xFFFFFFFF)
    cursor.take(rows)
    return padding + 12 + rows

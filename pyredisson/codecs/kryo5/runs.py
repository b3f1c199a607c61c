"""Runs: neighbouring simple fields of a class, read by one match and written by one function.

Strings, numbers, booleans and enums that stand side by side need no serializer each:
one regular expression finds where every one of them ends, and one function turns its
groups into attributes; another function writes them. Both functions are compiled once
per class from the templates here. Only names of attributes that are plain identifiers
go into their text, never data. The rule: a run knows only the straight way. Where it
meets anything else (a long or non-ASCII text, a wrong type, a NaN, an early end), it
changes nothing, and the fields' serializers do the work and find the error.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from functools import cache
from itertools import groupby
from keyword import iskeyword
from typing import Any

from .enums import EnumSerializer
from .fields import Field, KnownField, PrimitiveField, UnwritableField
from .reader import SHORT_TEXT, STRIPPED, odd_text
from .scalars import PLAIN_SCALARS, SCALARS
from .serializer import Serializer
from .writer import spell

__all__ = ["Run", "Text", "is_plain", "split"]

_HALF = 1 << 14
_INT = rb"[\x80-\xff]{0,3}+[\0-\x7f]|[\x80-\xff]{4}[\0-\x0f]"
_LONG = rb"[\x80-\xff]{0,7}+[\0-\x7f]"  # nine bytes are left to the serializers
# How a value looks.
_PATTERNS = {
    "String": SHORT_TEXT,
    "Integer": _INT,
    "Long": _LONG,
    "Boolean": rb"[\0\x01]",
    "Double": rb".{8}",
}
# What the group of a value means: {g} is the group, never None.
_VALUES = {
    "String": "{g}.translate(STRIPPED).decode() if {g}[0] < 128 else odd_text({g})",
    "Integer": "INTS[{g}] if len({g}) == 1 else number({g})",
    "Long": "INTS[{g}] if len({g}) == 1 else number({g})",
    "Boolean": "{g} == ONE",
    "Double": "unpack({g})[0]",
    "enum": "{enum}[{g}[0]]",
}
# How a value is written; `return False` leaves it to the serializers.
_WRITE = {
    "String": """
    if v.__class__ is str and 1 < len(v) < 33 and v.isascii():
        out += v.encode()
        out[-1] |= 128
    elif v is None:
        out.append(128)
    elif v.__class__ is str:
        spell(out, v)
    else:
        return False
""",
    "Integer": """
    if v.__class__ is not int or not -2147483648 <= v < 2147483648:
        return False
    v = v << 1 if v >= 0 else ~v << 1 | 1
    if v < 16384:
        out += LAST[v]
    elif v < 268435456:
        out += MORE[v & 16383]
        out += LAST[v >> 14]
    else:
        out += MORE[v & 16383]
        out += MORE[v >> 14 & 16383]
        out += LAST[v >> 28]
""",
    "Long": """
    if v.__class__ is not int or not -36028797018963968 <= v < 36028797018963968:
        return False
    v = v << 1 if v >= 0 else ~v << 1 | 1
    while v > 16383:
        out += MORE[v & 16383]
        v >>= 14
    out += LAST[v]
""",
    "Boolean": """
    if v is True:
        out.append(1)
    elif v is False:
        out.append(0)
    else:
        return False
""",
    "Double": """
    if v.__class__ is not float or v != v:
        return False
    out += pack(v)
""",
    "enum": """
    v = {enum}.get(v)
    if v is None:
        return False
    out += v
""",
}
# By the serializer itself: an application may have its own for these classes.
_KINDS: dict[Serializer, str] = {
    each: each.class_name.rpartition(".")[2]
    for each in (*SCALARS, *PLAIN_SCALARS)
    if each.class_name.rpartition(".")[2] in _PATTERNS
}


def is_plain(cls: Any) -> bool:
    """Say whether instances take any attribute as usual."""
    return bool(cls.__setattr__ is object.__setattr__)


class Run:
    """Neighbouring simple fields of a class.

    Attributes:
        pattern: what finds all of them.
        fill: sets an object's attributes from a match.
        make: makes an object with these attributes alone from a match.
    """

    __slots__ = ("_write", "fill", "make", "match", "members", "pattern")

    def __init__(self, cls: Any, members: list[tuple[Field, str]]) -> None:
        self.members = members
        kinds = [(field, _kind(field) or "", name) for field, name in members]
        self.pattern = b"".join(_pattern(field, kind) for field, kind, _ in kinds)
        self.match = re.compile(self.pattern, re.DOTALL).match
        scope: dict[str, Any] = dict(_shared())
        for number, (field, kind, _) in enumerate(kinds):
            if kind == "enum":
                scope[f"READ{number}"], scope[f"WRITE{number}"] = _constants(field)
        groups = "".join(f"g{number}, " for number in range(len(kinds)))
        scope["new"], scope["CLASS"] = cls.__new__, cls
        read = [f"    {groups}= m.groups()"]
        write = []
        setting = "    o.{name} = {value}" if is_plain(cls) else "    put(o, '{name}', {value})"
        for number, (field, kind, name) in enumerate(kinds):
            value = _VALUES[kind].format(g=f"g{number}", enum=f"READ{number}")
            if _boxed(field, kind):
                value = f"None if g{number} is None else {value}"
            read.append(setting.format(name=name, value=value))
            write += [f"    v = o.{name}", *_written(field, kind, number)]
        make = ["def make(m):", "    o = new(CLASS)", *read, "    return o"]
        source = ["def fill(o, m):", *read, *make, "def write(out, o):", *write, "    return True"]
        exec(compile("\n".join(source), f"<run of {cls.__name__}>", "exec"), scope)  # noqa: S102 - the templates above, and identifiers
        self.fill: Callable[[Any, re.Match[bytes]], None] = scope["fill"]
        self.make: Callable[[re.Match[bytes]], Any] = scope["make"]
        self._write: Callable[[bytearray, Any], bool] = scope["write"]

    def write(self, out: bytearray, value: Any) -> bool:
        """Append the fields of an object; False, and nothing, if it cannot."""
        start = len(out)
        try:
            if self._write(out, value):
                return True
        except (AttributeError, TypeError):  # no such attribute, or a value without a hash
            pass
        del out[start:]
        return False


class Text:
    """A text alone in a message: what a run is to an object."""

    pattern = b"(%b)" % SHORT_TEXT

    @staticmethod
    def make(match: re.Match[bytes]) -> str | None:
        """Return the text of a match."""
        text = match[1]
        return text.translate(STRIPPED).decode() if text[0] < 0x80 else odd_text(text)

    @staticmethod
    def write(out: bytearray, value: str) -> bool:
        """Append a text."""
        spell(out, value)
        return True


def split(cls: Any, members: list[tuple[Field, str]]) -> list[Run | tuple[Field, str]]:
    """Return the fields of a class, each with its attribute, with the runs among them."""
    found: list[Run | tuple[Field, str]] = []
    for simple, group in groupby(members, lambda member: _is_simple(*member)):
        neighbours = list(group)
        found += [Run(cls, neighbours)] if simple else neighbours
    return found


def _is_simple(field: Field, name: str) -> bool:
    plain = name.isascii() and name.isidentifier() and not iskeyword(name)
    return plain and _kind(field) is not None


def _kind(field: Field) -> str | None:
    if not isinstance(field, (PrimitiveField, KnownField)) or isinstance(field, UnwritableField):
        return None
    if isinstance(field.serializer, EnumSerializer):
        return "enum" if field.serializer.simple else None
    return _KINDS.get(field.serializer)


def _boxed(field: Field, kind: str) -> bool:
    return isinstance(field, KnownField) and kind not in {"String", "enum"}


def _pattern(field: Field, kind: str) -> bytes:
    if isinstance(field, KnownField) and isinstance(field.serializer, EnumSerializer):
        return rb"([\0-\x%02x])" % len(field.serializer.members)
    form = rb"\0|\x01(%b)" if _boxed(field, kind) else rb"(%b)"
    return rb"(?:%b)" % (form % _PATTERNS[kind])


def _written(field: Field, kind: str, number: int) -> list[str]:
    body = _WRITE[kind].strip("\n").replace("{enum}", f"WRITE{number}").split("\n")
    if not _boxed(field, kind):
        return body
    return [
        "    if v is None:",
        "        out.append(0)",
        "    else:",
        "        out.append(1)",
        *(f"    {line}" for line in body),
    ]


def _constants(field: Any) -> tuple[list[Any], dict[Any, bytes]]:
    """The constants by their byte, and their bytes."""
    members = [None, *field.serializer.members]
    return members, {member: bytes([number]) for number, member in enumerate(members)}


@cache
def _shared() -> dict[str, Any]:
    """What all runs use; LAST and MORE are all 14-bit groups of a varint, at its end or not."""
    last = [bytes([n]) if n < 128 else bytes([n & 127 | 128, n >> 7]) for n in range(_HALF)]
    more = [bytes([n & 127 | 128, n >> 7 | 128]) for n in range(_HALF)]
    numbers = list(range(_HALF))
    values = [numbers[two & 127 | two >> 1 & 0x3F80] for two in range(1 << 16)]
    parts = [struct.Struct("<" + "H" * (n >> 1) + "B" * (n & 1)).unpack for n in range(9)]

    def number(group: bytes) -> int:
        size, found = len(group), parts[len(group)](group)
        n: int = values[found[0]]
        if size > 2:
            n += values[found[1]] << 14
            if size > 4:
                n += values[found[2]] << 28
                if size > 6:
                    n += values[found[3]] << 42
        return n >> 1 ^ -(n & 1)

    form = struct.Struct("<d")
    return {
        "INTS": {bytes([byte]): byte >> 1 ^ -(byte & 1) for byte in range(128)},
        "LAST": last,
        "MORE": more,
        "ONE": b"\x01",
        "STRIPPED": STRIPPED,
        "number": number,
        "odd_text": odd_text,
        "pack": form.pack,
        "put": object.__setattr__,
        "spell": spell,
        "unpack": form.unpack,
    }

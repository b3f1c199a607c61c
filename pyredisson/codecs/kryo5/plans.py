"""Python code for the everyday object: one function that writes it, one that reads it.

A class whose fields are all strings, numbers, booleans and enums gets both, compiled
once from the templates here; only names of a schema's attributes (checked to be
identifiers) go into the text, never data. The rule: a plan knows only the straight
way. Whatever is odd (a wrong type, a NaN, bytes left over) makes it return None, and
the serializers do the work and find the error.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from functools import cache
from typing import Any

from .enums import EnumSerializer
from .fields import Field, KnownField, PrimitiveField
from .objects import ObjectSerializer, is_plain
from .reader import Reader
from .registry import Registry
from .writer import Writer

__all__ = ["HEADER", "make_plan"]

Write = Callable[[Any], "bytes | None"]
Read = Callable[[bytes, int], Any]

HEADER = re.compile(rb"\x01\x00[\x01-\x7f]+[\x80-\xff]")
_HALF = 1 << 14

_WRITE = {
    "String": """
    if v.__class__ is str and 1 < len(v) < 33 and v.isascii():
        out += v.encode()
        out[-1] |= 128
    else:
        v = text(v)
        if v is None:
            return None
        out += v
""",
    "int": """
    if v.__class__ is not int or not -2147483648 <= v < 2147483648:
        return None
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
    "long": """
    if v.__class__ is not int or not -36028797018963968 <= v < 36028797018963968:
        return None
    v = v << 1 if v >= 0 else ~v << 1 | 1
    while v > 16383:
        out += MORE[v & 16383]
        v >>= 14
    out += LAST[v]
""",
    "boolean": """
    if v is True:
        out.append(1)
    elif v is False:
        out.append(0)
    else:
        return None
""",
    "double": """
    if v.__class__ is not float or v != v:
        return None
    out += pack(v)
""",
    "enum": """
    v = {enum}.get(v)
    if v is None:
        return None
    out += v
""",
}
_READ = {
    "String": """
    b = data[p]
    if b < 128:
        e = end(data, p).start()
        v = (data[p:e] + STRIPPED[data[e]]).decode()
        p = e + 1
    else:
        v, p = string(data, p)
""",
    "boolean": """
    b = data[p]
    p += 1
    if b > 1:
        return None
    v = b == 1
""",
    "double": """
    (v,) = unpack(data, p)
    p += 8
""",
    "enum": """
    v = {enum}[data[p]]
    p += 1
""",
}
_KINDS = {
    "java.lang.String": "String",
    "java.lang.Integer": "int",
    "java.lang.Long": "long",
    "java.lang.Boolean": "boolean",
    "java.lang.Double": "double",
}


@cache
def _tables() -> tuple[list[bytes], list[bytes]]:
    """All 14-bit groups of a varint: as its last bytes, and as bytes that more follow."""
    last = [bytes([n]) if n < 128 else bytes([n & 127 | 128, n >> 7]) for n in range(_HALF)]
    more = [bytes([n & 127 | 128, n >> 7 | 128]) for n in range(_HALF)]
    return last, more


def make_plan(serializer: ObjectSerializer, registry: Registry) -> tuple[bytes, Write, Read] | None:
    """Return the class's header, its writer and its reader; None if it is not so simple."""
    names = serializer.names
    kinds = [_kind(field) for field in serializer.fields]
    cls: Any = serializer.schema.python
    if not is_plain(cls) or cls.__new__ is not object.__new__:
        return None
    if serializer.lost or None in kinds or not all(n.isidentifier() for n in names):
        return None
    head = Writer(registry, registry.limits)
    head.class_name(serializer.class_name)
    scope = _scope(serializer, registry, bytes(head.out))
    write, read = ["def write(o):", "    out = bytearray(HEAD)"], ["def read(data, p):"]
    for number, (field, kind) in enumerate(zip(serializer.fields, kinds, strict=True)):
        write += [f"    v = o.{names[number]}", *_written(field, str(kind), number)]
        read += [*_read(field, str(kind), number), f"    v{number} = v"]
    write.append("    return bytes(out)")
    read += ["    if p != len(data):", "        return None", "    o = new(CLASS)"]
    read += [f"    o.{name} = v{number}" for number, name in enumerate(names)]
    read.append("    return o")
    source = "\n".join([*write, *read])
    exec(compile(source, f"<plan of {serializer.class_name}>", "exec"), scope)  # noqa: S102 - the templates above, and identifiers
    return bytes(head.out), scope["write"], scope["read"]


def _kind(field: Field) -> str | None:
    if not isinstance(field, (PrimitiveField, KnownField)):
        return None
    if isinstance(field.serializer, EnumSerializer):
        plain = not any(isinstance(each, (int, str)) for each in field.serializer.members)
        return "enum" if plain and len(field.serializer.members) < 127 else None
    return _KINDS.get(field.serializer.class_name)


def _boxed(field: Field, kind: str) -> bool:
    return isinstance(field, KnownField) and kind not in {"String", "enum"}


def _written(field: Field, kind: str, number: int) -> list[str]:
    body = _WRITE[kind].strip("\n").replace("{enum}", f"ENUM{number}").split("\n")
    if not _boxed(field, kind):
        return body
    return [
        "    if v is None:",
        "        out.append(0)",
        "    else:",
        "        out.append(1)",
        *(f"    {line}" for line in body),
    ]


def _read(field: Field, kind: str, number: int) -> list[str]:
    if kind in {"int", "long"}:
        body = _varint(5, 2**32 - 1) if kind == "int" else _varint(8, 2**56 - 1)
    else:
        body = _READ[kind].strip("\n").replace("{enum}", f"ENUM{number}").split("\n")
    if not _boxed(field, kind):
        return body
    return [
        "    b = data[p]",
        "    p += 1",
        "    if b > 1:",
        "        return None",
        "    v = None",
        "    if b:",
        *(f"    {line}" for line in body),
    ]


def _varint(most_bytes: int, most: int) -> list[str]:
    """Unroll the bytes of a varint; one that is longer than most is left to the serializers."""
    lines, indent = ["    b = data[p]", "    p += 1"], "    "
    for shift in range(7, 7 * most_bytes, 7):
        last = "c" if shift > 7 else "b"
        lines.append(f"{indent}if {last} > 127:")
        indent += "    "
        lines += [f"{indent}c = data[p]", f"{indent}p += 1"]
        lines.append(f"{indent}b += (c << {shift}) - {1 << shift}")
    lines += [f"{indent}if b > {most}:", f"{indent}    return None"]
    return [*lines, "    v = b >> 1 ^ -(b & 1)"]


def _scope(serializer: ObjectSerializer, registry: Registry, head: bytes) -> dict[str, Any]:
    last, more = _tables()

    def text(value: Any) -> bytes | None:
        if value is None:
            return b"\x80"
        if value.__class__ is not str:
            return None
        sink = Writer(registry, registry.limits)
        sink.string(value)
        return bytes(sink.out)

    def string(data: bytes, place: int) -> tuple[str | None, int]:
        source = Reader(data, registry, registry.limits)
        source.pos = place
        return source.string(), source.pos

    scope: dict[str, Any] = {
        "CLASS": serializer.schema.python,
        "HEAD": head,
        "LAST": last,
        "MORE": more,
        "STRIPPED": [bytes([n & 127]) for n in range(256)],
        "end": re.compile(rb"[\x80-\xff]").search,
        "new": object.__new__,
        "pack": struct.Struct("<d").pack,
        "string": string,
        "text": text,
        "unpack": struct.Struct("<d").unpack_from,
    }
    for number, field in enumerate(serializer.fields):
        if isinstance(field, KnownField) and isinstance(field.serializer, EnumSerializer):
            members = field.serializer.members
            scope[f"ENUM{number}"] = _Ordinals(members)
    return scope


class _Ordinals(dict[Any, Any]):
    """Both ways between constants and their bytes: a member's byte, a byte's member."""

    def __init__(self, members: list[Any]) -> None:
        super().__init__({None: b"\0", 0: None})
        for number, member in enumerate(members, 1):
            self[member] = bytes([number])
            self[number] = member

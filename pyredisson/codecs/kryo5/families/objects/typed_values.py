"""Typed values: simple values with their class header, as in a `Map<String, Object>`.

Does what `kernel/typed_scalars` does, for bytes that a pattern has matched.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

from pyredisson.codecs.kryo5.kernel.ids import BOOLEAN, DOUBLE, INTEGER, LONG, STRING
from pyredisson.codecs.kryo5.kernel.input import STRIPPED, odd_text
from pyredisson.codecs.kryo5.kernel.varints import INTS, number
from pyredisson.java.scalars import JLong

from .field_templates import PATTERNS

__all__ = ["TYPED_VALUES", "put_typed_value", "typed_value"]

_DOUBLE = struct.Struct("<d").unpack_from

_KINDS = {
    STRING: "String",
    INTEGER: "Integer",
    LONG: "Long",
    BOOLEAN: "Boolean",
    DOUBLE: "Double",
}
TYPED_VALUES = rb"\0|" + b"|".join(
    b"\\x%02x(?:%b)" % (byte, PATTERNS[kind]) for byte, kind in _KINDS.items()
)


def _text(group: bytes) -> str | None:
    text = group[1:]
    return text.translate(STRIPPED).decode() if text[0] < 0x80 else odd_text(text)


def _number(group: bytes) -> int:
    return INTS[group[1:]] if len(group) == 2 else number(group[1:])


_READ: dict[int, Callable[[bytes], Any]] = {
    0: lambda _: None,
    INTEGER: _number,
    STRING: _text,
    BOOLEAN: lambda group: group[1] == 1,
    LONG: lambda group: JLong(number(group[1:])),
    DOUBLE: lambda group: _DOUBLE(group, 1)[0],
}


def typed_value(group: bytes) -> Any:
    """Return the value of bytes that matched `TYPED_VALUES`."""
    return _READ[group[0]](group)


def put_typed_value(
    out: bytearray, value: Any, writers: Mapping[type, Callable[[bytearray, Any], bool]]
) -> bool:
    """Append a value with its class header; return False if it is not a simple one."""
    if value is None:
        out.append(0)
        return True
    write = writers.get(value.__class__)
    return write is not None and write(out, value)

"""Field templates: how to match, make and write one simple value in generated code.

Each kind has a pattern that finds where the value ends, an expression that makes the value from the
matched bytes, and lines that write it. A pattern must only match bytes that the kind's serializer
reads as well. The lines either append what the serializer writes, or leave the value to it with
`return False`.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any

from pyredisson.codecs.kryo5.kernel.decimals import encode_decimal
from pyredisson.codecs.kryo5.kernel.input import SHORT_TEXT, STRIPPED, odd_text
from pyredisson.codecs.kryo5.kernel.output import encode_text
from pyredisson.codecs.kryo5.kernel.serializer import Serializer
from pyredisson.codecs.kryo5.kernel.varints import INTS, LAST, MORE, number, put_unsigned
from pyredisson.java.nanos import JLocalDateTime
from pyredisson.java.numbers import decimal_of

__all__ = ["DECIMALS", "NULLABLE", "PATTERNS", "VALUES", "WRITES", "kind_of", "shared"]

_INT = rb"[\x80-\xff]{0,3}+[\0-\x7f]|[\x80-\xff]{4}[\0-\x0f]"
_LONG = rb"[\x80-\xff]{0,7}+[\0-\x7f]"  # the serializers read nine bytes
_NANOS = rb"[\x80-\xff]{0,3}+[\1-\x7f]|[\x80-\xff]{4}[\1\2]"
# Years 128 to 9983, without February 29. Zeros at the end of a time are omitted.
_MONTH = rb"[\1\3\5\7\x08\x0a\x0c][\1-\x1f]|[\4\6\x09\x0b][\1-\x1e]|[\2][\1-\x1c]"
_DAY = rb"[\x80-\xff][\1-\x4d](?:%b)" % _MONTH
_SECOND = rb"[\xc4-\xff]|[\0-\x3b](?:%b)" % _NANOS
_MINUTE = rb"[\xc4-\xff]|[\0-\x3b](?:%b)" % _SECOND
_TIME = rb"(?:[\xe8-\xff]|[\0-\x17](?:%b))" % _MINUTE
PATTERNS = {
    "String": SHORT_TEXT,
    "Integer": _INT,
    "Long": _LONG,
    "Boolean": rb"[\0\x01]",
    "Double": rb".{8}",
    "LocalDateTime": _DAY + _TIME,
}
# A decimal of up to 8 bytes and a scale of one.
DECIMALS = b"|".join(rb"\x%02x.{%d}[\0-\x7f]" % (n + 1, n) for n in range(1, 9))
# The kinds whose body itself encodes null.
NULLABLE = {"String", "enum"}
# The expression that makes the value: {g} is the group, never None.
VALUES = {
    "String": "{g}.translate(STRIPPED).decode() if {g}[0] < 128 else odd_text({g})",
    "Integer": "INTS[{g}] if len({g}) == 1 else number({g})",
    "Long": "INTS[{g}] if len({g}) == 1 else number({g})",
    "Boolean": "{g} == ONE",
    "Double": "unpack({g})[0]",
    "LocalDateTime": "moment({g})",
    "enum": "{enum}[{g}[0]]",
}
# The lines that write a value; `return False` leaves it to the serializers.
WRITES = {
    "String": """
    if v.__class__ is str and 1 < len(v) < 33 and v.isascii():
        out += v.encode()
        out[-1] |= 128
    elif v is None:
        out.append(128)
    elif v.__class__ is str:
        encode_text(out, v)
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
    "LocalDateTime": """
    if not encode_moment(out, v):
        return False
""",
    "enum": """
    v = {enum}.get(v)
    if v is None:
        return False
    out += v
""",
}
_local = JLocalDateTime.build
_MOMENTS = {datetime, JLocalDateTime}


def kind_of(serializer: Serializer) -> str | None:
    """Return the kind of a serializer's values; None if they are not simple.

    A custom serializer has no kind, even for a class whose values are simple.
    """
    form = serializer.form
    return form.kind if form is not None and form.kind in PATTERNS else None


def _moment(group: bytes) -> Any:
    year, month, day = group[0] & 0x7F | group[1] << 7, group[2], group[3]
    if len(group) < 8:
        return _local(0, year, month, day, *group[4:-1], 0xFF - group[-1])
    micro, rest = divmod(_unsigned(group[7:]), 1000)
    return _local(rest, year, month, day, group[4], group[5], group[6], micro)


def _decimal(group: bytes) -> Any:
    scale = group[-1]
    unscaled = int.from_bytes(group[1:-1], "big", signed=True)
    return decimal_of(unscaled, scale >> 1 ^ -(scale & 1))


def _unsigned(group: bytes) -> int:
    found = number(group)
    return found << 1 if found >= 0 else ~found << 1 | 1


def _encode_moment(out: bytearray, value: Any) -> bool:
    kind = value.__class__
    if kind not in _MOMENTS or value.tzinfo is not None or value.year < 128:
        return False
    year, hour, minute, second = value.year, value.hour, value.minute, value.second
    nano = value.microsecond * 1000 if kind is datetime else value.nanosecond
    out += bytes((year & 127 | 128, year >> 7, value.month, value.day))
    if nano:
        out += bytes((hour, minute, second))
        put_unsigned(out, nano)
    elif second:
        out += bytes((hour, minute, 0xFF - second))
    elif minute:
        out += bytes((hour, 0xFF - minute))
    else:
        out.append(0xFF - hour)
    return True


@cache
def shared() -> Mapping[str, Any]:
    """Return the names that the expressions and lines use."""
    form = struct.Struct("<d")
    return {
        "INTS": INTS,
        "LAST": LAST,
        "MORE": MORE,
        "ONE": b"\x01",
        "STRIPPED": STRIPPED,
        "decimal": _decimal,
        "moment": _moment,
        "number": number,
        "odd_text": odd_text,
        "pack": form.pack,
        "put": object.__setattr__,
        "encode_text": encode_text,
        "encode_decimal": encode_decimal,
        "encode_moment": _encode_moment,
        "unpack": form.unpack,
    }

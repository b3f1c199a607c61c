"""KryoCodec beyond the recorded values: schemas, nulls, rejections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import pytest

from pyredisson.codecs import KryoCodec, Limits
from pyredisson.errors import DecodeError, EncodeError
from pyredisson.java import JArray, JEntries
from pyredisson.java.schema import JavaField, java_class
from pyredisson.java.values import JText
from tests.support.rows import each_row
from tests.unit.codecs.migration_shapes import SHAPES, Color, Phase


@java_class("a.Mixed", variables=["T"])
@dataclass
class Mixed:
    a: Annotated[Any, "T"] = None
    b: Annotated[int, JavaField("int", transient=True)] = 7
    c: Annotated[Any, "Number[]"] = None
    d: Annotated[Any, "com.example.Color"] = None


@java_class("a.Empty")
@dataclass
class Empty:
    pass


CODEC = KryoCodec([Mixed, Empty, *SHAPES])


def header(text: str, index: int = 0) -> str:
    data = text.encode()
    return f"01 {index:02x} {data[:-1].hex()}{data[-1] | 0x80:02x}"


LIST = header("java.util.ArrayList")
UNMODIFIABLE = header("java.util.Collections$UnmodifiableMap")


@each_row(
    ("data", "wanted"),
    [
        (f"{header('a.Mixed')} 00 00 00", Mixed(None, 0, None, None)),
        (
            f"{header('a.Mixed')} 038261 00 02",
            Mixed("a", 0, None, Color.GREEN),
        ),
        (f"{header('com.example.Phase$1')} 02", Phase.PAID),
        (f"{header('a.Empty')}", Empty()),
        (f"{header('java.lang.StringBuilder')} 80", None),
        (f"{header('java.math.BigInteger')} 00", None),
        (f"{header('java.math.BigDecimal')} 00", None),
        (f"{header('[I')} 00", None),
        (f"{header('com.example.Color')} 00", None),
        (
            f"{UNMODIFIABLE} 01 {header('java.util.ArrayList', 1)} 00 00",
            JEntries("java.util.Collections$UnmodifiableMap", [([], None)]),
        ),
        (
            f"{header('[Ljava.lang.StringBuilder;')} 02 82 61",
            JArray("java.lang.StringBuilder", [JText("java.lang.StringBuilder", "a")]),
        ),
    ],
)
def test_read(data: str, wanted: Any) -> None:
    assert CODEC.decode(bytes.fromhex(data)) == wanted


@each_row(
    ("data", "reason"),
    [
        ("0b", "class id 9"),
        ("01 02", "before it is defined"),
        ("01 00 80", "null where a text is required"),
        ("01 00 82 20", "no class name"),
        ("03 61", "early"),
        ("03 83 c3 c3", "early|malformed text"),
        ("05 02", "not a boolean"),
        ("01 00 84 f0 9f 98 80", "early|malformed text"),
        ("01 00 82 ff 80 80 00", "malformed text"),
        (f"{header('[Ljava..Date;')} 02 00", "is no class name"),
        (header("a.Unknown"), "needs a schema"),
        (f"{header('[La.Unknown;')} 02 00", "needs a schema"),
        (f"{header('java.util.TreeSet')} 038261 00", "comparator"),
        (f"{header('com.example.Color')} 09", "no constant 8"),
        (f"{header('java.util.RegularEnumSet')} 03 00", "needs a schema"),
        (f"{header('java.util.RegularEnumSet')} 00", "needs a schema"),
        (f"{header('java.math.BigInteger')} 01", "a number of 0 bytes"),
        (f"{header('java.math.BigDecimal')} 02 01 c09a0c", "scale"),
        (
            f"{header('java.time.LocalDate')} e70f 0d 01",
            "13 .* is not a part of a java.time.LocalDate from 1 to 12",
        ),
        ("01 00 " + "5b" * 40 + "c9 01", "is not an array"),
        ("09 ffffffffffffffffff 00", "left over"),
    ],
)
def test_malformed(data: str, reason: str) -> None:
    with pytest.raises(DecodeError, match=reason):
        CODEC.decode(bytes.fromhex(data))


def test_elements_without_bytes_are_counted() -> None:
    codec = KryoCodec([Empty], limits=Limits(max_free=3))
    data = bytes.fromhex(f"{LIST} 04 {header('a.Empty', 1)}" + "0101" * 3)
    with pytest.raises(DecodeError, match="occupy no bytes"):
        codec.decode(data)


def test_kryo_codec_cannot_encode() -> None:
    with pytest.raises(EncodeError, match="Kryo5Codec"):
        CODEC.encode(1)

"""The conversion of one item: its new bytes, or an error if it stays."""

from dataclasses import dataclass
from typing import Any

import pytest

from pyredisson.codecs import JsonJacksonCodec, LongCodec, StringCodec
from pyredisson.codecs.base import Codec
from pyredisson.protocol.delayed.entry import Entry, WireFormat, pack, unpack
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.migration.conversion import Conversion, StaysError, new_id, same
from tests.support.groups import record
from tests.support.rows import each_row

OLD, NEW = WireFormat.LEGACY, WireFormat.CURRENT
TO_OLD, TO_NEW = Conversion(OLD), Conversion(NEW)
TO_JSON = Conversion(codecs=(StringCodec(), JsonJacksonCodec()))
LETTER = b"\0\0\0\2{}" + record(b"v")


class Rounding(Codec[Any]):
    """A codec that loses fractions."""

    def encode(self, value: Any) -> bytes:
        return b"%d" % value

    def decode(self, data: bytes) -> Any:
        return float(data)


@dataclass
class Point:
    x: Any


@each_row(
    ("conversion", "kind", "found", "item"),
    [
        (Conversion(), "pending", [pack(b"i", b"v"), b"5"], (pack(b"i", b"v"), b"5", b"")),
        (TO_NEW, "pending", [b"unlike", b"5"], None),
        (TO_NEW, "pending", [pack(b"i", b"v"), None], None),
        (TO_JSON, "pending", [pack(b"i", b"v"), b"5"], (pack(b"i", b'"v"'), b"5", b"")),
        (TO_JSON, "ready", [b"v"], (b'"v"', b"", b"")),
        (TO_JSON, "dead", [b"i", b"5", LETTER], (b"i", b"5", LETTER[:-1] + b'"v"')),
        (TO_NEW, "dead", [b"i", b"5", LETTER], (b"i", b"5", LETTER)),
        (TO_JSON, "dead", [b"i", b"5", LETTER[:9]], None),
        (TO_JSON, "dead", [b"i", b"5", None], None),
        (Conversion(codecs=(JsonJacksonCodec(), StringCodec())), "ready", [b"5"], None),
        (Conversion(codecs=(JsonJacksonCodec(), StringCodec())), "ready", [b"{"], None),
        (Conversion(codecs=(JsonJacksonCodec(), LongCodec())), "ready", [b'"v"'], None),
        (Conversion(codecs=(JsonJacksonCodec(), Rounding())), "ready", [b"1.5"], None),
    ],
)
def test_an_item(conversion: Conversion, kind: str, found: Any, item: Any) -> None:
    if item is None:
        with pytest.raises(StaysError):
            conversion.item(kind, found)
    else:
        assert conversion.item(kind, found) == item


@each_row(("conversion", "wanted"), [(TO_OLD, OLD), (TO_NEW, NEW)])
@each_row("source", [OLD, NEW])
@each_row("size", [0, 1, 7, 8, 16, 255])
@each_row("value", [b"", b"\0", b"v" * 300])
def test_formats(
    conversion: Conversion, wanted: WireFormat, source: WireFormat, size: int, value: bytes
) -> None:
    entry = pack(
        bytes(range(size)).ljust(8, b"\1") if source is OLD else bytes(size), value, source
    )
    found = unpack(entry)
    for salt in (0, 1, 2):
        packed = conversion.entry(entry, salt)
        assert (unpack(packed).value, unpack(packed).wire_format) == (found.value, wanted)
    assert conversion.entry(entry, 1) != conversion.entry(entry, 2)


def test_the_order_of_equal_times_stays() -> None:
    """Items with equal times are in the order of their bytes."""
    ids = [new_item_id(1_700_000_000_000_000 + number, b"somerand") for number in range(300)]
    entries = [pack(each, b"v") for each in ids]
    old = [TO_OLD.entry(entry) for entry in entries]
    assert old == sorted(set(old))
    again = [TO_NEW.entry(entry) for entry in old]
    assert again == sorted(set(again))
    javas = [pack(bytes((number, 255, 7)) + bytes(5), b"v") for number in range(256)]
    assert [TO_OLD.entry(entry) for entry in javas] == sorted({*map(TO_OLD.entry, javas)})


def test_an_ambiguous_entry_gets_another_id() -> None:
    entry = pack(b"\x08" + bytes(7), b"\0")
    assert new_id(unpack(entry), OLD, 0)[0] == 8
    found = unpack(TO_OLD.entry(entry))
    assert (found.value, found.wire_format) == (b"\0", OLD)


def test_an_id_of_the_old_format_is_a_whole_number() -> None:
    """Java writes no other ids."""
    for item_id in (b"\xff" * 8, bytes(8), b"P" + b"\xff" * 15):
        double = new_id(Entry(item_id, b"", NEW), OLD, 0)
        entry = double + bytes(8)
        assert pack(unpack(entry).item_id, b"", OLD) is not None
        assert unpack(entry).wire_format is OLD


@each_row(
    ("one", "other", "equal"),
    [
        (1, 1, True),
        (1, True, False),
        (1, 1.0, False),
        (0.0, -0.0, False),
        (float("nan"), float("nan"), True),
        ([1, [2]], [1, [2]], True),
        ([1, [2]], [1, [True]], False),
        ([1], [1, 2], False),
        ({"a": 1, "b": 2}, {"a": 1, "b": 2}, True),
        ({"a": 1}, {"a": 1, "b": 2}, False),
        ({"a": 1}, {"a": True}, False),
        (Point(1), Point(1), True),
        (Point(1), Point(1.0), False),
        ("a", "b", False),
    ],
)
def test_same(one: Any, other: Any, *, equal: bool) -> None:
    assert same(one, other) is equal

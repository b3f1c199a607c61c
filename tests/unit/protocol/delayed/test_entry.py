"""Entries are packed and read byte for byte as in each Redisson release."""

from __future__ import annotations

import random
import struct
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson import WireFormat, WireFormatError
from pyredisson.protocol.delayed.entry import Entry, legacy_id, pack, unpack
from tests.support.rows import each_row

CURRENT, LEGACY = WireFormat.CURRENT, WireFormat.LEGACY
ID = bytes(range(1, 9))
IDS = st.binary(min_size=8, max_size=8)


def number(value: int) -> bytes:
    return value.to_bytes(8, "little", signed=True)


# Packed by Redis 7.0.15 on x86-64, with the scripts of Redisson 3.21.0 and 3.21.1.
GOLDEN = {
    "old hello": (
        LEGACY,
        number(1234567890123456789),
        b"hello",
        "81e97df41022b143 0500000000000000 68656c6c6f",
    ),
    "old empty": (LEGACY, number(0), b"", "0000000000000000 0000000000000000"),
    "old negative id": (LEGACY, number(-2), b"x", "00000000000000c0 0100000000000000 78"),
    "new hello": (CURRENT, ID, b"hello", "08 0102030405060708 0500000000000000 68656c6c6f"),
    "new empty": (CURRENT, ID, b"", "08 0102030405060708 0000000000000000"),
    "new 300 bytes": (
        CURRENT,
        ID,
        b"\0" * 300,
        f"08 0102030405060708 2c01000000000000{'00' * 300}",
    ),
}


@each_row("case", GOLDEN)
def test_golden_bytes(case: str) -> None:
    wire_format, item_id, value, text = GOLDEN[case]
    data = bytes.fromhex(text)
    assert pack(item_id, value, wire_format) == data
    entry = unpack(data)
    assert (entry.value, entry.wire_format) == (value, wire_format)
    assert entry.item_id == (data[:8] if wire_format is LEGACY else item_id)


def test_newer_format_is_the_default() -> None:
    assert pack(ID, b"v") == pack(ID, b"v", CURRENT)


@each_row(
    ("item_id", "expected"),
    [
        (number(0), 0),
        (number(-1), -1),
        (number(2**63 - 1), 2**63 - 1),
        (number(-(2**63)), -(2**63)),
        (b"\1" + bytes(7), 1),
    ],
)
def test_the_old_id_is_a_signed_number(item_id: bytes, expected: int) -> None:
    assert legacy_id(item_id) == expected


def test_the_old_id_loses_its_low_bits() -> None:
    """Lua's tonumber rounds the decimal text of Java's long in the same way."""
    low, high = number(2**60 + 1), number(2**60)
    assert pack(low, b"v", LEGACY) == pack(high, b"v", LEGACY)


@settings(deadline=None)
@given(IDS, st.binary(max_size=400))
def test_entry_of_the_new_format_is_read_unchanged(item_id: bytes, value: bytes) -> None:
    assert unpack(pack(item_id, value)) == Entry(item_id, value, CURRENT)


@settings(deadline=None)
@given(IDS, st.binary(max_size=400))
def test_value_of_the_old_format_is_read_unchanged(item_id: bytes, value: bytes) -> None:
    data = pack(item_id, value, LEGACY)
    assert struct.unpack("<dQ", data[:16]) == (float(legacy_id(item_id)), len(value))
    assert unpack(data).value == value


@each_row("size", [0, 1, 7, 8, 16, 255])
def test_ids_of_any_length_are_read(size: int) -> None:
    """Redisson's own scripts read them, too."""
    item_id = bytes(range(size))
    data = bytes((size,)) + item_id + (3).to_bytes(8, "little") + b"abc"
    assert unpack(data) == Entry(item_id, b"abc", CURRENT)
    assert pack(item_id, b"abc") == data


@settings(deadline=None)
@given(st.binary(min_size=7, max_size=7), st.binary(max_size=60))
def test_entry_of_both_formats_has_one_value(rest: bytes, value: bytes) -> None:
    """An old entry whose first byte is 7 has the length at the same place in both readings."""
    data = b"\7" + rest + len(value).to_bytes(8, "little") + value
    entry = unpack(data)
    assert entry.value == value
    assert entry in (Entry(rest, value, CURRENT), Entry(b"\7" + rest, value, LEGACY))
    if entry.wire_format is CURRENT:
        assert pack(rest, value) == data


@pytest.mark.parametrize("number", [2**52 + 7, -(2**52 + 7) * 2**10, (2**52 + 0x1234507) * 4])
def test_ambiguous_entry_with_a_possible_old_id_is_old(number: int) -> None:
    """So its receipt is equal to the receipt that the offer returned."""
    data = pack(number.to_bytes(8, "little", signed=True), b"v", LEGACY)
    assert data[0] == 7
    assert unpack(data) == Entry(data[:8], b"v", LEGACY)


@pytest.mark.parametrize("text", [b"", b"payload", b"x" * 240])
def test_old_entry_is_not_read_as_one_with_an_unusual_id(text: bytes) -> None:
    """Its first byte is a possible length of an id, and its last eight bytes a length of zero."""
    value = text + bytes(8)
    first = len(value) + 7
    data = bytes((first,)) + bytes(7) + len(value).to_bytes(8, "little") + value
    assert data[1 + first :] == bytes(8)
    assert unpack(data) == Entry(data[:8], value, LEGACY)


def test_only_ambiguous_entry_is_read_in_the_new_format() -> None:
    data = b"\x08" + bytes(7) + (1).to_bytes(8, "little") + b"\0"
    assert unpack(data) == Entry(data[1:9], b"", CURRENT)


@settings(deadline=None, max_examples=300)
@given(st.binary(min_size=7, max_size=7), st.binary(max_size=300))
def test_no_other_old_entry_is_ambiguous(rest: bytes, value: bytes) -> None:
    data = b"\x08" + rest + len(value).to_bytes(8, "little") + value
    assert unpack(data).value == (value if value != b"\0" else b"")


POISON = {
    "empty": b"",
    "one byte": b"\0",
    "text": b"hello, I am no entry at all",
    "too short for a length": b"\0\0\0\0\0\0\0\0",
    "new, one byte missing": pack(ID, b"hello")[:-1],
    "new, one byte more": pack(ID, b"hello") + b"!",
    "new, without its length": pack(ID, b"")[:9],
    "old, one byte missing": pack(number(1), b"hello", LEGACY)[:-1],
    "old, one byte more": pack(number(1), b"hello", LEGACY) + b"!",
    "length of 2**63": b"\x08" + ID + b"\0" * 7 + b"\x80" + b"hello",
    "id longer than the entry": b"\xff" + b"x" * 40,
}


@each_row("case", POISON)
def test_entry_of_no_release_is_rejected_with_its_bytes(case: str) -> None:
    with pytest.raises(WireFormatError, match=r"Bc0Lc0.*dLc0") as caught:
        unpack(POISON[case])
    assert caught.value.data == POISON[case]


def described(data: bytes) -> bytes | None:
    """Return the value by the rules of docs/wire-format.md, or None for poison."""
    n = len(data)
    k = data[0] if data else 0
    for start in (9, 8, 1 + k) if k == 8 else (8, 1 + k):
        if n >= start + 8 and struct.unpack("<Q", data[start : start + 8])[0] == n - start - 8:
            return data[start + 8 :]
    return None


def blob(source: random.Random) -> bytes:
    """Return random bytes, often with a valid length at one place."""
    data = bytearray(source.randbytes(source.randrange(48)))
    if data and source.random() < 0.7:
        data[0] = source.choice((0, 7, 8, 9, 16, data[0]))
        place = source.choice((1 + data[0], 8))
        if len(data) >= place + 8:
            fits = len(data) - place - 8 + source.choice((0, 0, 0, 1, -1))
            data[place : place + 8] = max(fits, 0).to_bytes(8, "little")
    return bytes(data)


def test_5000_blobs_are_read_as_described_or_refused() -> None:
    source = random.Random(0)
    seen = set()
    for _ in range(5000):
        data = blob(source)
        try:
            value: bytes | None = unpack(data).value
        except WireFormatError:
            value = None
        assert value == described(data), data.hex()
        seen.add(value is None)
    assert seen == {True, False}


def test_an_old_value_that_ends_in_zeros_is_not_an_empty_new_one() -> None:
    """First byte 15: read as a new entry with an id of 15 bytes, the value would be empty."""
    data = b"\x0f" + bytes(7) + (8).to_bytes(8, "little") + bytes(8)
    assert unpack(data).value == bytes(8)


def test_formats_of_5000_random_entries_are_recognized() -> None:
    source = random.Random(1)
    for _ in range(5000):
        value = source.randbytes(source.randrange(60))
        wire_format = source.choice((CURRENT, LEGACY))
        data = pack(source.randbytes(8), value, wire_format)
        entry = unpack(data)
        assert entry.value == value
        assert entry.wire_format is wire_format or data[0] == 7


@each_row(
    ("release", "expected"),
    [
        ("3.2.0", LEGACY),
        ("2.15.2", LEGACY),
        ("3.19.3", LEGACY),
        ("3.21.0", LEGACY),
        ("3.21.1", CURRENT),
        ("3.22.0", CURRENT),
        ("3.100.0", CURRENT),
        ("4.7.0", CURRENT),
        (LEGACY, LEGACY),
        (CURRENT, CURRENT),
    ],
)
def test_a_release_names_its_format(release: str | WireFormat, expected: WireFormat) -> None:
    assert WireFormat.of(release) is expected


@each_row("release", ["", "new", "3.x", "3..1", "3.21", "3.21.1.1", "3.21.1\n"])
def test_invalid_release_is_rejected(release: Any) -> None:
    with pytest.raises(ValueError, match=r"wire_format is .*, not a Redisson release"):
        WireFormat.of(release)


@pytest.mark.parametrize("release", [None, 4.7, b"4.7.0"])
def test_release_that_is_no_str_is_rejected(release: Any) -> None:
    with pytest.raises(TypeError, match=r'wire_format must be a Redisson release .* such as "3'):
        WireFormat.of(release)

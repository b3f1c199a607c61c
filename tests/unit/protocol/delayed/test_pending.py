"""Pending items of any client are read with the receipt of their offer."""

from __future__ import annotations

import struct
from datetime import UTC, datetime
from math import nan

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyredisson import Receipt, WireFormat
from pyredisson.codecs import LongCodec, StringCodec
from pyredisson.protocol.delayed.entry import pack
from pyredisson.protocol.delayed.pending import pending_item

STRINGS = StringCodec()
ID = b"\1\2\3\4\5\6\7\x88"
LAST = datetime(9999, 12, 31, 23, 59, 59, 999000, UTC)


@pytest.mark.parametrize("wire_format", WireFormat)
def test_an_item(wire_format: WireFormat) -> None:
    item = pending_item("q", STRINGS, (pack(ID, b"a", wire_format), b"1700000000500"))
    assert item is not None
    assert (item.value, item.raw, item.error) == ("a", b"a", None)
    assert item.due_at == datetime(2023, 11, 14, 22, 13, 20, 500_000, UTC)
    assert (item.receipt.queue, item.receipt.due_ms) == ("q", 1_700_000_000_500)
    assert item.receipt.entry == pack(ID, b"a", wire_format)


@given(st.binary(min_size=8, max_size=8), st.sampled_from(WireFormat))
@example(b"\xff" * 7 + b"\x7f", WireFormat.LEGACY)  # as a double, it is greater than any long
@example(bytes(7) + b"\x80", WireFormat.LEGACY)
def test_receipt_of_any_id_has_the_same_entry(item_id: bytes, wire_format: WireFormat) -> None:
    entry = pack(item_id, b"some value", wire_format)
    item = pending_item("q", STRINGS, (entry, b"5"))
    assert item is not None
    assert Receipt.parse(str(item.receipt)).entry == entry


def test_undecodable_item_has_its_bytes() -> None:
    item = pending_item("q", LongCodec(), (pack(ID, b"one"), b"5"))
    assert item is not None
    assert (item.value, item.raw) == (None, b"one")
    assert item.error is not None
    assert item.receipt.value == b"one"


@pytest.mark.parametrize(
    "entry",
    [b"junk", b"", struct.pack("<dQ", nan, 1) + b"v", struct.pack("<dQ", 1.5, 1) + b"v"],
)
def test_entry_that_no_redisson_writes_is_no_item(entry: bytes) -> None:
    assert pending_item("q", STRINGS, (entry, b"5")) is None


@pytest.mark.parametrize(
    ("score", "due_ms", "due_at"),
    [
        (b"-inf", 0, datetime(1970, 1, 1, tzinfo=UTC)),
        (b"0.5", 1, datetime(1970, 1, 1, 0, 0, 0, 1000, UTC)),
        (b"9007199254740992", 2**53, LAST),
        (b"inf", 2**53, LAST),
    ],
)
def test_a_score_that_is_no_moment(score: bytes, due_ms: int, due_at: datetime) -> None:
    item = pending_item("q", STRINGS, (pack(ID, b"a"), score))
    assert item is not None
    assert (item.receipt.due_ms, item.due_at) == (due_ms, due_at)

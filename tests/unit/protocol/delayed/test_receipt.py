"""Receipts as text and bytes: parsing returns an equal receipt or raises an error."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pyredisson import Receipt, WireFormat
from tests.support.rows import each_row

NAMES = st.text(st.characters(exclude_categories=["Cs"]))
RECEIPTS = st.builds(
    Receipt,
    queue=NAMES,
    due_ms=st.integers(0, 2**53),
    item_id=st.binary(max_size=255),
    value=st.binary(),
    wire_format=st.sampled_from(WireFormat),
)
RECEIPT = Receipt("orders", 1_790_000_000_000, b"12345678", b"order-1")
TEXT = "receipt1.AAABoMRQbAAACAAAAAYxMjM0NTY3OG9yZGVyc29yZGVyLTFZlQYv"


def test_text_of_a_receipt() -> None:
    """Other processes read the text, also with older and newer releases."""
    assert (str(RECEIPT), bytes(RECEIPT)) == (TEXT, TEXT.encode())
    assert f"{RECEIPT}" == TEXT
    assert repr(RECEIPT).startswith("Receipt(queue='orders', due_ms=1790000000000, ")
    assert "value=<7 bytes>, " in repr(RECEIPT)
    assert "order-1" not in repr(RECEIPT)


SHORT = "short1.AAABoMRQbAAACAAAAAYxMjM0NTY3OG9yZGVycwAAAAAAAAAH"


def test_short_receipt_has_no_value() -> None:
    short = RECEIPT.short()
    assert str(short).startswith(SHORT)
    assert bytes(short) == str(short).encode()
    assert (short.queue, short.due_ms, short.item_id) == ("orders", 1_790_000_000_000, b"12345678")
    assert "ShortReceipt(queue='orders', " in repr(short)
    assert "value=<7 bytes>" in repr(short)
    for name in ("value", "entry"):
        with pytest.raises(ValueError, match="short receipt of queue 'orders' has no value"):
            getattr(short, name)
    assert short != RECEIPT
    assert short != RECEIPT
    assert short.short() is short
    assert {short, copy.copy(short), Receipt("orders", 5, b"i", b"v").short()} == {
        short,
        Receipt("orders", 5, b"i", b"w").short(),
    }


@given(RECEIPTS)
def test_short_receipt_is_parsed_to_an_equal_one(receipt: Receipt) -> None:
    short: Any = receipt.short()
    assert Receipt.parse(str(short)) == Receipt.parse(bytes(short)) == short
    assert pickle.loads(pickle.dumps(short)) == short
    assert hash(pickle.loads(pickle.dumps(short))) == hash(short)
    assert receipt.entry.startswith(short.head)
    assert short.whole(receipt.entry, receipt.due_ms) == receipt


@given(RECEIPTS)
@example(Receipt("", 0, b"", b""))
@example(Receipt("größe", 2**53, bytes(8), bytes(300), WireFormat.LEGACY))
def test_receipt_is_parsed_to_an_equal_one(receipt: Receipt) -> None:
    assert Receipt.parse(str(receipt)) == Receipt.parse(bytes(receipt)) == receipt
    assert Receipt.parse(json.loads(json.dumps(str(receipt)))) == receipt
    assert Receipt.parse(f" {receipt}\n") == receipt
    assert str(receipt).isascii()


@given(RECEIPTS, st.data())
def test_changed_or_truncated_receipt_is_rejected(receipt: Receipt, data: st.DataObject) -> None:
    text = str(receipt)
    at = data.draw(st.integers(0, len(text) - 1))
    other = data.draw(st.characters(codec="ascii", exclude_categories=["Cc", "Zs"]))
    for wrong in (text[:at], text[:at] + other + text[at:], text[:at] + other + text[at + 1 :]):
        if wrong != text:
            with pytest.raises(ValueError, match="receipt"):
                Receipt.parse(wrong)


@each_row(
    ("encoded", "match"),
    [
        ("", "must begin with receipt1. or short1., not ''"),
        ("order-1", "must begin with .*, not 'order-1'"),
        (b"\xff\xfe", "must begin with"),
        (TEXT.replace("1", "2", 1), "a receipt of this release must begin with"),
        (TEXT[:-1], "the receipt was cut off or changed: 'receipt1.AAAB.*', 60 long"),
        (TEXT[:20], "cut off"),
        ("receipt1.", "cut off"),
        ("receipt1.ä", "cut off"),
        (TEXT[:30] + "\n" + TEXT[30:], "cut off or changed"),
        ("short1.", "cut off"),
        (SHORT, "cut off"),
        (TEXT.replace("receipt1", "short1"), "cut off or changed"),
    ],
)
def test_invalid_receipts_are_rejected(encoded: str | bytes, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        Receipt.parse(encoded)


def test_equality_and_text_ignore_the_flag_stored() -> None:
    kept = replace(RECEIPT, stored=False)
    assert kept == RECEIPT
    assert hash(kept) == hash(RECEIPT)
    assert str(kept) == TEXT
    assert RECEIPT.stored
    assert Receipt.parse(str(kept)).stored
    for other in (copy.copy(kept), pickle.loads(pickle.dumps(kept)), replace(kept, due_ms=5)):
        assert not other.stored
    assert repr(kept).endswith("stored=False)")


def test_other_types_are_rejected() -> None:
    wrong: Any
    for wrong in (None, 5, RECEIPT, bytearray(b"receipt1.")):
        with pytest.raises(TypeError, match="must be str or bytes, not"):
            Receipt.parse(wrong)

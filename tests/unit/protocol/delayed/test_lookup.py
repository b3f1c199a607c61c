"""Searches for items by short receipts, and for retries: words and replies."""

from __future__ import annotations

import pytest

from pyredisson import Receipt, WireFormat
from pyredisson.protocol.delayed.lookup import find, retries, scan
from pyredisson.protocol.delayed.receipt import ShortReceipt
from pyredisson.protocol.kernel.command import Command
from pyredisson.protocol.kernel.names import QueueNames
from tests.unit.protocol.objects.encoding import may_be_sent_twice, words

NAMES = QueueNames.of("q")
SET = NAMES.timeout_set
ID = b"*?[]\\^-8"
HEAD = b"\x08" + ID + b"\x01" + bytes(7)


def receipt(wire_format: WireFormat = WireFormat.CURRENT) -> Receipt:
    return Receipt("q", 7, ID, b"v", wire_format)


def short(wire_format: WireFormat = WireFormat.CURRENT) -> ShortReceipt:
    found = receipt(wire_format).short()
    assert isinstance(found, ShortReceipt)
    return found


def test_item_is_searched_at_its_due_time() -> None:
    look = find(NAMES, short())
    assert words(look) == ("delayed/find", (SET,), (7, HEAD))
    assert look.safe is may_be_sent_twice(look) is True
    assert look.decode([]) == []
    assert look.decode([HEAD + b"v", HEAD + b"w"]) == [receipt(), Receipt("q", 7, ID, b"w")]


def test_item_is_searched_at_any_time() -> None:
    """Special characters of Redis patterns are escaped."""
    look = scan(NAMES, short(), b"12")
    pattern = b"\x08\\*\\?\\[\\]\\\\^-8\x01" + bytes(7) + b"*"
    assert words(look) == ("ZSCAN", SET, b"12", "MATCH", pattern, "COUNT", 2000)
    assert look.safe
    assert look.decode([b"0", []]) == (b"0", [])
    assert look.decode([b"9", [HEAD + b"v", b"8.5"]]) == (b"9", [Receipt("q", 9, ID, b"v")])


@pytest.mark.parametrize(
    ("size", "count"), [(0, 2000), (2_000, 2000), (40_000, 100), (5_000_000, 1)]
)
def test_a_step_has_few_long_items(size: int, count: int) -> None:
    look = scan(NAMES, ShortReceipt("q", 7, ID, size, WireFormat.CURRENT), b"0")
    assert isinstance(look, Command)
    assert look.args[-2:] == ("COUNT", count)


@pytest.mark.parametrize("wire_format", WireFormat)
def test_the_retries_of_a_value(wire_format: WireFormat) -> None:
    look = retries(NAMES, receipt())
    keys = ("pyredisson_retried:{q}", SET)
    assert words(look) == ("delayed/retries", keys, (b"v",))
    assert look.safe
    retry = Receipt("q", 9, bytes(8), b"v", wire_format)
    assert look.decode([retry.entry[:-1], b"9"]) == [retry]
    assert look.decode([]) == []
    with pytest.raises(ValueError, match="no value"):
        retries(NAMES, short())

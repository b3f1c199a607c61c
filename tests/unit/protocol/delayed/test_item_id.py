"""Ids: their bytes, length and order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pyredisson.protocol.delayed.entry import Entry, WireFormat, pack, unpack
from pyredisson.protocol.delayed.item_id import new_item_id

MICROSECONDS = st.integers(0, 2**56 - 1)
RANDOM = st.binary(min_size=8, max_size=8)


def test_bytes_of_an_id() -> None:
    found = new_item_id(1_790_000_000_123_456, b"12345678")
    assert found == b"P\x06\x5b\xfe\xda\x27\xc2\x4012345678"


@given(MICROSECONDS, RANDOM, MICROSECONDS, RANDOM)
def test_id_of_a_later_offer_is_greater(a: int, x: bytes, b: int, y: bytes) -> None:
    assert (new_item_id(a, x) < new_item_id(b, y)) == ((a, x) < (b, y))


@pytest.mark.parametrize("now", [-1, 2**56, 2**80 + 5])
def test_a_clock_that_is_far_off(now: int) -> None:
    assert len(new_item_id(now, bytes(8))) == 16


@given(MICROSECONDS, RANDOM.filter(lambda random: any(random[:7])), st.binary(max_size=30))
def test_entry_with_such_an_id_is_read_in_the_new_format(
    now: int, random: bytes, value: bytes
) -> None:
    """Seven random zeros could be read as the length in an old entry."""
    found = new_item_id(now, random)
    assert unpack(pack(found, value)) == Entry(found, value, WireFormat.CURRENT)

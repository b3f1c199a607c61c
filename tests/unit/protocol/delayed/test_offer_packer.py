"""Offers that are packed by us are the bytes that hiredis makes of the operations."""

from __future__ import annotations

from datetime import timedelta
from math import ceil
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson._transport.connections import packed
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.delayed.offer_packer import OfferPacker
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.due import due_ms
from pyredisson.protocol.kernel.names import QueueNames

NAMES = st.sampled_from(["q", "orders:{eu}:1", "ä€𝄞", "x" * 300]).map(QueueNames.of)
RECEIPTS = st.builds(
    Receipt,
    queue=st.just("q"),
    due_ms=st.integers(0, 2**53),
    item_id=st.binary(min_size=16, max_size=16),
    value=st.one_of(st.binary(max_size=40), st.integers(0, 70_000).map(bytes)),
)


@given(NAMES, RECEIPTS)
def test_one(names: QueueNames, receipt: Receipt) -> None:
    operation = DelayedQueueProtocol(names, ByteArrayCodec()).offer(receipt)
    assert OfferPacker(names).one(receipt) == packed(operation.request())
    assert OfferPacker(names).key == operation.key


@given(NAMES, st.lists(RECEIPTS, min_size=1, max_size=20))
def test_many(names: QueueNames, receipts: list[Receipt]) -> None:
    operation = DelayedQueueProtocol(names, ByteArrayCodec()).offer_many(receipts)
    rows = [(each.due_ms, each.item_id, each.value) for each in receipts]
    assert OfferPacker(names).many(rows) == packed(operation.request())
    assert OfferPacker(names).many(rows, text=True) == packed(operation.fallback())


DELAYS = st.one_of(
    st.floats(0, 1e9),
    st.integers(0, 10**10),
    st.timedeltas(timedelta(-3), timedelta(20_000)),
    st.floats() | st.booleans() | st.none(),
)


@settings(deadline=None, max_examples=300)
@given(DELAYS, st.floats(0, 4e12) | st.floats(-1e16, 1e16), st.floats(-1, 11))
def test_a_receipt_is_as_by_the_long_way_or_none(delay: Any, now_ms: float, age: float) -> None:
    clock = ServerClock()
    clock.sample(100.0, 100.0, now_ms)
    now = 100.0 + age
    receipt = OfferPacker(QueueNames.of("q")).receipt(b"value", delay, clock, now, bytes(8))
    usual = type(delay) in (int, float) and 0 <= delay < 1e9
    usual |= isinstance(delay, timedelta) and delay >= timedelta(0)
    assert (usual and not clock.stale(now) and 0 <= now_ms < 4e12) <= (receipt is not None)
    if receipt is not None:
        assert not clock.stale(now)
        shown = clock.latest_ms(now)
        due, us = due_ms(delay, None, shown), ceil(shown * 1000)
        assert receipt == Receipt("q", due, new_item_id(us, bytes(8)), b"value")
        assert receipt.stored


def test_a_clock_that_was_never_asked_makes_no_receipt() -> None:
    clock = ServerClock()
    assert OfferPacker(QueueNames.of("q")).receipt(b"", 1.0, clock, 1.0, bytes(8)) is None

"""OfferPacker packs offers to the same bytes as hiredis packs the operations."""

from __future__ import annotations

from contextlib import nullcontext
from datetime import timedelta
from itertools import islice
from math import ceil
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pyredisson._transport.connections import packed
from pyredisson.codecs import ByteArrayCodec
from pyredisson.errors import NotNotifiedError
from pyredisson.protocol.delayed.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.delayed.item_id import new_item_id
from pyredisson.protocol.delayed.offer_packer import Offer, OfferPacker
from pyredisson.protocol.delayed.receipt import Receipt
from pyredisson.protocol.kernel.clock import ServerClock
from pyredisson.protocol.kernel.command import Command, is_plain
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
def test_single_offer_is_packed_like_its_operation(names: QueueNames, receipt: Receipt) -> None:
    operation = DelayedQueueProtocol(names, ByteArrayCodec()).offer(receipt)
    assert OfferPacker(names).one(receipt) == packed(operation.request())
    assert OfferPacker(names).key == operation.key


@given(NAMES, st.lists(RECEIPTS, min_size=1, max_size=20))
def test_many_offers_are_packed_like_their_operation(
    names: QueueNames, receipts: list[Receipt]
) -> None:
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
def test_receipt_equals_that_of_the_slow_path_or_is_none(
    delay: Any, now_ms: float, age: float
) -> None:
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


def test_clock_without_a_sample_makes_no_receipt() -> None:
    clock = ServerClock()
    assert OfferPacker(QueueNames.of("q")).receipt(b"", 1.0, clock, 1.0, bytes(8)) is None


@given(NAMES, st.lists(RECEIPTS, min_size=1, max_size=5))
def test_an_offer_is_a_packed_operation(names: QueueNames, receipts: list[Receipt]) -> None:
    protocol, packer = DelayedQueueProtocol(names, ByteArrayCodec()), OfferPacker(names)
    offers = [Offer(packer, receipt) for receipt in receipts]
    for offer, receipt in zip(offers, receipts, strict=True):
        usual = protocol.offer(receipt)
        assert (offer.key, offer.size) == (usual.key, len(receipt.value))
        assert offer.packed() == packed(usual.request()) == packed(offer.whole().request())
        offer.decode(None)
    usual = protocol.offer_many(receipts)
    assert packer.several(offers) == packed(usual.request())
    assert packer.several(offers, text=True) == packed(usual.fallback())


def test_a_rejected_notification_is_that_of_the_earliest_offer() -> None:
    packer = OfferPacker(QueueNames.of("q"))
    offers = [Offer(packer, Receipt("q", due, bytes(16), b"")) for due in (7, 5, 5, 9)]
    assert list(islice(packer.split(offers, None), 4)) == [None] * 4
    replies = packer.split(offers, b"NOPERM no PUBLISH")
    assert replies == [None, b"NOPERM no PUBLISH", None, None]
    for offer, reply in zip(offers, replies, strict=True):
        with pytest.raises(NotNotifiedError) if reply else nullcontext():
            offer.decode(reply)


def test_plain_operations_are_one_request_and_one_reply() -> None:
    offer = Offer(OfferPacker(QueueNames.of("q")), Receipt("q", 5, bytes(16), b""))
    script, command = offer.whole(), Command(("GET", "q"), bytes, "q")
    assert script.whole() is script
    assert command.whole() is command
    assert is_plain(offer)
    assert is_plain(script)
    assert is_plain(command)
    assert not is_plain(Command(("BLPOP", "q", 1), bytes, "q", waits=1.0))

"""Offers that are packed by us are the bytes that hiredis makes of the operations."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pyredisson._connections import packed
from pyredisson.codecs import ByteArrayCodec
from pyredisson.protocol.names import QueueNames
from pyredisson.protocol.objects.delayed_queue import DelayedQueueProtocol
from pyredisson.protocol.objects.offers import Offers
from pyredisson.protocol.objects.receipt import Receipt

NAMES = st.sampled_from(["q", "orders:{eu}:1", "ä€𝄞", "x" * 300]).map(QueueNames.of)
RECEIPTS = st.builds(
    Receipt,
    queue=st.just("q"),
    due_ms=st.integers(0, 2**53),
    identity=st.binary(min_size=16, max_size=16),
    value=st.one_of(st.binary(max_size=40), st.integers(0, 70_000).map(bytes)),
)


@given(NAMES, RECEIPTS)
def test_one(names: QueueNames, receipt: Receipt) -> None:
    operation = DelayedQueueProtocol(names, ByteArrayCodec()).offer(receipt)
    assert Offers(names).one(receipt) == packed(operation.request())
    assert Offers(names).key == operation.key


@given(NAMES, st.lists(RECEIPTS, min_size=1, max_size=20))
def test_many(names: QueueNames, receipts: list[Receipt]) -> None:
    operation = DelayedQueueProtocol(names, ByteArrayCodec()).offer_many(receipts)
    rows = [(each.due_ms, each.identity, each.value) for each in receipts]
    assert Offers(names).many(rows) == packed(operation.request())
    assert Offers(names).many(rows, text=True) == packed(operation.fallback())

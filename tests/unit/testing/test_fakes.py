"""Fake messages and queues, which only record the calls."""

import asyncio
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta

import pytest

from pyredisson import EncodeError, Receipt
from pyredisson.codecs import StringCodec
from pyredisson.testing import (
    AsyncFakeMessage,
    AsyncOfferRecorder,
    Call,
    FakeMessage,
    OfferRecorder,
)

NOON = datetime(2026, 1, 1, 12, tzinfo=UTC)


def test_a_message_records_what_a_handler_does() -> None:
    message = FakeMessage({"id": 7}, attempt=3, raw=b"{}", due_at=NOON, received_at=NOON)
    assert (message.value, message.attempt, message.raw) == ({"id": 7}, 3, b"{}")
    assert (message.due_at, message.received_at, message.lateness) == (NOON, NOON, 0)
    assert (message.settled, message.extend(60), message.settled) == (False, True, False)
    assert (message.ack(), message.settled) == (True, True)
    assert message.calls == [Call("extend", (60,)), Call("ack")]
    assert len({message.id, FakeMessage("other").id, message.delivery_id}) == 3


def test_each_way_to_settle_a_message() -> None:
    message = FakeMessage("value", queue="orders")
    assert message.consumer.name == "orders"
    assert (message.nack(5), message.defer(timedelta(seconds=6))) == (True, True)
    assert message.reject("no such order") is True
    assert message.consumer.release([message]) == [True]
    assert message.calls == [
        Call("nack", (5,)),
        Call("defer", (timedelta(seconds=6),)),
        Call("reject", ("no such order", None)),
        Call("release"),
    ]


def test_a_message_whose_lease_has_ended() -> None:
    message = FakeMessage("value", lease_ended=True)
    assert [message.ack(), message.nack(), message.extend(1)] == [False, False, False]
    assert [call.name for call in message.calls] == ["ack", "nack", "extend"]


def test_an_asyncio_message() -> None:
    async def handle(message: AsyncFakeMessage[str]) -> list[bool]:
        first = [await message.extend(60), await message.nack(5), await message.defer(6)]
        second = [await message.reject("no"), await message.ack()]
        return first + second + await message.consumer.release([message])

    message = AsyncFakeMessage("value")
    assert asyncio.run(handle(message)) == [True] * 6
    names = [call.name for call in message.calls]
    assert names == ["extend", "nack", "defer", "reject", "ack", "release"]


def test_offers_are_recorded() -> None:
    orders = OfferRecorder[str]("orders", StringCodec())
    first = orders.offer("order-1", 1800, dedup="order-1", if_exists="replace")
    second = orders.offer("order-2", at=NOON)
    assert [(each.value, each.delay, each.at) for each in orders.offered] == [
        ("order-1", timedelta(minutes=30), None),
        ("order-2", None, NOON),
    ]
    assert (orders.offered[0].dedup, orders.offered[0].if_exists) == ("order-1", "replace")
    assert (first.queue, first.value, Receipt.parse(str(first))) == ("orders", b"order-1", first)
    assert second.due_ms == NOON.timestamp() * 1000
    assert (orders.cancel(first), orders.cancel(first)) == (True, False)
    assert orders.cancelled == [first]
    assert not orders.cancel(OfferRecorder[str]("orders").offer("order-1", 1))
    assert repr(orders) == "<OfferRecorder 'orders', 2 offers>"


def test_many_offers_are_recorded() -> None:
    orders = OfferRecorder[str]()
    receipts = orders.offer_many([("order-1", 1), ("order-2", NOON)])
    assert [each.receipt for each in orders.offered] == receipts
    assert [(each.delay, each.at) for each in orders.offered] == [
        (timedelta(seconds=1), None),
        (None, NOON),
    ]


def test_recorder_rejects_what_a_queue_rejects() -> None:
    orders = OfferRecorder[object]("orders", StringCodec())  # type: ignore[arg-type]  # to offer no str
    with pytest.raises(EncodeError):
        orders.offer(7, 1)
    with pytest.raises(TypeError, match="either delay= or at="):
        orders.offer("order-1")
    with pytest.raises(ValueError, match="negative"):
        orders.offer("order-1", -1)
    with pytest.raises(ValueError, match="naive"):
        orders.offer("order-1", at=datetime(2026, 1, 1))
    with pytest.raises(TypeError, match="needs a key"):
        orders.offer("order-1", 1, if_exists="replace")
    assert orders.offered == []


def test_an_asyncio_recorder() -> None:
    async def items() -> AsyncIterator[tuple[str, float]]:
        yield "order-2", 2.0

    async def offer() -> bool:
        receipt = await orders.offer("order-1", 1)
        await orders.offer_many(items())
        await orders.offer_many([("order-3", 3)])
        return await orders.cancel(receipt)

    orders = AsyncOfferRecorder[str]()
    assert asyncio.run(offer())
    assert [each.value for each in orders.offered] == ["order-1", "order-2", "order-3"]

"""The types of `pyredisson.testing` that a user's tests see; only type checkers read this file."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import assert_type

from pyredisson import AsyncMessage, Message, Receipt
from pyredisson.testing import (
    AsyncFakeMessage,
    AsyncOfferRecorder,
    Call,
    Clock,
    FakeMessage,
    Offered,
    OfferRecorder,
    RedissonServer,
)


def server() -> None:
    with RedissonServer() as running:
        assert_type(running.url, str)
        assert_type(running.clock, Clock)
        running.clock.advance(timedelta(minutes=1), days=1, hours=1, minutes=1.5, seconds=1)
        assert_type(running.clock.now(), datetime)
        assert_type(running.clock.ahead, timedelta)
        running.wait_handled("orders", timeout=timedelta(seconds=1))
        running.reset()


def handler(message: Message[str]) -> None:
    message.ack()


async def async_handler(message: AsyncMessage[str]) -> None:
    await message.ack()


async def messages() -> None:
    message = FakeMessage("order-1", attempt=2)
    assert_type(message.value, str)
    assert_type(message.calls, list[Call])
    handler(message)
    await async_handler(AsyncFakeMessage("order-1"))


async def offers() -> None:
    orders = OfferRecorder[str]("orders")
    assert_type(orders.offer("order-1", timedelta(minutes=30)), Receipt)
    assert_type(orders.offered, list[Offered[str]])
    orders.offer(1, 1)  # type: ignore[arg-type]  # no str
    assert_type(await AsyncOfferRecorder[str]().offer("order-1", 1), Receipt)

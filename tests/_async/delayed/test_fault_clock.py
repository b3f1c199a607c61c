"""A wrong wall clock of this process changes nothing: due times follow the server's clock."""

import time
from datetime import UTC, datetime, timedelta

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.faults_tools import server_ms
from tests.support.server import RedisServer
from tests.support.twins import sleep_async

NAMES = QueueNames.of("q")
WRONG = 300.0
"""Seconds by which this process's wall clock is wrong: no test waits that long."""
NEVER = 600.0


@pytest.fixture(params=[-WRONG, WRONG], ids=["behind", "ahead"])
def wrong_clock(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """Set the wall clock of this process back or forward; leave the monotonic clock as it is."""
    offset: float = request.param
    seconds, nanoseconds = time.time, time.time_ns
    monkeypatch.setattr(time, "time", lambda: seconds() + offset)
    monkeypatch.setattr(time, "time_ns", lambda: nanoseconds() + int(offset * 1e9))
    return offset


async def test_a_wrong_clock_moves_no_due_time(
    server: RedisServer, raw: redis.Redis, wrong_clock: float
) -> None:
    """This process offers and transfers the item. The score is the server's time plus the delay."""
    async with AsyncRedisson.from_url(
        server.url, codec=StringCodec(), safety_interval=NEVER
    ) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        earliest = server_ms(server) + 500
        receipt = await delayed.offer("x", delay=0.5)
        assert earliest <= receipt.due_ms <= server_ms(server) + 500 + 1000
        assert raw.zscore(NAMES.timeout_set, receipt.entry) == receipt.due_ms
        assert await queue.poll(timeout=30) == "x"
        assert receipt.due_ms <= server_ms(server) < receipt.due_ms + WRONG * 1000 / 2


async def test_wrong_clock_does_not_change_the_moment_of_at(
    server: RedisServer, wrong_clock: float
) -> None:
    """`at=` is a moment of the server's clock, not of this machine's."""
    moment = datetime.fromtimestamp(server_ms(server) / 1000, UTC) + timedelta(seconds=0.5)
    async with AsyncRedisson.from_url(
        server.url, codec=StringCodec(), safety_interval=NEVER
    ) as redisson:
        queue = redisson.get_blocking_queue("q")
        receipt = await redisson.get_delayed_queue(queue).offer("x", at=moment)
        assert abs(receipt.due_ms - moment.timestamp() * 1000) <= 1
        assert await queue.poll(timeout=30) == "x"
        assert server_ms(server) >= receipt.due_ms


async def test_a_clock_that_jumps_while_an_item_waits(
    server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is set forward, then back, between offers.

    All items are in order, none is early.
    """
    seconds = time.time
    async with AsyncRedisson.from_url(
        server.url, codec=StringCodec(), safety_interval=NEVER
    ) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        first = await delayed.offer("first", delay=0.4)
        monkeypatch.setattr(time, "time", lambda: seconds() + WRONG)
        second = await delayed.offer("second", delay=0.6)
        await sleep_async(0.1)
        monkeypatch.setattr(time, "time", lambda: seconds() - WRONG)
        third = await delayed.offer("third", delay=0.6)
        for value, receipt in (("first", first), ("second", second), ("third", third)):
            assert await queue.poll(timeout=30) == value
            assert server_ms(server) >= receipt.due_ms

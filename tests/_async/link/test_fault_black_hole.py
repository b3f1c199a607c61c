"""A connection that drops all bytes and stays open: every call leaves it, and later reconnects.

A proxy is the black hole. The deadlines only end a hang: a call that relied on the connection
would wait for ever.
"""

from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
import redis
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import TimeoutError as RedisTimeoutError

from pyredisson import (
    AsyncBlockingQueue,
    AsyncDelayedQueue,
    AsyncRedisson,
    UncertainOfferError,
)
from pyredisson._async.link.connection import AsyncServerConnection
from pyredisson.codecs import StringCodec
from tests.support.faults_tools import clients
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import sleep_async, start_async, until_async

LOST = (RedisConnectionError, RedisTimeoutError, OSError)
RESPONSE_TIMEOUT = 1.0
DEADLINE = 15.0


@pytest.fixture
async def redisson(proxy: FaultProxy) -> AsyncIterator[AsyncRedisson]:
    """A client behind the proxy with a short response timeout."""
    async with AsyncRedisson.from_url(
        proxy.url,
        codec=StringCodec(),
        response_timeout=RESPONSE_TIMEOUT,
        safety_interval=RESPONSE_TIMEOUT,
    ) as redisson:
        yield redisson
        proxy.heal()


async def test_take_continues_after_a_black_hole(
    proxy: FaultProxy, redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """A blocked take reconnects, first into the black hole, and continues when the proxy heals."""
    queue = redisson.get_blocking_queue("q")
    taking = start_async(queue.take)
    await until_async(lambda: bool(raw.info("clients")["blocked_clients"] == 1), "it waits")
    accepted = proxy.accepted
    proxy.black_hole()
    await until_async(lambda: proxy.accepted > accepted + 1, "it tries again", DEADLINE)
    assert not taking.done
    proxy.heal()
    raw.rpush("q", "x")
    assert await taking.result(DEADLINE) == "x"
    assert raw.llen("q") == 0


async def test_poll_raises_if_the_server_is_unreachable(
    proxy: FaultProxy, redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """If the server is unreachable when the timeout ends, poll raises; it does not return None."""
    queue = redisson.get_blocking_queue("q")
    assert await queue.poll(timeout=0) is None
    proxy.black_hole()
    polling = start_async(lambda: queue.poll(timeout=1.0))
    with pytest.raises(LOST):
        await polling.result(DEADLINE)
    proxy.heal()
    raw.rpush("q", "x")
    assert await queue.poll(timeout=DEADLINE) == "x"


Call = Callable[[AsyncBlockingQueue[str], AsyncDelayedQueue[str]], Any]
CALLS: dict[str, Call] = {
    "poll": lambda q, d: q.poll(),
    "poll with a timeout": lambda q, d: q.poll(timeout=0.1),
    "add": lambda q, d: q.add("x"),
    "size": lambda q, d: q.size(),
    "delayed size": lambda q, d: d.size(),
    "delayed remove": lambda q, d: d.remove("x"),
    "offer": lambda q, d: d.offer("x", delay=1),
}
READS = {"size", "delayed size"}
SHORT = 1.0
"""Seconds for the second attempt of a read, after the response timeout."""


@pytest.mark.parametrize("fresh", [True, False], ids=["first", "used"])
@pytest.mark.parametrize("name", CALLS)
async def test_call_raises_within_the_response_timeout(
    proxy: FaultProxy,
    redisson: AsyncRedisson,
    name: str,
    fresh: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The connection was used before, or it cannot be opened.

    The response timeout bounds the call: only a read tries another connection, for a short time.
    """
    call = CALLS[name]
    opened: list[float | None] = []
    connect = AsyncServerConnection.connect

    async def noting(conn: AsyncServerConnection, seconds: float | None = None) -> None:
        opened.append(seconds)
        await connect(conn, seconds)

    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    if not fresh:
        await delayed.offer("before", delay=0)
        assert await queue.size() == 0
        assert await queue.poll(timeout=0.01) is None  # also on the connection for waits
    proxy.black_hole()
    monkeypatch.setattr(AsyncServerConnection, "connect", noting)
    calling = start_async(lambda: call(queue, delayed))
    with pytest.raises(LOST) as caught:
        await calling.result(DEADLINE)
    assert opened == ([None] if fresh else [SHORT] * (name in READS))
    assert not isinstance(caught.value, UncertainOfferError) or not fresh
    proxy.heal()
    await call(queue, delayed)


async def test_transfer_and_subscription_continue_after_a_black_hole(
    server: RedisServer, proxy: FaultProxy, redisson: AsyncRedisson
) -> None:
    """Items that became due meanwhile are delivered once each; a new subscription is opened."""
    queue = redisson.get_blocking_queue("q")
    delayed = redisson.get_delayed_queue(queue)
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
    (before,) = clients(server, "pubsub")
    for number in range(20):
        await delayed.offer(f"{number}", delay=0.1 + number / 20)
    proxy.black_hole()
    await until_async(lambda: redisson.transfer_stats()[0].failures > 1, "it fails", DEADLINE)
    await until_async(lambda: before not in clients(server, "pubsub"), "it is left", DEADLINE)
    assert not redisson.transfer_stats()[0].subscribed
    proxy.heal()
    found = [await queue.poll(timeout=DEADLINE) for _ in range(20)]
    assert found == [f"{number}" for number in range(20)]
    assert await queue.size() == await delayed.size() == 0
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it listens", DEADLINE)


async def test_closing_does_not_wait_for_an_answer(proxy: FaultProxy) -> None:
    """Neither the transfer task nor the subscription keeps `aclose` from ending."""
    redisson = AsyncRedisson.from_url(
        proxy.url, codec=StringCodec(), response_timeout=RESPONSE_TIMEOUT
    )
    queue = redisson.get_blocking_queue("q")
    redisson.get_delayed_queue(queue)
    consumer = queue.subscribe_on_elements(lambda value: None)
    await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it is subscribed")
    proxy.black_hole()
    await sleep_async(0.1)
    await start_async(redisson.aclose).result(DEADLINE)
    await until_async(lambda: proxy.connections == 0, "all connections are closed", DEADLINE)
    assert consumer is not None

"""Idle connections that a gateway between client and server has forgotten.

The gateway answers the next bytes with a RST, or not at all. Nothing is lost or sent twice.
"""

import socket
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import pytest
import redis.asyncio

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.names import QueueNames
from tests.support.gateway import Gateway
from tests.support.profiles import Profile
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.twins import run_together_async, sleep_async, until_async

Call = Callable[[AsyncRedisson], Any]
REST, LONG = 0.2, 3600


@pytest.fixture
def gateway(server: RedisServer) -> Iterator[Gateway]:
    """A gateway that forgets connections a little after the client's check interval."""
    with Gateway(server, Profile("rest", idle=2 * REST)) as gateway:
        yield gateway


@pytest.fixture
async def rested(gateway: Gateway) -> AsyncIterator[AsyncRedisson]:
    async with (
        redis.asyncio.Redis(port=gateway.port, health_check_interval=REST) as client,  # type: ignore[arg-type, unused-ignore]  # a number
        AsyncRedisson(client, codec=StringCodec(), safety_interval=LONG) as redisson,
    ):
        yield redisson


async def rests(gateway: Gateway) -> None:
    """Wait until the gateway has forgotten every connection."""
    flows = gateway._flows
    await until_async(lambda: all(flow.forgotten for flow in flows), "all are forgotten")


async def add(redisson: AsyncRedisson) -> None:
    await redisson.get_queue("q").add("a")


async def offer(redisson: AsyncRedisson) -> None:
    queue = redisson.get_queue("q")
    await redisson.get_delayed_queue(queue, transfer=False).offer("a", LONG)


async def offer_many(redisson: AsyncRedisson) -> None:
    queue = redisson.get_queue("q")
    await redisson.get_delayed_queue(queue, transfer=False).offer_many([("a", LONG)] * 300)


async def poll(redisson: AsyncRedisson) -> None:
    queue = redisson.get_blocking_queue("q")
    await queue.add("a")
    assert await queue.poll() == "a"


async def poll_waiting(redisson: AsyncRedisson) -> None:
    queue = redisson.get_blocking_queue("q")
    await queue.add("a")
    assert await queue.poll(timeout=5) == "a"


async def wait(redisson: AsyncRedisson) -> None:
    assert await redisson.get_blocking_queue("empty").poll(timeout=0.01) is None


async def consume(redisson: AsyncRedisson) -> None:
    consumer = redisson.get_consumer(redisson.get_queue("empty"), transfer=False)
    assert await consumer.poll() is None
    assert await consumer.poll(0.01) is None


async def settle(redisson: AsyncRedisson) -> None:
    queue = redisson.get_queue("q")
    await queue.add("a")
    consumer = redisson.get_consumer(queue, transfer=False)
    assert await (await consumer.take()).ack()


CALLS = (add, offer, offer_many, poll, poll_waiting, wait, consume, settle)
LEAVES: dict[Call, int] = {add: 1, offer: 2, offer_many: 600}
"""The number of elements that a call leaves in Redis; an item counts twice, in list and set."""


def left(raw: redis.Redis) -> Any:
    names = QueueNames.of("q")
    return raw.llen("q") + raw.llen(names.delay_list) + raw.zcard(names.timeout_set)


@pytest.mark.parametrize("call", CALLS)
async def test_call_on_a_forgotten_connection_loses_nothing(
    rested: AsyncRedisson, gateway: Gateway, raw: Any, call: Call
) -> None:
    for times in (1, 2, 3):
        await call(rested)
        assert left(raw) == times * LEAVES.get(call, 0)
        await rests(gateway)


async def test_many_calls_on_a_forgotten_connection_lose_nothing(
    rested: AsyncRedisson, gateway: Gateway, raw: Any
) -> None:
    """No request is sent before the client knows that the connection is open."""
    for times in (1, 2, 3):
        await run_together_async(*[lambda: offer(rested)] * 5, *[lambda: add(rested)] * 5)
        assert left(raw) == times * 15
        await rests(gateway)


async def test_connection_that_never_answers_is_left(proxy: FaultProxy, raw: Any) -> None:
    """The request is executed once, on another connection."""
    async with (
        redis.asyncio.Redis(port=proxy.port, health_check_interval=REST) as client,  # type: ignore[arg-type, unused-ignore]  # a number
        AsyncRedisson(client, codec=StringCodec(), response_timeout=600) as redisson,
    ):
        for call in (add, offer, wait, consume):
            await call(redisson)
            await sleep_async(2 * REST)
            proxy.forget_all()
            await call(redisson)
        assert left(raw) == 2 + 4


async def test_keepalives_of_the_user_prevent_forgetting(server: RedisServer) -> None:
    """A gateway that sees keepalives does not forget the connection."""
    options = {socket.TCP_KEEPIDLE: 1, socket.TCP_KEEPINTVL: 1}
    with Gateway(server, Profile("rest", idle=2.0)) as gateway:
        async with (
            redis.asyncio.Redis(
                port=gateway.port, socket_keepalive=True, socket_keepalive_options=options
            ) as client,
            AsyncRedisson(client, codec=StringCodec(), safety_interval=LONG) as redisson,
        ):
            await consume(redisson)
            await sleep_async(3.0)
            await consume(redisson)
            assert gateway.forgotten == 0


async def test_busy_connection_is_not_pinged(server: RedisServer, raw: Any) -> None:
    async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
        raw.config_resetstat()
        for _ in range(20):
            await add(redisson)
            await offer(redisson)
    assert "cmdstat_ping" not in raw.info("commandstats")


async def test_idle_open_connection_is_pinged_and_reused(server: RedisServer, raw: Any) -> None:
    async with (
        redis.asyncio.Redis(port=server.port, health_check_interval=REST) as client,  # type: ignore[arg-type, unused-ignore]  # a number
        AsyncRedisson(client, codec=StringCodec()) as redisson,
    ):
        await add(redisson)
        raw.config_resetstat()
        await sleep_async(2 * REST)
        await add(redisson)
        stats = raw.info("commandstats")
        assert stats["cmdstat_ping"]["calls"] == 1
        assert "cmdstat_hello" not in stats

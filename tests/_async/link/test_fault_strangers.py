"""A server that was started again numbers its clients anew: a stranger has the number of ours.

Whoever waits in Java's `take()` would see null where the wait of a stranger is ended.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson
from pyredisson.codecs import StringCodec
from pyredisson.protocol.queues.blocking_queue import BlockingProtocol
from pyredisson.protocol.queues.queue import End
from tests.support.faults_tools import calls
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.topology import wait_until
from tests.support.twins import aside_async, start_async, until_async

WAIT = BlockingProtocol("orders", StringCodec()).pop(End.FIRST, 2.0)


def blocked(server: RedisServer) -> list[int]:
    """The numbers of those that wait."""
    lines = server.run("CLIENT", "LIST").decode().splitlines()
    return [int(line.split()[0][3:]) for line in lines if " cmd=blpop " in line]


@pytest.fixture
def crowd(own_server: RedisServer) -> Iterator[ExitStack]:
    """Connections that came before ours, so that those after a restart reach its number."""
    with ExitStack() as stack:
        for _ in range(30):
            connect(own_server, stack)
        yield stack


def connect(server: RedisServer, stack: ExitStack) -> Any:
    """A raw connection."""
    make: Any = redis.Connection
    connection = make(port=server.port, socket_timeout=10)
    stack.callback(connection.disconnect)
    connection.connect()
    return connection


def stranger(server: RedisServer, number: int, stack: ExitStack) -> Any:
    """A raw connection that has a number, and waits for an order without an end."""
    while True:
        connection = connect(server, stack)
        connection.send_command("CLIENT", "ID")
        found = connection.read_response()
        assert found <= number, "somebody else has it"
        if found == number:
            connection.send_command("BLPOP", "orders", 0)
            wait_until(lambda: blocked(server) == [number], "it waits")
            return connection


def is_served(server: RedisServer, connection: Any) -> bool:
    """Whether an order goes to a stranger, who has heard nothing before."""
    server.run("RPUSH", "orders", "x")
    return bool(connection.read_response() == [b"orders", b"x"])


async def test_only_its_own_process_is_told(own_server: RedisServer, crowd: ExitStack) -> None:
    """The exchange of a wait whose server has died, and another one is there."""
    async with AsyncRedisson.from_url(own_server.url) as redisson:
        server = await redisson._context.link.topology.server("orders")
        exchange = await server.exchange(WAIT)
        await exchange.send(WAIT.request())
        await until_async(lambda: blocked(own_server) == [exchange.client_id], "it waits")
        own_server.kill()
        own_server.start()
        assert exchange.client_id is not None
        connection = stranger(own_server, exchange.client_id, crowd)
        assert not await server.unblock(exchange)
        assert calls(own_server, "client|unblock") == 0
        assert is_served(own_server, connection)
        await exchange.drop()


async def test_a_wait_that_outlives_its_server(own_server: RedisServer, crowd: ExitStack) -> None:
    """The server hangs, so the wait is left in it; then another one answers."""
    with FaultProxy(own_server) as proxy:
        async with AsyncRedisson.from_url(
            proxy.url, codec=StringCodec(), response_timeout=0.3
        ) as redisson:
            queue = redisson.get_blocking_queue("orders")
            taking = start_async(queue.take)
            await until_async(lambda: bool(blocked(own_server)), "it waits")
            [number] = blocked(own_server)
            own_server.pause()
            link = redisson._context.link
            await until_async(lambda: "orders" in link.failing, "it was left without an answer")
            proxy.refuse()
            await aside_async(own_server.kill)
            await aside_async(own_server.start)
            connection = await aside_async(lambda: stranger(own_server, number, crowd))
            proxy.heal()
            await until_async(lambda: len(blocked(own_server)) == 2, "it waits there, too")
            assert await aside_async(lambda: is_served(own_server, connection))
            own_server.run("RPUSH", "orders", "y")
            assert await taking.result() == "y"


async def test_its_own_process_is_told(own_server: RedisServer) -> None:
    """So that whoever leaves need not wait for the end of the slice."""
    async with AsyncRedisson.from_url(own_server.url) as redisson:
        server = await redisson._context.link.topology.server("orders")
        exchange = await server.exchange(WAIT)
        await exchange.send(WAIT.request())
        await until_async(lambda: blocked(own_server) == [exchange.client_id], "it waits")
        assert await server.unblock(exchange)
        assert await exchange.reply(10) is None
        assert calls(own_server, "client|unblock") == 1
        await exchange.done()


def without_a_name(frame: bytes) -> bytes:
    """What a proxy does that has an INFO of its own."""
    if b"\nrun_id:" not in frame:
        return frame
    text = b"proxy:1"
    return b"$%d\r\n%s\r\n" % (len(text), text)


def refused(frame: bytes) -> bytes:
    """What a server does that was told another name for INFO."""
    return b"-ERR unknown command 'INFO'\r\n" if b"\nrun_id:" in frame else frame


@pytest.mark.parametrize("answer", [without_a_name, refused])
async def test_where_nobody_says_which_process_it_is(
    own_server: RedisServer, answer: Callable[[bytes], bytes]
) -> None:
    """Nobody is told; the wait ends with its slice."""
    with FaultProxy(own_server) as proxy:
        proxy.filter_replies(answer)
        async with AsyncRedisson.from_url(proxy.url, codec=StringCodec()) as redisson:
            server = await redisson._context.link.topology.server("orders")
            exchange = await server.exchange(WAIT)
            await exchange.send(WAIT.request())
            assert exchange.client_id is not None
            assert not await server.unblock(exchange)
            assert await exchange.reply(10) is None
            await exchange.done()
            own_server.run("RPUSH", "orders", "x")
            assert await redisson.get_blocking_queue("orders").take() == "x"
        assert calls(own_server, "client|unblock") == 0


async def test_two_servers_behind_one_address(own_server: RedisServer) -> None:
    """A proxy leads each connection to another one; that is no reason to tell a stranger."""
    with RedisServer() as other, FaultProxy(own_server) as proxy:
        async with AsyncRedisson.from_url(proxy.url) as redisson:
            server = await redisson._context.link.topology.server("orders")
            exchange = await server.exchange(WAIT)
            await exchange.send(WAIT.request())
            proxy._server = other
            assert not await server.unblock(exchange)
            assert calls(other, "info") > 0
            assert calls(other, "client|unblock") == calls(own_server, "client|unblock") == 0
            await exchange.drop()

"""A restarted server reuses client numbers: another client can have a number that pyredisson had.

If pyredisson ended the wait of such a client, Java's `take()` would return null.
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
    """The client numbers of the connections that wait."""
    lines = server.run("CLIENT", "LIST").decode().splitlines()
    return [int(line.split()[0][3:]) for line in lines if " cmd=blpop " in line]


@pytest.fixture
def crowd(own_server: RedisServer) -> Iterator[ExitStack]:
    """Earlier connections, so that a client after a restart can reach pyredisson's number."""
    with ExitStack() as stack:
        for _ in range(30):
            connect(own_server, stack)
        yield stack


def connect(server: RedisServer, stack: ExitStack) -> Any:
    """Open a raw connection."""
    make: Any = redis.Connection
    connection = make(port=server.port, socket_timeout=10)
    stack.callback(connection.disconnect)
    connection.connect()
    return connection


def stranger(server: RedisServer, number: int, stack: ExitStack) -> Any:
    """Open a raw connection with a certain client number, and let it wait for an order."""
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
    """Whether a connection receives an order as its first reply."""
    server.run("RPUSH", "orders", "x")
    return bool(connection.read_response() == [b"orders", b"x"])


async def test_unblock_is_not_sent_to_a_restarted_server(
    own_server: RedisServer, crowd: ExitStack
) -> None:
    """The server of the wait was killed and restarted, so its process is another one."""
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


async def test_wait_of_a_killed_server_unblocks_no_other_client(
    own_server: RedisServer, crowd: ExitStack
) -> None:
    """The server hangs, so the wait is abandoned; then a restarted server answers."""
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


async def test_unblock_ends_a_wait_of_the_same_process(own_server: RedisServer) -> None:
    """So an ended wait does not last until the end of its slice."""
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
    """Reply to INFO as a proxy without `run_id`."""
    if b"\nrun_id:" not in frame:
        return frame
    text = b"proxy:1"
    return b"$%d\r\n%s\r\n" % (len(text), text)


def refused(frame: bytes) -> bytes:
    """Reply to INFO as a server that renamed this command."""
    return b"-ERR unknown command 'INFO'\r\n" if b"\nrun_id:" in frame else frame


@pytest.mark.parametrize("answer", [without_a_name, refused])
async def test_unblock_is_not_sent_without_a_run_id(
    own_server: RedisServer, answer: Callable[[bytes], bytes]
) -> None:
    """No CLIENT UNBLOCK is sent; the wait ends with its slice."""
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


async def test_unblock_is_not_sent_to_another_server_of_the_address(
    own_server: RedisServer,
) -> None:
    """A proxy connects each connection to another server, so no CLIENT UNBLOCK may be sent."""
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

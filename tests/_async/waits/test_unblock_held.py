"""Ending a wait while a pause holds writes: a late CLIENT UNBLOCK crashes Redis up to 7.0."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from pyredisson import AsyncRedisson
from pyredisson._async.waits.unblocking import unblocked_async
from pyredisson.protocol.kernel.run_id import ASK, run_id
from tests.support.proxy import FaultProxy
from tests.support.server import RedisServer
from tests.support.topology import wait_until

ZERO = b":0\r\n"
"""The reply to the script."""


@pytest.fixture
def waiter(own_server: RedisServer) -> Iterator[socket.socket]:
    """A connection that can send a wait without reading the reply."""
    with socket.create_connection(("127.0.0.1", own_server.port)) as connection:
        yield connection


@pytest.mark.parametrize("shared", [False, True], ids=["alone", "shared"])
async def test_unblock_with_held_writes_does_not_crash_the_server(
    own_server: RedisServer, waiter: socket.socket, shared: bool
) -> None:
    """Writes are held, and a wait with them, as soon as the script's reply arrives."""
    raw: Any = own_server.client()
    waiter.sendall(b"*2\r\n$6\r\nCLIENT\r\n$2\r\nID\r\n")
    number = int(waiter.recv(100)[1:])
    run = run_id(own_server.run(*(str(word) for word in ASK)))
    assert run is not None

    answers: list[bytes] = []

    def hold(reply: bytes) -> bytes:
        answers.append(reply)
        if answers.count(ZERO) == 1 and reply == ZERO:
            raw.client_pause(500, all=False)
            waiter.sendall(b"*3\r\n$5\r\nBLPOP\r\n$1\r\nq\r\n$1\r\n0\r\n")
            wait_until(lambda: b" flags=b " in own_server.run("CLIENT", "LIST"), "it is held")
        return reply

    with FaultProxy(own_server) as proxy:
        async with AsyncRedisson.from_url(proxy.url) as redisson:
            server = await redisson._context.link.topology.server("q")
            exchange = await (server.exchange() if shared else server.exclusive())
            proxy.filter_replies(hold)
            assert await unblocked_async(exchange, number, run, 5.0)
            await exchange.done()
    assert ZERO in answers
    assert own_server.run("PING") == b"PONG"

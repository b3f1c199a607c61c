"""Fixtures of most tests in this folder: a client on an empty server."""

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from typing import Any

import pytest

from pyredisson import AsyncConsumer, AsyncRedisson
from pyredisson.codecs import StringCodec
from tests.support.rights import FRESH
from tests.support.server import RedisServer

Login = Callable[..., AsyncRedisson]


@pytest.fixture
async def redisson(url: str) -> AsyncIterator[AsyncRedisson]:
    """A client of ``server`` whose queues use StringCodec unless a test passes a codec."""
    async with AsyncRedisson.from_url(url, codec=StringCodec()) as redisson:
        yield redisson


@pytest.fixture
def alone(redisson: AsyncRedisson) -> Callable[..., AsyncConsumer[str]]:
    """A factory of consumers of the queue ``q``; their client runs no transfer task."""
    return partial(redisson.get_consumer, redisson.get_queue("q"), transfer=False)


@pytest.fixture(scope="module")
def acl_server() -> Iterator[RedisServer]:
    """A server that only the tests of one module use."""
    with RedisServer() as server:
        yield server


@pytest.fixture
def root(acl_server: RedisServer) -> Iterator[Any]:
    """A client of the administrator; the server has no keys and no scripts."""
    with acl_server.client() as client:
        client.flushall()
        client.script_flush()
        yield client


@pytest.fixture
async def login(root: Any) -> AsyncIterator[Login]:
    """A factory of clients; each client logs in as a new user with the given rights."""
    clients: list[AsyncRedisson] = []

    def make(*rights: str, **options: Any) -> AsyncRedisson:
        name = f"user{len(clients)}"
        root.execute_command("ACL", "SETUSER", name, *FRESH, *rights)
        port = root.get_connection_kwargs()["port"]
        url = f"redis://{name}:any@127.0.0.1:{port}"
        clients.append(AsyncRedisson.from_url(url, **options))
        return clients[-1]

    yield make
    for client in clients:
        await client.aclose()

"""Values that are longer than the server accepts: it rejects one, and closes the connection."""

from collections import Counter
from collections.abc import Iterator

import pytest
import redis

from pyredisson import AsyncRedisson, Durable, UncertainOfferError
from pyredisson.codecs import StringCodec
from pyredisson.server_errors import ReplyError
from tests.support.server import RedisServer
from tests.support.tls import Certificates, TlsServer
from tests.support.twins import run_together_async

MB = 1_000_000


@pytest.fixture(scope="module")
def strict() -> Iterator[RedisServer]:
    """A server that accepts arguments of 1 MB at most."""
    with RedisServer("--proto-max-bulk-len", "1mb") as server:
        yield server


@pytest.mark.parametrize("durable", [None, Durable(replicas=1, timeout=0.1)])
@pytest.mark.parametrize("megabytes", [2, 8])
async def test_error_for_a_value_that_is_too_long_names_its_length(
    strict: RedisServer, megabytes: int, durable: Durable | None
) -> None:
    """The client reads the server's error, even if the server closes the connection meanwhile."""
    value = "x" * (megabytes * MB)
    async with AsyncRedisson.from_url(strict.url, codec=StringCodec()) as redisson:
        orders = redisson.get_queue("orders")
        delayed = redisson.get_delayed_queue(orders, transfer=False, durable=durable)
        for _ in range(5):
            with pytest.raises(ReplyError, match=r"invalid bulk length \('orders'") as caught:
                await delayed.offer(value, delay=60)
            assert f"{len(value)} bytes is longer than the server's" in str(caught.value)
            assert "max_bytes=" in str(caught.value)
        with pytest.raises(ReplyError, match=r"invalid bulk length \('orders'"):
            await orders.add(value)
        assert await delayed.size() == await orders.size() == 0


async def test_value_that_is_too_long_disturbs_no_other_offer(strict: RedisServer) -> None:
    """Other offers on the same connection lose no reply."""
    async with AsyncRedisson.from_url(strict.url, codec=StringCodec()) as redisson:
        delayed = redisson.get_delayed_queue(redisson.get_queue("together"), transfer=False)
        found: Counter[str] = Counter()

        async def offer(value: str) -> None:
            try:
                await delayed.offer(value, delay=60)
            except ReplyError:
                found["too long"] += 1

        values = ["x" * 2 * MB if number % 33 == 10 else "short" for number in range(100)]
        await run_together_async(*(lambda value=value: offer(value) for value in values))
        assert found["too long"] == 3
        assert await delayed.size() == 97
        await delayed.clear()


async def test_value_that_is_too_long_is_rejected_over_tls(certificates: Certificates) -> None:
    with TlsServer(certificates) as server:
        server.run("CONFIG", "SET", "proto-max-bulk-len", "1mb")
        async with AsyncRedisson.from_url(server.url, codec=StringCodec()) as redisson:
            orders = redisson.get_queue("orders")
            for _ in range(5):
                with pytest.raises(ReplyError, match="invalid bulk length"):
                    await orders.add("x" * 8 * MB)


async def test_error_for_a_request_that_is_too_long_names_its_length(
    own_server: RedisServer,
) -> None:
    """The server sends no error, so the error of the lost reply names the length."""
    own_server.run("CONFIG", "SET", "client-query-buffer-limit", "1mb")
    async with AsyncRedisson.from_url(own_server.url, codec=StringCodec()) as redisson:
        orders = redisson.get_queue("orders")
        delayed = redisson.get_delayed_queue(orders, transfer=False)
        with pytest.raises(UncertainOfferError, match=r"has 2000000 bytes.*max_bytes="):
            await delayed.offer("x" * 2 * MB, delay=60)
        with pytest.raises(redis.ConnectionError, match=r"has 2000000 bytes.*max_bytes="):
            await orders.add("x" * 2 * MB)

"""Clients over TLS, with a server that requires client certificates."""

import re
import threading
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
import redis

from pyredisson import AsyncRedisson, AsyncWorker, UncertainOfferError
from pyredisson.codecs import ByteArrayCodec, StringCodec
from tests.support.state import keys
from tests.support.tls import Certificates, TlsServer
from tests.support.twins import (
    aside_async,
    interrupt_async,
    run_together_async,
    sleep_async,
    start_async,
    until_async,
)


@pytest.fixture(scope="module")
def shared_tls_server(certificates: Certificates) -> Iterator[TlsServer]:
    with TlsServer(certificates) as server:
        yield server


@pytest.fixture
def tls_server(shared_tls_server: TlsServer) -> TlsServer:
    """The empty shared server; a test may kill it and start it again."""
    shared_tls_server.client(client_name="admin").flushall()
    return shared_tls_server


@pytest.fixture
async def tls_redisson(tls_server: TlsServer) -> AsyncIterator[AsyncRedisson]:
    """A client with a certificate."""
    async with AsyncRedisson.from_url(tls_server.url, codec=StringCodec()) as redisson:
        yield redisson


def waits(tls_server: TlsServer) -> bool:
    """Whether a blocking command has arrived at the server."""
    info: Any = tls_server.client(client_name="admin").info("clients")
    return bool(info["blocked_clients"])


async def test_offer_transfer_and_take_use_only_tls(
    tls_server: TlsServer, tls_redisson: AsyncRedisson
) -> None:
    """Every connection of the client uses the TLS port."""
    queue = tls_redisson.get_blocking_queue("q")
    delayed = tls_redisson.get_delayed_queue(queue)
    await until_async(lambda: tls_redisson.transfer_stats()[0].subscribed, "it listens")
    waiting = start_async(queue.take)
    await until_async(lambda: waits(tls_server), "it waits")
    receipt = await delayed.offer("later", delay=3600)
    await delayed.offer("now", delay=0.05)
    found: Any = tls_server.client(client_name="admin").client_list()
    plain = {one["name"] for one in found if not one["laddr"].endswith(f":{tls_server.tls_port}")}
    assert await waiting.result() == "now"
    assert await delayed.cancel(receipt)
    assert len(found) > 3
    if tls_server.arguments:  # else the proxy's connections use the plain port
        assert plain == {"admin"}


REFUSED = r"over TLS: the server may require a client certificate, .* \(ssl_certfile, ssl_keyfile\)"


@pytest.mark.parametrize("name", [None, "stranger"])
async def test_calls_without_the_right_certificate_raise(
    tls_server: TlsServer, name: str | None
) -> None:
    """Each call's error names the missing certificate; nothing is sent."""
    options: Any = tls_server.certificates.options(name)
    async with AsyncRedisson.from_url(tls_server.bare_url, **options) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        for call in (
            queue.size,
            queue.take,
            lambda: queue.add("x"),
            lambda: delayed.offer("x", delay=1),
        ):
            with pytest.raises(redis.ConnectionError, match=REFUSED) as caught:
                await call()
            assert not isinstance(caught.value, UncertainOfferError)


@pytest.mark.parametrize("name", [None, "stranger"])
async def test_consumers_and_workers_without_a_certificate_raise(
    tls_server: TlsServer, name: str | None
) -> None:
    """They raise instead of waiting for a server that never accepts them."""
    options: Any = tls_server.certificates.options(name)
    async with AsyncRedisson.from_url(tls_server.bare_url, **options) as redisson:
        queue = redisson.get_queue("q")
        consumer = redisson.get_consumer(queue, transfer=False)
        for call in (consumer.take, AsyncWorker(redisson, queue, print).run):
            with pytest.raises(redis.ConnectionError, match=REFUSED):
                await call()


async def test_consumers_and_workers_over_tls(
    tls_server: TlsServer, tls_redisson: AsyncRedisson
) -> None:
    """Messages are taken, requeued, transferred and acknowledged, while connections break."""
    queue, seen = tls_redisson.get_queue("q"), list[str]()
    delayed = tls_redisson.get_delayed_queue(queue)
    consumer = tls_redisson.get_consumer(queue, lease=30, prefetch=5)
    await delayed.offer_many((f"{number}", 0.05) for number in range(50))
    for message in await consumer.take_many(5, timeout=30):
        assert await message.nack(0.1)
    worker = AsyncWorker(tls_redisson, queue, seen.append)
    running = start_async(worker.run)
    await until_async(lambda: len(seen) > 10, "it works")
    tls_server.client().client_kill_filter(_type="normal", skipme=True)
    await until_async(lambda: len(set(seen)) == 50, "all is handled")
    worker.stop()
    assert await running.result() == 0
    assert await delayed.size() == await queue.size() == 0
    assert not keys(tls_server.client(), "pyredisson_*")


async def test_untrusted_server_raises_an_error_of_its_certificate(tls_server: TlsServer) -> None:
    """The error is about the server's certificate, not about the client's."""
    async with AsyncRedisson.from_url(tls_server.bare_url) as redisson:
        with pytest.raises(redis.ConnectionError, match=r"certificate verify failed") as caught:
            await redisson.get_queue("q").size()
        assert not re.search(REFUSED, str(caught.value))


async def test_large_values_over_tls_in_both_directions(
    tls_server: TlsServer, tls_redisson: AsyncRedisson
) -> None:
    """Values larger than a TLS record, a buffer and a socket buffer, many at the same time."""
    blobs = tls_redisson.get_blocking_queue("blobs", codec=ByteArrayCodec())
    delayed = tls_redisson.get_delayed_queue(blobs)
    values = [bytes([number]) * (3_000_000 + number) for number in range(6)]
    await run_together_async(*(lambda v=v: delayed.offer(v, delay=0.05) for v in values))
    small = tls_redisson.get_queue("small")
    sizes = await run_together_async(*(lambda n=n: small.add(f"{n}") for n in range(100)))
    assert all(sizes)
    assert await small.size() == 100
    await delayed.offer_many([(value, 0.05) for value in values[:2]])
    taken = await run_together_async(*(blobs.take for _ in range(8)))
    assert sorted(taken) == sorted(values + values[:2])
    assert await blobs.poll(timeout=0.1) is None


async def test_interrupted_waits_lose_nothing(
    tls_server: TlsServer, tls_redisson: AsyncRedisson
) -> None:
    """A wait that is interrupted while elements arrive requeues its element."""
    queue = tls_redisson.get_blocking_queue("q")
    admin, found, times = tls_server.client(), [], 40
    assert await queue.poll() is None
    for number in range(times):
        push = threading.Thread(target=admin.rpush, args=("q", f"{number}"))
        push.start()
        found += await interrupt_async(queue.take, number % 10 / 2000)
        await aside_async(push.join)
    left: Any = admin.lrange("q", 0, -1)
    found += [value.decode() for value in left]
    assert sorted(found, key=int) == [f"{number}" for number in range(times)]


@pytest.mark.filterwarnings("ignore:unclosed <ssl.SSLSocket:ResourceWarning")  # CPython's own:
# wrap_socket() does not close the socket if the peer closes it before the handshake
async def test_client_continues_after_a_restart_of_the_tls_server(tls_server: TlsServer) -> None:
    """Waits continue, each offer is stored or raises, and the subscription is opened again."""
    stored: list[str] = []
    unknown: list[str] = []
    async with AsyncRedisson.from_url(tls_server.url, codec=StringCodec()) as redisson:
        queue = redisson.get_blocking_queue("q")
        delayed = redisson.get_delayed_queue(queue)
        waiting = start_async(redisson.get_blocking_queue("other").take)
        await until_async(lambda: waits(tls_server), "it waits")  # a first call would raise
        await delayed.offer("kept", delay=0.5)

        async def offer(name: str) -> None:
            try:
                await delayed.offer(name, delay=0.01)
                stored.append(name)
            except UncertainOfferError:
                unknown.append(name)
            except redis.RedisError:
                pass  # nothing was sent

        offers = start_async(
            lambda: run_together_async(*(lambda n=n: offer(f"{n}") for n in range(300)))
        )
        await until_async(lambda: len(stored) > 20, "some are stored")
        await aside_async(tls_server.kill)
        await offers.result()
        await sleep_async(0.2)
        await aside_async(tls_server.start)
        tls_server.client().rpush("other", "x")
        assert await waiting.result() == "x"
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it listens again")
        expected = {"kept", *stored}
        found: list[str] = []
        while expected.difference(found):
            found.append(await queue.take())
        assert set(found) <= expected.union(unknown)
        assert len(found) == len(set(found))

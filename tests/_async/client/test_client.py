"""The client: it accepts any redis-py client, and does not change it."""

import copy
import os
import re
from collections.abc import Callable
from typing import Any

import pytest
import redis
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import ExponentialBackoff

from pyredisson import AsyncConsumer, AsyncRedisson, ClosedError, InvalidNameError
from pyredisson.codecs import ByteArrayCodec, Kryo5Codec, LongCodec, StringCodec
from tests.support.server import RedisServer
from tests.support.state import shape
from tests.support.twins import sleep_async, start_async, until_async

STRINGS = StringCodec()

Make = Callable[[int], redis.asyncio.Redis]


def pooled(port: int, **options: Any) -> redis.asyncio.Redis:
    pool: Any = redis.asyncio.BlockingConnectionPool
    return redis.asyncio.Redis(connection_pool=pool(port=port, **options))


CLIENTS: dict[str, Make] = {
    "plain": lambda port: redis.asyncio.Redis(port=port),
    "decode_responses": lambda port: redis.asyncio.Redis(port=port, decode_responses=True),
    "RESP2": lambda port: redis.asyncio.Redis(port=port, protocol=2),
    "RESP3": lambda port: redis.asyncio.Redis(port=port, protocol=3),
    "RESP3 decoded": lambda port: redis.asyncio.Redis(port=port, protocol=3, decode_responses=True),
    "single connection": lambda port: redis.asyncio.Redis(port=port, single_connection_client=True),
    "blocking pool": lambda port: pooled(port, max_connections=2, timeout=1),
    "pool of one": lambda port: pooled(port, max_connections=1, decode_responses=True),
    "another encoding": lambda port: redis.asyncio.Redis(
        port=port, encoding="utf-16", encoding_errors="ignore"
    ),
    "retries": lambda port: redis.asyncio.Redis(
        port=port,
        retry=Retry(ExponentialBackoff(), 5),
        retry_on_error=[redis.ConnectionError],
        health_check_interval=1,
        socket_timeout=5,
        socket_connect_timeout=5,
    ),
    "named": lambda port: redis.asyncio.Redis(port=port, client_name="mine"),
}


async def used(client: redis.asyncio.Redis) -> None:
    """Use a client for each kind of request: script, pop, wait, subscription, binary value."""
    async with AsyncRedisson(client) as redisson:
        queue = redisson.get_blocking_queue("ä q", codec=STRINGS)
        delayed = redisson.get_delayed_queue(queue)
        receipt = await delayed.offer("ä", delay=3600)
        await until_async(lambda: redisson.transfer_stats()[0].subscribed, "it listens")
        assert await delayed.read_all() == ["ä"]
        assert await delayed.cancel(receipt)
        await delayed.offer("ä", delay=0.05)
        assert await queue.take() == "ä"
        assert await queue.poll(timeout=0.05) is None
        blobs = redisson.get_queue("blobs", codec=ByteArrayCodec())
        await blobs.add(b"\xff\0")
        assert await blobs.poll(5) == [b"\xff\0"]


@pytest.mark.parametrize("make", CLIENTS.values(), ids=CLIENTS)
async def test_client_accepts_any_redis_py_client_unchanged(
    server: RedisServer, raw: redis.Redis, make: Make
) -> None:
    client = make(server.port)
    speaks = "utf-16" not in repr(seen(client))
    if speaks:
        assert await client.ping()
    before = seen(client)
    await used(client)
    assert seen(client) == before
    if speaks:
        assert await client.set("mine", "yes")  # the redis-py client is still open
        assert await client.get("mine") in ("yes", b"yes")
    await client.aclose()
    await client.connection_pool.disconnect()
    assert raw.keys() in ([], [b"mine"])


def seen(client: redis.asyncio.Redis) -> Any:
    """All settings of a client that could be changed."""
    pool: Any = client.connection_pool
    settings = {name: repr(value) for name, value in pool.connection_kwargs.items()}
    return copy.copy(settings), type(pool), pool.connection_class, pool.max_connections


async def test_names_are_utf8_whatever_encoding_the_client_has(
    server: RedisServer, raw: redis.Redis
) -> None:
    client = redis.asyncio.Redis(port=server.port, encoding="latin-1")
    async with AsyncRedisson(client) as redisson:
        await redisson.get_queue("ü", codec=STRINGS).add("ü")
    assert shape(raw) == {"ü": ["ü"]}


async def test_queues_are_in_the_database_of_the_client(
    raw: redis.Redis, server: RedisServer
) -> None:
    raw.flushall()
    async with AsyncRedisson.from_url(f"redis://127.0.0.1:{server.port}/3") as redisson:
        queue = redisson.get_blocking_queue("q", codec=STRINGS)
        await redisson.get_delayed_queue(queue).offer("x", delay=0)
        assert await queue.take() == "x"
        await queue.add("y")
    assert raw.keys() == []
    raw.select(3)
    assert shape(raw) == {"q": ["y"]}
    raw.flushdb()


async def test_client_connects_over_a_unix_socket(raw: redis.Redis) -> None:
    with RedisServer("--unixsocket", "socket") as server:
        path = os.fspath(server.directory / "socket")
        async with AsyncRedisson.from_url(f"unix://{path}?db=1") as redisson:
            queue = redisson.get_blocking_queue("q", codec=STRINGS)
            await redisson.get_delayed_queue(queue).offer("x", delay=0.05)
            assert await queue.take() == "x"


async def test_client_logs_in_with_a_password(raw: redis.Redis) -> None:
    with RedisServer("--requirepass", "secret") as server:
        url = server.url.replace("//", "//:secret@")
        async with AsyncRedisson.from_url(url) as redisson:
            queue = redisson.get_blocking_queue("q", codec=STRINGS)
            await redisson.get_delayed_queue(queue).offer("x", delay=0)
            assert await queue.take() == "x"
        async with AsyncRedisson.from_url(server.url) as redisson:
            with pytest.raises(redis.AuthenticationError):
                await redisson.get_blocking_queue("q").take()
            with pytest.raises(redis.AuthenticationError):
                await redisson.get_queue("q").size()


async def test_client_rejects_an_object_that_is_no_async_redis_client() -> None:
    other: Any = object()
    with pytest.raises(TypeError, match=re.escape("AsyncRedisson takes redis.asyncio.Redis or")):
        AsyncRedisson(other)


async def test_fakeredis_client_is_rejected() -> None:
    """A fakeredis class is recognized by its module; otherwise it is a redis-py class."""
    fake: Any = type("Fake", (redis.asyncio.Connection,), {"__module__": "fakeredis._clients"})
    pool = redis.asyncio.ConnectionPool(connection_class=fake)
    kind: Any = type("FakeRedis", (redis.asyncio.Redis,), {"__module__": "fakeredis._clients"})
    for client in (kind(), redis.asyncio.Redis(connection_pool=pool)):
        with pytest.raises(TypeError, match=r"fakeredis client has no sockets.*EmbeddedServer"):
            AsyncRedisson(client)


async def test_constructor_rejects_a_url_and_names_from_url() -> None:
    url: Any = "redis://127.0.0.1:6379/0"
    with pytest.raises(TypeError, match=r"builtins\.str; for a URL there is from_url\(\)"):
        AsyncRedisson(url)


@pytest.mark.parametrize("codec", [StringCodec, "StringCodec"])
async def test_codec_that_is_no_codec_object_is_rejected(codec: Any) -> None:
    async with AsyncRedisson.from_url("redis://") as redisson:
        with pytest.raises(TypeError, match="a queue needs a codec, such as StringCodec"):
            redisson.get_queue("q", codec=codec)


@pytest.mark.parametrize("name", [b"q", 5])
async def test_queue_name_that_is_no_str_is_rejected(name: Any) -> None:
    async with AsyncRedisson.from_url("redis://") as redisson:
        with pytest.raises(TypeError, match="the name of a queue must be str, not "):
            redisson.get_queue(name)


async def test_delayed_queue_rejects_a_target_that_is_no_queue() -> None:
    target: Any = "orders"
    async with AsyncRedisson.from_url("redis://") as redisson:
        with pytest.raises(TypeError, match=r"target that get_queue\(\) returns, got 'orders'"):
            redisson.get_delayed_queue(target)
        assert redisson.transfer_stats() == []


@pytest.mark.parametrize("seconds", [0, -1, float("nan")])
@pytest.mark.parametrize("setting", ["safety_interval", "response_timeout"])
async def test_settings_that_are_not_positive_are_rejected(setting: str, seconds: float) -> None:
    options: Any = {setting: seconds}
    with pytest.raises(ValueError, match=setting):
        AsyncRedisson.from_url("redis://", **options)


# --- nothing connects before a call needs it ----------------------------------------------------


async def test_constructors_do_not_connect(own_server: RedisServer) -> None:
    raw = own_server.client()
    raw.ping()

    def connections() -> int:
        return int(raw.info("stats")["total_connections_received"])

    before = connections()
    redisson = AsyncRedisson.from_url(own_server.url)
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    redisson.get_queue("q"), redisson.get_deque("q"), redisson.get_blocking_deque("q")
    delayed = redisson.get_delayed_queue(queue, transfer=False)
    repr((redisson, queue, delayed))
    redisson.transfer_stats()
    await sleep_async(0.1)
    assert connections() == before
    await queue.size()
    assert connections() == before + 1
    await redisson.aclose()


# --- closing ------------------------------------------------------------------------------------


async def test_closed_client_raises_closed_error(url: str) -> None:
    redisson = AsyncRedisson.from_url(url)
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    delayed = redisson.get_delayed_queue(queue)
    await queue.add("x")
    await redisson.aclose()
    await redisson.aclose()  # a second close does nothing
    calls: list[Callable[[], Any]] = [
        queue.size,
        queue.poll,
        queue.take,
        lambda: delayed.offer("x", delay=1),
        delayed.size,
    ]
    for call in calls:
        with pytest.raises(ClosedError):
            await call()
    assert "closed" in repr(redisson)


async def test_close_leaves_no_connection(own_server: RedisServer) -> None:
    raw = own_server.client()
    raw.ping()
    async with AsyncRedisson.from_url(own_server.url) as redisson:
        queues = [redisson.get_blocking_queue(f"q{n}", codec=STRINGS) for n in range(3)]
        delayed = [redisson.get_delayed_queue(queue) for queue in queues]
        for one in delayed:
            await one.offer("x", delay=0)
        for queue in queues:
            assert await queue.take() == "x"
    await until_async(lambda: len(raw.client_list()) == 1, "only the test's own is left")


async def test_close_ends_calls_that_wait(own_server: RedisServer) -> None:
    raw = own_server.client()
    redisson = AsyncRedisson.from_url(own_server.url)
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    waiting = [start_async(queue.take) for _ in range(3)]
    await until_async(lambda: int(raw.info("clients")["blocked_clients"]) == 3, "they wait")
    await redisson.aclose()
    for one in waiting:
        with pytest.raises(ClosedError):
            await one.result()
    raw.rpush("q", "x")
    await until_async(lambda: len(raw.client_list()) == 1, "their connections are closed")
    assert raw.llen("q") == 1


async def test_element_pushed_during_close_is_not_lost(own_server: RedisServer) -> None:
    raw = own_server.client()
    redisson = AsyncRedisson.from_url(own_server.url)
    queue = redisson.get_blocking_queue("q", codec=STRINGS)
    waiting = start_async(queue.take)
    await until_async(lambda: int(raw.info("clients")["blocked_clients"]) == 1, "it waits")
    await redisson.aclose()
    raw.rpush("q", "x")
    try:
        taken = [await waiting.result()]
    except ClosedError:
        taken = []
    await until_async(lambda: len(raw.client_list()) == 1, "the connection is closed")
    assert taken + raw.lrange("q", 0, -1) in (["x"], [b"x"])


# --- codecs and names ---------------------------------------------------------------------------


async def test_default_codec_is_redissons_kryo5(redisson: AsyncRedisson, url: str) -> None:
    async with AsyncRedisson.from_url(url) as plain:
        assert isinstance(plain.get_queue("q").codec, Kryo5Codec)
    codec = LongCodec()
    async with AsyncRedisson.from_url(url, codec=codec) as numbers:
        queue = numbers.get_queue("q")
        assert queue.codec is codec
        await queue.add(5)
        assert numbers.get_queue("q", codec=STRINGS).codec is STRINGS


class Prefix:
    """A NameMapper like the one in Redisson's documentation."""

    def map(self, name: str, /) -> str:
        return f"app1:{name}"

    def unmap(self, name: str, /) -> str:
        return name.removeprefix("app1:")


class Tag(Prefix):
    """A NameMapper that makes a hash tag."""

    def map(self, name: str, /) -> str:
        return f"app1:{{{name}}}"

    def unmap(self, name: str, /) -> str:
        return name.removeprefix("app1:{").removesuffix("}")


@pytest.mark.parametrize(("mapper", "inner"), [(Prefix(), "app1:q"), (Tag(), "app1:{q}")])
async def test_names_are_mapped_before_they_are_prefixed(
    url: str, raw: redis.Redis, mapper: Prefix, inner: str
) -> None:
    braced = inner if "{" in inner else f"{{{inner}}}"
    async with AsyncRedisson.from_url(url, name_mapper=mapper) as redisson:
        queue = redisson.get_blocking_deque("q", codec=STRINGS)
        delayed = redisson.get_delayed_queue(queue)
        receipt = await delayed.offer("later", delay=3600)
        await delayed.offer("now", delay=0)
        assert await queue.take() == "now"
        assert (queue.name, delayed.name, receipt.queue) == ("q", "q", inner)
        keys = {f"redisson_delay_queue:{braced}", f"redisson_delay_queue_timeout:{braced}"}
        assert set(shape(raw)) == keys
        channel = f"redisson_delay_queue_channel:{braced}"
        await until_async(lambda: raw.pubsub_channels() == [channel.encode()], "it listens there")
        await delayed.offer_again(receipt)
        assert await delayed.cancel(receipt)


class OneWay(Prefix):
    """A NameMapper whose `unmap` is not implemented."""

    def unmap(self, name: str, /) -> str:
        raise NotImplementedError


async def test_take_works_without_unmap(url: str) -> None:
    """An error from `unmap` would lose the element that was taken."""
    async with AsyncRedisson.from_url(url, name_mapper=OneWay()) as redisson:
        queue = redisson.get_blocking_deque("q", codec=STRINGS)
        await queue.add_all(["a", "b", "c", "d", "e"])
        assert await queue.poll_from_any_with_name(1, "to") == ("q", "a")
        assert await queue.poll_first_from_any(1, "to", count=2) == {"q": ["b", "c"]}
        assert await queue.poll(2, timeout=1) == ["d", "e"]


async def test_names_of_target_queues_are_mapped(url: str, raw: redis.Redis) -> None:
    """Redisson does not map them in pollLastAndOfferFirstTo and move (docs/differences.md)."""
    async with AsyncRedisson.from_url(url, name_mapper=Prefix()) as redisson:
        queue = redisson.get_blocking_deque("q", codec=STRINGS)
        delayed = redisson.get_delayed_queue(queue, transfer=False)
        for value in "abc":
            await queue.add(value)
            await delayed.offer(value, delay=3600)
        await queue.poll_last_and_offer_first_to("to")
        await queue.take_last_and_offer_first_to("to")
        await delayed.poll_last_and_offer_first_to("to")
        assert await queue.poll_from_any_with_name(1, "to") == ("q", "a")
        assert await queue.poll_from_any_with_name(1, "to") == ("to", "c")
        assert await queue.poll_first_from_any(1, "to", count=9) == {"to": ["b", "c"]}
        await delayed.clear()
        assert shape(raw) == {}
        await queue.add("x")
        await queue.rename("q2")
        await queue.copy("q3")
        assert shape(raw) == {"app1:q2": ["x"], "app1:q3": ["x"]}
        assert queue.name == "q2"


async def test_bad_shard_arguments_are_rejected_and_reprs_name_shards(
    redisson: AsyncRedisson,
) -> None:
    with pytest.raises(InvalidNameError, match="all be in slot"):
        redisson.get_sharded_queue("{orders}")
    with pytest.raises(TypeError, match="must be str"):
        redisson.get_sharded_queue(redisson.get_queue("q"))  # type: ignore[call-overload]  # a name
    with pytest.raises(ValueError, match="from 1 to 100"):
        redisson.get_sharded_queue("orders", 0)
    with pytest.raises(TypeError, match="get_poison_list"):
        redisson.get_poison_list(redisson.get_sharded_queue("x", 2))  # type: ignore[arg-type]  # a shard's
    assert isinstance(redisson.get_consumer(redisson.get_queue("q")), AsyncConsumer)
    orders = redisson.get_sharded_queue("orders", 3)
    assert repr(orders) == f"<{type(orders).__name__} 'orders' shards=3 codec={StringCodec()!r}>"
    assert (orders.name, orders.shard_count) == ("orders", 3)
    consumer = redisson.get_consumer(orders)
    assert repr(consumer) == f"<{type(consumer).__name__} 'orders' shards=3 open>"
    letters = redisson.get_dead_letters(orders)
    assert repr(letters) == f"<{type(letters).__name__} 'orders' shards=3>"

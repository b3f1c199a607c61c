"""Local copies when subscriptions are cut or silent, replies are lost, or reads are interrupted."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

import pytest
import redis

from pyredisson import AsyncLocalCachedMap, AsyncRedisson, UncertainError
from pyredisson.codecs import StringCodec
from pyredisson.protocol.kernel.scripts import load
from pyredisson.server_errors import ServerConnectionError
from tests.support.proxy import FaultProxy
from tests.support.twins import AsyncStarted, interrupt_async, sleep_async, until_async

SYNCS: tuple[Any, ...] = ("update", "invalidate", "update")
Made = AsyncLocalCachedMap[str, str]


@pytest.fixture
async def client(proxy: FaultProxy) -> AsyncIterator[AsyncRedisson]:
    url = f"redis://127.0.0.1:{proxy.port}/0"
    async with AsyncRedisson.from_url(url, safety_interval=0.3, response_timeout=1) as redisson:
        yield redisson


async def opened(redisson: AsyncRedisson, **options: Any) -> Made:
    """A map with a copy of each of its three keys."""
    cached: Made = redisson.get_local_cached_map("m", StringCodec(), **options)
    cached._copies.open()
    await until_async(cached._copies._listens, "it listens")
    await cached.get_all("abc")
    assert cached.get_cached_map() == {"a": "1", "b": "2", "c": "3"}
    return cached


@pytest.fixture(autouse=True)
def stored(raw: redis.Redis) -> None:
    raw.hset("m", mapping={"a": "1", "b": "2", "c": "3"})


async def test_cut_connection_disables_copies(
    client: AsyncRedisson, proxy: FaultProxy, raw: Any
) -> None:
    """The map uses no copy while its subscription is cut.

    Afterwards it uses only copies that it has read again.
    """
    cached = await opened(client)
    proxy.reset_all()
    await until_async(lambda: not cached._copies._listens(), "the cut is noticed")
    raw.hset("m", "a", "changed meanwhile")
    assert await cached.get("a") == "changed meanwhile"
    await until_async(cached._copies._listens, "it listens again")
    assert await cached.get_all("abc") == {"a": "changed meanwhile", "b": "2", "c": "3"}
    raw.delete("m")
    assert await cached.get("b") == "2"


async def test_silent_server_disables_copies(
    client: AsyncRedisson, proxy: FaultProxy, raw: Any
) -> None:
    """After about a second, the map uses no copies, although no connection has ended."""
    cached = await opened(client)
    proxy.black_hole()
    await until_async(lambda: not cached._copies._listens(), "the silence is noticed")
    raw.hset("m", "a", "changed meanwhile")
    proxy.heal(cut=True)
    assert await cached.get("a") == "changed meanwhile"


async def test_load_strategy_drops_copies_that_log_names(
    client: AsyncRedisson, proxy: FaultProxy, redisson: AsyncRedisson, raw: Any
) -> None:
    cached = await opened(client, reconnection_strategy="load")
    await until_async(lambda: cached._copies._good > 0, "it has looked at the subscription")
    proxy.reset_all()
    await until_async(lambda: not cached._copies._listens(), "the cut is noticed")
    other = redisson.get_local_cached_map("m", StringCodec())
    await other.put("a", "changed meanwhile")
    raw.hset("m", "b", "by somebody without a log")
    await until_async(lambda: cached._copies._listens() and not cached._copies._unchecked, "back")
    assert cached.get_cached_map() == {"b": "2", "c": "3"}
    assert await cached.get("a") == "changed meanwhile"
    for change in (other.delete, lambda: other.put("new", "v")):
        proxy.reset_all()
        await until_async(lambda: not cached._copies._listens(), "the cut is noticed")
        await change()
        await until_async(
            lambda: cached._copies._listens() and not cached._copies._unchecked, "back"
        )
        assert await cached.get("c") is None


async def test_none_strategy_uses_copies_during_cut(
    client: AsyncRedisson, proxy: FaultProxy, raw: redis.Redis
) -> None:
    cached = await opened(client, reconnection_strategy="none")
    proxy.reset_all()
    await until_async(lambda: not cached._copies._listens(), "the cut is noticed")
    raw.hset("m", "a", "changed meanwhile")
    assert await cached.get("a") == "1"
    await until_async(cached._copies._listens, "it listens again")
    assert await cached.get("a") == "1"


async def test_lost_reply_of_write_raises_and_drops_copy(
    client: AsyncRedisson, proxy: FaultProxy, raw: Any
) -> None:
    """The write is not sent again, and the map uses no older copy."""
    cached = await opened(client)
    await cached.put("other", "v")
    await sleep_async(0.1)
    await cached.get("a")
    proxy.lose_reply_to(load("local_maps/change").sha.encode())
    with pytest.raises(UncertainError, match="no reply to a write of 'm'"):
        await cached.put("a", "new")
    assert await cached.get("a") == raw.hget("m", "a").decode() == "new"


@pytest.mark.parametrize(
    ("name", "change", "word"),
    [
        ("m", lambda made: made.rename("new"), load("objects/rename").sha),
        ("m", lambda made: made.renamenx("new"), load("objects/rename").sha),
        ("m", lambda made: made.move_to_database(1), load("objects/move").sha),
        ("n", lambda made: made.copy_and_replace("m"), load("objects/copy").sha),
        ("m", lambda made: made.migrate("127.0.0.1", 1), "MIGRATE"),
        ("m", lambda made: made.restore((b"any",), replace=True), "RESTORE"),
    ],
)
async def test_lost_reply_of_rename_or_restore_drops_all_copies(
    client: AsyncRedisson,
    redisson: AsyncRedisson,
    proxy: FaultProxy,
    raw: Any,
    name: str,
    change: Callable[[Made], Any],
    word: str,
) -> None:
    """Other clients drop their copies, because the server may have done the change."""
    cached = await opened(redisson)
    other: Made = client.get_local_cached_map(name, StringCodec())
    raw.hset("n", "a", "1")
    await other.size()
    proxy.lose_reply_to(word.encode())
    with pytest.raises(ServerConnectionError):
        await change(other)
    await until_async(lambda: not cached.get_cached_map(), "the copies are dropped")
    raw.flushall()


async def test_flushed_scripts_are_loaded_again(redisson: AsyncRedisson, raw: redis.Redis) -> None:
    cached = await opened(redisson)
    raw.script_flush()
    assert await cached.put("a", "new") == "1"
    assert await cached.get("a") == "new"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
async def test_interrupted_reads_keep_no_stale_copy(
    redisson: AsyncRedisson, raw: redis.Redis
) -> None:
    """Interrupted reads keep no copy that is older than the server's value.

    A socket that was being opened may remain.
    """
    cached = await opened(redisson, cache_size=None)

    async def turn() -> None:
        await cached.get("k")
        await cached.fast_put("k", "w")
        await cached.get("k")

    for number in range(100):
        raw.hset("m", "k", "v")
        await interrupt_async(turn, number * 0.00005)
    await sleep_async(0.1)
    assert len(cached._copies._copies._reads) < 10
    stored: Any = raw.hget("m", "k")
    assert cached.get_cached_map().get("k") in (None, stored.decode())


async def test_copies_equal_stored_values_after_many_writes(
    redisson: AsyncRedisson, url: str, raw: Any
) -> None:
    """Soon after the last write, each copy equals the server's value."""
    cached = await opened(redisson)
    async with AsyncRedisson.from_url(url) as another:
        maps: list[Made] = [
            another.get_local_cached_map("m", StringCodec(), sync_strategy=sync_strategy)
            for sync_strategy in SYNCS
        ]

        async def write(one: Made) -> None:
            for number in range(60):
                await one.fast_put("abc"[number % 3], f"{id(one)} {number}")

        writers = [AsyncStarted(partial(write, one)) for one in maps]
        reads = 0
        while not all(each.done for each in writers):
            await cached.get_all("abc")
            await sleep_async(0.001)
            reads += 1
        for each in writers:
            await each.result()
        await sleep_async(0.3)
        for one in (cached, *maps):
            stored = {key.decode(): value.decode() for key, value in raw.hgetall("m").items()}
            assert stored.items() >= one.get_cached_map().items()
            assert await one.get_all("abc") == stored
    assert reads
